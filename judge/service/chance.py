"""Where a game's chance comes from: one secret a game, from which each turn has a secret of its own."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from sqlmodel import Session

from judge.core.dice import Dice
from judge.store import seal, unseal
from judge.store.tables import GameRow, TurnRow


def new_secret(session: Session) -> bytes:
    """A fresh game secret, sealed for its column."""
    return seal(session, secrets.token_hex(32))


def _derived(session: Session, game: GameRow, purpose: str) -> bytes:
    return hmac.digest(bytes.fromhex(unseal(session, game.sealed_secret)), purpose.encode(), hashlib.sha256)


def setup_dice(session: Session, game: GameRow) -> Dice:
    """The chance of the set-up."""
    return Dice(_derived(session, game, "set-up"))


def turn_dice(session: Session, game: GameRow, turn: TurnRow) -> Dice:
    """The chance of one turn; asked for twice, it throws the same."""
    return Dice(_derived(session, game, f"turn {turn.number} version {turn.version}"))


def bot_dice(session: Session, game: GameRow, turn: TurnRow, seat: str) -> Dice:
    """A bot's whims, apart from the turn's chance."""
    return Dice(_derived(session, game, f"bot {seat} turn {turn.number} version {turn.version}"))
