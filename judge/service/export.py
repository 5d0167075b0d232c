"""The export of a game: everything that is public so far, in one file that anybody can verify."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from judge.core.record import Export, OpenTurn
from judge.core.seal import canonical
from judge.service.position import find_game, position
from judge.service.turns import waiting_for
from judge.store import queries
from judge.store.tables import GameRow


def export(session: Session, game_id: str) -> Export:
    """What everybody may know of a game now."""
    return Export.model_validate_json(export_bytes(session, game_id))


def export_bytes(session: Session, game_id: str) -> bytes:
    """The export as a file: canonical JSON and a line end.

    The records go in as they were hashed: written once, they are never taken apart again.
    """
    game = find_game(session, game_id)
    records = b",".join(
        b'{"hash":"%b","record":%b}' % (row.hash.encode(), row.body.encode())
        for row in queries.records(session, game.id)
    )
    small: dict[str, Any] = {
        "gamejudge": 1,
        "game": game.id,
        "title": game.title,
        "ruleset": game.ruleset,
        "ruleset_version": game.ruleset_version,
        "language": game.language,
        "status": game.status,
        "names": queries.names(session, game.id),
        "keys": [key.public for key in queries.keys(session, "sig")],
        "open": _open_turn(session, game),
    }
    parts = {name: canonical(value) for name, value in small.items()} | {"records": b"[%b]" % records}
    content = hashlib.sha256(_object(parts)).hexdigest()
    return _object({**parts, "hash": canonical(content)}) + b"\n"


def _object(parts: Mapping[str, bytes]) -> bytes:
    """A JSON object of values that are canonical already."""
    return b"{%b}" % b",".join(b'"%b":%b' % (name.encode(), parts[name]) for name in sorted(parts))


def _open_turn(session: Session, game: GameRow) -> dict[str, Any] | None:
    turn = queries.latest_turn(session, game.id)
    if turn is None or turn.status != "open":
        return None
    where = position(session, game.id)
    awaited = waiting_for(session, where)
    return OpenTurn(
        turn=turn.number,
        version=turn.version,
        opened=turn.opened,
        deadline=turn.deadline,
        posted=tuple(seat for seat in where.asks if seat not in awaited),
        awaited=tuple(awaited),
    ).model_dump(mode="json")
