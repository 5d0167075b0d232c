"""What everybody will talk about after a round: who won, went bankrupt or took a group over, news, the dearest stop.

Three such sentences at most, the weightiest first; then who is the richest, if one is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Player, Text
from rulesets.finans import events as told
from rulesets.finans import payments as pay
from rulesets.finans.names import GROUP_TITLES, NEWS_TITLES, title
from rulesets.finans.payments import listed

MOST = 3
_DEAR = 10_000
"""A rent that is worth a word."""


def headlines(events: Sequence[Event], worth: Mapping[Seat, int]) -> Iterator[Text]:
    """The sentences with which a report begins; `worth` is what everybody still in the game is worth now."""
    found = [*_fates(events), *_meetings(events), *_luck(events), *_trade(events)]
    yield from found[:MOST] or [Text.of("A quiet round.")]
    if any(isinstance(event, told.GameEnded) for event in events):
        return
    most = max(worth.values())
    richest = [Player(seat) for seat, value in worth.items() if value == most]
    if len(richest) == 1:
        yield Text.of("{who} is the richest now, worth {worth}.", who=richest[0], worth=Money(most))


def _fates(events: Sequence[Event]) -> Iterator[Text]:
    """How the game ended, and who is out of it."""
    for event in events:
        if isinstance(event, told.GameEnded):
            yield event.tell()
    for event in events:
        if isinstance(event, told.WentBankrupt):
            yield Text.of("{who} is bankrupt and out of the game.", who=event.who)


def _meetings(events: Sequence[Event]) -> Iterator[Text]:
    """Board meetings, and groups that were completed without one; the Bank may still hold a part of a group."""
    completed = {(event.seat, event.group) for event in events if isinstance(event, told.GroupCompleted)}
    taken: set[tuple[Seat, str]] = set()
    for event in events:
        match event:
            case told.MeetingDecided(group=group, won=True) if (event.seat, group) in completed:
                taken.add((event.seat, group))
                yield Text.of("{who} takes {group} over in a board meeting.", who=event.who, group=GROUP_TITLES[group])
            case told.MeetingDecided(group=group, won=True):
                yield Text.of("{who} wins the board meeting of {group}.", who=event.who, group=GROUP_TITLES[group])
            case told.MeetingDecided(group=group):
                yield Text.of("{who} fails to take {group} over.", who=event.who, group=GROUP_TITLES[group])
            case told.GroupCompleted(group=group) if (event.seat, group) not in taken:
                yield Text.of("{who} completes {group}.", who=event.who, group=GROUP_TITLES[group])


def _luck(events: Sequence[Event]) -> Iterator[Text]:
    """Bonds that won, the news, the dearest stop, bonuses, and who went to jail."""
    won: dict[Seat, int] = {}
    for event in events:
        if isinstance(event, pay.PrizeWon) and event.payee is not None:
            won[event.payee] = won.get(event.payee, 0) + event.amount
    if won:
        prizes = [
            Text.of("{who} wins {amount}", who=Player(seat), amount=Money(amount)) for seat, amount in won.items()
        ]
        yield Text.of("{prizes} in the sweepstakes.", prizes=Listing(prizes))
    bonuses = [
        Text.of("{who} receives {amount}", who=Player(event.payee), amount=Money(event.amount))
        for event in events
        if isinstance(event, pay.BonusPaid) and event.payee is not None
    ]
    cards = [Text.of("“{card}”", card=NEWS_TITLES[event.card]) for event in events if isinstance(event, told.NewsDrawn)]
    if cards:
        yield Text.of("In the news: {cards}.", cards=Listing(cards))
    rents = [event for event in events if isinstance(event, pay.RentPaid) and event.amount >= _DEAR]
    if rents:
        yield _dearest(max(rents, key=lambda event: event.amount))
    if bonuses:
        yield Text.of("{bonuses} at the Bank Entrance.", bonuses=Listing(bonuses))
    jailed = list(dict.fromkeys(event.seat for event in events if isinstance(event, told.Jailed)))
    if jailed:
        yield Text.n(
            "{players} goes to jail.",
            "{players} go to jail.",
            len(jailed),
            players=Listing([Player(seat) for seat in jailed]),
        )


def _dearest(rent: pay.RentPaid) -> Text:
    payer, payee = rent.payer, rent.payee
    assert payer is not None
    assert payee is not None
    return Text.of(
        "The dearest stop is {thing}: {payer} pays {payee} {amount}.",
        thing=title(rent.property),
        payer=Player(payer),
        payee=Player(payee),
        amount=Money(rent.amount),
    )


def _trade(events: Sequence[Event]) -> Iterator[Text]:
    """What the Bank sold, and what was built."""
    bought = [
        Text.of("{who} buys {things}", who=Player(seat), things=listed(tuple(things)))
        for seat, things in _by_player((event.payer, event.thing) for event in events if isinstance(event, pay.Bought))
    ]
    built = [
        Text.of("{who} builds on {things}", who=Player(seat), things=listed(tuple(things)))
        for seat, things in _by_player(
            (event.payer, event.property) for event in events if isinstance(event, pay.Built)
        )
    ]
    yield from (Text.of("{words}.", words=Listing(deals)) for deals in (bought, built) if deals)


def _by_player(deals: Iterable[tuple[Seat | None, str]]) -> Iterable[tuple[Seat, Sequence[str]]]:
    """What each player got, in the order of the round."""
    found: dict[Seat, list[str]] = {}
    for seat, thing in deals:
        if seat is not None:
            found.setdefault(seat, []).append(thing)
    return found.items()
