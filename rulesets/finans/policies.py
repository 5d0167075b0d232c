"""Policies: what stands for any square until it is changed: rent, cash in need, bonds, tips, jail pass, and winning.

None of them is part of a programme, so none of them counts as an answer where something is to be decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Choice, Notation, Order
from judge.core.text import Listing, Text
from rulesets.finans.box import BOX
from rulesets.finans.orders import ALWAYS, MOST, Build, Buy, Deed, Line, Loan, Meeting, Mortgage, Redeem, Repay, Sell
from rulesets.finans.payments import listed

Means = Literal["loans", "mortgages", "shares", "car", "properties"]

MEANS: Mapping[str, tuple[Text, str, tuple[str, ...]]] = {
    "loans": (Text.of("loans"), "Kredite", ("loan", "Kredit")),
    "mortgages": (Text.of("mortgages"), "Hypotheken", ("mortgage", "Hypothek")),
    "shares": (Text.of("shares"), "Aktien", ("share", "Aktie")),
    "car": (Text.of("the car"), "Auto", ("the car", "das Auto", "Wagen")),
    "properties": (Text.of("properties"), "Grundstücke", ("property", "Grundstück")),
}

SORTS: Mapping[str, tuple[Text, str, tuple[str, ...]]] = {
    "everything": (Text.of("everything"), "alles", ("all",)),
    "buy": (Text.of("purchases"), "Käufe", ("purchases", "buying", "kaufen")),
    "build": (Text.of("building"), "Bauten", ("building", "bauen")),
    "redeem": (Text.of("redemptions"), "Einlösungen", ("redemptions",)),
    "mortgage": (Text.of("mortgages"), "Hypotheken", ("mortgages",)),
    "sell": (Text.of("sales"), "Verkäufe", ("sales", "verkaufen")),
    "loan": (Text.of("loans"), "Kredite", ("loans",)),
    "repay": (Text.of("repayments"), "Tilgungen", ("repayments",)),
    "meeting": (Text.of("meetings"), "Versammlungen", ("meetings",)),
    "raise": (Text.of("cash in need"), "Geldbeschaffung", ("raise cash",)),
    "bonds": (Text.of("bonds"), "Obligationen", ()),
    "offer": (Text.of("offers"), "Angebote", ("offers",)),
    "raid": (Text.of("raids"), "Übernahmen", ("raids",)),
    "swap": (Text.of("swaps"), "Tausch", ("swaps",)),
    "waive": (Text.of("waivers"), "Verzicht", ("waivers",)),
    "pass": (Text.of("jail pass"), "Freikarte", ("jail pass",)),
    "win": (Text.of("winning"), "Sieg", ("winning",)),
}

USE: Mapping[str, tuple[Text, str, tuple[str, ...]]] = {
    "use": (Text.of("use"), "nutzen", ("yes", "ja", "nutze")),
    "keep": (Text.of("keep"), "behalten", ("no", "nein", "behalte")),
}


def choices(named: Mapping[str, tuple[Text, str, tuple[str, ...]]]) -> tuple[Choice, ...]:
    return tuple(
        Choice(value, words, (german, *also), {"de": german}) for value, (words, german, also) in named.items()
    )


class Policy(Order):
    """A line that stands."""

    standing: ClassVar[bool] = True
    opens: ClassVar[Literal["turn", "game"]] = "game"


class Raise(Policy):
    notation: ClassVar[Notation] = Notation(
        write={"en": "raise cash by {means}", "de": "beschaffe Geld durch {means}"},
        read=("(raise cash|raise money|if short|beschaffe Geld|bei Schulden) : [by|with|durch|mit] {means}",),
        about=Text.of(
            "When a debt is more than your cash: these means first, in this order. The usual order is loans, "
            "mortgages, shares, the car; complete groups come last."
        ),
    )
    title: ClassVar[Text] = Text.of("Cash in need")
    labels: ClassVar[Mapping[str, Text]] = {"means": Text.of("Means")}

    kind: Literal["raise"] = "raise"
    means: tuple[Means, ...] = Field(min_length=1, max_length=5, examples=[("shares", "loans")])

    def tell(self, ask: Ask) -> Text:
        return Text.of("To pay debts: {means} first", means=Listing([MEANS[name][0] for name in self.means]))


class Bonds(Policy):
    notation: ClassVar[Notation] = Notation(
        write={"en": "bonds {numbers} [keep {keep}]", "de": "Obligationen {numbers} [behalte {keep}]"},
        read=(
            "(bond|bonds|Obligation|Obligationen) [number|numbers|Nummer|Nummern|Nr] {numbers} [(keep|behalte) {keep}]",
        ),
        about=Text.of("Whenever you may buy a bond, the first of these numbers that is left."),
    )
    title: ClassVar[Text] = Text.of("Bonds")
    labels: ClassVar[Mapping[str, Text]] = {"numbers": Text.of("Numbers"), "keep": Text.of("Keep at least")}

    kind: Literal["bonds"] = "bonds"
    numbers: tuple[int, ...] = Field(min_length=1, max_length=BOX.sweepstakes.bonds, examples=[(7, 6, 8)])
    keep: int | None = Field(default=None, ge=0, le=MOST)

    def tell(self, ask: Ask) -> Text:
        numbers = Listing([str(number) for number in self.numbers])
        return Text.of("Buy bonds when possible: {numbers}", numbers=numbers)


class Offer(Policy):
    notation: ClassVar[Notation] = Notation(
        write={"en": "offered buy {things} [keep {keep}]", "de": "angeboten kaufe {things} [behalte {keep}]"},
        read=(
            (
                "(offered|if offered|when offered|offer|tip|angeboten|bei Angebot|Angebot) : [buy|kaufe] {things} "
                "[(keep|behalte) {keep}]"
            ),
        ),
        about=Text.of("When a tip lets you buy from the Bank at once: the first of these that it allows."),
    )
    title: ClassVar[Text] = Text.of("Offers of the Bank")
    labels: ClassVar[Mapping[str, Text]] = {
        "things": Text.of("Property or share"),
        "keep": Text.of("Keep at least"),
    }

    kind: Literal["offer"] = "offer"
    things: tuple[str, ...] = Field(min_length=1, examples=[("grocery", "trust-75")])
    keep: int | None = Field(default=None, ge=0, le=MOST)

    def tell(self, ask: Ask) -> Text:
        return Text.of("When a tip offers it: buy {things}", things=listed(self.things))


class Raid(Policy):
    notation: ClassVar[Notation] = Notation(
        write={"en": "raid {things} [keep {keep}]", "de": "übernimm {things} [behalte {keep}]"},
        read=("(raid|übernimm|übernehme|Übernahme) : {things} [(keep|behalte) {keep}]",),
        about=Text.of("When a tip makes an opponent sell: the first of these that it allows."),
    )
    title: ClassVar[Text] = Text.of("Raids")
    labels: ClassVar[Mapping[str, Text]] = Offer.labels

    kind: Literal["raid"] = "raid"
    things: tuple[str, ...] = Field(min_length=1, examples=[("furniture", "business-75")])
    keep: int | None = Field(default=None, ge=0, le=MOST)

    def tell(self, ask: Ask) -> Text:
        return Text.of("When a tip forces a sale: take {things}", things=listed(self.things))


class Swap(Policy):
    notation: ClassVar[Notation] = Notation(
        write={"en": "swap {give} for {get}", "de": "tausche {give} gegen {get}"},
        read=("(swap|tausche) {give} (for|against|gegen|für) {get}",),
        about=Text.of("When a tip lets you swap shares of the same value: the first of these lines that is possible."),
    )
    title: ClassVar[Text] = Text.of("Swaps of shares")
    labels: ClassVar[Mapping[str, Text]] = {"give": Text.of("Give"), "get": Text.of("Get")}

    kind: Literal["swap"] = "swap"
    give: str = Field(examples=["crafts-50"])
    get: str = Field(examples=["business-50"])

    def tell(self, ask: Ask) -> Text:
        return Text.of("When a tip allows a swap: {give} for {get}", give=listed((self.give,)), get=listed((self.get,)))


class JailPass(Policy):
    notation: ClassVar[Notation] = Notation(
        write={"en": "jail pass {use}", "de": "Freikarte {use}"},
        read=(
            "(jail pass|Freikarte|Gefängniskarte) : {use}",
            "{use} (the|my|die|meine) (jail pass|Freikarte|Gefängniskarte)",
        ),
        about=Text.of("Whether a jail pass that you keep is used at once; it is unless you say “keep”."),
    )
    title: ClassVar[Text] = Text.of("Jail pass")
    labels: ClassVar[Mapping[str, Text]] = {"use": Text.of("Use it")}

    kind: Literal["pass"] = "pass"
    use: Literal["use", "keep"] = Field(examples=["keep"])

    def tell(self, ask: Ask) -> Text:
        return Text.of("Use a jail pass at once") if self.use == "use" else Text.of("Keep a jail pass, and go to jail")


class WinWhenPossible(Policy):
    notation: ClassVar[Notation] = Notation(
        write={"en": "win when possible", "de": "gewinne sobald möglich"},
        read=("win (if|when|as soon as) possible", "gewinne (wenn|sobald|falls) möglich", "siege sobald möglich"),
        about=Text.of(
            "In your turn: sell and mortgage up to the cash that wins, if enough complete groups are left then."
        ),
    )
    title: ClassVar[Text] = Text.of("Win when possible")
    labels: ClassVar[Mapping[str, Text]] = {}

    kind: Literal["win"] = "win"

    def tell(self, ask: Ask) -> Text:
        return Text.of("Sell and mortgage up to the cash that wins, as soon as that is possible")


class WaiveRent(Line):
    notation: ClassVar[Notation] = Notation(
        write={
            "en": "{always=always} waive rent [on {properties}]",
            "de": "{always=immer} verzichte auf Miete [für {properties}]",
        },
        read=(
            (
                f"{ALWAYS} (waive rent|waive the rent|no rent|verzichte auf Miete|keine Miete) "
                "[(on|for|für|auf) {properties}]"
            ),
        ),
        about=Text.of("Nobody pays you rent, for all your properties or for these."),
    )
    title: ClassVar[Text] = Text.of("Waive rent")
    labels: ClassVar[Mapping[str, Text]] = {
        "always": Text.of("In every turn"),
        "properties": Text.of("Properties"),
    }

    kind: Literal["waive"] = "waive"
    properties: tuple[str, ...] | None = Field(default=None, examples=[("bookshop",)])

    def tell(self, ask: Ask) -> Text:
        if self.properties is None:
            return self.stood(Text.of("waive all rent"))
        return self.stood(Text.of("waive the rent for {things}", things=listed(self.properties)))


class ClaimRent(Order):
    """Only where rent must be claimed (A20); it counts for one round."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "claim rent [for {properties}]", "de": "fordere Miete [für {properties}]"},
        read=("(claim rent|rent|fordere Miete|Miete|Miete fordern) [(on|for|für|auf) {properties}]",),
        about=Text.of("Where rent must be claimed: for all your properties, or for these, in this round."),
    )
    title: ClassVar[Text] = Text.of("Claim rent")
    labels: ClassVar[Mapping[str, Text]] = {"properties": Text.of("Properties")}
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["claim"] = "claim"
    properties: tuple[str, ...] | None = Field(default=None, examples=[("bookshop",)])

    def tell(self, ask: Ask) -> Text:
        if self.properties is None:
            return Text.of("Claim all rent in this round")
        return Text.of("Claim the rent for {things} in this round", things=listed(self.properties))


class Forget(Order):
    """Ends standing lines of earlier rounds; those of the same post count."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "forget {what}", "de": "vergiss {what}"},
        read=("(forget|drop|vergiss|streiche|lösche) : [my|the|all|standing|meine|alle] {what}",),
        about=Text.of("Ends your standing lines of earlier rounds: all, or those of one kind."),
    )
    title: ClassVar[Text] = Text.of("Forget")
    labels: ClassVar[Mapping[str, Text]] = {"what": Text.of("What")}
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["forget"] = "forget"
    what: str = Field(examples=["everything"])

    def replaces(self, kept: Order) -> bool:
        return self.what in ("everything", kept.kind)

    def tell(self, ask: Ask) -> Text:
        return Text.of("Forget what stands of earlier rounds: {what}", what=SORTS[self.what][0])


DEEDS: tuple[type[Deed], ...] = (Buy, Build, Redeem, Mortgage, Sell, Loan, Repay, Meeting)
POLICIES: tuple[type[Order], ...] = (
    Bonds,
    Offer,
    Raid,
    Swap,
    Raise,
    JailPass,
    WinWhenPossible,
    WaiveRent,
)
KINDS: tuple[type[Order], ...] = (*DEEDS, *POLICIES, ClaimRent, Forget)
