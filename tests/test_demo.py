"""`judge demo`: the thread of the demo is played, printed, and a seat handed to the visitor."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from judge.cli.demo import script_of
from judge.registry import rulesets
from tests.at_the_command_line import CommandLine, free_port, read_until
from tests.test_cli_serving import answer, stopped


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def test_the_first_month_is_played_by_posts_and_its_results_are_printed(judge: CommandLine) -> None:
    """What people post, who asked for 27 units is told the numbers, and both results of January."""
    ran = judge("demo", "--ruleset", "commodity-market")
    assert (ran.code, ran.err) == (0, "")
    told = ran.out
    assert "│ X:9 zu 49" in told
    assert "→ Your order is 27 units in all; with 4 players at most 9 in all are allowed." in told
    assert "│ 3x X zu je 44, 3 Fine zu 35" in told
    assert "→ The judge, to this player alone: counted as X:3 at 44; F:3 at 35; S:3 at 19" in told
    assert "│ > X:3 zu 40" in told
    assert re.search(r"│ --\n  │ Lästige Signaturen", told)
    assert "Dora hands in a form." in told
    assert told.count("That was the last player: the turn is resolved and its result is posted.") == 2
    assert "Commodity market (demo): turn 1\n====" in told
    assert "X-Fine: 12 ordered, 40 → 42." in told
    assert "Commodity market (demo): turn 2\n====" in told
    assert "A: 3 offered, 140 → 145." in told
    assert "Turn 3 is open" in told


def test_posts_come_before_results_and_links_come_last(judge: CommandLine) -> None:
    told = judge("demo", "--ruleset", "commodity-market").out
    marks = [
        "Anna posts:",
        "That was the last player",
        "(demo): turn 1",
        "(demo): turn 2",
        "Play on as Dora",
        "Be its host",
    ]
    places = [told.rindex(mark) for mark in marks]
    assert places == sorted(places)


def test_afterwards_the_visitor_has_a_seat_and_bots_the_others(judge: CommandLine) -> None:
    judge("demo", "--ruleset", "commodity-market")
    game = json.loads(judge("games", "--json").out)[0]
    assert (game["turn"], game["waiting"], game["players"]) == (3, ["Dora"], ["Anna", "Ben", "Cem", "Dora"])


def test_every_game_that_has_a_demo_is_played_and_waits_for_its_visitor(judge: CommandLine) -> None:
    ran = judge("demo")
    assert (ran.code, ran.err) == (0, "")
    shown = {name: script for name, ruleset in rulesets().items() if (script := script_of(ruleset))}
    games = json.loads(judge("games", "--json").out)
    assert {game["ruleset"] for game in games} == set(shown)
    assert ran.out.count("Be its host:") == len(shown) > 1
    for game in games:
        assert game["waiting"] == [shown[game["ruleset"]].visitor]
        assert game["turn"] > 1


def test_every_run_opens_a_fresh_game_with_links_of_its_own(judge: CommandLine) -> None:
    only = ("demo", "--ruleset", "commodity-market")
    links = [re.findall(r"http://\S+/seat/\S+", judge(*only).out) for _ in range(2)]
    assert len({link for pair in links for link in pair}) == 4
    assert len(json.loads(judge("games", "--json").out)) == 2


def test_the_demo_is_told_in_german_where_the_terminal_is(judge: CommandLine) -> None:
    ran = judge.process("demo", "--ruleset", "commodity-market", language="de_DE.UTF-8")
    assert ran.code == 0, ran.err
    assert "höchstens 9" in ran.out
    assert "X-Fine: 12 bestellt, 40 → 42." in ran.out
    assert "\nRohstoffmarkt (Beispiel): Runde 2\n====" in ran.out
    assert not re.search(r"\b(the|and|of|Turn|posts)\b", ran.out)


def test_with_serve_the_printed_links_open(judge: CommandLine) -> None:
    port = free_port()
    with judge.running("demo", "--ruleset", "commodity-market", "--serve", "--port", str(port)) as started:
        told = read_until(started, "The judge serves at")
        links = re.findall(rf"http://127\.0\.0\.1:{port}/(?:seat|games)/\S+", told)
        assert len(links) == 3
        for link in links:
            assert answer(link)[0] == 200
        _, log = stopped(started, signal.SIGTERM)
        assert started.returncode == 0
    for link in links:
        if "/seat/" in link:
            assert link.rsplit("/", 1)[1] not in log


def test_where_chance_deals_players_post_what_a_bot_would_order(judge: CommandLine) -> None:
    """Companies on the table are another's each time; the posts name those that are there, and count."""
    told = judge("demo", "--ruleset", "money-maker").out
    assert "{orders}" not in told
    opened = re.findall(r"  │ open ([\w ]+?) max \d+", told)
    assert opened
    assert f"counted as open {opened[0]}" in told
    assert f"Cem opens {opened[0]} at" in told


def test_a_game_that_has_no_demo_is_told(judge: CommandLine) -> None:
    ran = judge("demo", "--ruleset", "chess")
    assert (ran.code, ran.out) == (2, "")
    assert "There is no game “chess”" in ran.err


@pytest.mark.parametrize("name", [name for name, ruleset in rulesets().items() if script_of(ruleset)])
def test_a_demo_is_written_for_its_players(name: str) -> None:
    """Only players post, one of them is the visitor, and somebody uses a form, a quote and a signature."""
    script = script_of(rulesets()[name])
    assert script is not None
    moves = [*script.before, *script.moves]
    assert script.visitor in script.players
    assert {move.player for move in moves} == set(script.players)
    assert any(move.orders for move in moves)
    assert any("\n> " in f"\n{move.post}" for move in moves)
    assert any("\n-- \n" in move.post for move in moves)
