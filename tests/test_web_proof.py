"""What pages and API show of seals, records and turns that were taken back; and the export as a file."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from fastapi import FastAPI

from judge.core.seal import canonical, commitment
from judge.service import turns
from judge.store import queries
from judge.web.app import create_app
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots
from tests.visitors import Program, Visitor, words

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"
BIDS = {ANNA: "X:3 at 42", BEN: "F:3 at 33", CEM: "pass", DORA: "X:1 at 41"}


@pytest.fixture
def played(table: TestTable) -> TestTable:
    """A market whose first turn has resolved."""
    table.open(deadline={"rule": "hours", "hours": 24})
    for seat, text in BIDS.items():
        table.order(seat, text)
    table.look()
    return table


def host(app: FastAPI, table: TestTable) -> Visitor:
    visitor = Visitor(app)
    visitor.claim(table.opened.host_token if table.opened else "")
    return visitor


def export(app: FastAPI, table: TestTable) -> Any:
    return Visitor(app).client.get(f"/games/{table.game_id}/export.json")


def take_back(app: FastAPI, table: TestTable, why: str = "Ben's bid was misread.", *reopen: str) -> None:
    desk = f"/games/{table.game_id}/moderate"
    values = {"number": "1", "why": why, "reopen": list(reopen)}
    host(app, table).submit(f"{desk}/rewind", values, page=desk)


# The export


def test_the_export_is_one_canonical_file_with_its_own_hash(app: FastAPI, played: TestTable) -> None:
    answer = export(app, played)
    assert answer.headers["content-type"] == "application/json"
    content = answer.json()
    assert answer.content == canonical(content) + b"\n"
    own = content.pop("hash")
    assert own == hashlib.sha256(canonical(content)).hexdigest()
    twin = Program(app).client.get(f"/api/v1/games/{played.game_id}/export.json")
    assert twin.content == answer.content


def test_who_has_the_export_already_is_not_sent_it_again(app: FastAPI, played: TestTable) -> None:
    """T031: the tag changes with what is public, and with nothing else."""
    path = f"/games/{played.game_id}/export.json"
    tag = export(app, played).headers["etag"]
    client = Visitor(app).client
    for given in (tag, f"W/{tag}", f'"another", {tag}', "*"):
        answer = client.get(path, headers={"if-none-match": given})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    assert client.get(path, headers={"if-none-match": '"another"'}).status_code == 200
    played.order(ANNA, "A:1 at 150")
    posted = export(app, played).headers["etag"]
    assert posted != tag
    played.order(ANNA, "A:2 at 140")
    assert export(app, played).headers["etag"] == posted, "nobody sees that she has changed her mind"


def test_caches_may_keep_the_export_but_must_ask(app: FastAPI, played: TestTable) -> None:
    answer = export(app, played)
    assert answer.headers["cache-control"] == "public, no-cache"
    assert "set-cookie" not in answer.headers
    assert Visitor(app).client.get("/games/nothing/export.json").status_code == 404


# A turn's seals


def test_a_turns_page_shows_seals_salts_and_hashes(app: FastAPI, played: TestTable) -> None:
    """T035: whoever reads the page can reckon a seal himself."""
    answer = Program(app).call("GET", f"/games/{played.game_id}/turns/1")
    page = words(str(Visitor(app).get(f"/games/{played.game_id}/turns/1").select_one("#verify")))
    assert answer["record_hash"] in page
    assert answer["previous_hash"] in page
    assert answer["chance"]["secret"] in page
    for seal in answer["seals"]:
        assert seal["how"] == "posted"
        assert seal["commitment"] in page
        for line in seal["opened"]["parts"]["turn"]["lines"]:
            assert canonical(line["order"]).decode() in page
            assert line["salt"] in page
            assert commitment(bytes.fromhex(line["salt"]), line["order"]) in page
    records = {entry["hash"] for entry in export(app, played).json()["records"]}
    assert {answer["record_hash"], answer["previous_hash"]} <= records


def test_a_closed_turn_shows_its_seals_and_nothing_under_them(app: FastAPI, table: TestTable) -> None:
    """T030: between closing and resolving."""
    table.open()
    for seat, text in BIDS.items():
        table.order(seat, text)
    table.judge.store.write(lambda session: turns.close(session, table.clock(), table_turn(session, table), "host"))
    page = words(str(Visitor(app).get(f"/games/{table.game_id}/turns/1")))
    answer = Program(app).call("GET", f"/games/{table.game_id}/turns/1")
    assert (answer["report"], answer["resolved"], answer["orders"]) == (None, None, {})
    assert "These seals fix what counts. Nothing is open yet." in page
    for seal in answer["seals"]:
        assert seal["commitment"] in page
        assert seal["opened"] is None
    assert "X:3 at 42" not in page
    assert '"price"' not in page


def table_turn(session: Any, table: TestTable) -> Any:
    return queries.latest_turn(session, table.game_id)


def test_what_stayed_closed_opens_on_its_turns_page_when_the_game_ends(tmp_path: Any) -> None:
    table = sit_down(tmp_path, games=[lots])
    app = create_app(table.judge)
    table.open(("Anna", "Ben"), ruleset="lots", options={"rounds": 1})
    for seat, text in ((ANNA, "bid 5\nguess blue"), (BEN, "bid 3")):
        table.order(seat, text)
    table.look()
    path = f"/games/{table.game_id}/turns/1"
    before = words(str(Visitor(app).get(path)))
    assert "Closed until the game ends" in before
    assert "blue" not in before
    table.order(ANNA, "paint red")
    table.look()
    after = words(str(Visitor(app).get(path)))
    assert "Closed until the game ended" in after
    assert '{"colour":"blue","kind":"guess"}' in after
    table.judge.close()


# Verify


def test_the_verify_page_says_what_is_proved_and_how_to_check(app: FastAPI, played: TestTable) -> None:
    """T323"""
    path = f"/games/{played.game_id}/verify"
    page = Visitor(app).get(path)
    said = words(str(page))
    newest = export(app, played).json()["records"][-1]["hash"]
    assert f"judge verify {played.game_id}.json --expect {newest}" in page.select_one("#commands").text  # type: ignore[union-attr]
    assert "The judge has checked its own 4 records." in said
    assert "What a judge says about itself proves little." in said
    assert newest in words(str(page.select_one("#turn-1")))
    verdict = Program(app).call("GET", path)
    assert verdict["holds"] is True
    assert verdict["checked"]["turns"] == 1
    assert verdict["closed"]


def test_a_game_that_has_not_begun_shows_what_binds_it(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", ""), start=False)
    anchors = Program(app).call("GET", f"/games/{table.game_id}")["anchors"]
    for path in (f"/games/{table.game_id}", f"/games/{table.game_id}/verify"):
        said = words(str(Visitor(app).get(path)))
        assert anchors[0]["public"] in said
        assert anchors[0]["hidden"] in said
    assert Program(app).call("GET", f"/games/{table.game_id}/verify")["holds"] is True


def test_a_judge_whose_record_was_changed_says_so_itself(app: FastAPI, played: TestTable) -> None:
    verdicts = app.state.verdicts
    data = export(app, played).content.replace(b'"price":42', b'"price":43')
    verdict = verdicts.on(data, lambda name, version: played.position().ruleset)
    assert not verdict.ok
    assert verdicts.on(data, lambda name, version: played.position().ruleset) is verdict, "checked once"


def test_every_page_leads_to_how_nobody_cheats(app: FastAPI, played: TestTable) -> None:
    for path in ("/", f"/games/{played.game_id}", f"/games/{played.game_id}/verify", "/rules/commodity-market"):
        assert Visitor(app).get(path).select("a[href='/fairness']")
    page = Visitor(app).get("/fairness")
    assert page.select("a[href='/fairness/bytes']")
    assert "What is proved, and what is not" in words(str(page))
    german = words(str(Visitor(app, "de").get("/fairness")))
    assert "Was bewiesen ist, und was nicht" in german
    assert "SHA-256(salt ‖ canonical JSON of the order)" in words(str(Visitor(app).get("/fairness/bytes")))
    table = Visitor(app).get(f"/games/{played.game_id}")
    anchors = Program(app).call("GET", f"/games/{played.game_id}")["anchors"]
    assert anchors[0]["public"] in words(str(table))
    assert table.select(f"a[href='/games/{played.game_id}/export.json']")


# Taking back


def test_a_host_takes_a_turn_back_and_everybody_reads_why(app: FastAPI, played: TestTable) -> None:
    """T038, T039: the old result stays, marked; the new version stands beside it."""
    take_back(app, played, "Ben's bid was misread.", BEN)
    assert (played.turn().number, played.turn().version) == (1, 2)
    path = f"/games/{played.game_id}/turns/1"
    old = words(str(Visitor(app).get(path)))
    assert "Taken back. This result counts no more. The orders in it have been seen, and stay seen." in old
    played.look()
    assert "Ben's bid was misread." in words(str(Visitor(app).get(f"/games/{played.game_id}/thread")))
    answer = Program(app).call("GET", path)
    assert answer["undone"] == answer["versions"][0]["undone"] is not None
    assert "Everything about turn" not in words(str(Visitor(app).get(f"/games/{played.game_id}")))
    anna = Visitor(app)
    anna.claim(played.tokens[ANNA])
    assert "kept from the turn that was taken back" in words(str(anna.get(f"/games/{played.game_id}/orders")))
    played.order(BEN, "F:4 at 34")
    played.look()
    new = Visitor(app).get(f"{path}?version=2")
    assert "Taken back." not in words(str(new))
    assert new.select("a[href$='version=1']")
    assert "version 1 (taken back)" in words(str(new))
    assert Program(app).call("GET", path)["version"] == 2
    listed = words(str(Visitor(app).get(f"/games/{played.game_id}/verify").select_one(".hashes")))
    assert "Turn 1 : the result (version 2)" in listed
    assert "Turn 1 : the result (taken back)" in listed
    assert Program(app).call("GET", f"/games/{played.game_id}/verify")["holds"] is True


def test_a_turn_is_not_taken_back_without_a_reason(app: FastAPI, played: TestTable) -> None:
    desk = f"/games/{played.game_id}/moderate"
    values = {"number": "1", "why": " ", "reopen": [CEM]}
    page = host(app, played).submit(f"{desk}/rewind", values, page=desk, status=422)
    assert "everybody will read it" in words(str(page))
    assert page.select_one("#rewind-why[aria-invalid=true]")
    assert page.select_one(f"#reopen-{CEM}[checked]"), "what was ticked stays"
    assert played.turn().number == 2


def test_only_the_host_takes_back(app: FastAPI, played: TestTable) -> None:
    desk = f"/games/{played.game_id}/moderate"
    anna = Visitor(app)
    anna.claim(played.tokens[ANNA])
    assert not anna.get(desk).select(f"form[action='{desk}/rewind']")
    program = Program(app)
    program.claim(played.tokens[BEN])
    program.call("POST", f"{desk}/rewind", {"turn": 1, "why": "I want other dice."}, 403)
    assert played.turn().number == 2


def test_a_program_takes_back_once_however_often_it_asks(app: FastAPI, played: TestTable) -> None:
    program = Program(app)
    program.claim(played.opened.host_token if played.opened else "")
    wish = {"turn": 1, "why": "Ben's bid was misread.", "reopen": [BEN], "request": "one"}
    for _ in range(2):
        answer = program.call("POST", f"/games/{played.game_id}/moderate/rewind", wish)
        assert answer == {"turn": 1, "version": 2}
    refused = program.call("POST", f"/games/{played.game_id}/moderate/rewind", {"turn": 7, "why": "No."}, 404)
    assert refused["problems"]


# Receipts


def test_a_receipt_carries_its_seal_and_the_judges_signature(app: FastAPI, table: TestTable) -> None:
    """T034: on the page in short, whole for who asks; the program gets the set with its salts."""
    table.open()
    anna = Visitor(app)
    anna.claim(table.tokens[ANNA])
    slip = table.order(ANNA, "X:3 at 42")
    assert slip.sealed is not None
    page = anna.get(f"/games/{table.game_id}/orders")
    assert f"Seal {slip.sealed.commitment[:8]}…" in words(str(page.select_one(".slip")))
    assert page.select_one("#signed").text == slip.signed  # type: ignore[union-attr]
    bearer = Program(app)
    bearer.client.cookies = anna.client.cookies
    answer = bearer.call("GET", f"/games/{table.game_id}/orders")["receipts"][0]
    assert answer["commitment"] == slip.sealed.commitment
    assert answer["signed"] == slip.signed
    assert answer["sealed"]["parts"]["turn"]["lines"][0]["order"]["price"] == 42
