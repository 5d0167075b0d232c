"""Taking orders in: from a form, the API, a post, a paste or a bot.

A set is all or nothing.  A set with a problem changes nothing: what counted before still counts.  The last valid set
before the turn closes counts; there is no separate "ready".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlmodel import Session, select

from judge.core.notation import Reading, example, read
from judge.core.order_json import dump_orders, parse_orders
from judge.core.orders import Order, Problem, carried_over, latest
from judge.core.repeats import asks_for_repeat
from judge.core.text import Moment, Text
from judge.forum import Markup
from judge.forum.markup import typed_text
from judge.service.envelopes import SealedReading, read_sealed
from judge.service.position import GONE, Position, find_seat, position, stored_orders
from judge.service.receipts import Outcome, Receipt, load_receipt, receipt, signed
from judge.service.refusal import Refusal
from judge.service.sealing import sealed_set
from judge.service.standing import kept_lines
from judge.service.telling import write_receipt
from judge.service.turns import note_completeness
from judge.store import queries, seal
from judge.store.tables import SubmissionRow

Via = Literal["form", "api", "post", "message", "paste", "bot", "kept"]
"""By which door a set came; kept: from a version of the turn that was taken back."""
Intent = Literal["orders", "withdraw"]

LONGEST_TEXT = 20_000
"""Characters of a text or post: whoever reads more holds up everybody else."""


@dataclass(frozen=True)
class Source:
    """Where a set comes from.

    `request` makes a doubled click or call the same one; `public`: everybody could read it; `written`: when it was
    written, by the clock of the forum where it was read later; `latest`: by the judge's own, when it was at the latest.
    """

    via: Via
    post_id: str | None = None
    request: str | None = None
    public: bool = False
    written: datetime | None = None
    latest: datetime | None = None

    def was_before(self, moment: datetime) -> bool:
        """Whether it must have been written before a moment of the judge's clock."""
        return self.latest is not None and self.latest < moment

    def request_of(self, game_id: str, seat: str) -> str | None:
        """The request's key; one seat's cannot be another's."""
        return None if self.request is None else f"{game_id}/{seat}/{self.request}"[:200]


def hand_in(
    session: Session,
    now: datetime,
    game_id: str,
    seat: str,
    source: Source,
    data: object,
    number: int | None = None,
    version: int | None = None,
) -> Receipt:
    """Orders as JSON: a list of objects, each with its `kind`.  An empty list passes.

    `number` and `version` say which turn they were made for; for another one they are refused, never applied.
    """
    if (earlier := repeated(session, game_id, seat, source)) is not None:
        return earlier
    where = open_turn(session, source.written or now, game_id, seat, number, version)
    ask = where.asks[seat]
    orders, problems = parse_orders(data, ask)
    unread = {problem.line for problem in problems}
    read_in = (number for number in range(1, len(data) + 1) if number not in unread) if isinstance(data, list) else ()
    line_of = {id(order): number for order, number in zip(orders, read_in, strict=True)}
    counting = latest(orders)
    lines = [line_of[id(order)] for order in counting]
    return _settle(session, now, where, seat, source, "orders", counting, problems, lines)


def hand_in_text(
    session: Session,
    now: datetime,
    game_id: str,
    seat: str,
    source: Source,
    text: str,
    number: int | None = None,
    version: int | None = None,
    markup: Markup | None = None,
) -> Receipt:
    """Orders as lines of text that the player typed himself, or, with a markup, as a whole post.

    A text without any order is answered too: it says what an order looks like.
    """
    if (earlier := repeated(session, game_id, seat, source)) is not None:
        return earlier
    where = open_turn(session, source.written or now, game_id, seat, number, version)
    if (why_not := too_long(text)) is not None:
        return refuse(session, now, where, seat, source, why_not)
    reading = read_text(session, where, seat, text, markup)
    if reading.intent is None and not reading.problems:
        reason = no_order(where, seat)
        return _settle(
            session, now, where, seat, source, "orders", [], [Problem(reason, line=1, quote=text.strip()[:60])]
        )
    return settle_reading(session, now, where, seat, source, reading)


def no_order(where: Position, seat: str) -> Text:
    """The answer to a text without any order."""
    ask = where.ask(seat)
    form = example(ask.kinds[0], ask, where.game.language) if ask is not None and ask.kinds else "pass"
    return Text.of("No order was found in this text. A line such as “{form}” is one.", form=form)


def too_long(text: str) -> Text | None:
    """Why this text is not looked at; None if it is."""
    if len(text) <= LONGEST_TEXT:
        return None
    return Text.of("A text can hold {most} characters; this one has {given}.", most=LONGEST_TEXT, given=len(text))


