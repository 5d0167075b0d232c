"""Who may act: personal links, claimed once; browsers and programs that hold a token afterwards.

A token is 32 random bytes; only its SHA-256 is stored, so that the database lets nobody in.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select, update

from judge.core.text import Player, Text
from judge.service.audit import note
from judge.service.position import demand_here, find_game
from judge.service.refusal import Refusal
from judge.store.tables import AccessRow, LinkRow, SeatRow


@dataclass(frozen=True)
class Access:
    """What a token allows in one game."""

    game_id: str
    seat: str | None = None
    host: bool = False

    def require_seat(self) -> str:
        if self.seat is None:
            raise Refusal(
                "forbidden", Text.of("Only a player of this game can do that: open your personal link first.")
            )
        return self.seat

    def require_host(self) -> None:
        if not self.host:
            raise Refusal("forbidden", Text.of("Only the host of this game can do that: open the host's link first."))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def mint_link(session: Session, now: datetime, game_id: str, seat: str | None) -> str:
    """A new personal link's token for a seat (None: the host's place).  It can be shown this once only."""
    token = new_token()
    session.add(LinkRow(token_hash=digest(token), game_id=game_id, seat=seat, created=now))
    return token


def find_link(session: Session, token: str) -> LinkRow:
    """The link behind a token, if it can still be claimed."""
    link = session.get(LinkRow, digest(token))
    if link is None:
        raise Refusal(
            "unknown",
            Text.of(
                "This personal link is not known here. Check that it was copied whole, or ask your host for a new one."
            ),
        )
    if link.voided is not None:
        raise Refusal(
            "gone", Text.of("This personal link is no longer valid: a newer one took its place. Ask your host.")
        )
    if link.claimed is not None:
        raise Refusal(
            "gone",
            Text.of(
                "This personal link has been used already; each works once. If it was you, go on in the browser you "
                "used then; if not, ask your host for a new link at once."
            ),
        )
    return link


def claim_link(session: Session, now: datetime, token: str, holder: str, bearer: bool = False) -> Access:
    """Binds the link's place to the holder's token (a browser's session or a bearer token).  A link works once."""
    link = find_link(session, token)
    demand_here(find_game(session, link.game_id))
    held = access(session, holder, link.game_id)
    if link.seat is not None and held.seat not in (None, link.seat):
        raise Refusal(
            "conflict",
            Text.of(
                "This browser already plays {player} in this game. Open the link in another browser or a private "
                "window; it has not been used up.",
                player=Player(held.seat or ""),
            ),
        )
    claimed = session.exec(
        update(LinkRow)
        .where(
            col(LinkRow.token_hash) == link.token_hash, col(LinkRow.claimed).is_(None), col(LinkRow.voided).is_(None)
        )
        .values(claimed=now)
    )
    if claimed.rowcount != 1:
        raise Refusal(
            "gone", Text.of("This personal link has just been used by somebody else. Ask your host for a new one.")
        )
    grant(session, now, link.game_id, link.seat, holder, bearer)
    if link.seat is None:
        note(session, now, link.game_id, Text.of("The host's link was claimed."))
    else:
        seat = session.get_one(SeatRow, (link.game_id, link.seat))
        seat.taken = seat.taken or now
        note(session, now, link.game_id, Text.of("The seat of {player} was claimed.", player=Player(link.seat)))
    return access(session, holder, link.game_id)


def grant(session: Session, now: datetime, game_id: str, seat: str | None, holder: str, bearer: bool = False) -> None:
    """Lets whoever holds the token act for the seat, or as the host."""
    session.add(AccessRow(token_hash=digest(holder), game_id=game_id, seat=seat, bearer=bearer, created=now))
    session.flush()


def access(session: Session, holder: str | None, game_id: str) -> Access:
    """What the holder of a token may do in a game; a stranger may look."""
    if not holder:
        return Access(game_id)
    rows = session.exec(
        select(AccessRow)
        .where(AccessRow.token_hash == digest(holder), AccessRow.game_id == game_id, col(AccessRow.voided).is_(None))
        .order_by(col(AccessRow.id))
    ).all()
    seats = [row.seat for row in rows if row.seat is not None]
    return Access(game_id, seat=seats[-1] if seats else None, host=any(row.seat is None for row in rows))


def games_of(session: Session, holder: str | None) -> dict[str, Access]:
    """Every game in which the holder of a token has a place, by game id."""
    if not holder:
        return {}
    ids = session.exec(
        select(AccessRow.game_id)
        .where(AccessRow.token_hash == digest(holder), col(AccessRow.voided).is_(None))
        .distinct()
    ).all()
    return {game_id: access(session, holder, game_id) for game_id in ids}


def is_known(session: Session, holder: str) -> bool:
    """Whether any place belongs to this token."""
    return bool(games_of(session, holder))


def held_since(session: Session, game_id: str, seat: str) -> datetime | None:
    """When the newest personal link of a seat was made: what was handed in before belongs to whoever had it then.

    None if there was no link: somebody took the seat in the lobby and has it still.
    """
    query = select(LinkRow.created).where(LinkRow.game_id == game_id, LinkRow.seat == seat)
    return session.exec(query.order_by(col(LinkRow.created).desc()).limit(1)).first()


def void_access(session: Session, now: datetime, game_id: str, seat: str | None) -> None:
    """Takes a place from everybody who holds it, and voids its unclaimed links."""
    for table in (LinkRow, AccessRow):
        session.exec(
            update(table)
            .where(
                col(table.game_id) == game_id,
                col(table.seat) == seat if seat is not None else col(table.seat).is_(None),
            )
            .where(col(table.voided).is_(None))
            .values(voided=now)
        )
