"""What some tips allow on any square: to buy from the Bank, from an opponent who must sell, or to swap shares (A19).

The standing orders say what is wanted.  Papers of complete groups are immune (rulebook, "Company Groups").
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import PROPERTIES, SHARE_SORTS, Tip
from rulesets.finans.buying import for_sale, hand_over, price, sort_of
from rulesets.finans.completing import completed
from rulesets.finans.events import NothingHappens, Swapped
from rulesets.finans.groups import is_immune
from rulesets.finans.mortgage import cost_value, owned
from rulesets.finans.payments import Raided
from rulesets.finans.policies import Offer, Raid, Swap
from rulesets.finans.table import Table


def offer(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    """One share or one property from the Bank."""
    for line in table.lines(seat, Offer):
        for thing in line.things:
            if sort_of(thing) != card.effect["what"] or for_sale(table.state, thing) is None:
                continue
            if table.sheet(seat).cash - price(thing) >= (line.keep or 0):
                yield from hand_over(table, seat, thing)
                return
    yield nothing_wanted(seat)


def raid(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    """One share at cost, or one unmortgaged property with its building at 120 per cent; the owner must sell."""
    for line in table.lines(seat, Raid):
        for thing in line.things:
            paper = _raidable(table, seat, thing) if sort_of(thing) == card.effect["what"] else None
            if paper is None:
                continue
            amount = cost_value(table.state, paper) * int(card.effect["price_percent"]) // 100
            if table.sheet(seat).cash - amount < (line.keep or 0):
                continue
            owner = table.state.owner(paper)
            table.state.hand(paper, seat)
            yield table.paid(Raided(payer=seat, payee=owner, amount=amount, thing=paper))
            yield from completed(table)
            return
    yield nothing_wanted(seat)


def swap(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    """One share for an opponent's of the same nominal value."""
    for line in table.lines(seat, Swap):
        mine = owned(table, seat, line.give)
        theirs = _raidable(table, seat, line.get)
        if mine is None or theirs is None or is_immune(table.state, mine):
            continue
        other = table.state.owner(theirs)
        assert other is not None
        table.state.hand(mine, other)
        table.state.hand(theirs, seat)
        yield Swapped(seat=seat, other=other, gave=mine, got=theirs)
        yield from completed(table)
        return
    yield nothing_wanted(seat)


def _raidable(table: Table, seat: Seat, thing: str) -> str | None:
    """An opponent's paper under this name, the next one's clockwise first; none that is mortgaged or immune."""
    state = table.state
    papers = [thing] if thing in PROPERTIES else [share.key for share in SHARE_SORTS.get(thing, ())]
    for other in table.opponents(seat):
        for paper in papers:
            mortgaged = paper in PROPERTIES and state.properties[paper].mortgaged
            if state.owner(paper) == other and not mortgaged and not is_immune(state, paper):
                return paper
    return None


def nothing_wanted(seat: Seat) -> NothingHappens:
    return NothingHappens(seat=seat, why=Text.of("nothing that the standing orders name can be had."))
