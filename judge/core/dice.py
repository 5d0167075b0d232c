"""Chance, as the rules see it.

A ruleset asks for throws and shuffles and never learns where they come from.  In a game they come from a secret of
the turn (`Dice`); in a playthrough the first ones can be written down (`ScriptedDice`).
There are two streams, because they open at different times: public throws (dice, lots for ties, the order of a bell)
are proved with their turn, hidden ones (a shuffled deck, a private draw) at the end of the game.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")

_WORD = 1 << 64


class Stream:
    """Unbiased whole numbers from one secret: HMAC-SHA-256(secret, context ‖ counter), four 64-bit words a block."""

    def __init__(self, secret: bytes, context: bytes) -> None:
        self.used = False
        self._key = hmac.digest(secret, context, hashlib.sha256)
        self._counter = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """A number from 0 to bound − 1.  Words past the last full multiple of the bound are thrown away."""
        if bound < 1:
            raise ValueError(f"a throw needs at least one outcome, not {bound}")
        self.used = True
        limit = _WORD - _WORD % bound
        while True:
            if not self._words:
                block = hmac.digest(self._key, self._counter.to_bytes(8, "big"), hashlib.sha256)
                self._counter += 1
                self._words = [int.from_bytes(block[i : i + 8], "big") for i in range(0, 32, 8)]
            word = self._words.pop(0)
            if word < limit:
                return word % bound


class ClosedStreamError(Exception):
    """Asks for a number whose secret has not been opened yet."""


class _ClosedStream(Stream):
    """The hidden stream for somebody who does not know its secret."""

    def __init__(self) -> None:
        super().__init__(b"", b"")

    def below(self, bound: int) -> int:
        raise ClosedStreamError


class _Throw(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RollThrow(_Throw):
    """A die with `sides` sides showed `threw`."""

    throw: Literal["roll"] = "roll"
    sides: int
    threw: int


class LotsThrow(_Throw):
    """Things were put in a random order: the place that each had before, from 0."""

    throw: Literal["lots"] = "lots"
    order: tuple[int, ...]


Throw = Annotated[RollThrow | LotsThrow, Field(discriminator="throw")]


class Dice:
    """The turn's chance.  `public` and `hidden` are the secrets of the two streams, `context` ties them to the turn.

    `thrown` lists the public throws in the order in which they were made.
    """

    def __init__(self, public: bytes, hidden: bytes | None = None, context: bytes = b"") -> None:
        self._public = Stream(public, b"public" + context)
        self._hidden = Stream(public if hidden is None else hidden, b"hidden" + context)
        self.thrown: list[RollThrow | LotsThrow] = []

    @classmethod
    def public_only(cls, public: bytes, context: bytes = b"") -> Self:
        """Dice for somebody who knows the public secret alone: the hidden stream raises ClosedStreamError."""
        dice = cls(public, b"", context)
        dice._hidden = _ClosedStream()
        return dice

    @property
    def drew_hidden(self) -> bool:
        """Whether anything has come from the hidden stream."""
        return self._hidden.used

    def roll(self, sides: int = 6) -> int:
        """One public throw, 1 to `sides`."""
        threw = self._public.below(sides) + 1
        self.thrown.append(RollThrow(sides=sides, threw=threw))
        return threw

    def lots(self, items: Iterable[T], name: str = "") -> list[T]:
        """The items in a public random order; `name` lets a playthrough fix it."""
        given = list(items)
        order = self._order(given, self._public, name)
        self.thrown.append(LotsThrow(order=tuple(order)))
        return [given[place] for place in order]

    def shuffled(self, items: Iterable[T], name: str = "") -> list[T]:
        """The items in a hidden random order: a deck.  `name` is the pile's, so that a playthrough can fix its top."""
        given = list(items)
        return [given[place] for place in self._order(given, self._hidden, name)]

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, drawn in the hidden stream."""
        return items[self._hidden.below(len(items))]

    def _order(self, items: Sequence[object], stream: Stream, name: str) -> list[int]:
        """The places of the items in a random order: one after the other is drawn from those that are left."""
        rest = list(range(len(items)))
        return [rest.pop(stream.below(len(rest))) for _ in items]


class ScriptedDice(Dice):
    """Dice whose next throws and pile tops are written down; what is not scripted comes from the secret."""

    def __init__(
        self,
        secret: bytes,
        context: bytes = b"",
        throws: Iterable[int] = (),
        piles: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        super().__init__(secret, context=context)
        self._throws = list(throws)
        self._piles = {name: list(top) for name, top in (piles or {}).items()}

    def roll(self, sides: int = 6) -> int:
        if not self._throws:
            return super().roll(sides)
        throw = self._throws.pop(0)
        if not 1 <= throw <= sides:
            raise ScriptError(f"a die with {sides} sides cannot show {throw}")
        return throw

    def _order(self, items: Sequence[object], stream: Stream, name: str) -> list[int]:
        rest = list(range(len(items)))
        top: list[int] = []
        for wanted in self._piles.pop(name, ()):
            found = next((place for place in rest if str(items[place]) == wanted), None)
            if found is None:
                raise ScriptError(f"there is no (further) “{wanted}” in the pile “{name}”")
            rest.remove(found)
            top.append(found)
        return top + [rest[place] for place in super()._order(rest, stream, name)]

    def unused(self) -> str | None:
        """What was scripted and never asked for, in words; None if everything was used."""
        if self._throws:
            return f"throws left over: {' '.join(map(str, self._throws))}"
        if self._piles:
            return f"piles never shuffled: {', '.join(self._piles)}"
        return None


class ScriptError(ValueError):
    """A scripted throw or pile that cannot be."""
