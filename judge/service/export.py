"""The export of a game: everything that is public so far, in one file that anybody can verify."""

from __future__ import annotations

import json
from typing import Any

from sqlmodel import Session

from judge.core.record import ChainedRecord, Export, OpenTurn
from judge.core.seal import canonical, digest
from judge.service.position import find_game, position
from judge.service.turns import waiting_for
from judge.store import queries
from judge.store.tables import GameRow


def export(session: Session, game_id: str) -> Export:
    """What everybody may know of a game now."""
    game = find_game(session, game_id)
    content: dict[str, Any] = {
        "gamejudge": 1,
        "game": game.id,
        "title": game.title,
        "ruleset": game.ruleset,
        "ruleset_version": game.ruleset_version,
        "language": game.language,
        "status": game.status,
        "names": queries.names(session, game.id),
        "keys": [key.public for key in queries.keys(session, "sig")],
        "records": [
            ChainedRecord(hash=row.hash, record=json.loads(row.body)).model_dump(mode="json")
            for row in queries.records(session, game.id)
        ],
        "open": _open_turn(session, game),
    }
    return Export.model_validate({**content, "hash": digest(content)})


def export_bytes(session: Session, game_id: str) -> bytes:
    """The export as a file: canonical JSON and a line end."""
    return canonical(export(session, game_id).model_dump(mode="json")) + b"\n"


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
