"""Deeds: what a player does in his own turn, before the throw or after it.

A line counts for this round, or with `always` for every turn until it is changed; a programme for a visit to the Bank
is a handful of such lines.  Whatever hangs on cash, on loans left or on what others did first is looked at when its
turn has come, and skipped with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Notation, Order
from judge.core.text import Money, Text, Value
from rulesets.finans.box import BOX, MONEY
from rulesets.finans.payments import listed

MOST = 10_000_000
_EN = "{always=always}"
_DE = "{always=immer}"
ALWAYS = "{always=always|in every turn|immer|stets|in jedem Zug} :"
_AFTER = "{after=after the throw|after|afterwards|danach|nach dem Wurf|hinterher} :"
_BUY = "buy|purchase|share|i buy|ich kaufe|kaufe|kauf|Aktie"
_BUILD = "build|build on|build an industry on|i build|ich baue|baue|bau|bebaue"
_SELL = "sell|i sell|ich verkaufe|verkaufe|verkauf"
_A = "[a|the|one|share|shares|a share of|a share of the|eine|die|den|das|Aktie|eine Aktie]"
_OWN = "[the|my|die|den|das|mein|meine|meinen]"
_MORTGAGE = "mortgage|i mortgage|ich beleihe|beleihe|belaste|Hypothek|Hypothek auf"
_KEEP = "[[,] (keep|and keep|behalte|und behalte) [at least|mindestens] {keep}]"
_CASH = "cash|my cash|Kasse|meine Kasse"
_IF_EN = "[if cash under {under}] [if cash over {over}]"
_IF_DE = "[falls Kasse unter {under}] [falls Kasse über {over}]"
_UNDER = f"[[,] (if|falls|wenn) [{_CASH}] [is|ist] (under|below|unter) {{under}}]"
_OVER = f"[[,] (if|falls|wenn) [{_CASH}] [is|ist] (over|above|über) {{over}}]"


class Line(Order):
    """A line that may stand, and tells nobody of it before the game is over."""

    opens: ClassVar[Literal["turn", "game"]] = "game"
    always: bool = False

    @property
    def stands(self) -> bool:
        return self.always

    def stood(self, words: Text) -> Text:
        """The words, with how long they hold."""
        return Text.of("In every turn: {words}", words=words) if self.always else words


class Deed(Line):
    """What is done at the player's own turn."""

    @property
    def after_throw(self) -> bool:
        """Whether it waits for the throw and all that it brings."""
        return bool(getattr(self, "after", False))

    def replaces(self, kept: Order) -> bool:
        return super().replaces(kept) and isinstance(kept, Deed) and kept.after_throw == self.after_throw

    def deed(self) -> Text:
        """What is done, in a few words."""
        raise TypeError(f"{type(self).__name__} does not say what is done")

    def tell(self, ask: Ask) -> Text:
        return self.stood(self.deed())


class Conditional(Deed):
    """A deed that may wait for the throw, and may hang on the cash at its time."""

    after: bool = False
    under: int | None = Field(default=None, ge=0, le=MOST)
    over: int | None = Field(default=None, ge=0, le=MOST)

    def applies(self, cash: int) -> bool:
        return (self.under is None or cash < self.under) and (self.over is None or cash > self.over)

    def tell(self, ask: Ask) -> Text:
        words = self.deed()
        if self.under is not None:
            words = Text.of("{deed}, if the cash is under {limit}", deed=words, limit=Money(self.under))
        if self.over is not None:
            words = Text.of("{deed}, if the cash is over {limit}", deed=words, limit=Money(self.over))
        if self.after:
            words = Text.of("After the throw: {deed}", deed=words)
        return self.stood(words)


_ALWAYS = Text.of("In every turn")
_AFTERWARDS = Text.of("After the throw")
_KEEPING = Text.of("Keep at least")
_IF_UNDER = Text.of("If the cash is under")
_IF_OVER = Text.of("If the cash is over")


class Buy(Deed):
    """A wish list: the first property and the first share on it that can be had, and the car."""

    notation: ClassVar[Notation] = Notation(
        write={"en": f"{_EN} buy {{things}} [keep {{keep}}]", "de": f"{_DE} kaufe {{things}} [behalte {{keep}}]"},
        read=((f"{ALWAYS} ({_BUY}) {_A} {{things}} {_KEEP}"),),
        about=Text.of(
            "Before the throw, on square 11 or in the Bank: the first property and the first share of the list that "
            "the Bank still has and your cash allows; the car on any square."
        ),
    )
    title: ClassVar[Text] = Text.of("Buy")
    labels: ClassVar[Mapping[str, Text]] = {
        "always": _ALWAYS,
        "things": Text.of("Property, share or car"),
        "keep": _KEEPING,
    }

    kind: Literal["buy"] = "buy"
    things: tuple[str, ...] = Field(min_length=1, examples=[("bookshop", "technics-100")])
    keep: int | None = Field(default=None, ge=0, le=MOST, examples=[20000])

    def deed(self) -> Text:
        return _keeping(Text.of("buy {things}", things=listed(self.things)), self.keep)


