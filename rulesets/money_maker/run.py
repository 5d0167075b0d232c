"""A bank run, step by step (rulebook, "Bank Run").

Step 1 locates the affected blocks, step 2 extinguishes debts, step 3 is negotiating (rescue.py, window.py).  Then the
run is settled: whoever is still short is degraded.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from judge.core.dice import Dice
from judge.core.ruleset import Event, Seat
from rulesets.money_maker.card_events import ActionPlayed
from rulesets.money_maker.cards import discard_action
from rulesets.money_maker.dice import throw_sectors, turn_wind
from rulesets.money_maker.ending import end_after_run
from rulesets.money_maker.meter import move_chip
from rulesets.money_maker.paying import affected_blocks, claims_in_use, pay_debt, take_up
from rulesets.money_maker.payments import Payment
from rulesets.money_maker.plans import pays_debts_with, trigger
from rulesets.money_maker.plays import PlayGrace, PlayWind
from rulesets.money_maker.prison import earn, work_off
from rulesets.money_maker.rating import degrade, rise
from rulesets.money_maker.run_events import (
    DebtsCalled,
    Extinguished,
    OwedPaid,
    PaidInPart,
    RunSettled,
    RunStarted,
    SetAgainst,
    Shielded,
)
from rulesets.money_maker.state import Run, Step, TableState
from rulesets.money_maker.tables import ACTION, CIRCLE, SETUP, ring_of


def start_run(state: TableState, step: Step, dice: Dice) -> Iterator[Event]:
    """The chip goes to the first empty slot of the circle, blocks are located, and all credit on them falls due.

    The faces are those of this turn's step 5, those of the run before in a chain, or thrown anew (B10).
    """
    state.runs += 1
    state.meter = 0
    faces = throw_sectors(step.faces or list(state.facts.faces), state.runs, dice)
    yield RunStarted(number=state.runs, slot=CIRCLE[state.runs - 1], cause=step.cause, seat=step.seat)
    for seat in state.clockwise(step.seat):
        wind = trigger(state, seat, PlayWind)
        if wind is not None:
            yield from turn_wind(state, seat, wind, faces)
    state.run = Run(number=state.runs, cause=step.cause, seat=step.seat, faces=faces, owed=step.owed)
    if state.facts.faces:
        state.facts.faces = list(faces)
    yield from _call_debts(state, state.run)
    yield from _set_against(state, state.run)
    yield from extinguish(state, state.run)
    state.agenda.insert(0, Step(do="tariffs", seat=step.seat))


def _call_debts(state: TableState, run: Run) -> Iterator[Event]:
    """Step 1: everybody's credit from the affected blocks, but for what a Letter of Grace keeps there."""
    due: dict[Seat, int] = {}
    for seat in state.clockwise(run.seat):
        blocks = affected_blocks(state, seat, run.faces)
        shielded = list(_grace(state, seat, blocks))
        taken = take_up(state, seat, blocks)
        for event in shielded:
            state.banks[seat].board[event.block] += event.amount
            taken[event.block] -= event.amount
            yield ActionPlayed(seat=seat, action=ACTION["grace"].name)
            yield event
        due[seat] = sum(taken.values())
    run.due = due
    run.paid = dict.fromkeys(due, 0)
    yield DebtsCalled(sectors=tuple(run.faces), due=dict(due))


def _grace(state: TableState, seat: Seat, blocks: list[int]) -> Iterator[Shielded]:
    """Letter of Grace: up to 10 credit on one affected block stay there and are not due in this run."""
    line = trigger(state, seat, PlayGrace)
    if line is None:
        return
    bank, ring = state.banks[seat], ring_of(state.banks[seat].rating)
    wanted = blocks if line.sector is None else [ring.block_of(line.sector)]
    block = max((block for block in wanted if block in blocks), key=lambda block: bank.board[block], default=None)
    if block is not None and bank.board[block]:
        discard_action(state, seat, line.card_played)
        amount = min(ACTION["grace"].amount, bank.board[block])
        yield Shielded(seat=seat, block=block, sectors=ring.blocks[block], amount=amount)


def _set_against(state: TableState, run: Run) -> Iterator[Event]:
    """What the empty Reserve owes to the triggering bank is set against its debts and counts as paid by itself (B9)."""
    amount = min(run.owed, run.due.get(run.seat, 0))
    if amount:
        run.owed -= amount
        run.due[run.seat] -= amount
        run.paid[run.seat] += amount
        yield SetAgainst(seat=run.seat, amount=amount)


