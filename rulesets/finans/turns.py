"""A turn of the judge is a round: everybody's orders are there, and the seats play in turn order.

Each does what stands before the throw, throws, takes what the square brings, and does what stands after it.  Who stands
where nothing can be bought, built or called need not say anything; his standing orders count, even if there are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from judge.core.dice import Dice
from judge.core.orders import Ask, Choice, Order, Problem
from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Text, Value
from rulesets.finans.balance import wealth
from rulesets.finans.box import BOX, BUILDERS, CAR, HEAD_OFFICE, PROPERTIES, SHARE_SORTS
from rulesets.finans.building import PERMIT, build, wear_permit
from rulesets.finans.buying import buy, for_sale, may_buy_here, price
from rulesets.finans.events import RoundBegan, TurnBegan, TurnMissed
from rulesets.finans.form import chances, parts, totals
from rulesets.finans.groups import owner_of_group
from rulesets.finans.loans import repay_loans, take_loans
from rulesets.finans.meetings import call_meeting
from rulesets.finans.mortgage import mortgage_lots, redeem_lots, sell_things
from rulesets.finans.movement import throw_and_move
from rulesets.finans.names import group_choices, property_choices, share_choices, square_title, thing_choices
from rulesets.finans.orders import Build, Buy, Conditional, Deed, Loan, Meeting, Mortgage, Redeem, Repay, Sell
from rulesets.finans.policies import KINDS, MEANS, SORTS, USE, ClaimRent, Offer, Raid, Swap, choices
from rulesets.finans.state import FinansState
from rulesets.finans.table import Table
from rulesets.finans.tally import begins_visit, count_posts
from rulesets.finans.winning import check_victory, end_by_time, reach_for_victory

RUN_ON = 3
"""So many rounds without a post follow one another; then all who do not miss the turn are waited for."""

_CHOICES: Mapping[str, tuple[Choice, ...]] = {
    "things": thing_choices(),
    "properties": property_choices(),
    "group": group_choices(),
    "give": share_choices(),
    "get": share_choices(),
    "means": choices(MEANS),
    "what": choices(SORTS),
    "use": choices(USE),
}

_KNOWN: Mapping[str, tuple[Choice, ...]] = {name: thing_choices() for name in ("properties", "give", "get")}
"""Shares cannot be built on, and properties cannot be swapped; whoever writes so is told."""


Facts = Mapping[str, tuple[tuple[Text, Value], ...]]


def asks(state: FinansState) -> Mapping[Seat, Ask]:
    """Everybody still in the game; whoever misses the turn is never waited for, but may change what stands (A18)."""
    if state.over:
        return {}
    facts = _facts(state)
    return {seat: _ask(state, seat, facts) for seat in state.players if not state.players[seat].bankrupt}


def _ask(state: FinansState, seat: Seat, facts: Facts) -> Ask:
    sheet = state.players[seat]
    silent = not matters(state, seat)
    can = None if sheet.missing else chances(state, seat)
    return Ask(
        kinds=KINDS,
        prompt=_prompt(state, seat),
        choices=_CHOICES,
        known=_KNOWN,
        standing=silent or sheet.programme,
        silent=silent,
        optional=sheet.missing > 0,
        at_hand=Text.of(
            "{cash} in cash, {loans} loans; worth {wealth} in all.",
            cash=Money(sheet.cash),
            loans=sheet.loans,
            wealth=Money(wealth(state, seat)),
        ),
        facts=facts,
        totals=totals(sheet.cash, can),
        parts=parts(state, can),
    )


def _prompt(state: FinansState, seat: Seat) -> Text:
    """Where the piece stands, and what can be done from there and nowhere else."""
    square = state.players[seat].square
    values: dict[str, Value] = {"round": state.round, "place": square_title(square)}
    if state.players[seat].missing:
        return Text.of("Round {round}: you miss this turn.", **values)
    deeds = [
        *([Text.of("buy")] if may_buy_here(square) else []),
        *([Text.of("build")] if may_build(state, seat) else []),
        *([Text.of("call a board meeting")] if square in HEAD_OFFICE else []),
    ]
    if not deeds:
        return Text.of("Round {round}: you throw from {place}, and need not order anything.", **values)
    return Text.of(
        "Round {round}: you stand on {place}. Before you throw, you can {deeds}.", deeds=Listing(deeds), **values
    )


def _facts(state: FinansState) -> Facts:
    """What the Bank asks for what it still has."""
    things = [thing for thing in (*PROPERTIES, *SHARE_SORTS) if for_sale(state, thing) is not None]
    return {thing: _from_the_bank(price(thing)) for thing in (*things, CAR)}


@cache
def _from_the_bank(amount: int) -> tuple[tuple[Text, Value], ...]:
    return ((Text.of("from the Bank"), Money(amount)),)


def matters(state: FinansState, seat: Seat) -> bool:
    """Whether something can be bought, built or called from here, in a turn that is not missed."""
    sheet = state.players[seat]
    return not sheet.missing and (may_buy_here(sheet.square) or may_build(state, seat))


def may_build(state: FinansState, seat: Seat) -> bool:
    """On squares 17 and 40; with a permit anywhere, as long as there is something to build on."""
    sheet = state.players[seat]
    bare = any(not state.properties[key].built for key in state.lots_of(seat))
    return sheet.square in BUILDERS or (PERMIT in sheet.tips and bare)


def check(state: FinansState, seat: Seat, orders: Sequence[Order]) -> Iterable[Problem]:
    """Only what no course of the round can make possible; all else is looked at when its turn has come."""
    if state.over:
        yield Problem(Text.of("The game is over; nothing can be ordered any more."))
        return
    for number, order in enumerate(orders, 1):
        for field, text in _misfits(state, order):
            yield Problem(text, line=number, field=field)
    if state.options.rent != "claimed" and any(isinstance(order, ClaimRent) for order in orders):
        yield Problem(Text.of("Rent is claimed for you in this game; there is no need to."), warning=True)


_ROWS = {"things", "properties", "means", "numbers"}
"""Fields in which several things are named; each kind of line has one of them at most."""


def _misfits(state: FinansState, order: Order) -> Iterator[tuple[str, Text]]:
    """What is wrong with a line wherever the piece stands: the field, and why."""
    match order:
        case Meeting(fee=fee) if fee % BOX.board_meeting.fee_step:
            step = Money(BOX.board_meeting.fee_step)
            yield "fee", Text.of("A fee is divisible by {step}; {fee} is not.", step=step, fee=Money(fee))
        case Swap(give=give, get=get) if price(give) != price(get):
            yield (
                "get",
                Text.of(
                    "Only shares of the same value are swapped, and these are {give} and {get}.",
                    give=Money(price(give)),
                    get=Money(price(get)),
                ),
            )
        case Offer(things=things) | Raid(things=things) if CAR in things:
            yield "things", Text.of("A car is not to be had by a tip.")
    for field in _ROWS & type(order).model_fields.keys():
        named = getattr(order, field) or ()
        if field == "numbers" and not all(1 <= number <= BOX.sweepstakes.bonds for number in named):
            yield field, Text.of("Bonds have the numbers 1 to {count}.", count=BOX.sweepstakes.bonds)
        if len(set(named)) == len(named):
            continue
        for thing, count in Counter(named).items():
            if isinstance(order, Sell | Buy) and thing in SHARE_SORTS and count <= len(SHARE_SORTS[thing]):
                continue
            if count > 1:
                yield field, Text.of("Something is named {count} times in one line.", count=count)


def default_orders(state: FinansState, seat: Seat) -> Sequence[Order]:
    """A mere throw."""
    return ()


def resolve(state: FinansState, orders: Mapping[Seat | None, Sequence[Order]], dice: Dice) -> Iterator[Event]:
    """The round.  Dice: each player's move, then what his square asks to throw, in turn order."""
    table = Table(state, {seat: lines for seat, lines in orders.items() if seat is not None}, dice, state.first)
    yield RoundBegan(round=state.round)
    visitors: list[Seat] = []
    for seat in state.order:
        if state.over:
            break
        if not state.players[seat].bankrupt:
            origin = state.players[seat].square
            yield from take_turn(table, seat)
            if begins_visit(origin, state.players[seat].square):
                visitors.append(seat)
    count_posts(state, visitors, run_on=RUN_ON)
    state.wealth.append({seat: wealth(state, seat) for seat in state.players})
    if not state.over and state.round == state.options.turns_each:
        yield from end_by_time(state)
    if not state.over:
        state.round += 1
        for seat in state.alive:
            lines = [line for line in table.lines(seat, Deed) if line.stands]
            state.players[seat].programme = any(has_work(state, seat, line) for line in lines)


