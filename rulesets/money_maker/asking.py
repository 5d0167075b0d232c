"""What each bank is asked, and what keeps its orders from counting.

Everything here follows from the public table and from the bank's own vault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from judge.core.orders import Ask, Choice, Order, Problem
from judge.core.ruleset import Seat
from judge.core.sums import Limit
from judge.core.text import Player, Text
from rulesets.money_maker.alternative import able_to_pay_off
from rulesets.money_maker.exchanges import DEALS, NO_GOODS, Accept, Done, Offer
from rulesets.money_maker.form import facts, gold_parts, parts, totals
from rulesets.money_maker.kinds import OWN_STEPS, ROUND_STEPS, WAITING
from rulesets.money_maker.names import (
    action_choice,
    amount_of,
    bank_choice,
    colour_choices,
    company_choices,
    credit_choice,
    known_things,
    named,
    sector_choices,
    tint_choices,
)
from rulesets.money_maker.orders import (
    ALL,
    NOTHING,
    STEP_THREE,
    Bid,
    BuyAction,
    Open,
    PayOff,
    StartBid,
    Trade,
)
from rulesets.money_maker.paying import means
from rulesets.money_maker.plays import Play, PlayNight, Trigger
from rulesets.money_maker.prison import is_imprisoned
from rulesets.money_maker.standing import ANYWHERE, OWN, STANDING, TARIFFS, as_placed
from rulesets.money_maker.state import Item, TableState
from rulesets.money_maker.tables import ACTIONS, COMPANIES, RATINGS, TABLES, Card, ring_of
from rulesets.money_maker.window import can_give, has_the_word

_GOLD = Choice("gold", Text.of("gold"), ("Gold",))
_CREDIT = Choice(
    "credit", Text.of("own credit"), ("Kredit", "eigener Kredit", "eigenem Kredit", "own credit"), {"de": "Kredit"}
)
_OTHERS = Choice(
    "others",
    Text.of("others' credit"),
    ("other credit", "foreign credit", "fremder Kredit", "fremdem Kredit", "fremden Kredit"),
    {"de": "fremdem Kredit"},
)
_MY_CREDIT = ("my credit", "of my credit", "meinen Kredit", "von meinem Kredit")
MOST_CREDIT = TABLES.credit.max_issued
_GOLD_ONLY = Choice("gold only", Text.of("gold only"), ("only gold", "nur Gold", "nur mit Gold"), {"de": "nur Gold"})
_ALL = Choice(ALL, Text.of("all companies"), ("everything", "alles", "alle"), {"de": "alles"})
_NOTHING = Choice(NOTHING, Text.of("nothing"), ("none", "nichts"), {"de": "nichts"})
_OWN = Choice(OWN, Text.of("own credit"), ("my", "meinen", "eigenen", "eigener"), {"de": "eigenen"})
_ANYWHERE = Choice(ANYWHERE, Text.of("the block with least"), ("spread", "überall", "verteilt"), {"de": "überall"})


def asks(state: TableState) -> Mapping[Seat, Ask]:
    """Everybody who is not bankrupt; in a rescue window the short banks that look for help, and the solvent ones."""
    return {seat: ask for seat in state.alive if (ask := ask_of(state, seat)) is not None}


def ask_of(state: TableState, seat: Seat) -> Ask | None:
    """What one bank is asked; None if it has nothing to say now."""
    asked = _asked(state, seat)
    if asked is None:
        return None
    kinds, prompt = asked
    return Ask(
        kinds=kinds,
        prompt=prompt,
        choices=_choices(state, seat),
        known=known_things(state.seats),
        at_hand=at_hand(state, seat),
        facts=facts(state, seat, _reachable(state, seat)),
        limits=_limits(state, seat),
        totals=totals(state, seat, kinds),
        parts=parts(state, seat, kinds),
        optional=state.phase == "rescue" and not has_the_word(state, seat),
    )


def _asked(state: TableState, seat: Seat) -> tuple[tuple[type[Order], ...], Text] | None:
    """The kinds of order that a bank may use now, and what it is told; None if it has nothing to say."""
    match state.phase:
        case "start bid":
            prompt = Text.of("Who starts? Bid for the first turn; nobody sees the others' bids.")
            return (StartBid, *STANDING), prompt
        case "turn":
            return _turn_kinds(state, seat), _turn_prompt(state)
        case "round":
            prompt = Text.of(
                "Round {round}: bid for all cards that may be opened, and order for your own turn.", round=state.round
            )
            return _able(state, seat, (*ROUND_STEPS, *WAITING, *STANDING, *_deals(state))), prompt
        case "rescue":
            return _asked_in_window(state, seat)
        case "over":
            return None


def _turn_prompt(state: TableState) -> Text:
    return Text.of("Turn {turn} is {who}'s. Everybody else bids.", turn=state.turn, who=Player(state.active))


def _turn_kinds(state: TableState, seat: Seat) -> tuple[type[Order], ...]:
    own: tuple[type[Order], ...] = OWN_STEPS if seat == state.active else (Bid,)
    return _able(state, seat, (*own, *WAITING, *STANDING, *_deals(state)))


def _deals(state: TableState) -> tuple[type[Order], ...]:
    return DEALS if state.options.player_deals == "always" else ()


def _able(state: TableState, seat: Seat, kinds: Sequence[type[Order]]) -> tuple[type[Order], ...]:
    """Without what cannot be ordered: auctions by a prisoner, or without a card; trading without a trading card."""
    left = list(kinds)
    if is_imprisoned(state, seat) or not _auctionable(state):
        left = [kind for kind in left if kind not in (Open, Bid)]
    if not _traders(state, seat):
        left = [kind for kind in left if kind is not Trade]
    if not _reachable(state, seat):
        left = [kind for kind in left if kind is not PlayNight]
    return tuple(left)


def _auctionable(state: TableState) -> list[Card]:
    return state.row + state.forecast()


def _reachable(state: TableState, seat: Seat) -> list[Card]:
    """Companies that a bank has, or may get in this turn: in an auction, or by an exchange that is offered."""
    wanted = [item.what for offer in state.offers if offer.taker == seat for item in offer.give]
    wanted += [item.what for offer in state.offers if offer.maker == seat for item in offer.get]
    return state.banks[seat].cards + _auctionable(state) + [card for card in wanted if card in COMPANIES]


def _traders(state: TableState, seat: Seat) -> list[Card]:
    return [card for card in _reachable(state, seat) if COMPANIES[card].mode == "trade"]


def _asked_in_window(state: TableState, seat: Seat) -> tuple[tuple[type[Order], ...], Text] | None:
    run = state.run
    assert run is not None
    if seat in run.short and seat not in run.done:
        return (*DEALS, *TARIFFS, Done), _window_prompt(state)
    if seat in run.solvent:
        return (*DEALS, *TARIFFS), _window_prompt(state)
    return None


def _window_prompt(state: TableState) -> Text:
    run = state.run
    assert run is not None
    return Text.of(
        (
            "Bank run {number}: short banks look for help. Offer or accept exchanges, or change your tariff; it helps "
            "only a short bank that will “borrow” at its price. Whoever is still short when the window closes is "
            "degraded."
        ),
        number=run.number,
    )


def at_hand(state: TableState, seat: Seat) -> Text:
    """What lies in the bank's own vault, and what it owes."""
    bank = state.banks[seat]
    told = Text.of(
        (
            "In your vault: {gold} gold, {production}, {consumer}; action cards: {actions}. "
            "Your credit on the board: {debt}."
        ),
        gold=bank.gold,
        production=amount_of("production", bank.goods["production"]),
        consumer=amount_of("consumer", bank.goods["consumer"]),
        actions=named(bank.actions) if bank.actions else Text.of("none"),
        debt=bank.debt,
    )
    due = state.run.due.get(seat, 0) if state.run is not None else 0
    return Text.of("{told} Still to be paid in this run: {due}.", told=told, due=due) if due else told


