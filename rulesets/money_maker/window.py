"""The rescue window: offers and acceptances of instant exchanges (rulebook, "Bank Run Step 3: Negotiating").

An offer stands for the round after the one in which it is made.  The window waits for those who have the word: the bank
that has an offer to answer, and a short bank without one on the table.  What a short bank receives pays its debts at
once and counts as help.  With `player_deals = always` offers may be made in every turn, and stand for the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.core.orders import Order
from judge.core.ruleset import Event, Seat
from rulesets.money_maker.exchanges import Accept, Done, Offer
from rulesets.money_maker.paying import pay_up_to
from rulesets.money_maker.prison import work_off
from rulesets.money_maker.rescue import negotiating
from rulesets.money_maker.run import become_solvent, extinguish, from_help, usable_claims
from rulesets.money_maker.run_events import Exchanged, HelpUsed, OfferFailed, OfferMade, Side
from rulesets.money_maker.state import Item, OpenOffer, Run, Step, TableState
from rulesets.money_maker.tables import COLOURS, COMPANIES, Colour

MOST_ROUNDS = 6
"""A window closes after so many rounds, three of offers and three of answers: a run cannot go on for ever (house)."""


def resolve_window(state: TableState, orders: Mapping[Seat, Sequence[Order]]) -> Iterator[Event]:
    """One round: acceptances, then new offers, then solvency and tariffs again.

    The window closes when no short bank looks for help any more, after a round that began without an offer and brought
    none, or after the last of the rounds.
    """
    run = state.run
    assert run is not None
    run.window += 1
    answered = bool(state.offers)
    run.done += [seat for seat in run.short if any(isinstance(line, Done) for line in orders.get(seat, ()))]
    for seat in state.clockwise(run.seat):
        yield from accept(state, seat, orders.get(seat, ()))
    state.offers = []
    yield from extinguish(state, run)
    made = list(make_offers(state, orders))
    yield from made
    if not (made or answered) or run.window >= MOST_ROUNDS or not negotiating(state, run):
        run.done += [seat for seat in run.short if seat not in run.done]
    state.agenda.insert(0, Step(do="tariffs", seat=run.seat))


def has_the_word(state: TableState, seat: Seat) -> bool:
    """Whether the window waits for a bank; all others that are asked may speak as well, if they wish."""
    run = state.run
    assert run is not None
    if any(offer.taker == seat for offer in state.offers):
        return True
    waiting = [*run.solvent, *(short for short in run.short if short not in run.done)]
    return seat in run.short and not any(offer.maker == seat and offer.taker in waiting for offer in state.offers)


def make_offers(state: TableState, orders: Mapping[Seat, Sequence[Order]]) -> Iterator[Event]:
    """Every new offer gets a number; it replaces what its maker has offered the same bank."""
    for seat in state.alive:
        for line in orders.get(seat, ()):
            if isinstance(line, Offer) and line.bank != seat:
                state.offers = [old for old in state.offers if (old.maker, old.taker) != (seat, line.bank)]
                state.offered += 1
                offer = OpenOffer(
                    number=state.offered,
                    maker=seat,
                    taker=line.bank,
                    give=[Item(what=what, count=count) for what, count in line.gives],
                    get=[Item(what=what, count=count) for what, count in line.gets],
                )
                state.offers.append(offer)
                yield OfferMade(
                    number=offer.number, maker=seat, taker=line.bank, give=_side(offer.give), get=_side(offer.get)
                )


def accept(state: TableState, seat: Seat, lines: Sequence[Order]) -> Iterator[Event]:
    """Exchanges happen at once and in whole; an offer that one side cannot keep fails, and both are told."""
    for line in lines:
        offer = next(
            (
                offer
                for offer in state.offers
                if isinstance(line, Accept) and offer.number == line.number and offer.taker == seat
            ),
            None,
        )
        if offer is None:
            continue
        state.offers.remove(offer)
        lacking = next(
            (
                bank
                for bank, other, items in ((offer.maker, seat, offer.give), (seat, offer.maker, offer.get))
                if not can_give(state, bank, other, items)
            ),
            None,
        )
        if lacking is not None:
            yield OfferFailed(number=offer.number, maker=offer.maker, taker=seat, seat=lacking)
            continue
        for item in offer.give:
            _hand_over(state, offer.maker, seat, item)
        for item in offer.get:
            _hand_over(state, seat, offer.maker, item)
        yield Exchanged(
            number=offer.number, maker=offer.maker, taker=seat, give=_side(offer.give), get=_side(offer.get)
        )
        for bank in (offer.maker, seat):
            yield from _use(state, bank)


def _side(items: Sequence[Item]) -> Side:
    return tuple((item.what, item.count) for item in items)


def credit_named(state: TableState, what: str) -> Seat | None:
    """Whose credit `credit of …` is."""
    return next((seat for seat in state.seats if what == f"credit of {seat}"), None)


def can_give(state: TableState, seat: Seat, other: Seat, items: Sequence[Item]) -> bool:
    """Whether a bank has all that one side of an exchange holds."""
    bank = state.banks[seat]
    if bank.bankrupt or state.banks[other].bankrupt:
        return False
    needed: dict[str, int] = {}
    for item in items:
        what = "credit" if credit_named(state, item.what) == seat else item.what
        needed[what] = needed.get(what, 0) + item.count
    for what, count in needed.items():
        issuer = credit_named(state, what)
        if what == "gold":
            has = bank.gold
        elif what == "credit":
            has = state.unissued(seat)
        elif issuer is not None:
            has = bank.claims[issuer]
        elif what in COLOURS:
            has = bank.goods["production" if what == "production" else "consumer"]
        else:
            has = (bank.cards + bank.actions).count(what)
        if count > has:
            return False
    return True


def _hand_over(state: TableState, seat: Seat, other: Seat, item: Item) -> None:
    giver, taker = state.banks[seat], state.banks[other]
    issuer = seat if item.what == "credit" else credit_named(state, item.what)
    if item.what == "gold":
        giver.gold -= item.count
        taker.gold += item.count
    elif issuer is not None:
        if issuer != seat:
            giver.claims[issuer] -= item.count
        if issuer != other:
            taker.claims[issuer] += item.count
            if state.run is not None and other in state.run.short:
                helped = state.run.helped.setdefault(other, {})
                helped[issuer] = helped.get(issuer, 0) + item.count
    elif item.what in COLOURS:
        colour: Colour = "production" if item.what == "production" else "consumer"
        giver.goods[colour] -= item.count
        taker.goods[colour] += item.count
    elif item.what in COMPANIES:
        giver.cards.remove(item.what)
        taker.cards.append(item.what)
    else:
        for _ in range(item.count):
            giver.actions.remove(item.what)
            taker.actions.append(item.what)


def _use(state: TableState, seat: Seat) -> Iterator[Event]:
    """A short bank's debts, and a prisoner's, are paid at once with what it has received."""
    run = state.run
    if run is not None and seat in run.short:
        yield from _use_help(state, run, seat)
    else:
        yield from work_off(state, seat)


def _use_help(state: TableState, run: Run, seat: Seat) -> Iterator[Event]:
    """Gold, and credit of banks that are solvent now; if that settles the deficit, the bank is solvent itself."""
    paid = pay_up_to(state, seat, run.due[seat], usable_claims(state, run, seat))
    if paid.total:
        run.due[seat] -= paid.total
        from_help(run, seat, paid)
        yield HelpUsed(seat=seat, gold=paid.gold, claims=paid.claims, placed=paid.placed, left=run.due[seat])
    if not run.due[seat]:
        run.solvent.append(seat)
        yield from become_solvent(state, run, seat)