def take_turn(table: Table, seat: Seat) -> Iterator[Event]:
    """One player's turn; a missed one is skipped wholly (A18)."""
    table.begin(seat)
    yield TurnBegan(seat=seat)
    state, sheet = table.state, table.sheet(seat)
    if sheet.missing:
        sheet.missing -= 1
        yield TurnMissed(seat=seat, left=sheet.missing)
        for line in table.lines(seat, Deed):
            yield from table.skip(seat, line, Text.of("This turn is missed."), here=False)
        return
    yield from do_deeds(table, seat, after=False)
    if state.over:
        return
    yield from throw_and_move(table, seat)
    if not state.over and not sheet.bankrupt:
        yield from do_deeds(table, seat, after=True)
    else:
        yield from check_victory(table)


def do_deeds(table: Table, seat: Seat, after: bool) -> Iterator[Event]:
    """The list before the throw or the one after it: lines of this round first, in their order, then standing ones."""
    called = False
    for line in table.lines(seat, Deed):
        if line.after_throw != after:
            continue
        if isinstance(line, Conditional) and not line.applies(table.sheet(seat).cash):
            continue
        if isinstance(line, Meeting):
            if line.otherwise and called:
                continue
            before = table.used.get("meeting", 0)
            yield from call_meeting(table, seat, line)
            called = table.used.get("meeting", 0) > before
        else:
            yield from do(table, seat, line)
    if not after:
        yield from wear_permit(table, seat)
    yield from reach_for_victory(table, seat)
    yield from check_victory(table)


def do(table: Table, seat: Seat, line: Deed) -> Iterator[Event]:
    match line:
        case Buy():
            yield from buy(table, seat, line)
        case Build():
            yield from build(table, seat, line)
        case Redeem():
            yield from redeem_lots(table, seat, line)
        case Mortgage():
            yield from mortgage_lots(table, seat, line)
        case Sell():
            yield from sell_things(table, seat, line)
        case Loan():
            yield from take_loans(table, seat, line)
        case Repay():
            yield from repay_loans(table, seat, line)


def has_work(state: FinansState, seat: Seat, line: Deed) -> bool:
    """Whether a standing line can still do what it is there for where a decision matters: buy, build or call."""
    match line:
        case Buy(things=things):
            return any(thing != CAR and for_sale(state, thing) is not None for thing in things)
        case Build(properties=keys):
            return any(state.properties[key].owner == seat and not state.properties[key].built for key in keys)
        case Meeting(group=group):
            return owner_of_group(state, group) != seat
    return False