def _choices(state: TableState, seat: Seat) -> dict[str, tuple[Choice, ...]]:
    others = [other for other in state.seats if other != seat]
    sectors = sector_choices()
    things = _things(state)
    return {
        "card": company_choices(_auctionable(state)),
        "produce.card": (_ALL, _NOTHING, *company_choices(_reachable(state, seat))),
        "trade.card": company_choices(_traders(state, seat)),
        "night.card": company_choices(_reachable(state, seat)),
        "raise.card": company_choices(COMPANIES),
        "colour": colour_choices(),
        "into": colour_choices(),
        "sector": sectors,
        "away": sectors,
        "to": sectors,
        "place.sector": (_ANYWHERE, *sectors),
        "place.bank": (_OWN, *map(_bank_to_place, others)),
        "bank": tuple(map(bank_choice, others)),
        "face": tint_choices(),
        "keep.action": tuple(map(action_choice, ACTIONS)),
        "pay.means": (_GOLD, _CREDIT, _OTHERS),
        "debts.means": (_GOLD, _OTHERS, _GOLD_ONLY),
        "rating": tuple(Choice(numeral, numeral) for numeral in RATINGS[1:]),
        "give": things,
        "give2": things[1:],
        "get": things,
        "get2": things[1:],
    }


@lru_cache
def _bank_to_place(seat: Seat) -> Choice:
    """A bank whose credit is placed: it may be called like one's own credit, since “bank” can stand before its name."""
    return replace(bank_choice(seat), value=as_placed(seat), also=(f"bank {seat}", f"{seat}'s"))