class Build(Deed):
    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"{_EN} build {{properties}} [keep {{keep}}]",
            "de": f"{_DE} baue {{properties}} [behalte {{keep}}]",
        },
        read=(f"{ALWAYS} ({_BUILD}) [the|my|auf|die|den|das] {{properties}} {_KEEP}",),
        about=Text.of(
            "Before the throw, on square 17 or 40 or with a building permit: on each of these in order, as far as "
            "your cash allows."
        ),
    )
    title: ClassVar[Text] = Text.of("Build")
    labels: ClassVar[Mapping[str, Text]] = {
        "always": _ALWAYS,
        "properties": Text.of("Properties"),
        "keep": _KEEPING,
    }

    kind: Literal["build"] = "build"
    properties: tuple[str, ...] = Field(min_length=1, examples=[("bookshop",)])
    keep: int | None = Field(default=None, ge=0, le=MOST)

    def deed(self) -> Text:
        return _keeping(Text.of("build on {things}", things=listed(self.properties)), self.keep)


class Redeem(Deed):
    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"{_EN} redeem {{properties}} [keep {{keep}}]",
            "de": f"{_DE} löse {{properties}} [behalte {{keep}}]",
        },
        read=(f"{ALWAYS} (redeem|löse|löse ein|einlösen|auslösen) {_OWN} {{properties}} [ein|aus] {_KEEP}",),
        about=Text.of("Before the throw: pay mortgages back with 10 % on top."),
    )
    title: ClassVar[Text] = Text.of("Redeem")
    labels: ClassVar[Mapping[str, Text]] = Build.labels

    kind: Literal["redeem"] = "redeem"
    properties: tuple[str, ...] = Field(min_length=1, examples=[("grocery",)])
    keep: int | None = Field(default=None, ge=0, le=MOST)

    def deed(self) -> Text:
        return _keeping(Text.of("redeem {things}", things=listed(self.properties)), self.keep)


class Mortgage(Conditional):
    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"{_EN} {{after=after}} mortgage {{properties}} {_IF_EN}",
            "de": f"{_DE} {{after=danach}} beleihe {{properties}} {_IF_DE}",
        },
        read=((f"{ALWAYS} {_AFTER} ({_MORTGAGE}) {_OWN} {{properties}} {_UNDER} {_OVER}"),),
        about=Text.of("Before or after the throw: money from the Bank; no rent is paid until you redeem."),
    )
    title: ClassVar[Text] = Text.of("Mortgage")
    labels: ClassVar[Mapping[str, Text]] = {
        "always": _ALWAYS,
        "after": _AFTERWARDS,
        "properties": Text.of("Properties"),
        "under": _IF_UNDER,
        "over": _IF_OVER,
    }

    kind: Literal["mortgage"] = "mortgage"
    properties: tuple[str, ...] = Field(min_length=1, examples=[("bookshop",)])

    def deed(self) -> Text:
        return Text.of("mortgage {things}", things=listed(self.properties))


class Sell(Conditional):
    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"{_EN} {{after=after}} sell {{things}} {_IF_EN}",
            "de": f"{_DE} {{after=danach}} verkaufe {{things}} {_IF_DE}",
        },
        read=(f"{ALWAYS} {_AFTER} ({_SELL}) {_OWN} {{things}} {_UNDER} {_OVER}",),
        about=Text.of("Before or after the throw: the Bank repurchases properties, shares or the car."),
    )
    title: ClassVar[Text] = Text.of("Sell")
    labels: ClassVar[Mapping[str, Text]] = {
        "always": _ALWAYS,
        "after": _AFTERWARDS,
        "things": Text.of("Property, share or car"),
        "under": _IF_UNDER,
        "over": _IF_OVER,
    }

    kind: Literal["sell"] = "sell"
    things: tuple[str, ...] = Field(min_length=1, examples=[("car",)])

    def deed(self) -> Text:
        return Text.of("sell {things}", things=listed(self.things))


