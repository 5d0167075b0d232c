"""The audit trail: everybody reads who did what to a game, nobody rewrites it, and no order stands in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, update
from sqlmodel import Session, select

from judge.core.text import Text
from judge.language import Voice
from judge.service import access, moderation, rewinding, turns
from judge.service import table as table_cases
from judge.service.audit import audit_lines, note
from judge.service.deadlines import Hours
from judge.store import AppendOnlyError, queries
from judge.store.tables import AuditRow, RecordRow
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots


def told(table: TestTable) -> list[str]:
    """The trail as everybody reads it."""
    with table.judge.store.read() as session:
        voice = Voice("en", names=queries.names(session, table.game_id))
        return [voice.say(text) for _, text in audit_lines(session, table.game_id)]


def adds(table: TestTable, deed: Callable[[], Any]) -> list[str]:
    before = trail(table)
    deed()
    assert trail(table)[: len(before)] == before, "what stood there stands there still"
    return told(table)[len(before) :]


def trail(table: TestTable) -> list[str]:
    """The trail as it is stored: seats, not the names of whoever sits there now."""
    with table.judge.store.read() as session:
        return [text.model_dump_json() for _, text in audit_lines(session, table.game_id)]


def everybody_passes(table: TestTable, *but: str) -> None:
    for seat in {"1", "2", "3", "4"} - {*but}:
        table.order(seat, "pass")
    table.look()


def test_every_deed_leaves_its_line(table: TestTable) -> None:
    """T324: claimed, seated, begun, handed in for somebody, extended, paused, closed and why, undone, replaced."""
    game = table.open(("Anna", "Ben", "Cem", ""), start=False, deadline=Hours(hours=24), options={"months": 1})
    assert told(table) == ["The game was opened."]
    assert table.opened is not None

    def do(use_case: Any, *args: Any, **more: Any) -> list[str]:
        return adds(table, lambda: table.do(use_case, *args, **more))

    assert do(access.claim_link, table.opened.host_token, "host") == ["The host's link was claimed."]
    assert do(access.claim_link, table.tokens["1"], "anna") == ["The seat of Anna was claimed."]
    assert do(table_cases.take_seat, game, "Dora", "dora") == ["Dora took a seat."]
    assert do(table_cases.start, game) == ["The game began with Anna, Ben, Cem and Dora."]
    assert adds(table, lambda: table.order("1", "X:1 at 7341")) == [], "what players do is theirs"
    assert do(moderation.paste, game, "2", "X:1 zu 7352", "markdown") == ["The host handed in a post of Ben."]
    assert "moved the deadline of turn 1" in do(moderation.extend, game, timedelta(hours=1))[0]
    assert "paused" in do(moderation.pause, game)[0]
    assert "goes on" in do(moderation.resume, game)[0]
    assert adds(table, lambda: everybody_passes(table)) == [
        "Turn 1 was closed: everybody had posted.",
        "Turn 1 was resolved, and its orders opened.",
        "Turn 2 was closed: nobody had anything to decide.",
        "Turn 2 was resolved, and its orders opened.",
        "The game is over, and all that was sealed in it opened.",
    ]
    undone = do(rewinding.rewind, game, 1, "Ben's post was somebody else's.", ["2"])
    assert undone[0].startswith("The host took back turn 1 and what followed: Ben's post was somebody else's.")
    assert any("Anna" in line and "seen" in line for line in undone[1:]), "and who saw what"
    assert do(moderation.new_link, game, "2") == ["A new link was made for Ben; unopened orders of that seat are void."]
    assert do(moderation.new_link, game, None) == ["A new host's link was made; the old one is void."]
    assert do(moderation.replace_player, game, "3", "Emil") == ["Emil takes the seat of Cem."]
    assert do(moderation.bot_in_seat, game, "4") == ["A bot plays for Dora from now on."]
    assert do(moderation.force, game, 1) == ["The host closed turn 1 before its time."]
    assert do(turns.set_aside, game, "ValueError at rules:1")[0].startswith("This game has been set aside")


def test_what_the_host_decides_for_a_game_is_told(tmp_path: Path) -> None:
    """T324."""
    table = sit_down(tmp_path, games=[lots])
    table.open(("Anna", "Ben"), ruleset="lots")
    for lines in (["The host decided for turn 1: last round."], []):  # said twice, it is decided once
        assert adds(table, lambda: table.do(moderation.decide, table.game_id, "last round")) == lines
    table.judge.close()


def test_a_turn_whose_time_is_up_is_told_so(table: TestTable) -> None:
    """T324."""
    table.open(deadline=Hours(hours=24))
    table.clock.forward(hours=25)
    assert adds(table, table.look)[0] == "Turn 1 was closed: its time was up."


def test_no_line_holds_an_order_before_it_opens(table: TestTable) -> None:
    """T324: not even that of a deed that is done with an order in hand."""
    table.open(deadline=Hours(hours=24))
    table.order("1", "X:1 at 7341")
    table.post("2", "X:1 at 7341")
    table.do(moderation.paste, table.game_id, "3", "X:1 zu 7341", "markdown")
    table.do(moderation.paste, table.game_id, "3", "X:99 zu 7341", "markdown")
    table.do(moderation.replace_player, table.game_id, "1", "Emil")
    table.do(moderation.new_link, table.game_id, "2")
    table.do(moderation.bot_in_seat, table.game_id, "3")
    table.do(moderation.force, table.game_id, 1)
    assert "7341" not in str(told(table))


@pytest.mark.parametrize("kind", [AuditRow, RecordRow])
def test_nobody_changes_or_deletes_what_was_written(table: TestTable, kind: type[AuditRow] | type[RecordRow]) -> None:
    """T324: neither a row nor a table at once; what else was done in the same work is undone with it."""
    table.open()

    def change(session: Session) -> None:
        row = session.exec(select(kind)).first()
        assert row is not None
        row.game_id = "another"
        session.add(row)

    def remove(session: Session) -> None:
        session.delete(session.exec(select(kind)).first())

    deeds = (
        change,
        remove,
        lambda session: session.exec(update(kind).values(game_id="another")),
        lambda session: session.exec(delete(kind)),
        lambda session: session.execute(delete(kind.__table__)),  # type: ignore[union-attr]  # SQLModel hides it
    )
    before = told(table)
    for deed in deeds:
        with pytest.raises(AppendOnlyError, match="only ever added to"):
            table.judge.store.write(deed)
    assert told(table) == before
    assert adds(table, lambda: table.do(note, table.game_id, Text.of("Still written."))) == ["Still written."]