def read_text(session: Session, where: Position, seat: str, text: str, markup: Markup | None) -> Reading:
    """What a typed text or, with a markup, a post asks for.  If it holds a sealed block, that alone is read.

    A block is read in code and spoilers too: hidden is what it is anyway.
    """
    typed = text if markup is None else typed_text(text, markup)
    if (why_not := too_long(typed)) is not None:
        return Reading(intent=None, orders=(), lines=(), problems=(Problem(why_not),))
    sealed = read_sealed(session, where, seat, typed, read_lines)
    if sealed is not None:
        return sealed
    return read_lines(where, seat, text) if markup is None else read_post(where, seat, text, markup)


def read_lines(where: Position, seat: str, text: str) -> Reading:
    """The orders in what a player typed, as this game reads them; of a seat that is not asked, as another's."""
    game = where.game
    numbers: Literal["neutral", "de", "en"] = (
        "de" if game.numbers == "de" else "en" if game.numbers == "en" else "neutral"
    )
    ask = where.ask(seat) or next(iter(where.asks.values()))
    others = [kind for kind in where.ruleset.orders if kind not in ask.kinds]
    reading = read(text, ask, language=game.language, numbers=numbers, others=others)
    if reading.intent is None and not reading.problems and (line := asks_for_repeat(text)) is not None:
        return replace(reading, problems=(Problem(_NO_REPEATS, quote=line),))
    return reading


_NO_REPEATS = Text.of("Orders are not taken over from another turn: write out each of them.")


def read_post(where: Position, seat: str, source: str, markup: Markup) -> Reading:
    """The orders in a post.  Those in code or spoilers that this game does not read are told as a problem.

    It is a warning beside other orders; alone they must not pass for an empty set.
    """
    game = where.game
    reading = read_lines(where, seat, typed_text(source, markup, code=game.read_code, spoilers=game.read_spoilers))
    if game.read_code and game.read_spoilers:
        return reading
    whole = read_lines(where, seat, typed_text(source, markup))
    if len(whole.problems) + len(whole.orders) <= len(reading.problems) + len(reading.orders):
        return reading
    unread = Problem(
        Text.of("Orders in code blocks or spoilers are not read in this game: write them as plain text."),
        warning=reading.intent is not None,
    )
    return replace(reading, problems=(*reading.problems, unread))


def settle_reading(
    session: Session, now: datetime, where: Position, seat: str, source: Source, reading: Reading
) -> Receipt:
    """Takes what was read from a post or text; when no orders are taken, a receipt says why."""
    if isinstance(reading, SealedReading):
        source = replace(source, public=False)
    why_not = not_taken(where, seat, source.written or now) or _overtaken(session, now, where, seat, source)
    if why_not is not None:
        return refuse(session, now, where, seat, source, why_not)
    intent: Intent = "withdraw" if reading.intent == "withdraw" else "orders"
    line_of = {id(order): line.number for line in reading.lines for order in line.orders}
    lines = [line_of.get(id(order)) for order in reading.orders]
    return _settle(session, now, where, seat, source, intent, list(reading.orders), list(reading.problems), lines)


def _overtaken(session: Session, now: datetime, where: Position, seat: str, source: Source) -> Text | None:
    """Why orders that were written earlier than the set that counts change nothing; None if they were not.

    What is read in one look comes in its own order.
    """
    counting = queries.counting(session, where.turn).get(seat)
    if counting is None or source.written is None or counting.received >= now:
        return None
    written = load_receipt(session, counting).written
    earlier = source.was_before(counting.received) if written is None else source.written < written
    if not earlier:
        return None
    return Text.of(
        "This was written {written}; the orders that you handed in after it count.", written=Moment(source.written)
    )


def refuse(session: Session, now: datetime, where: Position, seat: str, source: Source, why: Text) -> Receipt:
    """Takes nothing, and says why in a receipt."""
    return _settle(session, now, where, seat, source, "orders", [], [Problem(why)])


def withdraw(
    session: Session,
    now: datetime,
    game_id: str,
    seat: str,
    source: Source,
    number: int | None = None,
    version: int | None = None,
) -> Receipt:
    """Takes back the set that counts; the turn waits for the seat again.

    `number` and `version` say which turn is meant; another one's set is left alone.
    """
    if (earlier := repeated(session, game_id, seat, source)) is not None:
        return earlier
    where = open_turn(session, source.written or now, game_id, seat, number, version)
    return _settle(session, now, where, seat, source, "withdraw", [], [])


def repeated(session: Session, game_id: str, seat: str, source: Source) -> Receipt | None:
    """The receipt of the same request, if it came before."""
    key = source.request_of(game_id, seat)
    if key is None:
        return None
    earlier = session.exec(select(SubmissionRow).where(SubmissionRow.request == key)).first()
    return None if earlier is None else load_receipt(session, earlier)


