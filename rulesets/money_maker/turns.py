"""A turn: who is asked, and how the judge works through the agenda until somebody has to decide again.

A bank run may freeze a turn anywhere, and its rescue window asks people; so what is still to do stands in the state as
a list of steps.  Each step is carried out by the module of its section of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from judge.core.dice import Dice
from judge.core.orders import Order
from judge.core.ruleset import Event, Seat
from rulesets.money_maker.alternative import pay_off
from rulesets.money_maker.auction import hold_auctions
from rulesets.money_maker.cards import any_time, buy_action, play_in_own_turn
from rulesets.money_maker.dice import cast_dice
from rulesets.money_maker.ending import end_of_turn, note_worth
from rulesets.money_maker.events import TurnBegun
from rulesets.money_maker.exchanges import Done
from rulesets.money_maker.kinds import Line
from rulesets.money_maker.markets import buy, sell
from rulesets.money_maker.meter import move_chip
from rulesets.money_maker.opening import auction_the_start
from rulesets.money_maker.orders import ALL, STEP_THREE, Buy, BuyAction, PayOff, Produce, Sell, Trade
from rulesets.money_maker.plans import last, lines, take_lasting, take_plans
from rulesets.money_maker.plays import OWN_TURN, Play
from rulesets.money_maker.producing import produce, trade
from rulesets.money_maker.rescue import match_tariffs
from rulesets.money_maker.run import settle_run, start_run
from rulesets.money_maker.state import Do, Step, TableState, TurnFacts
from rulesets.money_maker.tables import COLOURS, SETUP
from rulesets.money_maker.window import accept, make_offers, resolve_window

KEPT = 4
"""Goods of a colour that stay in the vault of a bank that says nothing about step 3."""


def resolve(state: TableState, orders: Mapping[Seat | None, Sequence[Order]], dice: Dice) -> Iterator[Event]:
    """One opening's orders, and then everything up to the next decision."""
    given = {seat: list(orders.get(seat, ())) for seat in state.seats}
    opened = state.phase
    if opened == "rescue":
        take_lasting(state, given)
    else:
        take_plans(state, given)
    match opened:
        case "start bid":
            yield from auction_the_start(state, dice)
            state.round = 0 if state.options.fast else 1
            state.agenda = _openings(state, state.active)
        case "turn":
            yield from _deal(state, given)
            state.agenda = [Step(do="turn", seat=state.active)]
        case "round":
            yield from _deal(state, given)
            state.agenda = [
                Step(do=do, seat=seat) for seat in state.clockwise(state.start) for do in ("begin", "turn")
            ] + [Step(do="round", seat=state.start)]
        case "rescue":
            yield from resolve_window(state, given)
    yield from work_through(state, dice)


def _deal(state: TableState, given: Mapping[Seat, Sequence[Order]]) -> Iterator[Event]:
    """Exchanges outside of bank runs, where the game has them (B19)."""
    if state.options.player_deals == "always":
        for seat in state.clockwise(state.active):
            yield from accept(state, seat, given.get(seat, ()))
        state.offers = []
        yield from make_offers(state, given)


def _openings(state: TableState, seat: Seat) -> list[Step]:
    """How the next turn is opened: step 1 comes before the orders, so that everybody sees the card (or the round's)."""
    if state.options.fast:
        return [Step(do="round", seat=seat)]
    return [Step(do="begin", seat=seat), Step(do="orders", seat=seat)]


def work_through(state: TableState, dice: Dice) -> Iterator[Event]:
    """The agenda, step by step, until orders are needed or the game is over."""
    state.phase = "turn"
    while state.agenda:
        step = state.agenda.pop(0)
        if step.do == "orders" and state.banks[step.seat].bankrupt:
            step = Step(do="checks", seat=step.seat)  # a run at step 1 ended the bank, and with it its turn
        if step.do in ("orders", "round"):
            state.phase = "turn" if step.do == "orders" else "round"
            if step.do == "round":
                state.start = state.clockwise(step.seat)[0]
                state.active = state.start
                state.round += 1
            return
        yield from _do(state, step, dice)
        if _stopped(state):
            return


def _stopped(state: TableState) -> bool:
    return state.phase in ("rescue", "over")


def _do(state: TableState, step: Step, dice: Dice) -> Iterator[Event]:
    if step.do in ("run", "tariffs", "settle"):
        yield from _do_in_run(state, step, dice)
        return
    if state.banks[step.seat].bankrupt and step.do not in ("close", "checks"):
        return
    match step.do:
        case "begin":
            yield from begin_turn(state, step.seat)
        case "turn":
            state.agenda[:0] = programme(state, step.seat)
        case "moment":
            yield from any_time(state, step.seat)
        case "auctions":
            yield from hold_auctions(state, step.seat)
        case "pay off" | "line" | "late plays":
            yield from _carry_out(state, step)
        case "action":
            yield from buy_action(state, step.seat, dice)
        case "dice":
            yield from cast_dice(state, step.seat, dice)
        case "close":
            yield from close_turn(state, step.seat)
        case "checks":
            yield from _check_end(state, step.seat)


