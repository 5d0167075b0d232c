"""A game's thread on the judge's own board: posts of players and spectators.

Order lines in a player's post are taken as orders and vanish from the public text at once, and so does whatever
resembles them (see `redaction`), also when the orders come too late.  What is public tells neither what was ordered
nor how often it was changed: a seat's first sealed post of a turn carries one mark, later ones carry none, and a later
post that holds nothing but orders stays hidden until the turn has closed.  The lines that count appear in their post
once the turn has resolved.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.notation import LINE_END
from judge.core.report import Report
from judge.core.text import Text
from judge.service import intake
from judge.service.access import Access, held_since
from judge.service.places import plays_elsewhere
from judge.service.position import demand_here, find_game, position
from judge.service.receipts import Receipt, load_receipt
from judge.service.redaction import public_text
from judge.service.refusal import Refusal
from judge.store import queries, seal, unseal
from judge.store.tables import GameRow, PostRow


@dataclass(frozen=True)
class Posted:
    """What became of a post: its id, and the receipt if it held orders."""

    post_id: int
    """Its public id, as everywhere outside the database."""
    receipt: Receipt | None


@dataclass(frozen=True)
class Shown:
    """A post as one reader may see it."""

    id: int
    author: str
    seat: str | None
    name: str
    created: datetime
    edited: datetime | None
    text: str
    """Markdown; empty if only the mark or the report is shown."""
    report: Report | None = None
    sealed: bool = False
    """A sealed order was handed in with this post."""
    opened: tuple[str, ...] = ()
    """The order lines of this post that counted, once their turn has resolved."""
    source: str | None = None
    """What was typed, for its own author to edit."""
    key: str | None = None


def post(
    session: Session, now: datetime, who: Access, holder_id: str, name: str, text: str, request: str | None = None
) -> Posted:
    """Writes a post.  `holder_id` is an immutable id of a guest's browser; a player writes as his seat."""
    game = find_game(session, who.game_id)
    if request is not None:
        earlier = session.exec(select(PostRow).where(PostRow.request == request)).first()
        if earlier is not None:
            return Posted(earlier.public_id, _receipt_of(session, earlier))
    demand_here(game)
    if plays_elsewhere(session, game):
        raise Refusal(
            "conflict", Text.of("This game is talked about on the forum “{forum}”: post there.", forum=game.forum)
        )
    text = _checked(text)
    row = PostRow(
        game_id=game.id,
        author=f"guest:{holder_id}" if who.seat is None else f"seat:{who.seat}",
        author_name=name if who.seat is None else queries.names(session, game.id)[who.seat],
        request=request,
        created=now,
        text=text if who.seat is None else "",  # what may hold an order is never written in the clear
    )
    session.add(row)
    session.flush()
    if who.seat is None:
        return Posted(row.public_id, None)
    row.sealed_source = seal(session, text)
    slip = _take_orders(session, now, game, row, who.seat, text)
    session.add(row)
    return Posted(row.public_id, slip)


def edit(session: Session, now: datetime, who: Access, holder_id: str, post_id: int, text: str) -> Posted:
    """Rewrites a post.  New order lines count anew; an edit that removes every order line withdraws them."""
    row = _own_post(session, who, holder_id, post_id)
    text = _checked(text)
    game = find_game(session, row.game_id)
    if row.deleted is not None:
        raise Refusal("gone", Text.of("This post has been deleted."))
    if who.seat is None or row.sealed_source is None:
        row.text, row.edited = text, now
        session.add(row)
        return Posted(post_id, None)
    if unseal(session, row.sealed_source) == text:
        return Posted(post_id, None)
    turn = queries.latest_turn(session, game.id)
    held_orders = row.mark or row.hidden or row.text != unseal(session, row.sealed_source)
    if held_orders and turn is not None and (row.number, row.version) != (turn.number, turn.version):
        raise Refusal(
            "conflict", Text.of("This post holds orders of a turn that has closed: it stays as it is. Write a new one.")
        )
    counted = _holds_counting_set(session, game, row, who.seat)
    row.sealed_source = seal(session, text)
    public = row.text
    slip = _take_orders(session, now, game, row, who.seat, text)
    if row.text != public:  # what changes the orders alone is nobody's business
        row.edited = now
    if counted and slip is None:
        slip = intake.withdraw(session, now, game.id, who.seat, intake.Source("post", post_id=str(row.id)))
    session.add(row)
    return Posted(post_id, slip)


def delete(session: Session, now: datetime, who: Access, holder_id: str, post_id: int) -> Receipt | None:
    """Takes a post away.  Before the turn closes that withdraws the orders in it; afterwards they stand."""
    row = _own_post(session, who, holder_id, post_id)
    if row.deleted is not None:
        return None
    game = find_game(session, row.game_id)
    slip = None
    if who.seat is not None and _holds_counting_set(session, game, row, who.seat):
        slip = intake.withdraw(session, now, game.id, who.seat, intake.Source("post", post_id=str(row.id)))
    row.deleted = now
    session.add(row)
    return slip