def open_turn(
    session: Session, now: datetime, game_id: str, seat: str, number: int | None, version: int | None
) -> Position:
    """The turn that orders are for.  Refusal if it is another one by now, or takes none of this seat."""
    where = position(session, game_id)
    find_seat(session, game_id, seat)
    turn = where.turn
    if where.game.status == "over":
        raise Refusal("gone", Text.of("This game is over: no more orders are taken."))
    if number not in (None, turn.number) or version not in (None, turn.version):
        raise Refusal(
            "conflict",
            Text.of(
                "These orders were made for turn {made_for}, but turn {number} is open now. Nothing was stored; look "
                "at the new turn and send them again if they still fit.",
                made_for=number if number is not None else turn.number,
                number=turn.number,
            ),
        )
    why_not = not_taken(where, seat, now)
    if why_not is not None:
        raise Refusal("conflict", why_not)
    return where


def not_taken(where: Position, seat: str, now: datetime) -> Text | None:
    """Why no orders of this seat are taken in this turn now; None if they are."""
    game, turn, ask = where.game, where.turn, where.ask(seat)
    if game.moved is not None:
        return GONE
    if game.status == "aside":
        return Text.of("This game has been set aside until its host has looked at it; try again later.")
    overdue = turn.deadline is not None and now >= turn.deadline and game.paused is None
    if turn.status != "open" or overdue:
        return Text.of(
            "Turn {number} closed {closed}; this came {now} and is not in it.",
            number=turn.number,
            closed=Moment(turn.closed or turn.deadline or now),
            now=Moment(now),
        )
    if seat in turn.kept:
        return Text.of(
            "Your orders of turn {number} count as they were: the host took the turn back for others only.",
            number=turn.number,
        )
    if ask is None:
        return Text.of("You are not asked for orders in turn {number}.", number=turn.number)
    if ask.forced is not None:
        return Text.of(
            "There is nothing to decide for you in turn {number}: your orders are filled in.", number=turn.number
        )
    return None


def _settle(
    session: Session,
    now: datetime,
    where: Position,
    seat: str,
    source: Source,
    intent: Intent,
    orders: list[Order],
    problems: list[Problem],
    lines: Sequence[int | None] | None = None,
) -> Receipt:
    """Stores the set with what became of it, and wakes the turn if it was the last one.

    `lines` says in which line of a text each order stands, for the problems that the rules find.
    """
    before = queries.counting(session, where.turn).get(seat)
    if source.public and where.game.open_orders == "refuse" and intent == "orders":
        problems.append(
            Problem(Text.of("This post is public, and this game takes sealed orders only: use the order page."))
        )
    if orders:
        kept = kept_lines(session, where).get(seat, [])
        orders = carried_over(kept, orders)
        lines = None if lines is None else [None] * (len(orders) - len(lines)) + list(lines)
    if intent == "orders" and where.ask(seat) is not None:
        readable = not _keeps_from_counting(problems)
        found = [_in_text(problem, lines) for problem in where.check(seat, orders)]
        problems += [problem for problem in found if readable or not problem.warning]
    outcome: Outcome
    if _keeps_from_counting(problems):
        outcome = "refused"
    elif intent == "withdraw":
        outcome = "withdrawn"
    else:
        outcome = "counting"
    if outcome == "refused":
        counting = None if before is None else stored_orders(session, where, before)
    else:
        counting = orders if outcome == "counting" else None
        if before is not None:
            before.status = "replaced" if outcome == "counting" else "withdrawn"
            session.add(before)
            session.flush()
    sealed = sealed_set(session, where, seat, orders) if outcome == "counting" else None
    slip = receipt(where, seat, now, source.via, outcome, orders, problems, counting, source.public, sealed)
    slip = signed(session, slip.model_copy(update={"written": source.written}))
    session.add(
        SubmissionRow(
            game_id=where.game.id,
            number=where.turn.number,
            version=where.turn.version,
            seat=seat,
            via=source.via,
            post_id=source.post_id,
            request=source.request_of(where.game.id, seat),
            received=now,
            status=outcome,
            sealed_orders=seal(session, dump_orders(orders)),
            sealed_receipt=seal(session, slip.model_dump(mode="json")),
        )
    )
    session.flush()
    write_receipt(session, now, where, slip)
    if outcome != "refused":
        note_completeness(session, now, where)
    return slip


def _keeps_from_counting(problems: Sequence[Problem]) -> bool:
    return any(not problem.warning for problem in problems)


def _in_text(problem: Problem, lines: Sequence[int | None] | None) -> Problem:
    """The rules number the orders of a set; a player knows the lines of his text."""
    if lines is None or problem.line is None:
        return problem
    return replace(problem, line=lines[problem.line - 1])
