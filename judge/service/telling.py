"""What one player alone is told in the forum: receipts, and what became of his account and his posts.

Such letters go to the forum account that has claimed the seat, as private messages.  Where there is none, or where the
forum has no private messages, the same stands on the seat's order page only.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sqlmodel import Session, col, func, select

from judge.core.report import Block, Heading, Line, Report
from judge.core.text import Moment, Player, Text
from judge.service.places import account_of
from judge.service.position import Position
from judge.service.publishing import write_letter
from judge.service.receipts import Outcome, Receipt, Understood, problem_text
from judge.store.tables import GameRow, LetterRow, SeatRow, SubmissionRow

MOST_WAITING = 5
"""Receipts of one seat that wait to be sent at the same time."""

_OUTCOMES: dict[Outcome, Text] = {
    "counting": Text.of("These orders count now:"),
    "withdrawn": Text.of("Your orders are withdrawn."),
    "refused": Text.of("Nothing was changed by this:"),
}


def write_receipt(session: Session, now: datetime, where: Position, slip: Receipt) -> None:
    """The receipt of what was just handed in, for a seat that posts in a forum."""
    if not _posts_there(session, where.game, slip.seat):
        return
    count = select(func.count(col(SubmissionRow.id))).where(
        SubmissionRow.game_id == slip.game_id, SubmissionRow.seat == slip.seat
    )
    _keep_all_but_the_newest(session, slip)
    title = Text.of("{game}: receipt for turn {number}", game=where.game.title, number=slip.number)
    report = Report(title=title, blocks=tuple(_blocks(slip)))
    write_letter(session, now, where.game, f"receipt-{session.exec(count).one()}", report, recipient=slip.seat)


def _keep_all_but_the_newest(session: Session, slip: Receipt) -> None:
    """Of many receipts that wait only the newest are sent, so that nobody floods a forum by ordering: all are kept."""
    waiting = select(LetterRow).where(
        LetterRow.game_id == slip.game_id,
        LetterRow.recipient == slip.seat,
        LetterRow.status == "waiting",
        col(LetterRow.begun).is_(None),
        col(LetterRow.kind).startswith("receipt-"),
    )
    for letter in session.exec(waiting.order_by(col(LetterRow.id).desc()).offset(MOST_WAITING - 1)).all():
        letter.status = "kept"
        session.add(letter)


def write_claimed(session: Session, now: datetime, game: GameRow, seat: SeatRow) -> None:
    """That the posts of this account count for the seat."""
    text = Text.of(
        "You are {player} in this game: what you post in its topic counts as your orders from now on; orders that you "
        "posted before are to be posted again. Each order gets a receipt as a private message.",
        player=Player(seat.seat),
    )
    _tell(session, now, game, seat.seat, f"claimed-{now:%Y%m%d%H%M%S}", text)


def write_moderated(session: Session, now: datetime, game: GameRow, seat: str, which: str) -> None:
    """That somebody else changed a post of this player; once for `which` state of it."""
    text = Text.of(
        "A post of yours was changed by somebody else. The judge takes no orders from it; what counted before still "
        "counts. Post again if you want to order something else."
    )
    _tell(session, now, game, seat, f"moderated-{which}", text)


def write_note(session: Session, now: datetime, game: GameRow, seat: str, message_id: str, text: Text) -> None:
    """What the judge answers to a private message; once."""
    _tell(session, now, game, seat, f"answer-{message_id}", text)


def _tell(session: Session, now: datetime, game: GameRow, seat: str, kind: str, text: Text) -> None:
    if _posts_there(session, game, seat):
        title = Text.of("{game}: a notice", game=game.title)
        write_letter(session, now, game, kind, Report(title=title, blocks=(Line(text=text),)), recipient=seat)


def _posts_there(session: Session, game: GameRow, seat: str) -> bool:
    row = session.get_one(SeatRow, (game.id, seat))
    return row.author_id is not None and account_of(session, game) is not None


def _blocks(slip: Receipt) -> Iterator[Block]:
    """The receipt in sentences, as it stands on the order page."""
    yield Line(text=_OUTCOMES[slip.outcome])
    yield from _listed(slip.understood)
    if slip.outcome == "counting" and not slip.understood:
        yield Line(text=Text.of("You pass."), item=True)
    for problem in slip.problems:
        yield Line(text=problem_text(problem), item=True)
    if slip.outcome == "refused" and slip.counting is not None:
        yield Line(text=Text.of("What counts is still this:"))
        yield from _listed(slip.counting)
    yield Line(text=slip.then)
    if slip.public and slip.outcome == "counting":
        yield Line(text=Text.of("This order came in a post that everybody can read."))
    if slip.written is not None and slip.written != slip.received:
        times = Text.of(
            "Written {written}, read by the judge {received}.",
            written=Moment(slip.written),
            received=Moment(slip.received),
        )
        yield Line(text=times)
    yield Heading(text=Text.of("Proof"))
    if slip.sealed is not None:
        yield Line(text=Text.of("Seal: {commitment}", commitment=slip.sealed.commitment), item=True)
    yield Line(text=Text.of("Signed by the judge: {signed}", signed=slip.signed), item=True)


def _listed(orders: tuple[Understood, ...]) -> Iterator[Block]:
    for one in orders:
        yield Line(text=Text.of("{line} – {words}", line=one.line, words=one.words), item=True)
