"""Claiming a seat on a forum: who posts a seat's one-time word there is its player from then on.

A name proves nothing on a forum, since names can be changed and taken by others; the word does, because only who holds
the seat's personal link is shown it.  It is never stored: it follows from the game's hidden secret.  A seat that
is set free has a new word, since the old one may stand in the topic for everybody to read.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from datetime import datetime

from sqlmodel import Session, col, func, select

from judge.core.text import Player, Text
from judge.service import chance
from judge.service.access import held_since
from judge.service.audit import note
from judge.service.places import account_of
from judge.service.position import find_game, find_seat
from judge.store import queries
from judge.store.tables import AuditRow, SeatRow

WORD = re.compile(r"\bseat-[a-z2-7]{5}-[a-z2-7]{5}\b", re.IGNORECASE)
"""Easily told from orders, and 50 bits long."""


def word_of(session: Session, game_id: str, seat: str) -> str | None:
    """The word by which the seat can be claimed; None if it is claimed, free or a bot's, or nothing is read there."""
    game, row = find_game(session, game_id), find_seat(session, game_id, seat)
    if row.bot or row.taken is None or row.author_id is not None:
        return None
    if game.status == "over" or account_of(session, game) is None:
        return None
    secret = chance.hidden_secret(session, game_id, chance.current_chain(session, game_id).number)
    since = held_since(session, game_id, seat) or row.taken  # who had an older link knows an older word
    message = f"seat word {game_id} {seat} {since.isoformat()}"
    if freed := _times_freed(session, game_id, seat):
        message += f" {freed}"
    letters = base64.b32encode(hmac.digest(secret, message.encode(), hashlib.sha256)).decode().lower()
    return f"seat-{letters[:5]}-{letters[5:10]}"


def claim(session: Session, now: datetime, game_id: str, author_id: str, author_name: str, text: str) -> SeatRow | None:
    """Gives the seat whose word stands in the text to this author; None if there is none.

    Who plays another seat of this game already gets none: his posts could not be told apart.
    """
    words = {found[0].lower() for found in WORD.finditer(text)}
    seats = queries.seats(session, game_id)
    if not words or any(row.author_id == author_id for row in seats):
        return None
    for row in seats:
        if word_of(session, game_id, row.seat) in words:
            row.author_id, row.author_name = author_id, author_name
            session.add(row)
            text_of = Text.of("{player} posts in the forum as “{name}”.", player=Player(row.seat), name=author_name)
            note(session, now, game_id, text_of)
            return row
    return None


def set_free(session: Session, now: datetime, game_id: str, seat: str) -> None:
    """Takes the seat from the forum account that has it; its player is shown the word again."""
    row = find_seat(session, game_id, seat)
    if row.author_id is None:
        return
    name = row.author_name or row.author_id
    row.author_id = row.author_name = None
    session.add(row)
    text = Text.of("“{name}” no longer posts for {player} in the forum.", name=name, player=Player(seat))
    note(session, now, game_id, text, _freeing(game_id, seat, _times_freed(session, game_id, seat) + 1))


def _times_freed(session: Session, game_id: str, seat: str) -> int:
    freed = col(AuditRow.request).startswith(_freeing(game_id, seat, ""), autoescape=True)
    return session.exec(select(func.count(col(AuditRow.id))).where(freed)).one()


def _freeing(game_id: str, seat: str, which: int | str) -> str:
    return f"{game_id} seat {seat} set free {which}"
