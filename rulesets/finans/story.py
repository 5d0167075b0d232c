"""A round as somebody tells it who was there: each turn in a few sentences.

A player's deeds join to sentences ("Anna throws 5, lands on Bookshop (12) and pays Ben 24,000 rent."); what others do
in his turn, cards that are read out and lines that are skipped stand beside them as sentences of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Player, Text
from rulesets.finans import events as told
from rulesets.finans import payments as pay
from rulesets.finans.chapters import chapters
from rulesets.finans.clauses import MERGED, clauses, subject
from rulesets.finans.names import NEWS_TITLES, NEWS_WORDS, titles
from rulesets.finans.skipped import skipped

MOST_CLAUSES = 5
"""So many make a sentence; what follows begins another."""

_FOR_ALL = (pay.BankDividends, pay.PremiumPaid, pay.TaxPaid)
"""What a card does to several players is one sentence."""


def turns_told(events: Sequence[Event]) -> Iterator[Text]:
    """Each turn of the round in a few sentences."""
    for _, chapter in chapters(events):
        yield Text.joined(list(sentences(chapter)))


def sentences(chapter: Sequence[Event]) -> Iterator[Text]:
    """The turn of one player; lines that the round has overtaken come last."""
    sentence = _Sentence()
    for run in _runs([event for event in chapter if not isinstance(event, told.Skipped)]):
        event, who = run[0], None if len(run) > 1 and isinstance(run[0], _FOR_ALL) else subject(run[0])
        if who is not None:
            said = clauses(run)
            if not sentence.takes(who, event, len(said)):
                yield from sentence.ended()
            sentence.add(who, event, said)
        elif isinstance(event, told.NothingHappens) and sentence.parts:
            yield from sentence.ended(event.why)
            continue
        if apart := list(_apart(run)):
            yield from sentence.ended()
            yield from apart
    yield from sentence.ended()
    for deed, why in skipped(chapter):
        yield Text.of("“{deed}” is skipped: {why}", deed=deed, why=why)


def _runs(chapter: Sequence[Event]) -> Iterator[list[Event]]:
    """Events that are told together: of one sort and about one player, or what a card or a meeting does to many."""

    def sort(numbered: tuple[int, Event]) -> tuple[type[Event], Seat | None, int]:
        number, event = numbered
        if isinstance(event, (*_FOR_ALL, pay.TakenOver, pay.FeePaid)):
            return type(event), None, -1
        return type(event), subject(event), -1 if isinstance(event, MERGED) else number

    for _, run in groupby(enumerate(chapter), sort):
        yield [event for _, event in run]


class _Sentence:
    """Clauses that are being gathered, each player with his own."""

    def __init__(self) -> None:
        self.parts: list[tuple[Seat, list[Text]]] = []
        self.kind: type[Event] | None = None

    def takes(self, who: Seat, event: Event, more: int) -> bool:
        """Whether this still belongs here: more about the same player, or what another has just done as well."""
        if not self.parts:
            return True
        if [who] == [seat for seat, _ in self.parts]:
            return len(self.parts[0][1]) + more <= MOST_CLAUSES
        return type(event) is self.kind and all(len(said) == 1 for _, said in self.parts)

    def add(self, who: Seat, event: Event, said: Sequence[Text]) -> None:
        self.kind = type(event)
        if self.parts and self.parts[-1][0] == who:
            self.parts[-1][1].extend(said)
        else:
            self.parts.append((who, list(said)))

    def ended(self, why: Text | None = None) -> Iterator[Text]:
        """The sentence, if there is one, with its full stop or with what comes of it; another may begin."""
        parts = [Text.of("{who} {deeds}", who=Player(who), deeds=Listing(said)) for who, said in self.parts]
        self.parts = []
        if parts and why is not None:
            yield Text.of("{words}: {why}", words=Listing(parts), why=why)
        elif parts:
            yield Text.of("{words}.", words=Listing(parts))


def _apart(run: Sequence[Event]) -> Iterator[Text]:
    """What is a sentence of its own, beside a clause or without one."""
    match run[0]:
        case told.NewsDrawn(card=card, ended=ended):
            yield NEWS_WORDS[card]
            if ended is not None:
                yield Text.of("“{card}” is over.", card=NEWS_TITLES[ended])
        case pay.TakenOver():
            yield _taken_over([event for event in run if isinstance(event, pay.TakenOver)])
        case pay.BankDividends() if len(run) > 1:
            yield Text.of("The Bank pays {shares} in dividends.", shares=_shares(run))
        case pay.PremiumPaid() if len(run) > 1:
            yield Text.of("The Bank pays {shares}.", shares=_shares(run))
        case pay.TaxPaid() if len(run) > 1:
            yield Text.of("This costs {shares}.", shares=_shares(run))
        case pay.FeePaid():
            yield _fee([event for event in run if isinstance(event, pay.FeePaid)])
        case (
            told.TurnMissed()
            | told.NothingHappens()
            | told.Amnesty()
            | told.SweepstakesDrawn()
            | told.MeetingCalled()
            | told.MeetingDecided()
            | told.GroupCompleted()
            | told.WentBankrupt()
        ) as event:
            yield event.tell()


def _shares(run: Sequence[Event]) -> Listing:
    """Each player with the amount that he pays or receives."""
    found = [
        Text.of("{who} {amount}", who=Player(seat), amount=Money(event.amount))
        for event in run
        if isinstance(event, pay.Payment) and (seat := event.payer or event.payee) is not None
    ]
    return Listing(found)


def _taken_over(run: Sequence[pay.TakenOver]) -> Text:
    """Who gives up what at a board meeting, and for how much in all."""
    parts = []
    for seller in dict.fromkeys(event.payee for event in run if event.payee is not None):
        sold = [event for event in run if event.payee == seller]
        parts.append(
            Text.of(
                "{who} gives up {things} for {amount}",
                who=Player(seller),
                things=titles(event.thing for event in sold),
                amount=Money(sum(event.amount for event in sold)),
            )
        )
    return Text.of("{words}.", words=Listing(parts))


def _fee(run: Sequence[pay.FeePaid]) -> Text:
    """Where a procurement fee goes."""
    parts = []
    for event in run:
        if event.payee is None:
            parts.append(Text.of("the Bank ({amount})", amount=Money(event.amount)))
        else:
            parts.append(Text.of("{who} ({amount})", who=Player(event.payee), amount=Money(event.amount)))
    return Text.of("The fee goes to {parts}.", parts=Listing(parts))
