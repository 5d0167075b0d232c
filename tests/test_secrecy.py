"""No deed, command or setting of a host opens what is sealed; a closed turn shows seals and no order.

The host of this game plays it too (Anna).  Routes and commands are listed by the program itself: a new one needs a
sample here, or the test fails.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts

from judge.cli.speaking import COMMANDS
from judge.service import moderation, turns
from judge.settings import Section, Settings
from judge.web.app import create_app
from tests.at_the_command_line import CommandLine, free_port
from tests.at_the_table import sit_down
from tests.test_crawl import ALSO, CANARIES, RANDOM, Scene, addresses, everything, hand_in_everywhere, seated
from tests.visitors import Program


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """The crawl's game: everybody's third set is in, each with a price of its own; Anna is the host."""
    table = sit_down(tmp_path / "var")
    app = create_app(table.judge)
    table.open(deadline={"rule": "hours", "hours": 24})
    for orders in (("X:3 at 42", "F:3 at 33", "F:3 at 33", "pass"), ("pass", "pass", "pass", None)):
        for seat, text in zip(CANARIES, orders, strict=True):
            if text:
                table.order(seat, text)
        table.look()
    readers = seated(app, table)
    yield Scene(table, app, readers, hand_in_everywhere(app, table, readers), [])
    table.judge.close()


def told(said: str, *but: str) -> list[int]:
    """The sealed prices in what somebody was told, but for those of his own seats."""
    text = RANDOM.sub("", said)
    secrets = [number for own in (CANARIES, ALSO) for seat, number in own.items() if seat not in but]
    return [number for number in secrets if re.search(rf"(?<!\d){number}(?!\d)", text)]


DEEDS: dict[str, list[Any]] = {
    "pause": [{}],
    "resume": [{}],
    "extend": [{"hours": 1}, {"hours": 0}],
    "decide": [{"words": "last round"}],
    "paste": [{"seat": "2", "text": "Gruß"}, {"seat": "4", "text": "[quote=Dora]X:1 zu 1[/quote]"}],
    "replace": [{"seat": "4", "name": "Emil"}],
    "bot": [{"seat": "4"}],
    "start": [{}],
    "force": [{"turn": 3}, {"turn": 2}],
    "rewind": [{"turn": 2, "why": "Let us see.", "reopen": ["2"]}, {"turn": 3, "why": "Let us see."}],
    "look": [{}],
    "send": [{"letter": 1}, {"seat": "2"}],
    "free": [{"seat": "2"}],
    "link": [{"seat": "3"}, {"seat": None}],
}
"""What a host can do, in an order in which most of it can be done."""


def test_no_deed_of_a_host_who_plays_is_answered_with_a_sealed_order(scene: Scene) -> None:
    """T040: every route of the host's desk, through the API and through the page."""
    known = {
        path.rsplit("/", 1)[1]
        for route in iter_route_contexts(scene.app.routes)
        if "POST" in (route.methods or ()) and "/moderate/" in (path := route.path or "")
    }
    assert known == set(DEEDS), "say in tests/test_secrecy.py what a sample of this deed is"
    host = scene.readers["1 as host too"]
    desk = f"/games/{scene.table.game_id}/moderate"
    done = []
    for deed, wishes in DEEDS.items():
        for wish in wishes:
            answer = host.post(f"/api/v1{desk}/{deed}", json=wish)
            done.append((deed, answer.status_code))
            assert answer.status_code in (200, 409, 410, 422), f"{deed}: {answer.text}"
            assert told(everything(answer), "1") == [], deed
            for page in (desk, f"/api/v1{desk}", f"/games/{scene.table.game_id}/thread"):
                assert told(everything(host.get(page)), "1") == [], f"{page} after {deed}"
    assert {"pause", "resume", "extend", "link", "replace", "force"} <= {deed for deed, status in done if status == 200}


def test_a_host_cannot_hand_himself_a_players_seat_and_read_what_is_sealed_there(scene: Scene) -> None:
    """T037, T040: with a new link of his own making he sits there, and the sealed orders are void."""
    host = scene.readers["1 as host too"]
    for seat in ("2", "3", "4"):
        link = host.post(f"/api/v1/games/{scene.table.game_id}/moderate/link", json={"seat": seat})
        thief = Program(scene.app)
        thief.claim(link.json()["token"])
        for path in addresses(scene):
            assert told(everything(thief.client.get(path))) == [], f"{path} as the thief of seat {seat}"