class Loan(Conditional):
    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"{_EN} {{after=after}} loan {{count}} {_IF_EN}",
            "de": f"{_DE} {{after=danach}} Kredit {{count}} {_IF_DE}",
        },
        read=(
            (
                f"{ALWAYS} {_AFTER} (loan|loans|take|borrow|Kredit|Darlehen|leihe|nimm) {{count}} "
                f"[loan|loans|Kredit|Kredite] "
                f"{_UNDER} {_OVER}"
            ),
            f"{ALWAYS} {_AFTER} (take a loan|loan|nimm einen Kredit|Kredit|Darlehen) {_UNDER} {_OVER}",
            f"{ALWAYS} {_AFTER} {{count}} (loan|loans|Kredit|Kredite|Darlehen) {_UNDER} {_OVER}",
        ),
        about=Text.of("Before or after the throw: loans of 50,000 each, three at most, six in all; none on square 43."),
    )
    title: ClassVar[Text] = Text.of("Take loans")
    labels: ClassVar[Mapping[str, Text]] = {
        "always": _ALWAYS,
        "after": _AFTERWARDS,
        "count": Text.of("Number of loans"),
        "under": _IF_UNDER,
        "over": _IF_OVER,
    }

    kind: Literal["loan"] = "loan"
    count: int = Field(default=1, ge=1, le=MONEY.loans_per_player, examples=[1])

    def deed(self) -> Text:
        return Text.n("take {count} loan", "take {count} loans", self.count)


class Repay(Conditional):
    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"{_EN} {{after=after}} repay {{count}} {_IF_EN}",
            "de": f"{_DE} {{after=danach}} tilge {{count}} {_IF_DE}",
        },
        read=(
            f"{ALWAYS} {_AFTER} (repay|pay back|tilge|tilgen) {{count}} [loan|loans|Kredit|Kredite] {_UNDER} {_OVER}",
            f"{ALWAYS} {_AFTER} (repay|pay back|tilge|tilgen) [a|one|einen] [loan|Kredit] {_UNDER} {_OVER}",
        ),
        about=Text.of("Before or after the throw: pay loans back, without interest."),
    )
    title: ClassVar[Text] = Text.of("Repay loans")
    labels: ClassVar[Mapping[str, Text]] = Loan.labels

    kind: Literal["repay"] = "repay"
    count: int = Field(default=1, ge=1, le=MONEY.loans_per_player, examples=[1])

    def deed(self) -> Text:
        return Text.n("repay {count} loan", "repay {count} loans", self.count)


class Meeting(Deed):
    """Calls a board meeting; with `otherwise` only if the meeting before it in the list was not called."""

    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"{_EN} {{otherwise=else}} meeting {{group}} fee {{fee}} [at most {{most}}]",
            "de": f"{_DE} {{otherwise=sonst}} Versammlung {{group}} Gebühr {{fee}} [höchstens {{most}}]",
        },
        read=(
            (
                f"{ALWAYS} {{otherwise=else|otherwise|or|sonst|oder}} : "
                "(meeting|board meeting|call|call a meeting|call a board meeting|I hereby call a board meeting|"
                "Versammlung|Hauptversammlung) "
                "[of|the|of the|von|der|des] {group} [,] [with|mit] [a|einer] (fee|Gebühr|Vermittlungsgebühr) "
                "[of|von] {fee} "
                "[(at most|max|höchstens|maximal) {most}]"
            ),
        ),
        about=Text.of(
            "Before the throw, on squares 35 to 46: buy the opponents' papers of a group out at cost. The fee is "
            "20,000 to 120,000; two dice must not exceed it, in ten thousands. “at most”: the papers may cost no more."
        ),
    )
    title: ClassVar[Text] = Text.of("Board meeting")
    labels: ClassVar[Mapping[str, Text]] = {
        "always": _ALWAYS,
        "group": Text.of("Company group"),
        "fee": Text.of("Procurement fee"),
        "most": Text.of("The papers cost at most"),
        "otherwise": Text.of("If the meeting before is not called"),
    }

    kind: Literal["meeting"] = "meeting"
    otherwise: bool = False
    group: str = Field(examples=["business"])
    fee: int = Field(ge=BOX.board_meeting.fee_min, le=BOX.board_meeting.fee_max, examples=[80000])
    most: int | None = Field(default=None, ge=0, le=MOST, examples=[140000])

    def deed(self) -> Text:
        values: dict[str, Value] = {"group": listed((self.group,)), "fee": Money(self.fee)}
        if self.most is None:
            return Text.of("board meeting of {group}, fee {fee}", **values)
        return Text.of(
            "board meeting of {group}, fee {fee}, papers for at most {most}", most=Money(self.most), **values
        )


def _keeping(words: Text, keep: int | None) -> Text:
    return words if keep is None else Text.of("{deed}, keeping {keep}", deed=words, keep=Money(keep))