def posts(session: Session, who: Access, holder_id: str) -> list[Shown]:
    """The thread as this reader may see it, the oldest post first."""
    game = find_game(session, who.game_id)
    own = f"guest:{holder_id}" if who.seat is None else f"seat:{who.seat}"
    rows = session.exec(select(PostRow).where(PostRow.game_id == game.id).order_by(col(PostRow.id))).all()
    opened = _opened_lines(session, game)
    since = _held_since(session, who)
    shown: list[Shown] = []
    for row in rows:
        closed = row.number is not None and _closed(session, row)
        mine = row.author == own and (since is None or row.created >= since)
        if row.deleted is not None or (row.hidden and not mine and not closed):
            continue
        seat = row.author.removeprefix("seat:") if row.author.startswith("seat:") else None
        shown.append(
            Shown(
                id=row.public_id,
                author=row.author,
                seat=seat,
                name=row.author_name,
                created=row.created,
                edited=row.edited,
                text="" if row.letter else row.text,
                report=Report.model_validate(row.letter) if row.letter else None,
                sealed=row.mark,
                opened=opened.get(str(row.id), ()),
                source=_source(session, row) if mine else None,
                key=row.key,
            )
        )
    return shown


def _take_orders(session: Session, now: datetime, game: GameRow, row: PostRow, seat: str, text: str) -> Receipt | None:
    """Reads a player's post, takes its orders, and leaves in public what is no order.

    When no orders are taken (too late, or the seat is not asked) they vanish all the same, and the receipt says why.
    """
    row.hidden = False
    where = position(session, game.id) if game.status in ("running", "aside") else None
    if where is None or not where.asks:
        row.text, row.mark = text, False
        return None
    row.mark = row.mark and (row.number, row.version) == (where.turn.number, where.turn.version)
    row.number, row.version = where.turn.number, where.turn.version
    reading = intake.read_text(session, where, seat, text, "markdown")
    row.text = public_text(text, reading, lambda lines: intake.read_lines(where, seat, lines))
    if reading.intent is None and not reading.problems:
        return None
    row.mark = row.mark or not _sealed_before(session, row)
    row.hidden = not row.mark and not row.text.strip()
    source = intake.Source("post", post_id=str(row.id))
    return intake.settle_reading(session, now, where, seat, source, reading)


def _sealed_before(session: Session, row: PostRow) -> bool:
    """Whether an earlier post of this seat and turn carries the mark."""
    return (
        session.exec(
            select(PostRow.id).where(
                PostRow.game_id == row.game_id,
                PostRow.author == row.author,
                PostRow.number == row.number,
                PostRow.version == row.version,
                col(PostRow.mark).is_(True),
                PostRow.id != row.id,
            )
        ).first()
        is not None
    )


def _holds_counting_set(session: Session, game: GameRow, row: PostRow, seat: str) -> bool:
    turn = queries.latest_turn(session, game.id)
    if turn is None or turn.status != "open":
        return False
    submission = queries.counting(session, turn).get(seat)
    return submission is not None and submission.via == "post" and submission.post_id == str(row.id)


def _own_post(session: Session, who: Access, holder_id: str, post_id: int) -> PostRow:
    row = session.exec(select(PostRow).where(PostRow.game_id == who.game_id, PostRow.public_id == post_id)).first()
    if row is None:
        raise Refusal("unknown", Text.of("There is no such post in this thread."))
    own = f"guest:{holder_id}" if who.seat is None else f"seat:{who.seat}"
    since = _held_since(session, who)
    if row.author != own or (since is not None and row.created < since):
        raise Refusal("forbidden", Text.of("Only its author can change a post."))
    return row


def _held_since(session: Session, who: Access) -> datetime | None:
    """What was written in a seat's name before is somebody else's, who sat there then."""
    return None if who.seat is None else held_since(session, who.game_id, who.seat)


def _receipt_of(session: Session, row: PostRow) -> Receipt | None:
    submission = queries.submission_of_post(session, row)
    return None if submission is None else load_receipt(session, submission)


def _checked(text: str) -> str:
    """The text with every kind of line end as a plain one; Refusal if it is no post."""
    if not text.strip():
        raise Refusal("invalid", Text.of("An empty post was not stored: write something first."), field="text")
    if (why_not := intake.too_long(text)) is not None:
        raise Refusal("invalid", why_not, field="text")
    return LINE_END.sub("\n", text)


def _closed(session: Session, row: PostRow) -> bool:
    turn = queries.turn(session, row.game_id, row.number or 0, row.version)
    return turn is not None and turn.status == "resolved"


def _opened_lines(session: Session, game: GameRow) -> dict[str, tuple[str, ...]]:
    """By post id: the order lines that counted and have opened."""
    return {
        str(submission.post_id): tuple(turn.opened_lines.get(submission.seat, ()))
        for turn, submission in queries.counting_posts(session, game.id)
    }


def _source(session: Session, row: PostRow) -> str:
    return row.text if row.sealed_source is None else str(unseal(session, row.sealed_source))