def usable_claims(state: TableState, run: Run, seat: Seat) -> dict[Seat, int]:
    """Other banks' credit that pays debts now: its issuer must be solvent himself at this moment.

    A bank that pays with gold only keeps what it had, and uses what it has got as help.
    """
    held = claims_in_use(state, seat)
    if pays_debts_with(state, seat) == "gold only":
        helped = run.helped.get(seat, {})
        held = {issuer: min(n, helped[issuer]) for issuer, n in held.items() if helped.get(issuer)}
    return {issuer: n for issuer, n in held.items() if issuer in run.solvent}


def extinguish(state: TableState, run: Run) -> Iterator[Event]:
    """Step 2: solvency first, payment after (B11); looked at again whenever a bank has become solvent."""
    fresh = [seat for seat in run.due if seat not in run.solvent and state.banks[seat].gold >= run.due[seat]]
    run.solvent += fresh
    changed = True
    while changed:
        changed = False
        for seat in run.short:
            able = state.banks[seat].gold + sum(usable_claims(state, run, seat).values())
            if able >= run.due[seat]:
                run.solvent.append(seat)
                fresh.append(seat)
                changed = True
    for seat in sorted(fresh, key=list(run.due).index):
        yield from _pay_in_full(state, run, seat)
    for seat in run.short:
        yield from _pay_in_part(state, run, seat)


def _pay_in_full(state: TableState, run: Run, seat: Seat) -> Iterator[Event]:
    due, run.due[seat] = run.due[seat], 0
    if due:
        payment = pay_debt(state, seat, due, usable_claims(state, run, seat))
        run.paid[seat] += payment.total - from_help(run, seat, payment)
        yield Extinguished(seat=seat, due=due, payment=payment)
    yield from become_solvent(state, run, seat)


def become_solvent(state: TableState, run: Run, seat: Seat) -> Iterator[Event]:
    """Out of prison, or promoted by what the bank has paid itself; help does not count (B13)."""
    paid, run.paid[seat] = run.paid[seat], 0
    yield from rise(state, seat, paid)


def from_help(run: Run, seat: Seat, payment: Payment) -> int:
    """How much of a payment is others' credit that came as help, and is used up now."""
    helped, sum_of_help = run.helped.get(seat, {}), 0
    for issuer, count in payment.claims.items():
        used = min(count, helped.get(issuer, 0))
        helped[issuer] = helped.get(issuer, 0) - used
        sum_of_help += used
    return sum_of_help


def _pay_in_part(state: TableState, run: Run, seat: Seat) -> Iterator[Event]:
    """A short bank puts down all its gold, and unless ordered otherwise all credit of solvent banks."""
    due = run.due[seat]
    payment = pay_debt(state, seat, due, usable_claims(state, run, seat))
    if payment.total:
        run.due[seat] -= payment.total
        run.paid[seat] += payment.total - from_help(run, seat, payment)
        yield PaidInPart(seat=seat, due=due, payment=payment, left=run.due[seat])


def settle_run(state: TableState, step: Step) -> Iterator[Event]:
    """Short banks are degraded; then the run limit, the last bank, and the chip steps of the degraded (B16)."""
    run = state.run
    assert run is not None
    short = run.short
    for seat in short:
        unpaid, run.due[seat] = run.due[seat], 0
        yield from degrade(state, seat, unpaid)
    state.degraded += len(short)
    state.run, state.offers = None, []
    for seat in state.alive:
        yield from work_off(state, seat)
    emptied = yield from _pay_owed(state, run)
    yield RunSettled(number=run.number, degraded=tuple(short))
    yield from end_after_run(state)
    if state.phase == "over":
        return
    if emptied is not None:
        state.agenda.insert(0, emptied)
        return
    steps, state.degraded = SETUP.meter_per_degraded * state.degraded, 0
    if steps:
        yield from move_chip(state, steps, "degraded", step.seat, faces=run.faces)


def _pay_owed(state: TableState, run: Run) -> Generator[Event, None, Step | None]:
    """The rest of what started the run, as far as the run has refilled the Reserve; what is left lapses (B9)."""
    if not run.owed or state.banks[run.seat].bankrupt:
        return None
    earned = earn(state, run.seat, run.owed)
    yield OwedPaid(seat=run.seat, gold=earned.gold, against_debt=earned.against_debt, lapsed=earned.owed)
    yield from earned.events
    if earned.gold and earned.empties_the_reserve:
        return Step(do="run", seat=run.seat, cause="reserve")
    return None
