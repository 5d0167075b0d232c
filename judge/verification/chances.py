"""Chance: links without a gap, secrets that fit their anchors, and throws that follow from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from judge.core.dice import Dice, LotsThrow, RollThrow
from judge.core.record import Anchors, Chance
from judge.core.seal import ZERO, throw_context
from judge.core.text import Text
from judge.verification.verdict import DoesNotHold

MOST_LOTS = 10_000
"""So many things at most are put in order by one throw: more would take a verifier for ever."""


class Chains:
    """The chains of secrets, as far as they have been bound and used."""

    def __init__(self) -> None:
        self.anchors: dict[int, Anchors] = {}
        self._used = 0
        self._last = ZERO

    def begin(self, anchors: Anchors) -> None:
        """A new chain is bound; it is used from here on."""
        if anchors.chain != len(self.anchors) + 1 or anchors.length < 1:
            raise DoesNotHold(Text.of("The anchor of a new chain is not numbered rightly."))
        self.anchors[anchors.chain] = anchors
        self._used, self._last = 0, bytes.fromhex(anchors.public)

    def use(self, chance: Chance, then: Anchors | None) -> None:
        """The next link is revealed; `then` is the next chain, if this link was the last one."""
        current = self.anchors[len(self.anchors)]
        if (chance.chain, chance.link) != (current.chain, self._used + 1):
            raise DoesNotHold(
                Text.of(
                    "Chance must come from link {due} of chain {chain} here, and link {link} is given: "
                    "somebody chose among the dice.",
                    due=str(self._used + 1),
                    chain=str(current.chain),
                    link=str(chance.link),
                )
            )
        secret = bytes.fromhex(chance.secret)
        if hashlib.sha256(secret).digest() != self._last:
            raise DoesNotHold(
                Text.of("The secret of the dice is not the one that was bound before the game: it has been exchanged.")
            )
        self._used, self._last = chance.link, secret
        if (then is not None) != (self._used == current.length):
            raise DoesNotHold(Text.of("The next chain is bound too early or too late."))
        if then is not None:
            self.begin(then)

    def fits(self, chain: int, secret: str) -> bool:
        """Whether this is the hidden secret that a chain was bound to."""
        anchors = self.anchors.get(chain)
        return anchors is not None and hashlib.sha256(bytes.fromhex(secret)).hexdigest() == anchors.hidden


def context(game: str, turn: tuple[int, int], link: int, contributions: Iterable[str | None]) -> bytes:
    """What ties chance to a turn; contributions are hex, None for a seat that sealed nothing."""
    mixed = [ZERO if one is None else bytes.fromhex(one) for one in contributions]
    return throw_context(game, *turn, link, mixed)


def check_throws(chance: Chance, about: bytes) -> None:
    """Throws again, without the rules, what the record says was thrown."""
    dice = Dice.public_only(bytes.fromhex(chance.secret), about)
    for number, throw in enumerate(chance.throws, 1):
        if isinstance(throw, RollThrow) and throw.sides >= 1:
            held = dice.roll(throw.sides) == throw.threw
        elif isinstance(throw, LotsThrow) and len(throw.order) <= MOST_LOTS:
            held = dice.lots(range(len(throw.order))) == list(throw.order)
        else:
            held = False
        if not held:
            raise DoesNotHold(
                Text.of(
                    "Throw {number} is not what the secret and the orders of this turn give: it has been changed.",
                    number=str(number),
                )
            )


def same_throws(thrown: Sequence[object], chance: Chance) -> bool:
    """Whether the rules threw exactly what the record lists."""
    return tuple(thrown) == chance.throws
