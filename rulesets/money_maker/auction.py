"""Step 2: auctions of investment cards (rulebook, "Bid on an Investment Card").

The opener's cards are tried in his order until he wins one.  Maxima are sealed; a price of one above the best rival is
what an open auction in steps of 1 would have brought (B26).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.cards import discard_action
from rulesets.money_maker.events import Auctioned, NotOpened, Raised, Refused
from rulesets.money_maker.markets import discard, prices_of
from rulesets.money_maker.orders import Bid, Open
from rulesets.money_maker.paying import means, pay
from rulesets.money_maker.plans import lines, trigger
from rulesets.money_maker.plays import PlayRaise
from rulesets.money_maker.prison import is_imprisoned
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import COMPANIES, Card


@dataclass
class Hammer:
    """An auction as it stands: who would have the card, and at what price."""

    winner: Seat
    price: int


def opening_price(state: TableState, card: Card) -> int:
    """The combined market value of the goods that the company asks for (rulebook, Fig. 4b)."""
    company = COMPANIES[card]
    return sum(prices_of(state.markets[company.ask], company.ask_n))


def hold_auctions(state: TableState, opener: Seat) -> Iterator[Event]:
    """The listed cards in turn, until the opener wins one or none is left (B5); none in a prisoner's turn."""
    if is_imprisoned(state, opener):
        return
    for line in lines(state, opener, Open):
        if line.card not in state.row:
            yield NotOpened(seat=opener, card=line.card, reason="not open")
            continue
        price, able = opening_price(state, line.card), means(state, opener)
        if price > min(line.most, able):
            reason: Refused = "maximum" if price > line.most else "means"
            yield NotOpened(seat=opener, card=line.card, reason=reason, price=price, most=min(line.most, able))
            continue
        yield from _hold(state, opener, line, price)
        if line.card in state.banks[opener].cards:
            return


def _hold(state: TableState, opener: Seat, line: Open, opening: int) -> Iterator[Event]:
    """The goods leave the market as the auction opens (B2); then the bids, envelopes, the buy-out, and payment."""
    company = COMPANIES[line.card]
    taken = discard(state.markets[company.ask], company.ask_n)
    wishes = bids_for(state, opener, line)
    bids = {seat: most for seat, most in wishes.items() if seat == opener or most > opening}
    hammer = settle(bids, opener, opening, state.options.auction_price, list(wishes))
    raised = tuple(late_envelopes(state, opener, line.card, wishes, hammer, opening if len(bids) == 1 else None))
    buyer_out = _buy_out(state, opener, line, hammer)
    winner = opener if buyer_out else hammer.winner
    gold_part = line.gold
    if winner != opener:
        gold_part = next(bid.gold for bid in lines(state, winner, Bid) if bid.card == line.card)
    if buyer_out:
        state.banks[opener].gold -= state.options.opener_buyout
        state.banks[hammer.winner].gold += state.options.opener_buyout
    payment = pay(state, winner, hammer.price, gold_part)
    state.row.remove(line.card)
    state.banks[winner].cards.append(line.card)
    state.facts.card_won = True
    yield Auctioned(
        card=line.card,
        opener=opener,
        opening=opening,
        colour=company.ask,
        taken=taken,
        bids=wishes,
        raised=raised,
        winner=winner,
        price=hammer.price,
        payment=payment,
        bought_out=hammer.winner if buyer_out else None,
        buyout=state.options.opener_buyout if buyer_out else 0,
    )


def bids_for(state: TableState, opener: Seat, line: Open) -> dict[Seat, int]:
    """Everybody's maximum, clockwise from the opener, cut to the means that he has left (B4); prisoners do not bid."""
    wishes = {opener: min(line.most, means(state, opener))}
    for seat in state.clockwise(opener):
        if seat != opener and not is_imprisoned(state, seat):
            for bid in lines(state, seat, Bid):
                if bid.card == line.card:
                    wishes[seat] = min(bid.most, means(state, seat))
    return wishes


def settle(bids: Mapping[Seat, int], opener: Seat, opening: int, priced: str, order: list[Seat]) -> Hammer:
    """Highest maximum, ties to the opener and then clockwise; one above the best rival, or his own maximum (B26).

    `bids` holds the opener, who always counts as bidding the opening price, and whoever bids more than that.
    """
    winner = max(order, key=lambda seat: (bids.get(seat, 0), -order.index(seat)))
    if priced == "own":
        return Hammer(winner, bids[winner])
    rivals = [most for seat, most in bids.items() if seat != winner]
    return Hammer(winner, min(bids[winner], max(rivals) + 1) if rivals else opening)


def late_envelopes(
    state: TableState, opener: Seat, card: Card, wishes: Mapping[Seat, int], hammer: Hammer, opening: int | None
) -> Iterator[Raised]:
    """Late Envelope: own maximum and up to 5 more wins at that bid, if it is over the settled price.

    Where nobody but the opener bid (`opening` is given) it need only reach the opening price.  Clockwise from him.
    """
    for seat in state.clockwise(opener):
        line = trigger(state, seat, PlayRaise)
        if line is None or seat == hammer.winner or seat not in wishes or line.card not in (None, card):
            continue
        raised = min(wishes[seat] + line.by, means(state, seat))
        if raised > hammer.price or (opening is not None and raised >= opening and hammer.winner == opener):
            discard_action(state, seat, line.card_played)
            hammer.winner, hammer.price = seat, raised
            yield Raised(seat=seat, before=wishes[seat], after=raised)


def _buy_out(state: TableState, opener: Seat, line: Open, hammer: Hammer) -> bool:
    """The opener may take a card that he lost for its price and n gold to the bank that had won (option)."""
    extra = state.options.opener_buyout
    if not extra or hammer.winner == opener or line.buyout is None:
        return False
    total = hammer.price + extra
    return total <= min(line.buyout, means(state, opener)) and state.banks[opener].gold >= extra
