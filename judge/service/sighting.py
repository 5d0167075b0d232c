"""What becomes of a post that was seen on a forum: an order, a withdrawal, a claim to a seat, or nothing.

Every state of a post is kept as it was first seen, since a forum's edit marks cannot be trusted.  What stands below the
letter that opened a turn belongs to that turn; what stands above it is too late for the one before.  The forum's own
times say whether a post or an edit came before the deadline; where it tells none, the time counts at which the judge
saw it.  They also give the order of what is seen in one look: who copies a word that claims a seat into an older post
of his comes after whoever posted it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlmodel import Session, and_, col, select

from judge.core.text import Moment, Text
from judge.forum import Post, Raw
from judge.forum.markup import only_pictures, typed_text
from judge.service import claiming, intake, telling
from judge.service.position import Position, position
from judge.store import queries, seal, unseal
from judge.store.forum_tables import SightRow
from judge.store.tables import GameRow, SeatRow, SubmissionRow, TurnRow

Outcome = Literal["nothing", "read", "claimed", "late", "late-edit", "moderated", "withdrawn", "kept"]
"""nothing: no order in it; late: posted too late; late-edit: edited after the close; moderated: changed by somebody
else; withdrawn: it disappeared, and its orders with it; kept: it disappeared after the close."""

GONE: Final = "gone"
"""The state of a post that is no longer listed."""
RULES: Final = ("[hr]", "---", "***")
"""What forums put between two posts that they merge."""


@dataclass(frozen=True)
class Seen:
    """A post as the forum shows it now, with what was typed if that was worth asking for.

    If `written` is given, the raw text is not that of now: it was written then and stood there when the turn's time was
    up.
    """

    post: Post
    raw: Raw | None
    written: datetime | None = None

    @property
    def hash(self) -> str:
        return post_hash(self.post)


def post_hash(post: Post) -> str:
    """Tells two states of a post apart, whatever the forum says about edits."""
    shown = [post.state, post.author_id, post.editor_id if post.editor_id != post.author_id else None, post.text]
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False).encode()).hexdigest()


def newest_sights(session: Session, game_id: str) -> dict[str, SightRow]:
    """The state in which each post was seen last, by post id."""
    rows = session.exec(select(SightRow).where(SightRow.game_id == game_id).order_by(col(SightRow.id))).all()
    return {row.post_id: row for row in rows}


@dataclass
class Reader:
    """Takes in what was seen in one game's topic.

    floor      the position of the post that opened the turn; None if it is not there (yet)
    opened     whether players could see that the turn is open
    merges     whether the forum joins two posts of one author
    lag        by how much the forum's clock is ahead of the judge's
    precision  how much later something may be than the forum says
    """

    session: Session
    now: datetime
    game: GameRow
    floor: int | None
    opened: bool
    merges: bool = False
    lag: timedelta = timedelta(0)
    precision: timedelta = timedelta(0)
    known: dict[str, SightRow] = field(init=False)
    """Each post as it was seen last."""

    def __post_init__(self) -> None:
        self.known = newest_sights(self.session, self.game.id)

    def in_order(self, seen: Iterable[Seen]) -> list[Seen]:
        """As they were written; edits of unknown time come last."""
        return sorted(seen, key=lambda one: (self._written(one), one.post.position))

    def take(self, seen: Seen) -> Outcome | None:
        """One post; None if it is as it was."""
        known = self.known.get(seen.post.id)
        if known is not None and known.hash == seen.hash:
            return None
        turn = queries.latest_turn(self.session, self.game.id)
        seat = self._seat_of(seen.post.author_id)
        outcome: Outcome = "nothing"
        if seat is None:
            outcome = self._from_stranger(seen)
            seat = self._seat_of(seen.post.author_id)
        if seat is not None and turn is not None and self.game.status in ("running", "aside"):
            read = self._from_player(seat, turn, seen, known)
            outcome = read if read != "nothing" else outcome
        self._remember(seen, turn, outcome)
        return outcome

    def take_absence(self, known: SightRow) -> Outcome | None:
        """A post that was seen before and is no longer listed."""
        if known.state in (GONE, "deleted"):
            return None
        seat = self._seat_of(known.author_id)
        outcome = "nothing" if seat is None else self._disappeared(seat, known)
        turn = queries.latest_turn(self.session, self.game.id)
        self._add(
            SightRow(
                game_id=self.game.id,
                post_id=known.post_id,
                position=known.position,
                author_id=known.author_id,
                created=known.created,
                state=GONE,
                hash=GONE,
                seen=self.now,
                number=None if turn is None else turn.number,
                version=None if turn is None else turn.version,
                outcome=outcome,
                sealed_text=known.sealed_text,
            )
        )
        return outcome

    # By whom it is

    def _seat_of(self, author_id: str | None) -> SeatRow | None:
        return queries.seat_of_author(self.session, self.game.id, author_id)

    def _from_stranger(self, seen: Seen) -> Outcome:
        post = seen.post
        if post.author_id is None or post.state != "visible" or _edited_by_another(post):
            return "nothing"
        text = typed_text(*_text(seen))
        seat = claiming.claim(self.session, self.now, self.game.id, post.author_id, post.author_name, text)
        if seat is None:
            return "nothing"
        telling.write_claimed(self.session, self.now, self.game, seat)
        return "claimed"

    # What it says

    def _from_player(self, seat: SeatRow, turn: TurnRow, seen: Seen, known: SightRow | None) -> Outcome:
        post = seen.post
        if post.state != "visible":
            return "nothing" if known is None else self._disappeared(seat, known)
        if _edited_by_another(post):
            telling.write_moderated(self.session, self.now, self.game, seat.seat, f"{post.id}-{seen.hash[:8]}")
            return "moderated"
        where = position(self.session, self.game.id)
        text, markup = _text(seen)
        edited = known is not None and known.state == "visible"
        joined = _appended(text, known, self.session) if edited and self.merges else None
        text = claiming.WORD.sub("", text if joined is None else joined)
        reading = intake.read_text(self.session, where, seat.seat, text, markup)
        says_something = reading.intent is not None or bool(reading.problems)
        source = self._source(seen)
        if not self._belongs_to(turn, post):
            if edited and self._submission(post.id, turn=None) is not None:
                return "late-edit"
            if says_something:
                self._refuse_late(where, seat.seat, source)
                return "late"
            return "nothing"
        if edited and (seen.written is None or self._was_read(known, seen)) and self._too_late(where, seat.seat, seen):
            return "late-edit"
        earlier, counts = self._submission(post.id, turn), seat.seat in queries.counting(self.session, turn)
        if earlier is not None and not edited and counts:
            return "nothing"  # it was hidden for a while, and something newer has taken its place
        if says_something:
            intake.settle_reading(self.session, self.now, where, seat.seat, source, reading)
            return "read" if seen.written is None else "late-edit"
        if earlier is not None and earlier.status == "counting" and joined is None:
            return self._withdraw(seat.seat, turn, source)
        if only_pictures(text, markup) and seat.seat in where.asks and not counts:
            why = Text.of("Pictures are not read. {how}", how=intake.no_order(where, seat.seat))
            intake.refuse(self.session, self.now, where, seat.seat, source, why)
            return "read"
        return "nothing"

    def _source(self, seen: Seen) -> intake.Source:
        return intake.Source(
            "post",
            post_id=seen.post.id,
            public=True,
            written=self._written(seen),
            latest=self._latest(self._claimed(seen)),
        )

    def _belongs_to(self, turn: TurnRow, post: Post) -> bool:
        """Whether a post was written for this turn: below the letter that opened it."""
        if not self.opened:
            return False
        taken = self._submission(post.id, turn)
        if taken is not None and taken.status != "refused":
            return True  # a letter that was held may be let through below it
        if self.floor is not None:
            return post.position > self.floor
        written = self._latest(post.created)
        return written is None or written >= turn.opened

    def _too_late(self, where: Position, seat: str, seen: Seen) -> bool:
        """Whether what stands there now came after the close."""
        return intake.not_taken(where, seat, self._written(replace(seen, written=None))) is not None

    def _was_read(self, known: SightRow | None, seen: Seen) -> bool:
        """Whether what stood there when time was up is what the judge has seen."""
        return known is not None and bool(unseal(self.session, known.sealed_text)["text"] == _text(seen)[0])

    def _refuse_late(self, where: Position, seat: str, source: intake.Source) -> None:
        """A post for a turn that was closed before the judge saw it gets a receipt, too."""
        before = queries.result_before(self.session, self.game.id, where.turn.number)
        turn = where.turn if before is None or where.turn.status != "open" else before
        if turn.status == "open":
            why = Text.of(
                "This post stands above the judge's post that opens turn {number}, and is not in it. Post again below "
                "that one.",
                number=turn.number,
            )
        else:
            why = Text.of(
                "Turn {number} closed {closed}; this post is not in it. For the next turn, post again below the "
                "judge's post that opens it.",
                number=turn.number,
                closed=Moment(turn.closed or self.now),
            )
        intake.refuse(self.session, self.now, where, seat, source, why)

    def _disappeared(self, seat: SeatRow, known: SightRow) -> Outcome:
        """Before the close the orders in it are withdrawn; afterwards they stand."""
        turn = queries.latest_turn(self.session, self.game.id)
        submission = self._submission(known.post_id, turn)
        if turn is not None and submission is not None and submission.status == "counting" and turn.status == "open":
            source = intake.Source("post", post_id=known.post_id, written=self.now)
            return self._withdraw(seat.seat, turn, source)
        return "kept" if self._submission(known.post_id, turn=None) is not None else "nothing"

    def _withdraw(self, seat: str, turn: TurnRow, source: intake.Source) -> Outcome:
        where = position(self.session, self.game.id)
        if intake.not_taken(where, seat, source.written or self.now) is not None:
            return "kept"
        intake.withdraw(self.session, self.now, self.game.id, seat, source, turn.number, turn.version)
        return "withdrawn"

    def _submission(self, post_id: str, turn: TurnRow | None) -> SubmissionRow | None:
        """What was handed in with a post: in this turn, or (None) what counts of it in any that was not taken back."""
        query = select(SubmissionRow).where(
            SubmissionRow.game_id == self.game.id, SubmissionRow.via == "post", SubmissionRow.post_id == post_id
        )
        if turn is not None:
            query = query.where(SubmissionRow.number == turn.number, SubmissionRow.version == turn.version)
        else:
            its_turn = and_(
                col(TurnRow.game_id) == SubmissionRow.game_id,
                col(TurnRow.number) == SubmissionRow.number,
                col(TurnRow.version) == SubmissionRow.version,
            )
            query = query.join(TurnRow, its_turn).where(
                SubmissionRow.status == "counting", col(TurnRow.undone).is_(None)
            )
        return self.session.exec(query.order_by(col(SubmissionRow.id).desc()).limit(1)).first()

    def _claimed(self, seen: Seen) -> datetime | None:
        """When what stands there was written, as the forum says."""
        if seen.written is not None:
            return seen.written
        known = self.known.get(seen.post.id)
        was_there = known is not None and known.state == "visible"
        return seen.post.edited or (None if was_there else seen.post.created)

    def _written(self, seen: Seen) -> datetime:
        """The same; now if it does not say, and no later than now."""
        return min(self._claimed(seen) or self.now, self.now)

    def _latest(self, claimed: datetime | None) -> datetime | None:
        """When that can have been at the latest, by the judge's clock."""
        try:
            return None if claimed is None else claimed - self.lag + self.precision
        except OverflowError:  # the year 1, where a forum has no time
            return None

    def _remember(self, seen: Seen, turn: TurnRow | None, outcome: Outcome) -> None:
        post, (text, markup) = seen.post, _text(seen)
        self._add(
            SightRow(
                game_id=self.game.id,
                post_id=post.id,
                position=post.position,
                author_id=post.author_id,
                editor_id=post.editor_id,
                created=post.created,
                edited=post.edited,
                state=post.state,
                hash=seen.hash,
                seen=self.now,
                number=None if turn is None else turn.number,
                version=None if turn is None else turn.version,
                outcome=outcome,
                sealed_text=seal(self.session, {"text": text, "markup": markup}),
            )
        )

    def _add(self, sight: SightRow) -> None:
        self.session.add(sight)
        self.session.flush()
        self.known[sight.post_id] = sight


def _text(seen: Seen) -> tuple[str, Literal["markdown", "bbcode", "html"]]:
    return (seen.post.text, seen.post.markup) if seen.raw is None else (seen.raw.text, seen.raw.markup)


def _edited_by_another(post: Post) -> bool:
    return post.editor_id is not None and post.editor_id != post.author_id


def _appended(text: str, known: SightRow | None, session: Session) -> str | None:
    """What a forum has joined to a post since it was seen; None if it was edited in another way."""
    if known is None:
        return None
    before = str(unseal(session, known.sealed_text)["text"]).rstrip()
    if not text.startswith(before):
        return None
    added = text[len(before) :].lstrip()
    return next((added.removeprefix(rule) for rule in RULES if added.startswith(rule)), None)
