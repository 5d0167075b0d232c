"""What is looked up again and again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, and_, col, func, or_, select, true

from judge.store.forum_tables import SightRow
from judge.store.tables import (
    ChainRow,
    GameRow,
    KeyRow,
    LetterRow,
    PostRow,
    RecordRow,
    SeatRow,
    StandingRow,
    SubmissionRow,
    TurnRow,
)

UNDER_WAY = ("waiting", "held")
"""The status of letters that are still to be sent, or let through by a moderator."""


def games(session: Session) -> Sequence[GameRow]:
    """All games, the newest first."""
    return session.exec(select(GameRow).order_by(col(GameRow.created).desc(), col(GameRow.id))).all()


def seats(session: Session, game_id: str) -> Sequence[SeatRow]:
    """The seats of a game in seat order."""
    rows = session.exec(select(SeatRow).where(SeatRow.game_id == game_id)).all()
    return sorted(rows, key=lambda row: int(row.seat))


def seat_of_author(session: Session, game_id: str, author_id: str | None) -> SeatRow | None:
    """The seat for which an account on the game's forum posts; None if it does for none."""
    rows = seats(session, game_id) if author_id is not None else ()
    return next((row for row in rows if row.author_id == author_id and not row.bot), None)


def names(session: Session, game_id: str) -> dict[str, str]:
    """Who sits where: seat key to name."""
    return {row.seat: row.name for row in seats(session, game_id)}


def latest_turn(session: Session, game_id: str) -> TurnRow | None:
    """The turn that is open, or was last, of those that were not taken back; None before the start."""
    return session.exec(
        select(TurnRow)
        .where(TurnRow.game_id == game_id, col(TurnRow.undone).is_(None))
        .order_by(col(TurnRow.number).desc(), col(TurnRow.version).desc())
        .limit(1)
    ).first()


def turn(session: Session, game_id: str, number: int, version: int | None = None) -> TurnRow | None:
    """One turn; its newest version unless another is named."""
    query = select(TurnRow).where(TurnRow.game_id == game_id, TurnRow.number == number)
    if version is not None:
        query = query.where(TurnRow.version == version)
    return session.exec(query.order_by(col(TurnRow.version).desc()).limit(1)).first()


def turns(session: Session, game_id: str) -> Sequence[TurnRow]:
    """Every turn of a game in every version, in the order in which they were opened."""
    query = select(TurnRow).where(TurnRow.game_id == game_id)
    return session.exec(query.order_by(col(TurnRow.opened), col(TurnRow.number), col(TurnRow.version))).all()


def result_before(session: Session, game_id: str, number: int) -> TurnRow | None:
    """The newest result that counts, of the turns before this one."""
    return session.exec(
        select(TurnRow)
        .where(TurnRow.game_id == game_id, TurnRow.status == "resolved", col(TurnRow.undone).is_(None))
        .where(TurnRow.number < number)
        .order_by(col(TurnRow.number).desc())
        .limit(1)
    ).first()


def result_replaced(session: Session, game_id: str, number: int, version: int) -> TurnRow | None:
    """The newest result of a turn that was taken back before this version of it."""
    return session.exec(
        select(TurnRow)
        .where(TurnRow.game_id == game_id, TurnRow.number == number, TurnRow.version < version)
        .where(TurnRow.status == "resolved")
        .order_by(col(TurnRow.version).desc())
        .limit(1)
    ).first()


def newest_version(session: Session, game_id: str, number: int) -> int:
    """The highest version of a turn; 0 if it has never been opened."""
    newest = session.exec(
        select(func.max(TurnRow.version)).where(TurnRow.game_id == game_id, TurnRow.number == number)
    ).one()
    return newest or 0


def records(session: Session, game_id: str) -> Sequence[RecordRow]:
    """The public record of a game, in order."""
    return session.exec(select(RecordRow).where(RecordRow.game_id == game_id).order_by(col(RecordRow.number))).all()


def last_record(session: Session, game_id: str) -> RecordRow | None:
    """The newest entry of a game's public record."""
    query = select(RecordRow).where(RecordRow.game_id == game_id).order_by(col(RecordRow.number).desc())
    return session.exec(query.limit(1)).first()


