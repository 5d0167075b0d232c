"""How action cards are played: a line a card, ordered before anybody knows whether its moment comes.

Cards for one's own turn are played where their line stands among the lines of step 3, or after step 4 if they are drawn
only then.  All others wait as triggers for their moment, also for a card that is not in hand yet, until `keep` says
otherwise.  A line tells what is in a vault, so it is opened at the end of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Notation, Order
from judge.core.ruleset import Seat
from judge.core.text import Text
from rulesets.money_maker.names import TITLES, goods
from rulesets.money_maker.tables import ACTION, Action, Card, Colour, Sector, Tint

_PLAY = "play|spiele"
_RAISE = ACTION["raise"].amount


class Play(Order):
    """A line about one action card; `action` is its row in the data."""

    opens: ClassVar[Literal["turn", "game"]] = "game"
    action: ClassVar[Action]

    @property
    def card_played(self) -> Card:
        return self.action.name


class Trigger(Play):
    """Waits for its moment, turn after turn."""

    standing: ClassVar[bool] = True


class OnAMarket(Play):
    """Changes what lies in one market."""

    labels: ClassVar[Mapping[str, Text]] = {"colour": Text.of("Market")}

    colour: Colour

    def tell(self, ask: Ask) -> Text:
        return Text.of("Play {action} on the {goods}", action=self.title, goods=goods(self.colour))


class PlayFire(OnAMarket):
    action: ClassVar[Action] = ACTION["fire"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Warehouse Fire on {colour}", "de": "spiele Lagerhausbrand auf {colour}"},
        read=(f"{_PLAY} (warehouse fire|fire|lagerhausbrand|brand) (on|in|auf|im) [the|den] {{colour}}",),
        about=Text.of("Takes up to 3 goods out of one market, the cheapest first."),
    )
    title: ClassVar[Text] = TITLES["Warehouse Fire"]

    kind: Literal["fire"] = "fire"


class PlayFleet(OnAMarket):
    action: ClassVar[Action] = ACTION["fleet"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Fleet Home on {colour}", "de": "spiele Flotte im Hafen auf {colour}"},
        read=(f"{_PLAY} (fleet home|fleet|flotte im hafen|flotte) (on|with|auf|mit) [the|den] {{colour}}",),
        about=Text.of("Puts up to 3 goods from a Natural Reserve into its market; nobody is paid."),
    )
    title: ClassVar[Text] = TITLES["Fleet Home"]

    kind: Literal["fleet"] = "fleet"


class PlayNight(Play):
    action: ClassVar[Action] = ACTION["night"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Night Shift with {card} [into {into}]", "de": "spiele Nachtschicht mit {card} [in {into}]"},
        read=(f"{_PLAY} (night shift|nachtschicht) (with|at|mit|bei) {{card}} [(into|to|in|zu) {{into}}]",),
        about=Text.of("One of your companies produces, or trades into a colour, a second time."),
    )
    title: ClassVar[Text] = TITLES["Night Shift"]
    labels: ClassVar[Mapping[str, Text]] = {"card": Text.of("Company"), "into": Text.of("Into")}

    kind: Literal["night"] = "night"
    card: Card
    into: Colour | None = None

    def tell(self, ask: Ask) -> Text:
        card = ask.named(PlayNight, "card", self.card)
        told = Text.of("Play {action} with {card}", action=self.title, card=card)
        return told if self.into is None else Text.of("{order}, into {goods}", order=told, goods=goods(self.into))


class PlayLedger(Play):
    action: ClassVar[Action] = ACTION["ledger"]
    notation: ClassVar[Notation] = Notation(
        write={
            "en": "play Quiet Ledger {amount} from {away} to {to}",
            "de": "spiele Stilles Hauptbuch {amount} von {away} nach {to}",
        },
        read=(
            (
                f"{_PLAY} (quiet ledger|ledger|stilles hauptbuch|hauptbuch): {{amount}} [credit|kredit] "
                "(from|von) {away} "
                "(to|nach|auf) {to}"
            ),
        ),
        about=Text.of("Moves up to 20 of your credit from one block of your ring to another."),
    )
    title: ClassVar[Text] = TITLES["Quiet Ledger"]
    labels: ClassVar[Mapping[str, Text]] = {
        "amount": Text.of("Credit"),
        "away": Text.of("From the block with"),
        "to": Text.of("To the block with"),
    }

    kind: Literal["ledger"] = "ledger"
    amount: int = Field(ge=1, le=ACTION["ledger"].amount, examples=[10])
    away: Sector
    to: Sector

    def tell(self, ask: Ask) -> Text:
        return Text.of(
            "Play {action}: {amount} from {away} to {to}",
            action=self.title,
            amount=self.amount,
            away=ask.named(PlayLedger, "away", self.away),
            to=ask.named(PlayLedger, "to", self.to),
        )


class PlayClearing(Play):
    action: ClassVar[Action] = ACTION["clearing"]
    notation: ClassVar[Notation] = Notation(
        write={
            "en": "play Clearing Day on {bank} [for {amount}]",
            "de": "spiele Abrechnungstag gegen {bank} [für {amount}]",
        },
        read=(
            (
                f"{_PLAY} (clearing day|clearing|abrechnungstag) (on|against|gegen|auf|bei) {{bank}} "
                "[(for|für|über) {amount}]"
            ),
        ),
        about=Text.of("A bank whose credit you hold gives you gold for up to 10 of it, as far as it has gold."),
    )
    title: ClassVar[Text] = TITLES["Clearing Day"]
    labels: ClassVar[Mapping[str, Text]] = {"bank": Text.of("Bank"), "amount": Text.of("At most")}

    kind: Literal["clearing"] = "clearing"
    bank: Seat
    amount: int = Field(default=ACTION["clearing"].amount, ge=1, le=ACTION["clearing"].amount)

    def tell(self, ask: Ask) -> Text:
        bank = ask.named(PlayClearing, "bank", self.bank)
        return Text.of("Play {action} on {bank}, for up to {amount}", action=self.title, bank=bank, amount=self.amount)


class PlayShopping(Play):
    action: ClassVar[Action] = ACTION["shopping"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Kermis Fair", "de": "spiele Kirmes"},
        read=(f"{_PLAY} (kermis|fair)",),
        about=Text.of("In this turn you may buy up to 8 goods in each market."),
    )
    title: ClassVar[Text] = TITLES["Kermis Fair"]

    kind: Literal["shopping"] = "shopping"

    def tell(self, ask: Ask) -> Text:
        return Text.of("Play {action}", action=self.title)


class PlayAudit(Play):
    action: ClassVar[Action] = ACTION["audit"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Auditor's Visit on {bank}", "de": "spiele Besuch des Prüfers bei {bank}"},
        read=(f"{_PLAY} (auditor's visit|auditors visit|audit|besuch des prüfers|prüfer) (on|at|to|bei|auf) {{bank}}",),
        about=Text.of("The gold, goods and action cards of one bank are shown to you alone."),
    )
    title: ClassVar[Text] = TITLES["Auditor's Visit"]
    labels: ClassVar[Mapping[str, Text]] = {"bank": Text.of("Bank")}

    kind: Literal["audit"] = "audit"
    bank: Seat

    def tell(self, ask: Ask) -> Text:
        return Text.of("Play {action} on {bank}", action=self.title, bank=ask.named(PlayAudit, "bank", self.bank))


class AtTheMeter(Trigger):
    """Moves the bank run chip: at once, or as soon as it is so near to the circle."""

    labels: ClassVar[Mapping[str, Text]] = {"steps": Text.of("Steps to the run at most")}

    steps: int | None = Field(default=None, ge=1, le=9)

    def tell(self, ask: Ask) -> Text:
        if self.steps is None:
            return Text.of("Play {action} as soon as you can", action=self.title)
        return Text.of(
            "Play {action} when the chip is {steps} or fewer steps from the run", action=self.title, steps=self.steps
        )


class PlayRumour(AtTheMeter):
    action: ClassVar[Action] = ACTION["rumour"]
    notation: ClassVar[Notation] = Notation(
        write={
            "en": "play Whispers at the Exchange [at {steps} steps]",
            "de": "spiele Geflüster an der Börse [bei {steps} Schritten]",
        },
        read=(
            (
                f"{_PLAY} (whispers|whispers at the exchange|geflüster|geflüster an der börse) "
                "[(at|when|bei) {steps} [step|steps|schritt|schritten|schritte]]"
            ),
        ),
        about=Text.of(
            "Moves the chip one slot on: at once, or as soon as it is so many steps or less from the bank run. Looked "
            "at before step 2, before the dice, and after them."
        ),
    )
    title: ClassVar[Text] = TITLES["Whispers at the Exchange"]

    kind: Literal["rumour"] = "rumour"


class PlayCalm(AtTheMeter):
    action: ClassVar[Action] = ACTION["calm"]
    notation: ClassVar[Notation] = Notation(
        write={
            "en": "play A Word from the Burgomaster [at {steps} steps]",
            "de": "spiele Ein Wort des Bürgermeisters [bei {steps} Schritten]",
        },
        read=(
            (
                f"{_PLAY} (burgomaster|word from the burgomaster|a word from the burgomaster|bürgermeister|"
                "ein wort des bürgermeisters) [(at|when|bei) {steps} [step|steps|schritt|schritten|schritte]]"
            ),
        ),
        about=Text.of(
            "Moves the chip one slot back, not past its start: at once, or as soon as it is so many steps or less from "
            "the bank run. Looked at before step 2, before the dice, and after them."
        ),
    )
    title: ClassVar[Text] = TITLES["A Word from the Burgomaster"]

    kind: Literal["calm"] = "calm"


class PlayReroll(Trigger):
    action: ClassVar[Action] = ACTION["reroll"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Spilled Dice [if {face}]", "de": "spiele Verschüttete Würfel [bei {face}]"},
        read=(f"{_PLAY} (spilled dice|verschüttete würfel) [(if|on|when|bei|wenn) {{face}}]",),
        about=Text.of("The credit die is thrown again, always or only if it shows this colour."),
    )
    title: ClassVar[Text] = TITLES["Spilled Dice"]
    labels: ClassVar[Mapping[str, Text]] = {"face": Text.of("Only if the die shows")}

    kind: Literal["reroll"] = "reroll"
    face: Tint | None = None

    def tell(self, ask: Ask) -> Text:
        if self.face is None:
            return Text.of("Play {action} after the next throw", action=self.title)
        return Text.of(
            "Play {action} if the credit die shows {face}",
            action=self.title,
            face=ask.named(PlayReroll, "face", self.face),
        )


class PlayWind(Trigger):
    action: ClassVar[Action] = ACTION["wind"]
    notation: ClassVar[Notation] = Notation(
        write={
            "en": "play Turning Wind to {to} [from {away}] {run=in a run}",
            "de": "spiele Drehender Wind auf {to} [von {away}] {run=im Bank Run}",
        },
        read=(
            (
                f"{_PLAY} (turning wind|wind|drehender wind) (to|auf) {{to}} [(from|if|von|wenn) {{away}}] "
                "{run=in a bank run|during a run|in einem bank run|beim bank run}"
            ),
            (
                f"{_PLAY} (turning wind|wind|drehender wind) (from|von) {{away}} (to|auf|nach) {{to}} "
                "{run=in a run|in a bank run|im bank run}"
            ),
        ),
        about=Text.of(
            "Turns a sector die to this face: the first, or only one that shows the other face; after the dice, or "
            "only in a bank run, before credit is taken back."
        ),
    )
    title: ClassVar[Text] = TITLES["Turning Wind"]
    labels: ClassVar[Mapping[str, Text]] = {
        "to": Text.of("Turn to"),
        "away": Text.of("Only from"),
        "run": Text.of("Only in a bank run"),
    }

    kind: Literal["wind"] = "wind"
    to: Sector
    away: Sector | None = None
    run: bool = False

    def tell(self, ask: Ask) -> Text:
        to = ask.named(PlayWind, "to", self.to)
        told = Text.of("Play {action}: a sector die to {to}", action=self.title, to=to)
        if self.away is not None:
            told = Text.of("{order}, if one shows {away}", order=told, away=ask.named(PlayWind, "away", self.away))
        return Text.of("{order}, only in a bank run", order=told) if self.run else told


class PlayRaise(Trigger):
    action: ClassVar[Action] = ACTION["raise"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Late Envelope [on {card}] [by {by}]", "de": "spiele Später Umschlag [auf {card}] [um {by}]"},
        read=(
            f"{_PLAY} (late envelope|envelope|später umschlag|umschlag) [(on|for|auf|für) {{card}}] [(by|um) {{by}}]",
        ),
        about=Text.of(
            "After an auction that you lost: your maximum rises by up to 5, and if it is now the highest you win at it."
        ),
    )
    title: ClassVar[Text] = TITLES["Late Envelope"]
    labels: ClassVar[Mapping[str, Text]] = {"card": Text.of("Only for"), "by": Text.of("Raise by")}

    kind: Literal["raise"] = "raise"
    card: Card | None = None
    by: int = Field(default=_RAISE, ge=1, le=_RAISE)

    def tell(self, ask: Ask) -> Text:
        told = Text.of("Play {action}, by {by}", action=self.title, by=self.by)
        if self.card is None:
            return told
        return Text.of("{order}, for {card}", order=told, card=ask.named(PlayRaise, "card", self.card))


class PlayGrace(Trigger):
    action: ClassVar[Action] = ACTION["grace"]
    notation: ClassVar[Notation] = Notation(
        write={"en": "play Letter of Grace [on {sector}]", "de": "spiele Schonbrief [auf {sector}]"},
        read=(f"{_PLAY} (letter of grace|grace|schonbrief) [(on|for|auf|für) [the|die|den] {{sector}}]",),
        about=Text.of(
            "In a bank run up to 10 of your credit on one affected block stays there: the block with this symbol, "
            "or the one with most."
        ),
    )
    title: ClassVar[Text] = TITLES["Letter of Grace"]
    labels: ClassVar[Mapping[str, Text]] = {"sector": Text.of("Only on the block with")}

    kind: Literal["grace"] = "grace"
    sector: Sector | None = None

    def tell(self, ask: Ask) -> Text:
        told = Text.of("Play {action} in the next bank run", action=self.title)
        if self.sector is None:
            return told
        sector = ask.named(PlayGrace, "sector", self.sector)
        return Text.of("{order}, on the block with the {sector}", order=told, sector=sector)


class Keep(Order):
    """Drops the trigger of a card: it is not played until a line says so again."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "keep {action}", "de": "behalte {action}"},
        read=("(do not play|don't play|hold) {action}", "(spiele nicht|spiele keinen|spiele kein) {action}"),
        about=Text.of("An action card of yours is not played until you say so again."),
    )
    title: ClassVar[Text] = Text.of("Keep an action card")
    labels: ClassVar[Mapping[str, Text]] = {"action": Text.of("Action card")}
    subject: ClassVar[tuple[str, ...]] = ("action",)
    standing: ClassVar[bool] = True
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["keep"] = "keep"
    action: Card

    def tell(self, ask: Ask) -> Text:
        return Text.of("Keep {action}", action=ask.named(Keep, "action", self.action))


OWN_TURN: tuple[type[Play], ...] = (PlayFire, PlayFleet, PlayNight, PlayLedger, PlayClearing, PlayShopping, PlayAudit)
TRIGGERS: tuple[type[Trigger], ...] = (PlayRumour, PlayCalm, PlayReroll, PlayWind, PlayRaise, PlayGrace)
