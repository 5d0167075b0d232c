"""The game played again by its rules: who was asked, what was given, what was thrown, what came of it.

It goes as far as everything that went into a turn is open.  A game that hides something can be played again only when
it is over; one that hides nothing, turn by turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from judge.core.dice import ClosedStreamError, Dice
from judge.core.order_json import dump_orders, parse_orders
from judge.core.orders import Ask, Order, standing_after
from judge.core.record import Chance, Closed, Created, Ended, Record, Resolved, Rewound, Started
from judge.core.ruleset import JUDGE, AnyRuleset, Event, Seat, State, complete_orders, resolve_turn, visible
from judge.core.text import Text
from judge.verification.chances import context, same_throws
from judge.verification.ledger import Ledger
from judge.verification.reading import same
from judge.verification.verdict import DoesNotHold


@dataclass(frozen=True)
class Known:
    """What a turn begins with: a position with all that is hidden in it, and each seat's standing orders."""

    state: State
    standing: Mapping[Seat, Sequence[Order]]


@dataclass
class Replay:
    """A game played again from its records.

    position  what the turn that is open began with; None while something in it is still secret
    unknown   turns (number, version) that cannot be played again yet
    """

    ruleset: AnyRuleset
    ledger: Ledger
    position: Known | None = None
    unknown: list[tuple[int, int]] = field(default_factory=list)
    setup_unknown: bool = False
    _openings: dict[int, Known | None] = field(default_factory=dict)

    def play(self, complete: bool) -> DoesNotHold | None:
        """Plays all records; the first that does not follow from the rules is told.

        `complete` says that no record is missing at the end.
        """
        records = self.ledger.records
        for number, record in enumerate(records, 1):
            then = records[number] if number < len(records) else None
            try:
                self._read(record)
                if isinstance(record, Resolved) and (then is not None or complete):
                    self._demand_end(ended=isinstance(then, Ended))
            except DoesNotHold as found:
                return found.at(number, getattr(record, "turn", None), getattr(record, "version", None))
        return None

    def _read(self, record: Record) -> None:
        match record:
            case Started():
                self._begin(record)
            case Closed():
                if self.position is not None:
                    self._check_asked(record, self.position)
            case Resolved():
                self._resolve(self.ledger.closed[record.turn, record.version], record)
            case Rewound():
                self.position = self._openings.get(record.turn)
            case Ended():
                self._check_standings(record)

    # The set-up

    def _begin(self, record: Started) -> None:
        created = self.ledger.records[0]
        assert isinstance(created, Created)  # the course of the records has been checked
        seats = self.ledger.seats
        if len(seats) not in self.ruleset.seats:
            raise DoesNotHold(Text.of("By its rules this game is not for so many players."))
        try:
            options = self.ruleset.Options.model_validate(created.options)
        except ValidationError:
            raise DoesNotHold(Text.of("The game's options are none that its rules know.")) from None
        dice = self._dice(record.chance, (0, 1), [record.seats[seat] for seat in seats])
        try:
            with _rules():
                state = self.ruleset.setup(seats, options, dice)
        except ClosedStreamError:
            self.setup_unknown = True
            self._openings[1] = None
            return
        self._check_chance(dice, record.chance)
        self._check_view(state, record.state)
        self.position = self._openings[1] = Known(state, {})

    # A turn

    def _check_asked(self, closed: Closed, known: Known) -> None:
        """Exactly the seats that the rules ask have orders, and those are forced that could give no others."""
        asks = self._asks(known)
        for seat in self.ledger.seats:
            if (seat in asks) != (seat in closed.seats):
                text = (
                    Text.of("The rules ask this seat for orders, and the record passes it over.")
                    if seat in asks
                    else Text.of("The rules do not ask this seat for orders, and the record has some.")
                )
                raise DoesNotHold(text, seat)
            if seat in asks and (asks[seat].forced is not None) != (closed.seats[seat].how == "forced"):
                raise DoesNotHold(
                    Text.of("By the rules this seat had a choice, or had none; the record says the opposite."), seat
                )
        for words in closed.decisions:
            if words not in self.ruleset.judge_orders:
                raise DoesNotHold(Text.of("The rules know no decision “{words}”.", words=words[:60]))

    def _resolve(self, closed: Closed, record: Resolved) -> None:
        turn, before, self.position = (record.turn, record.version), self.position, None
        if before is not None:
            self.position = self._resolved(closed, record, before)
        if self.position is None:
            self.unknown.append(turn)
        else:
            self.ledger.counts.turns += 1
        self._openings[record.turn + 1] = self.position

    def _resolved(self, closed: Closed, record: Resolved, known: Known) -> Known | None:
        """The position after a turn; None if something that went into it is still secret."""
        asks = self._asks(known)
        kept = {seat: lines for seat, lines in known.standing.items() if seat not in closed.void}
        handed_in: dict[Seat, Sequence[Order]] = {}
        for seat in closed.seats:
            lines = self._sealed_lines(record, seat, asks[seat])
            if lines is None:
                return None
            if closed.seats[seat].commitment is not None:
                handed_in[seat] = self._checked(known, seat, asks[seat], lines)
            self._check_origin(known, closed, seat, asks[seat], kept.get(seat, ()), handed_in.get(seat, ()))
        with _rules():
            full, _forced, _missed = complete_orders(self.ruleset, known.state, handed_in)
        self._check_filled(record, full)
        if closed.decisions:
            full[JUDGE] = [Order(kind=words) for words in closed.decisions]
        dice = self._dice(record.chance, (record.turn, record.version), self._contributions(closed))
        try:
            with _rules():
                state, events = resolve_turn(self.ruleset, known.state, full, dice)
        except ClosedStreamError:
            return None
        self._check_chance(dice, record.chance)
        self._check_events(events, record.events)
        self._check_view(state, record.state)
        for seat, entry in closed.seats.items():
            if entry.how == "posted":
                kept[seat] = standing_after(kept.get(seat, ()), handed_in.get(seat, ()))
        return Known(state, kept)

    def _sealed_lines(self, record: Resolved, seat: Seat, ask: Ask) -> list[dict[str, Any]] | None:
        """A set as it counted, those lines first that opened with their turn; None if a part is still closed."""
        if seat not in record.sets:
            return []
        opened = record.sets[seat]
        if {*opened.parts, *opened.closed} != {kind.opens for kind in ask.kinds}:
            raise DoesNotHold(Text.of("This set has other parts than the rules provide for."), seat)
        lines = [order for part in opened.parts.values() for order in part.orders]
        if opened.closed:
            late = self.ledger.late.get((record.turn, record.version, seat))
            if late is None:
                return None
            lines += late.orders
        return lines

    def _checked(self, known: Known, seat: Seat, ask: Ask, lines: list[dict[str, Any]]) -> list[Order]:
        """The orders of a set, which the rules must allow."""
        with _rules():
            orders, problems = parse_orders(lines, ask)
            found = problems or list(self.ruleset.check(known.state, seat, orders))
        for problem in found:
            if not problem.warning:
                raise DoesNotHold(
                    Text.of("By the rules these orders cannot count: {why}", why=problem.text), seat, problem.line
                )
        for number, (order, line) in enumerate(zip(dump_orders(orders), lines, strict=True), 1):
            if not same(order, line):
                raise DoesNotHold(Text.of("This order is not written as its rules write it."), seat, number)
        return orders

    def _check_origin(
        self,
        known: Known,
        closed: Closed,
        seat: Seat,
        ask: Ask,
        kept: Sequence[Order],
        given: Sequence[Order],
    ) -> None:
        """Standing orders are exactly those that were kept, and nobody counts as absent whose orders stood."""
        how = closed.seats[seat].how
        if how in ("posted", "forced"):
            return
        lines = [order for order in kept if isinstance(order, ask.kinds)]
        with _rules():
            valid = all(problem.warning for problem in self.ruleset.check(known.state, seat, lines))
        if ask.silent and not valid:
            lines, valid = [], True
        stands = (bool(kept) or ask.silent) and valid and (bool(lines) or ask.standing)
        if how == "missed" and stands:
            raise DoesNotHold(Text.of("This seat counts as absent, and its standing orders were valid."), seat)
        if how == "standing":
            by_opening = [order for opens in ("turn", "game") for order in lines if order.opens == opens]
            if not stands or list(given) != by_opening:
                raise DoesNotHold(Text.of("These are not the standing orders that the seat has given."), seat)

    def _check_filled(self, record: Resolved, full: Mapping[Seat | None, Sequence[Order]]) -> None:
        """Orders that were filled in are the only possible ones, or those that the rules give to the absent."""
        for seat, filled in record.filled.items():
            right = dump_orders(order for order in full[seat] if order.opens == "turn")
            if not same(right, list(filled)):
                raise DoesNotHold(Text.of("The orders that were filled in are not those that the rules provide."), seat)

    # What came of it

    def _check_chance(self, dice: Dice, chance: Chance) -> None:
        if not same_throws(dice.thrown, chance):
            raise DoesNotHold(Text.of("The rules throw other dice than the record lists."))

    def _check_events(self, events: Sequence[Event], recorded: Sequence[dict[str, Any]]) -> None:
        made = [
            {"event": type(event).__name__, **event.model_dump(mode="json", exclude={"only"})}
            for event in visible(events, None)
        ]
        for number, (right, given) in enumerate(zip(made, recorded, strict=False), 1):
            if not same(right, given):
                raise DoesNotHold(
                    Text.of(
                        "Event {number} ({event}) is not what follows from the orders by the rules.",
                        number=str(number),
                        event=right["event"],
                    )
                )
        if len(made) != len(recorded):
            raise DoesNotHold(
                Text.of(
                    "By the rules {right} things happened in this turn, and the record tells of {given}.",
                    right=len(made),
                    given=len(recorded),
                )
            )

    def _check_view(self, state: State, recorded: dict[str, Any]) -> None:
        with _rules():
            right = self.ruleset.view(state, None).model_dump(mode="json")
        if not same(right, recorded):
            wrong = next((name for name in right if not same(right[name], recorded.get(name))), "")
            raise DoesNotHold(
                Text.of("The position (“{field}”) is not what follows from the orders by the rules.", field=wrong)
            )

    def _demand_end(self, ended: bool) -> None:
        if self.position is None or bool(self._asks(self.position)) != ended:
            return
        if ended:
            raise DoesNotHold(Text.of("By the rules the game goes on here, and the record ends it."))
        raise DoesNotHold(Text.of("By the rules the game is over here, and the record does not end it."))

    def _check_standings(self, record: Ended) -> None:
        if self.position is None:
            return
        with _rules():
            standings = [(seat, points) for seat, points in self.ruleset.standings(self.position.state)]
        if tuple(standings) != record.standings:
            wrong = dict(set(record.standings) ^ set(standings))
            seat = next((seat for seat in self.ledger.seats if seat in wrong), None)
            raise DoesNotHold(Text.of("The final standings are not those that the rules give."), seat)

    def asked(self) -> tuple[list[Seat], list[Seat]] | None:
        """Who is asked in the turn that is open, and who of them is forced; None if that is not known yet."""
        if self.position is None:
            return None
        asks = self._asks(self.position)
        return list(asks), [seat for seat, ask in asks.items() if ask.forced is not None]

    def _asks(self, known: Known) -> Mapping[Seat, Ask]:
        with _rules():
            asks: Mapping[Seat, Ask] = self.ruleset.asks(known.state)
        return asks

    def _contributions(self, closed: Closed) -> list[str | None]:
        return [closed.seats[seat].commitment if seat in closed.seats else None for seat in self.ledger.seats]

    def _dice(self, chance: Chance, turn: tuple[int, int], contributions: Sequence[str | None]) -> Dice:
        about = context(self.ledger.heading.game, turn, chance.link, contributions)
        public, hidden = bytes.fromhex(chance.secret), self.ledger.hidden.get(chance.chain)
        return Dice.public_only(public, about) if hidden is None else Dice(public, hidden, about)


@contextmanager
def _rules() -> Iterator[None]:
    """Rules are written for orders and positions that can be; whatever they raise about others is an answer too."""
    try:
        yield
    except (ClosedStreamError, DoesNotHold):
        raise
    except Exception as error:
        kind = type(error).__name__
        raise DoesNotHold(Text.of("The rules cannot go on with what the record says ({kind}).", kind=kind)) from error