def _do_in_run(state: TableState, step: Step, dice: Dice) -> Iterator[Event]:
    match step.do:
        case "run":
            yield from start_run(state, step, dice)
        case "tariffs":
            yield from match_tariffs(state, step)
        case _:
            yield from settle_run(state, step)


def begin_turn(state: TableState, seat: Seat) -> Iterator[Event]:
    """Step 1: draw a card; with five open none is drawn, and the chip moves (rulebook, Fig. 11; B7, B8)."""
    state.turn += 1
    state.active = seat
    state.facts = TurnFacts()
    card = None
    if len(state.row) >= SETUP.open_cards_max:
        state.facts.five_open = True
    elif state.pile:
        card = state.pile.pop(0)
        state.row.append(card)
    yield TurnBegun(turn=state.turn, seat=seat, card=card, open_cards=len(state.row))
    if state.facts.five_open:
        yield from move_chip(state, SETUP.meter_when_five_open, "five open", seat)


def programme(state: TableState, seat: Seat) -> list[Step]:
    """Steps 2 to 5 as the bank has ordered them; whoever says nothing about step 3 has a stated default."""
    said: list[Order] = list(state.plans.get(seat, ()))
    alternative = last(state, seat, PayOff)
    steps = [Step(do="moment", seat=seat)]
    if alternative is None:
        wanted = [line for line in said if isinstance(line, (*STEP_THREE, *OWN_TURN))]
        if not any(isinstance(line, STEP_THREE) for line in wanted):
            wanted += default_step_three()
        elif not any(isinstance(line, Produce) for line in wanted):
            wanted.insert(0, Produce(card=ALL))
        steps.append(Step(do="auctions", seat=seat))
    else:
        wanted = [line for line in said if isinstance(line, OWN_TURN)]
        steps.append(_line(seat, alternative, "pay off"))
    steps += [_line(seat, line) for line in wanted]
    if any(isinstance(line, BuyAction) for line in said):
        steps.append(Step(do="action", seat=seat))
        steps += [_line(seat, line, "late plays") for line in wanted if isinstance(line, Play)]
    steps += [Step(do="moment", seat=seat), Step(do="dice", seat=seat), Step(do="moment", seat=seat)]
    return [*steps, Step(do="close", seat=seat)]


def _line(seat: Seat, line: Order, do: Do = "line") -> Step:
    return Step(do=do, seat=seat, line=cast(Line, line))


def default_step_three() -> list[Order]:
    """Produce all, keep four goods of a colour, and sell the rest at any price."""
    return [Produce(card=ALL), *(Sell(colour=colour, keep=KEPT) for colour in COLOURS)]


def _carry_out(state: TableState, step: Step) -> Iterator[Event]:
    """One line of the programme.  A card that could not be played before step 4 has its chance after it."""
    line, seat = step.line, step.seat
    match line:
        case PayOff():
            yield from pay_off(state, seat, line)
        case Produce():
            yield from produce(state, seat, line)
        case Trade():
            yield from trade(state, seat, line)
        case Buy():
            yield from buy(state, seat, line)
        case Sell():
            yield from sell(state, seat, line)
        case Play() if isinstance(line, OWN_TURN):
            if line.card_played in state.banks[seat].actions or step.do == "late plays" or not _buys(state, seat):
                yield from _play_once(state, seat, line, late=step.do == "late plays")
        case _:
            raise TypeError(f"{step.do} has no line to carry out")


def _buys(state: TableState, seat: Seat) -> bool:
    return bool(lines(state, seat, BuyAction))


def _play_once(state: TableState, seat: Seat, line: Play, late: bool) -> Iterator[Event]:
    """Each line plays at most one card: what was played before step 4 is not played again after it."""
    if late and line in state.facts.played:
        return
    held = state.banks[seat].actions.count(line.card_played)
    yield from play_in_own_turn(state, seat, line)
    if state.banks[seat].actions.count(line.card_played) < held:
        state.facts.played.append(line)  # type: ignore[arg-type]  # a play is a line


def close_turn(state: TableState, seat: Seat) -> Iterator[Event]:
    """The end of a turn; with an empty pile the chip moves if nobody won a card and it has not moved yet (B8)."""
    state.agenda.insert(0, Step(do="checks", seat=seat))
    if not state.pile and not state.facts.card_won and not state.facts.five_open:
        yield from move_chip(state, SETUP.meter_when_five_open, "empty pile", seat)


def _check_end(state: TableState, seat: Seat) -> Iterator[Event]:
    """Ten cards, or none left; else the next bank clockwise is on (B23)."""
    note_worth(state)
    yield from end_of_turn(state)
    if state.phase == "over" or state.options.fast:
        return
    following = state.after(seat)
    order = state.seats[state.seats.index(state.start) :] + state.seats[: state.seats.index(state.start)]
    if order.index(following) <= order.index(seat):
        state.round += 1
    state.agenda += _openings(state, following)


def default_orders(state: TableState, seat: Seat) -> Sequence[Order]:
    """Whoever misses the deadline: in his own turn step 3 by default; in a rescue window he gives up."""
    if state.phase == "rescue" and state.run is not None and seat in state.run.short:
        return (Done(),)
    if state.phase == "round" or (state.phase == "turn" and seat == state.active):
        return default_step_three()
    return ()
