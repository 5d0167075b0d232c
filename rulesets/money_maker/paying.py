"""Paying with gold or credit (rulebook, "Paying with Gold or Credit").

Gold goes to the Gold Reserve.  Credit, own or another bank's, goes to a housing block on the ring of the bank that
issued it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.core.ruleset import Seat
from rulesets.money_maker.payments import Payment, Placed
from rulesets.money_maker.plans import chosen_sector, pays_debts_with, pays_first_with
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import Sector, ring_of

_ORDER = {
    "gold": ("gold", "others", "own"),
    "credit": ("own", "gold", "others"),
    "others": ("others", "gold", "own"),
}
_GOLD_PART = ("part", "own", "others", "gold")
"""A bid with a gold part: that much gold, the rest in own credit; other means only if own credit runs out (B4)."""


def claims_in_use(state: TableState, seat: Seat) -> dict[Seat, int]:
    """Other banks' credit that can be paid with: anybody's but a bankrupt's (B24)."""
    return {
        issuer: count
        for issuer, count in state.banks[seat].claims.items()
        if count and not state.banks[issuer].bankrupt
    }


def means(state: TableState, seat: Seat) -> int:
    """The most a bank can pay: gold, other banks' credit, and own credit not yet issued (B4)."""
    return state.banks[seat].gold + sum(claims_in_use(state, seat).values()) + state.unissued(seat)


def pay(state: TableState, seat: Seat, price: int, gold_part: int | None = None) -> Payment:
    """A purchase, by the bank's own choice of means; the caller has seen to it that they are enough."""
    bank = state.banks[seat]
    order = _ORDER[pays_first_with(state, seat)] if gold_part is None else _GOLD_PART
    left, gold, own = price, 0, 0
    claims: dict[Seat, int] = {}
    for what in order:
        match what:
            case "gold" | "part":
                some = min(left, bank.gold - gold, left if what == "gold" or gold_part is None else gold_part)
                gold += some
                left -= some
            case "own":
                own = min(left, state.unissued(seat))
                left -= own
            case "others":
                for issuer, count in claims_in_use(state, seat).items():
                    claims[issuer] = min(left, count)
                    left -= claims[issuer]
    if left:
        raise ValueError(f"{seat} cannot pay {price}")
    placed = give_up(state, seat, gold, claims, purchase=True)
    placed += place(state, seat, seat, own, purchase=True)
    return Payment(gold=gold, own=own, claims={issuer: n for issuer, n in claims.items() if n}, placed=tuple(placed))


def pay_debt(state: TableState, seat: Seat, amount: int, usable: Mapping[Seat, int]) -> Payment:
    """A debt, or as much of it as the bank has, by its own order: others' credit first, gold first, or gold only."""
    first = pays_debts_with(state, seat)
    return pay_up_to(state, seat, amount, {} if first == "gold only" else usable, gold_first=first != "others")


def pay_up_to(
    state: TableState, seat: Seat, amount: int, usable: Mapping[Seat, int], gold_first: bool = False
) -> Payment:
    """A debt, or as much of it as other banks' credit that is usable and gold cover: own credit pays none."""
    bank = state.banks[seat]
    gold = min(amount, bank.gold) if gold_first else 0
    left = amount - gold
    claims: dict[Seat, int] = {}
    for issuer, count in usable.items():
        claims[issuer] = min(left, count)
        left -= claims[issuer]
    gold += min(left, bank.gold - gold)
    placed = give_up(state, seat, gold, claims)
    return Payment(gold=gold, own=0, claims={issuer: n for issuer, n in claims.items() if n}, placed=tuple(placed))


def give_up(state: TableState, seat: Seat, gold: int, claims: dict[Seat, int], purchase: bool = False) -> list[Placed]:
    """Gold to the Reserve, other banks' credit to their rings."""
    bank = state.banks[seat]
    bank.gold -= gold
    state.reserve += gold
    placed: list[Placed] = []
    for issuer, count in claims.items():
        bank.claims[issuer] -= count
        placed += place(state, seat, issuer, count, purchase)
    return placed


def place(state: TableState, payer: Seat, issuer: Seat, count: int, purchase: bool = False) -> list[Placed]:
    """Credit on a ring: on the payer's block, else unit by unit on the block with least, ties in data order (B14)."""
    bank = state.banks[issuer]
    ring = ring_of(bank.rating)
    sector = chosen_sector(state, payer, issuer, purchase)
    added = spread(bank.board, count) if sector is None else _on_one(len(ring.blocks), ring.block_of(sector), count)
    bank.board = [before + more for before, more in zip(bank.board, added, strict=True)]
    return [Placed(bank=issuer, sectors=ring.blocks[block], count=more) for block, more in enumerate(added) if more]


def spread(board: Sequence[int], count: int) -> list[int]:
    """How much goes on each block, unit by unit on the one with least.

    >>> spread([4, 0, 1], 5)
    [0, 3, 2]
    """
    heights = list(board)
    for _ in range(count):
        heights[heights.index(min(heights))] += 1
    return [after - before for before, after in zip(board, heights, strict=True)]


def _on_one(blocks: int, block: int, count: int) -> list[int]:
    return [count if at == block else 0 for at in range(blocks)]


def take_up(state: TableState, seat: Seat, blocks: Sequence[int]) -> dict[int, int]:
    """A bank's own credit from some blocks of its ring, by block; it lies in front of the vault now."""
    bank = state.banks[seat]
    taken = {block: bank.board[block] for block in blocks}
    for block in blocks:
        bank.board[block] = 0
    return taken


def affected_blocks(state: TableState, seat: Seat, faces: Sequence[Sector]) -> list[int]:
    """The blocks of a bank's ring that bear one of the faces, each once (rulebook, Fig. 9)."""
    ring = ring_of(state.banks[seat].rating)
    return sorted({ring.block_of(face) for face in faces})