def test_a_closed_turn_shows_its_seals_and_no_bid(scene: Scene) -> None:
    """T030, T031: between the close and the result, at every address, in the export and in the closing post."""
    table = scene.table
    assert table.judge.store.write(lambda session: turns.close_if_due(session, table.clock(), table.game_id)), (
        "closed, and not resolved"
    )
    export = scene.readers["anonymous"].get(f"/games/{table.game_id}/export.json").text
    assert json.loads(export)["records"][-1]["record"]["record"] == "closed"
    for reader in ("anonymous", "3", "1 as host too"):
        for path in addresses(scene):
            assert told(everything(scene.readers[reader].get(path)), reader[0]) == [], f"{path} as {reader}"
    [*earlier, newest] = table.letters("closing")
    assert newest.number == 3
    for letter in (*earlier, newest):
        assert re.search(r"[0-9a-f]{64}", json.dumps(letter.body))
        assert told(json.dumps(letter.body)) == []


SETTINGS = {
    *("data", "database", "key_file", "language", "zone", "log_level", "web", "clock", "letters", "reading"),
    *("host", "port", "address", "new_games", "spectators_post", "max_request_kb", "trusted_proxies"),
    *("tick_seconds", "reminder_hours"),
    *("retry_seconds", "unsure_seconds"),
    *("poll_seconds", "near_seconds", "settle_seconds"),
}


def test_there_is_no_setting_that_opens_anything() -> None:
    """T040: whoever adds a setting says here that it shows nothing sealed."""
    kinds = [field.annotation for field in Settings.model_fields.values()]
    sections = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Section)]
    assert {name for section in (Settings, *sections) for name in section.model_fields} == SETTINGS


COMMAND_LINES: dict[str, list[list[str]]] = {
    "run": [["--help"]],  # what it serves is looked at above
    "tick": [[]],
    "demo": [["--help"]],  # plays a game of its own
    "new-game": [["--seats", "Emil,bot"]],
    "games": [[], ["--json"]],
    "link": [["GAME", "2"], ["GAME", "--host"]],
    "forum": [["--help"]],
    "forum add": [["club", "--kind", "misago", "url=http://127.0.0.1:9", "user=Judge", "--unchecked"]],
    "forum check": [[], ["club"]],
    "forum list": [[], ["--json"]],
    "forum change": [["club"], ["club", "category=3"]],
    "forum remove": [["club"]],
    "rewind": [["GAME", "2", "--why", "Let us see."], ["GAME", "9", "--why", "Let us see."]],
    "seal": [["X:1 at 40"]],
    "keys": [[], ["rotate"]],
    "replay": [["story.txt"]],
    "export": [["GAME"], ["GAME", "--output", "public.json"], ["GAME", "--private", "--output", "private.json"]],
    "import": [["private.json"]],
    "verify": [["public.json"], ["public.json", "--json"]],
    "bots": [["--help"]],
    "check": [[]],
}
"""In an order in which most can be done: `export --private` sets the game aside, `import` lets it go on."""


def test_no_command_shows_a_host_what_is_sealed(scene: Scene, tmp_path: Path) -> None:
    """T040: neither what it prints nor what it writes, with `--debug` and at the noisiest level of the log."""
    assert set(COMMAND_LINES) == set(COMMANDS), "say in tests/test_secrecy.py how this command is tried"
    table = scene.table
    table.do(moderation.pause, table.game_id)  # by a real clock the deadline has long passed
    table.judge.close()
    line = CommandLine(tmp_path)
    line.config(f'data = "var"\nlog_level = "debug"\n[web]\nport = {free_port()}\n')
    story = "A story.\n\ngame commodity-market\nseats Anna, Ben\n\n== 1\n"
    (tmp_path / "story.txt").write_text(story, encoding="utf-8")
    done = set()
    for command, samples in COMMAND_LINES.items():
        for sample in samples:
            arguments = [table.game_id if word == "GAME" else word for word in sample]
            ran = line("--debug", *command.split(), *arguments, stdin="hush\n")
            assert told(ran.out + ran.err) == [], f"{command} {sample}"
            done |= {command} if ran.code == 0 else set()
    assert {"tick", "games", "link", "forum list", "keys", "export", "import", "verify", "check"} <= done
    for file in tmp_path.glob("*.json"):
        assert told(re.sub(r"[\w-]{40,}={0,2}", "", file.read_text(encoding="utf-8"))) == [], file.name
    shutil.rmtree(tmp_path / "var")
