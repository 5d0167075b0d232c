"""Orders: what a player may say, and what a seat is asked.

A post, a web form, JSON and a playthrough all become the same `Order` objects, and the same `check` looks at them.  A
ruleset writes one class a kind of order:

    class Bid(Order):
        kind: Literal["bid"] = "bid"
        grade: Grade
        units: int = Field(ge=1, le=18)
        price: int = Field(ge=1)

Bounds live in the fields; what depends on the position (names, caps, prices) is in the `Ask`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from judge.core.text import Listing, Text, Value, Words

if TYPE_CHECKING:  # sums are made of orders
    from judge.core.sums import Limit, Minimum, Total


@dataclass(frozen=True)
class Notation:
    """How a kind of order stands in a post: read leniently, written in one way.

    `write` holds the canonical line for each language, `read` further shapes that are accepted; both are in a small
    language, for instance `{grade}: {units} at|zu|@ {price}` or `open|eröffne {card} [max|höchstens {bid}]`:

        {field}          a slot: a whole number, a name (by `Ask.choices` or Literal), or a row of them (tuple fields)
        at|zu|@          one of these words must stand here; for longer ones in brackets: (up to|bis zu)
        [each|je]        one of these words may stand here
        [max {bid}]      a group that may be left out, with the fields in it; then they keep their defaults
        {credit=with credit|auf Kredit}   a bool field: true if one of the wordings stands here, else false
        :                a colon, an equals sign, a dash between blanks, or nothing

    A name slot takes a value, its title, one of its other names, or a clear beginning of one.  The words of both
    languages are read in every game.  Signs and names of currencies and piece words ("Stück", "units", "x", "je",
    "each", "of") may stand between the parts of any order, and several orders on one line; they need no place in a
    shape.
    Case, accents and spacing make no difference.  A line that fits two shapes differently is asked back about.
    Written values are those of the fields; `by_title` names fields that are written by their title instead.
    Give fields `examples=[…]`: right forms in problems and help are made of them.  `about` says what the line means.
    """

    write: Mapping[str, str]
    read: tuple[str, ...] = ()
    about: Text | None = None
    by_title: tuple[str, ...] = ()


class Order(BaseModel):
    """One line of a player's orders.  Frozen; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: str

    notation: ClassVar[Notation]
    title: ClassVar[Text]
    labels: ClassVar[Mapping[str, Text]] = {}
    """What each field is called on a form, in this order, and in a problem."""
    subject: ClassVar[tuple[str, ...]] = ()
    """The fields that say what the line is about: a later line about the same thing replaces an earlier one."""
    standing: ClassVar[bool] = False
    """Carries over from turn to turn until it is changed."""
    opens: ClassVar[Literal["turn", "game"]] = "turn"
    """When the sealed line may be read by everybody: with its turn, or at the end of the game."""

    @property
    def stands(self) -> bool:
        """Whether this line carries over.  A standing kind's do; other kinds may leave it to one of their fields."""
        return self.standing

    def replaces(self, kept: Order) -> bool:
        """Whether a standing line of earlier turns ends with this one: about the same, or of a kind without subject."""
        return self.stands and (self.kind, subject_of(self)) == (kept.kind, subject_of(kept))

    def tell(self, ask: Ask) -> Text:
        """The line in words, as a receipt repeats it.  Kinds of order say it better in a sentence of their own."""
        details: list[Value] = []
        for name, value in self:
            if name != "kind" and value is not None:
                shown = ask.named(type(self), name, value) if isinstance(value, str) else value
                details.append(Text.of("{label} {value}", label=self.labels.get(name, name), value=shown))
        return Text.of("{order}: {details}", order=self.title, details=Listing(details))


@dataclass(frozen=True)
class Problem:
    """Something about a set of orders that its player must know.

    Errors are values and all of them are told.  A `warning` does not keep the set from counting.
    `line` counts from 1 in what was handed in; `quote` is the offending text; `right` shows the right form.
    """

    text: Text
    line: int | None = None
    field: str | None = None
    quote: str | None = None
    right: str | None = None
    warning: bool = False


@dataclass(frozen=True)
class Choice:
    """One value that a field may take here, with every name that people call it by.

    `written` is its name in canonical lines, by language; where a language has none, the value itself is written.
    `seat` is the player that the choice is about: wherever its names hold the seat, people say his name instead.
    """

    value: str
    title: Words
    also: tuple[str, ...] = ()
    written: Mapping[str, str] = field(default_factory=dict, hash=False)
    seat: str | None = None


Fact = tuple[Text, Value]
"""Something told beside a choice: what it is, and its value."""


@dataclass(frozen=True)
class Section:
    """A heading of the order form with the parts under it.

    `folded` ones come last and show their title alone, until something stands in them or is wrong there.  Those for
    `later` turns are then left out of the form beside the table; their titles lead to the page with the whole form.
    """

    title: Text
    folded: bool = False
    later: bool = False


