"""Rescue by standing tariffs, in gold only (B18 and the asynchronous form).

A lender gives up to so much gold, at so much credit of the borrower; a borrower says how much he gives for a gold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.plans import last
from rulesets.money_maker.run import become_solvent, extinguish
from rulesets.money_maker.run_events import Rescued
from rulesets.money_maker.standing import Borrow, Lend
from rulesets.money_maker.state import Run, Step, TableState


@dataclass(frozen=True)
class Help:
    """A lender's part in a rescue: gold from him, credit of the borrower for him."""

    lender: Seat
    gold: int
    credit: int


def match_tariffs(state: TableState, step: Step) -> Iterator[Event]:
    """Short banks clockwise from the triggering one, round after round until nothing changes; then the rescue window.

    The window is opened only if a bank is still short and another could help.
    """
    run = state.run
    assert run is not None
    rescued = True
    while rescued:
        rescued = False
        for seat in run.short:
            helps = helpers(state, run, seat)
            if helps and seat not in run.done:
                yield from _rescue(state, run, seat, helps)
                yield from extinguish(state, run)
                rescued = True
                break
    if negotiating(state, run):
        state.phase = "rescue"
    else:
        state.agenda.insert(0, Step(do="settle", seat=step.seat))


def negotiating(state: TableState, run: Run) -> bool:
    """Whether a bank that looks for help is short, and a solvent one is there."""
    return any(seat not in run.done for seat in run.short) and bool(run.solvent)


def helpers(state: TableState, run: Run, seat: Seat) -> list[Help]:
    """The cheapest lenders that cover the whole deficit, equal ones clockwise; none if they cannot: nothing moves then.

    Credit is rounded up for each lender.
    """
    wish = last(state, seat, Borrow)
    if wish is None:
        return []
    tariffs: list[tuple[Fraction, int, Seat, Lend, int]] = []
    for place, lender in enumerate(state.clockwise(run.seat)):
        tariff = last(state, lender, Lend)
        if tariff is None or lender not in run.solvent:
            continue
        gold = min(tariff.most - run.lent.get(lender, 0), state.banks[lender].gold)
        price = Fraction(tariff.credit, tariff.gold)
        if gold > 0 and price <= wish.credit:
            tariffs.append((price, place, lender, tariff, gold))
    left, found = run.due[seat], list[Help]()
    for _, _, lender, tariff, gold in sorted(tariffs, key=lambda offer: offer[:2]):
        some = min(left, gold)
        if some:
            found.append(Help(lender, some, -(-some * tariff.credit // tariff.gold)))
            left -= some
    credit = sum(share.credit for share in found)
    return found if left == 0 and credit <= state.unissued(seat) + run.due[seat] else []


def _rescue(state: TableState, run: Run, seat: Seat, helps: list[Help]) -> Iterator[Event]:
    """The lenders' gold pays the debt; the borrower's credit goes into their vaults for later use."""
    for share in helps:
        lender = state.banks[share.lender]
        lender.gold -= share.gold
        state.reserve += share.gold
        run.due[seat] -= share.gold
        run.lent[share.lender] = run.lent.get(share.lender, 0) + share.gold
        lender.claims[seat] += share.credit
        yield Rescued(seat=seat, lender=share.lender, gold=share.gold, credit=share.credit, left=run.due[seat])
    run.solvent.append(seat)
    yield from become_solvent(state, run, seat)