def record_of(session: Session, row: TurnRow, kind: str) -> RecordRow | None:
    """The record of a turn's closing or result."""
    return session.exec(
        select(RecordRow).where(
            RecordRow.game_id == row.game_id,
            RecordRow.turn == row.number,
            RecordRow.version == row.version,
            RecordRow.kind == kind,
        )
    ).first()


def chains(session: Session, game_id: str) -> Sequence[ChainRow]:
    """The chains of secrets of a game, the oldest first."""
    return session.exec(select(ChainRow).where(ChainRow.game_id == game_id).order_by(col(ChainRow.number))).all()


def keys(session: Session, use: str) -> Sequence[KeyRow]:
    """The judge's key pairs for signing (sig) or envelopes (enc), the newest first."""
    return session.exec(
        select(KeyRow).where(KeyRow.use == use).order_by(col(KeyRow.created).desc(), col(KeyRow.kid))
    ).all()


def resolved_numbers(session: Session, game_id: str) -> Sequence[int]:
    """The numbers of all turns with a result that was not taken back, in order."""
    query = select(TurnRow.number).where(
        TurnRow.game_id == game_id, TurnRow.status == "resolved", col(TurnRow.undone).is_(None)
    )
    return session.exec(query.distinct().order_by(col(TurnRow.number))).all()


def versions(session: Session, game_id: str, number: int) -> Sequence[tuple[int, datetime | None]]:
    """The versions of a turn that were closed, in order, and when each was taken back."""
    query = select(TurnRow.version, TurnRow.undone).where(
        TurnRow.game_id == game_id, TurnRow.number == number, col(TurnRow.closed).is_not(None)
    )
    return session.exec(query.order_by(col(TurnRow.version))).all()


def counting(session: Session, row: TurnRow) -> dict[str, SubmissionRow]:
    """The sets that count in a turn, by seat."""
    rows = session.exec(
        select(SubmissionRow)
        .where(
            SubmissionRow.game_id == row.game_id,
            SubmissionRow.number == row.number,
            SubmissionRow.version == row.version,
            SubmissionRow.status == "counting",
        )
        .order_by(col(SubmissionRow.id))
    ).all()
    return {submission.seat: submission for submission in rows}


def posts_of(session: Session, game_id: str, author: str) -> Sequence[PostRow]:
    """What somebody wrote in a game's thread on the judge's own board."""
    return session.exec(select(PostRow).where(PostRow.game_id == game_id, PostRow.author == author)).all()


def submission_of_post(session: Session, post: PostRow) -> SubmissionRow | None:
    """What was handed in with a post on the judge's own board, as it was read last."""
    return session.exec(
        select(SubmissionRow)
        .where(SubmissionRow.game_id == post.game_id, SubmissionRow.via == "post")
        .where(SubmissionRow.post_id == str(post.id))
        .order_by(col(SubmissionRow.id).desc())
        .limit(1)
    ).first()


def counting_posts(session: Session, game_id: str) -> Sequence[tuple[TurnRow, SubmissionRow]]:
    """The sets that came in a post and counted in a turn that has resolved, with their turns."""
    return session.exec(
        select(TurnRow, SubmissionRow)
        .join(
            SubmissionRow,
            and_(
                col(SubmissionRow.game_id) == TurnRow.game_id,
                col(SubmissionRow.number) == TurnRow.number,
                col(SubmissionRow.version) == TurnRow.version,
            ),
        )
        .where(
            TurnRow.game_id == game_id,
            TurnRow.status == "resolved",
            SubmissionRow.via == "post",
            SubmissionRow.status == "counting",
        )
    ).all()


def posts_with_orders(session: Session, game_id: str, first: int) -> Sequence[str]:
    """The posts from which orders were taken, in the turns from the number `first` on."""
    found = session.exec(
        select(SubmissionRow.post_id)
        .where(SubmissionRow.game_id == game_id, SubmissionRow.via == "post", SubmissionRow.number >= first)
        .where(SubmissionRow.status != "refused")
        .distinct()
    ).all()
    return [post_id for post_id in found if post_id is not None]


