"""A turn in two or three sentences, as a friend would write it who has read the whole report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Player, Text, Value
from rulesets.money_maker.card_events import CreditCounted
from rulesets.money_maker.events import Auctioned, Bought, ChipMoved, PaidOff, Sold, StartAuctioned
from rulesets.money_maker.names import TITLES, amount_of, players, rating_name
from rulesets.money_maker.run_events import (
    DebtsCalled,
    Degraded,
    Exchanged,
    Freed,
    GameEnded,
    Promoted,
    Rescued,
    RunStarted,
    WentBankrupt,
)
from rulesets.money_maker.tables import Colour
from rulesets.money_maker.view import TableView


def story(view: TableView, events: Sequence[Event]) -> Text:
    """Who won or starts, bank runs and their victims, companies, the best business, the dice, and who is short now."""
    sentences = [
        *_ends(events),
        *_start(events),
        *_runs(events),
        *_companies(events),
        *_business(events),
        *_mood(view, events),
        *_short(view),
    ] or [Text.of("A quiet turn.")]
    return Text.joined(sentences)


def _ends(events: Sequence[Event]) -> Iterator[Text]:
    yield from (event.tell() for event in events if isinstance(event, GameEnded))


def _start(events: Sequence[Event]) -> Iterator[Text]:
    for event in events:
        if isinstance(event, StartAuctioned):
            if event.price:
                yield Text.of("{who} starts and pays {price} for it.", who=Player(event.winner), price=event.price)
            else:
                yield Text.of("Nobody pays to be the first; the lot makes {who} start.", who=Player(event.winner))


def _runs(events: Sequence[Event]) -> Iterator[Text]:
    """Each run with whom it strikes, and then what it did to the banks, whether by a run or by the alternative step."""
    for event in events:
        match event:
            case RunStarted(cause="reserve"):
                yield Text.of("The Gold Reserve is empty, and the citizens run to the banks!")
            case RunStarted():
                yield Text.of("The citizens run to the banks!")
            case DebtsCalled():
                struck = [seat for seat, due in event.due.items() if due]
                if struck:
                    yield Text.n(
                        "{players} has to pay {sum}.",
                        "{players} have to pay {sum} in all.",
                        len(struck),
                        players=players(struck),
                        sum=sum(event.due.values()),
                    )
                else:
                    yield Text.of("They find no credit where they look.")
            case Rescued():
                yield Text.of("{lender} helps {who} out.", lender=Player(event.lender), who=Player(event.seat))
            case WentBankrupt():
                yield Text.of("{who} is bankrupt and out of the game.", who=Player(event.seat))
            case Degraded() | Freed():
                yield event.tell()
            case Promoted():
                yield Text.of(
                    "{who} rises to rating {rating}.", who=Player(event.seat), rating=rating_name(event.after)
                )
    deals = sum(isinstance(event, Exchanged) for event in events)
    if deals:
        yield Text.n("One exchange is agreed.", "{count} exchanges are agreed.", deals)


def _companies(events: Sequence[Event]) -> Iterator[Text]:
    """Who has got which companies; a single one that its opener lost is told with him."""
    won = [event for event in events if isinstance(event, Auctioned)]
    for winner in dict.fromkeys(event.winner for event in won):
        mine = [
            Text.of("{card} for {price}", card=TITLES[event.card], price=event.price)
            for event in won
            if event.winner == winner
        ]
        values: dict[str, Value] = {"who": Player(winner), "cards": Listing(mine), "opener": Player(won[0].opener)}
        if len(won) == 1 and winner != won[0].opener:
            yield Text.of("{who} takes {cards}, from under the nose of {opener}.", **values)
        else:
            yield Text.of("{who} takes {cards}.", **values)


def _business(events: Sequence[Event]) -> Iterator[Text]:
    """Who has sold for how much, and who has paid off debts of his own accord; at the end nobody asks."""
    if any(isinstance(event, GameEnded) for event in events):
        return
    sold: Counter[Seat] = Counter()
    spent: Counter[Seat] = Counter()
    for event in events:
        match event:
            case Sold():
                sold[event.seat] += sum(event.prices)
            case Bought():
                spent[event.seat] += sum(event.prices)
            case PaidOff():
                yield Text.of("{who} pays off {amount} credit.", who=Player(event.seat), amount=event.amount)
    for seat, sum_of_prices in sold.items():
        yield Text.of("{who} sells goods for {sum}.", who=Player(seat), sum=sum_of_prices)
    for seat, sum_of_prices in spent.items():
        if seat not in sold:
            yield Text.of("{who} buys goods for {sum}.", who=Player(seat), sum=sum_of_prices)


def _short(view: TableView) -> Iterator[Text]:
    """Who looks for help in the rescue window that is open now."""
    if view.run is not None:
        short = [seat for seat in view.run.short if seat not in view.run.done]
        yield Text.n(
            "{players} is short and looks for help.",
            "{players} are short and look for help.",
            len(short),
            players=players(short),
        )


def _mood(view: TableView, events: Sequence[Event]) -> Iterator[Text]:
    """What the dice took, and how near the next run is; nothing of it where a run has come already."""
    if any(isinstance(event, RunStarted | GameEnded | StartAuctioned) for event in events):
        return
    for event in events:
        if isinstance(event, CreditCounted) and event.goods:
            colour: Colour = "production" if event.tint == "red" else "consumer"
            yield Text.of("The citizens buy {goods} off the market.", goods=amount_of(colour, event.goods))
    moved = sum(event.after - event.before for event in events if isinstance(event, ChipMoved))
    left = view.meter_length - view.meter
    if moved > 0:
        yield Text.n("One more step, and there is a bank run.", "{count} more steps to the next bank run.", left)
