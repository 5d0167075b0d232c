"""What lines of orders come to: the page adds them up while a form is filled in, and `Ask.problems` says the same.

A ruleset writes them as data, so that browser and judge cannot differ.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judge.core.orders import Order, Problem, subject_of
from judge.core.text import Text, Value


@dataclass(frozen=True)
class Ladder:
    """What units cost that become dearer one by one: `steps[value]` are the prices of the first, the second, ….

    Lines of these `kinds` take as many steps as their field `of` says, on the ladder of the value in `by`, each line
    from where the one before it ended.  A step over the line's field `up_to` is not taken, nor one that is not there.
    """

    kinds: tuple[str, ...]
    by: str
    of: str
    steps: Mapping[str, tuple[int, ...]]
    up_to: str | None = None

    def counted(self, orders: Sequence[Order]) -> int:
        total, taken = 0, dict.fromkeys(self.steps, 0)
        for order in orders:
            value = str(getattr(order, self.by, None)) if order.kind in self.kinds else None
            if value not in taken:
                continue
            highest = getattr(order, self.up_to) if self.up_to else None
            for price in self.steps[value][taken[value] :][: getattr(order, self.of) or 0]:
                if highest is not None and price > highest:
                    break
                taken[value] += 1
                total += price
        return total


@dataclass(frozen=True, kw_only=True)
class Count:
    """A number that a set of orders comes to: the sum over its lines of weight × product of the fields in `of`.

    Only lines of these `kinds` count (None: of any) that have all the fields, and hold the values in `where`; an empty
    `of` counts lines.  A field without a number counts 0, and `gold|most` is the first of the two that has one.
    What is counted `also` is added, and `times` multiplies all of it.
    """

    of: tuple[str, ...] = ()
    weights: Mapping[str, int] | None = None
    """By the value of the order's subject field; subjects not named count 0.  None counts every line once."""
    kinds: tuple[str, ...] | None = None
    by: str | None = None
    """The field whose value the weights go by, where that is not the subject.  A row's are added."""
    where: Mapping[str, bool | str] = field(default_factory=dict)
    dearest: bool = False
    """Only the largest share counts, of all lines and of all values in their rows."""
    times: int = 1
    also: tuple[Count | Ladder, ...] = ()

    def counted(self, orders: Sequence[Order]) -> int:
        shares = [share for order in orders for share in self._shares(order)]
        own = max(shares, default=0) if self.dearest else sum(shares)
        return self.times * (own + sum(more.counted(orders) for more in self.also))

    def _shares(self, order: Order) -> Iterable[int]:
        """What one line adds: nothing if it is about something else, or lacks one of the fields."""
        if self.kinds is not None and order.kind not in self.kinds:
            return
        if (self.by is not None and not hasattr(order, self.by)) or any(
            getattr(order, name, None) != value for name, value in self.where.items()
        ):
            return
        product = 1
        for alternatives in self.of:
            numbers = (getattr(order, name, None) for name in alternatives.split("|"))
            product *= next((number for number in numbers if number is not None), 0)
        if self.weights is None:
            yield product
            return
        about = subject_of(order) if self.by is None else getattr(order, self.by)
        for value in about if isinstance(about, tuple) else (about,):
            yield self.weights.get(value, 0) * product


@dataclass(frozen=True, kw_only=True)
class Limit(Count):
    """A straight inequality over a set of orders, with the sentence that says what was counted.

    `says` uses the gaps `{counted}` and `{over}` (counted less the bound); both are filled from the orders.
    The same limit checks the set in the judge and live in the page, so there is one sentence for both.
    """

    at_most: int
    says: Text
    warning: bool = False

    def problems(self, orders: Sequence[Order]) -> Iterable[Problem]:
        counted = self.counted(orders)
        if counted > self.at_most:
            filled = {**self.says.values, "counted": counted, "over": counted - self.at_most}
            counting = [number for number, order in enumerate(orders, 1) if self.counted([order])]
            yield Problem(
                self.says.model_copy(update={"values": filled}),
                line=counting[0] if len(counting) == 1 else None,
                field=self.of[0].split("|")[0] if self.of else self.by,
                warning=self.warning,
            )


@dataclass(frozen=True)
class Minimum:
    """The least that a field of a line about `subject` may hold: `base + Σ per[field] × field`, never under `floor`.

    `says` uses `{least}`, and the line's own fields as gaps.
    """

    subject: str
    field: str
    base: int
    says: Text
    per: Mapping[str, int] = dataclasses.field(default_factory=dict)  # `field` is an attribute here
    floor: int = 0

    def least(self, order: Order) -> int:
        least: int = self.base + sum(rate * getattr(order, name) for name, rate in self.per.items())
        return max(self.floor, least)

    def problems(self, orders: Sequence[Order]) -> Iterable[Problem]:
        for number, order in enumerate(orders, 1):
            if subject_of(order) == self.subject and getattr(order, self.field) < self.least(order):
                fields: dict[str, Value] = {
                    name: value
                    for name, value in order
                    if isinstance(value, int | str) and name not in self.says.values
                }
                filled = {**fields, **self.says.values, "least": self.least(order)}
                yield Problem(self.says.model_copy(update={"values": filled}), line=number, field=self.field)


@dataclass(frozen=True)
class Total(Count):
    """A sum shown beside the form while it is filled in: `start + sign × what is counted`, from `least` to `most`."""

    label: Text
    start: int = 0
    sign: int = 1
    least: int | None = None
    most: int | None = None
    money: bool = False

    def value(self, orders: Sequence[Order]) -> int:
        value = self.start + self.sign * self.counted(orders)
        value = value if self.most is None else min(value, self.most)
        return value if self.least is None else max(value, self.least)