def submissions(session: Session, row: TurnRow, seat: str) -> Sequence[SubmissionRow]:
    """Everything a seat handed in for a turn, the newest first."""
    return session.exec(
        select(SubmissionRow)
        .where(
            SubmissionRow.game_id == row.game_id,
            SubmissionRow.number == row.number,
            SubmissionRow.version == row.version,
            SubmissionRow.seat == seat,
        )
        .order_by(col(SubmissionRow.id).desc())
    ).all()


def all_submissions(session: Session, row: TurnRow) -> Sequence[SubmissionRow]:
    """Everything that was handed in for a turn, whatever became of it."""
    return session.exec(
        select(SubmissionRow).where(
            SubmissionRow.game_id == row.game_id,
            SubmissionRow.number == row.number,
            SubmissionRow.version == row.version,
        )
    ).all()


def standing(session: Session, game_id: str) -> dict[str, StandingRow]:
    """The standing sets of a game, by seat."""
    return {row.seat: row for row in session.exec(select(StandingRow).where(StandingRow.game_id == game_id)).all()}


def games_with_work(session: Session) -> Sequence[str]:
    """The games in which something may be due: running, not paused."""
    return session.exec(select(GameRow.id).where(GameRow.status == "running", col(GameRow.paused).is_(None))).all()


def something_sealed(session: Session) -> bytes | None:
    """A sealed column, to try a key on; None if there is none yet."""
    key = session.exec(select(KeyRow.sealed_private).order_by(col(KeyRow.created).desc()).limit(1)).first()
    return key or session.exec(select(TurnRow.sealed_state).order_by(col(TurnRow.opened).desc()).limit(1)).first()


def changed_late(session: Session, game_id: str, since: datetime | None) -> Sequence[SightRow]:
    """Posts whose orders were changed or taken away after the close, as they were seen since then."""
    query = select(SightRow).where(SightRow.game_id == game_id, col(SightRow.outcome).in_(("late-edit", "kept")))
    if since is not None:
        query = query.where(SightRow.seen > since)
    return session.exec(query.order_by(col(SightRow.id))).all()


def letters(session: Session, game_id: str, recipient: str | None = None) -> Sequence[LetterRow]:
    """The letters of a game in the order in which they were written."""
    query = select(LetterRow).where(LetterRow.game_id == game_id)
    if recipient is not None:
        query = query.where(LetterRow.recipient == recipient)
    return session.exec(query.order_by(col(LetterRow.id))).all()


def letter(session: Session, key: str) -> LetterRow | None:
    """The letter with this key."""
    return session.exec(select(LetterRow).where(LetterRow.key == key)).first()


def result_letter(session: Session, turn: TurnRow) -> LetterRow | None:
    """The letter that told a turn's result, perhaps with those of later turns."""
    return session.exec(
        select(LetterRow)
        .where(LetterRow.game_id == turn.game_id, LetterRow.kind == "result", LetterRow.recipient == "thread")
        .where(col(LetterRow.number) >= turn.number, col(LetterRow.created) >= turn.resolved)
        .order_by(col(LetterRow.id))
        .limit(1)
    ).first()


def letters_under_way(session: Session, game_id: str | None = None) -> Sequence[LetterRow]:
    """Letters that wait or that a forum holds (of one game, or of all), the oldest first."""
    query = select(LetterRow).where(col(LetterRow.status).in_(UNDER_WAY))
    if game_id is not None:
        query = query.where(LetterRow.game_id == game_id)
    return session.exec(query.order_by(col(LetterRow.id))).all()


def count_by_status(session: Session) -> dict[tuple[str, str], int]:
    """How many games, turns and letters there are in each status: ("game", "running") → 3.

    A letter to a seat counts only while somebody may have to see to it: how many were told something is theirs to know.
    """
    public = or_(col(LetterRow.recipient) == "thread", col(LetterRow.status).in_(UNDER_WAY))
    counted: dict[tuple[str, str], int] = {}
    for name, table, which in (("game", GameRow, true()), ("turn", TurnRow, true()), ("letter", LetterRow, public)):
        query = select(table.status, func.count()).where(which).group_by(table.status)
        for status, number in session.exec(query).all():
            counted[name, status] = number
    return counted