@dataclass(frozen=True)
class Part:
    """Lines of one kind as the order form asks for them; a kind may have several parts, or none.

    `given` are fields that every line of the part has; they are not asked for.  `offered` are the values that the form
    lists, by field: fewer than can be written, so that it shows what makes sense now.  `facts` are told beside them
    instead of those of the Ask.  `lines` are on the form at once.  Where the order of lines counts (`in_order`), they
    are written one below the other even if each is about something of its own.
    """

    kind: type[Order]
    section: Section | None = None
    title: Text | None = None
    given: Mapping[str, bool | str | None] = field(default_factory=dict)
    offered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    facts: Mapping[str, tuple[Fact, ...]] | None = None
    lines: int = 1
    in_order: bool = False


@dataclass(frozen=True)
class Ask:
    """What one seat is asked in this turn.

    `kinds` are the order classes it may use, `choices` the values (with names) that their fields may take here,
    keyed by field name; a field of a kind that takes other values is keyed `kind.field`.
    `known`, keyed alike, are things of the game that cannot be chosen now: a line that names one is no chat.
    `forced` holds the only orders the seat can give: they are filled in at once and never waited for.
    `standing` lets a valid standing set count as posted, `silent` also the empty one of a seat that gave none.  An
    `optional` seat may order and is not waited for, even in a turn that asks everybody anew.
    `at_hand` says in a short sentence what the seat has to order with; it stays in sight while the form is filled in.
    `facts` are told beside a choice on the form ("last price: 40"), keyed by the choice's value.
    `limits`, `minimums` and `totals` are what the form can say while it is filled in.
    `parts` are what the form shows, in the order in which its lines are handed in; none: a part for each kind.
    """

    kinds: tuple[type[Order], ...]
    prompt: Text
    choices: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    known: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    forced: tuple[Order, ...] | None = None
    standing: bool = False
    silent: bool = False
    optional: bool = False
    at_hand: Text | None = None
    facts: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)
    limits: tuple[Limit, ...] = ()
    minimums: tuple[Minimum, ...] = ()
    totals: tuple[Total, ...] = ()
    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if self.optional:
            object.__setattr__(self, "standing", True)
            object.__setattr__(self, "silent", True)

    def choices_for(self, kind: type[Order], name: str) -> tuple[Choice, ...] | None:
        """The choices of one field of one kind of order; None if the field is free."""
        return self.choices.get(f"{kind_of(kind)}.{name}", self.choices.get(name))

    def known_for(self, kind: type[Order], name: str) -> tuple[Choice, ...]:
        """What else people may name in one field of one kind of order, though it cannot be chosen now."""
        chosen = {choice.value for choice in self.choices_for(kind, name) or ()}
        known = self.known.get(f"{kind_of(kind)}.{name}", self.known.get(name, ()))
        return tuple(choice for choice in known if choice.value not in chosen)

    def problems(self, orders: Sequence[Order]) -> Iterable[Problem]:
        """What the minimums and limits say of a set."""
        for minimum in self.minimums:
            yield from minimum.problems(orders)
        for limit in self.limits:
            yield from limit.problems(orders)

    def named(self, kind: type[Order], name: str, value: str) -> Words:
        """What people call a value of a field."""
        choices = self.choices_for(kind, name) or ()
        return next((choice.title for choice in choices if choice.value == value), value)


def kind_of(kind: type[Order]) -> str:
    """The word that stands for a class of orders in JSON."""
    return str(kind.model_fields["kind"].default)


def subject_of(order: Order) -> str:
    """What a line is about, as one word: the values of its subject fields."""
    return " ".join(str(getattr(order, name)) for name in order.subject)


def latest(orders: Iterable[Order]) -> list[Order]:
    """The set that counts: of several lines about the same thing the last one, in the order of first mention."""
    by_subject: dict[tuple[str, str], Order] = {}
    for number, order in enumerate(orders):
        key = (order.kind, subject_of(order) if order.subject else f"line {number}")
        by_subject[key] = order
    return list(by_subject.values())


def carried_over(kept: Iterable[Order], handed_in: Iterable[Order]) -> list[Order]:
    """A set together with the standing lines of earlier turns that none of its own replaces, these first."""
    new = list(handed_in)
    return [order for order in kept if order.stands and not any(line.replaces(order) for line in new)] + new


def standing_after(kept: Iterable[Order], posted: Iterable[Order]) -> list[Order]:
    """The standing lines of a seat once a set that it posted has counted."""
    return [order for order in carried_over(kept, posted) if order.stands]


class TextError(ValueError):
    """Raised in a validator: its sentence is shown to people, in their language."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.text)
        self.text = text