def _things(state: TableState) -> tuple[Choice, ...]:
    """What may change hands; own credit is called just credit, that of any bank by its name."""
    owned = [card for bank in state.banks.values() for card in bank.cards]
    return (
        Choice(NO_GOODS, Text.of("nothing"), ("nichts",), {"de": "nichts"}),
        _GOLD,
        Choice("credit", Text.of("own credit"), ("Kredit", *_MY_CREDIT), {"de": "Kredit"}),
        *colour_choices(),
        *map(credit_choice, state.seats),
        *company_choices(owned),
        *map(action_choice, ACTIONS),
    )


def _limits(state: TableState, seat: Seat) -> tuple[Limit, ...]:
    """Each maximum is looked at alone: whether it can be paid with all means that the bank has now (B4)."""
    able, cards = means(state, seat), _auctionable(state)
    says = Text.of("A bid of {counted} was read; with gold and all credit you can pay {most} at most.", most=able)
    return (
        Limit(of=("most",), kinds=("start",), at_most=able, says=says),
        *(
            Limit(of=("most",), by="card", weights={card: 1}, kinds=("bid", "open"), at_most=able, says=says)
            for card in cards
        ),
        *gold_parts(state, seat, cards),
    )


def check(state: TableState, seat: Seat, orders: Sequence[Order]) -> Iterable[Problem]:
    """All that keeps a set from counting, with the numbers; and what is allowed and hardly meant."""
    asked = None if state.banks[seat].bankrupt else _asked(state, seat)
    if asked is None:
        yield Problem(Text.of("You are not asked for orders now."))
        return
    kinds, _ = asked
    for number, order in enumerate(orders, 1):
        if not isinstance(order, kinds):
            yield Problem(Text.of("This cannot be ordered now."), line=number, field="kind")
        else:
            yield from _check_line(state, seat, order, number)
    counted = [order for order in orders if isinstance(order, kinds)]
    for limit in _limits(state, seat):
        yield from limit.problems(counted)
    yield from _check_set(state, seat, orders)


def _check_line(state: TableState, seat: Seat, order: Order, number: int) -> Iterator[Problem]:
    bank = state.banks[seat]
    match order:
        case Open(buyout=int()) if not state.options.opener_buyout:
            yield Problem(Text.of("Cards cannot be bought out in this game."), line=number, field="buyout")
        case PayOff(sector=sector):
            debt = bank.board[ring_of(bank.rating).block_of(sector)]
            able = able_to_pay_off(state, seat)
            if not debt:
                yield Problem(Text.of("You have no credit on that block."), line=number, field="sector")
            elif debt > able:
                text = Text.of("On that block lie {debt} of your credit; you can pay {able}.", debt=debt, able=able)
                yield Problem(text, line=number, field="sector")
        case Offer(bank=other):
            items = [Item(what=what, count=count) for what, count in order.gives]
            if not order.gives and not order.gets:
                yield Problem(Text.of("An exchange of nothing for nothing is none."), line=number, field="give")
            elif state.banks[other].bankrupt:
                yield Problem(Text.of("{who} is bankrupt.", who=Player(other)), line=number, field="bank")
            elif not can_give(state, seat, other, items):
                yield Problem(Text.of("You do not have what you offer."), line=number, field="give")
            elif any(what.startswith("credit") and count > MOST_CREDIT for what, count in order.gets):
                text = Text.of("A bank can have {most} of its own credit out, no more.", most=MOST_CREDIT)
                yield Problem(text, line=number, field="get")
        case Accept(number=offer):
            open_to = [known.number for known in state.offers if known.taker == seat]
            if offer not in open_to:
                listed = ", ".join(map(str, open_to)) or "–"
                text = Text.of("There is no offer {number} to you; open: {listed}.", number=offer, listed=listed)
                yield Problem(text, line=number, field="number")


def _check_set(state: TableState, seat: Seat, orders: Sequence[Order]) -> Iterator[Problem]:
    """What concerns several lines together."""
    for kind in (StartBid, PayOff, BuyAction):
        if sum(isinstance(order, kind) for order in orders) > 1:
            yield Problem(Text.of("“{kind}” can stand once in a set.", kind=kind.title))
    if any(isinstance(order, PayOff) for order in orders):
        if any(isinstance(order, (Open, *STEP_THREE)) for order in orders):
            text = Text.of("Paying off a block takes the place of auctions and of buying, producing and selling.")
            yield Problem(text, field="sector")
    elif any(isinstance(order, OWN_STEPS) for order in orders) and not any(isinstance(o, STEP_THREE) for o in orders):
        text = Text.of("You say nothing about step 3: all companies produce, and goods over 4 of a colour are sold.")
        yield Problem(text, warning=True)
    held = state.banks[seat].actions
    for order in orders:
        waits = isinstance(order, Trigger) or any(isinstance(other, BuyAction) for other in orders)
        if isinstance(order, Play) and order.card_played not in held:
            if waits:
                text = Text.of("You do not have {action} now; the line counts if you get it.", action=order.title)
            else:
                text = Text.of("You do not have {action}, and buy no action card.", action=order.title)
            yield Problem(text, warning=True)
