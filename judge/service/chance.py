"""Where a game's chance comes from: chains of secrets that are bound before anybody orders.

A chain's anchor and the hash of its hidden secret are in the game's public record from the beginning.  Each turn is
given the next link when it opens; its public throws come from that link and from the seals of all orders that count,
so that nobody knows them before the turn is closed.  Shuffles, private draws and the salts of seals come from the
hidden secret, which opens when the game ends.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session

from judge.core.dice import Dice
from judge.core.record import Anchors, Chance
from judge.core.seal import CHAIN_LENGTH, ZERO, chain_link, name_contribution, throw_context
from judge.store import queries, seal, unseal
from judge.store.tables import ChainRow, GameRow, TurnRow


def begin_chain(session: Session, game: GameRow) -> Anchors:
    """Draws the secrets of the game's next chain.  Its anchors belong into the record before it is used."""
    seed, hidden = secrets.token_bytes(32), secrets.token_bytes(32)
    row = ChainRow(
        game_id=game.id,
        number=len(queries.chains(session, game.id)) + 1,
        length=CHAIN_LENGTH,
        anchor=chain_link(seed, CHAIN_LENGTH, 0).hex(),
        hidden_anchor=hashlib.sha256(hidden).hexdigest(),
        sealed_secrets=seal(session, {"seed": seed.hex(), "hidden": hidden.hex()}),
    )
    session.add(row)
    session.flush()
    return anchors(row)


def anchors(row: ChainRow) -> Anchors:
    """What binds a chain, for everybody to read."""
    return Anchors(chain=row.number, length=row.length, public=row.anchor, hidden=row.hidden_anchor)


def current_chain(session: Session, game_id: str) -> ChainRow:
    return queries.chains(session, game_id)[-1]


def next_anchors(session: Session, game: GameRow) -> Anchors | None:
    """Begins the next chain if the last link of this one has been used; None while there are more."""
    chain = current_chain(session, game.id)
    return begin_chain(session, game) if chain.used == chain.length else None


def take_link(session: Session, game_id: str) -> tuple[int, int]:
    """The next chain and link: no link is left out or used twice, so that nobody can choose among them."""
    chain = current_chain(session, game_id)
    chain.used += 1
    session.add(chain)
    session.flush()
    return chain.number, chain.used


def give_back_link(session: Session, turn: TurnRow) -> None:
    """A turn that will not resolve leaves its link, which nobody has seen, to the next one."""
    chain = current_chain(session, turn.game_id)
    if (chain.number, chain.used) == (turn.chain, turn.link):
        chain.used -= 1
        session.add(chain)
        session.flush()


def set_up_dice(session: Session, game: GameRow, link: tuple[int, int], names: Iterable[str]) -> Dice:
    """The chance of the set-up: before there are orders, the players' names are mixed in."""
    return _dice(session, game.id, link, 0, 1, [name_contribution(name) for name in names])


def turn_dice(session: Session, turn: TurnRow, commitments: Sequence[str | None]) -> Dice:
    """The chance of one turn: asked for twice, it throws the same.

    `commitments` are those of all seats in seat order, in hex; None for a seat that sealed nothing.
    """
    mixed = [ZERO if commitment is None else bytes.fromhex(commitment) for commitment in commitments]
    return _dice(session, turn.game_id, (turn.chain, turn.link), turn.number, turn.version, mixed)


def used(session: Session, game_id: str, link: tuple[int, int], dice: Dice) -> Chance:
    """What a resolution made of its link, for the record; notes if the hidden stream was drawn from."""
    chain, number = link
    row = session.get_one(ChainRow, (game_id, chain))
    if dice.drew_hidden and not row.drawn:
        row.drawn = True
        session.add(row)
    seed, _ = _secrets(session, row)
    secret = chain_link(seed, row.length, number).hex()
    return Chance(chain=chain, link=number, secret=secret, throws=tuple(dice.thrown))


def hidden_secret(session: Session, game_id: str, chain: int) -> bytes:
    """The secret behind a hidden anchor; it also makes the salts of the seals."""
    return _secrets(session, session.get_one(ChainRow, (game_id, chain)))[1]


def open_hidden(session: Session, now: datetime, game_id: str) -> dict[int, str]:
    """The hidden secrets of all chains in hex, which become public with the end of the game."""
    opened: dict[int, str] = {}
    for chain in queries.chains(session, game_id):
        opened[chain.number] = _secrets(session, chain)[1].hex()
        chain.opened = chain.opened or now
        session.add(chain)
    return opened


def bot_dice(session: Session, turn: TurnRow, seat: str) -> Dice:
    """A bot's whims, apart from the turn's chance."""
    about = f"bot {seat} turn {turn.number} version {turn.version}".encode()
    return Dice(hmac.digest(hidden_secret(session, turn.game_id, turn.chain), about, hashlib.sha256))


def _dice(
    session: Session, game_id: str, link: tuple[int, int], turn: int, version: int, contributions: Sequence[bytes]
) -> Dice:
    chain, number = link
    row = session.get_one(ChainRow, (game_id, chain))
    seed, hidden = _secrets(session, row)
    context = throw_context(game_id, turn, version, number, contributions)
    return Dice(chain_link(seed, row.length, number), hidden, context)


def _secrets(session: Session, row: ChainRow) -> tuple[bytes, bytes]:
    """A chain's seed (its last link) and its hidden secret."""
    both = unseal(session, row.sealed_secrets)
    return bytes.fromhex(both["seed"]), bytes.fromhex(both["hidden"])
