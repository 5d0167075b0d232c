"""Opening games, listing them and making links at the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.at_the_command_line import CommandLine

FOUR = "Anna,Ben,Cem,Dora"


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def opened(judge: CommandLine, *arguments: str) -> dict[str, object]:
    ran = judge("new-game", "--ruleset", "commodity-market", "--json", *arguments)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def listed(judge: CommandLine) -> list[dict[str, object]]:
    return json.loads(judge("games", "--json").out)


def test_a_new_game_prints_its_address_and_each_personal_link_once(judge: CommandLine) -> None:
    ran = judge("new-game", "--ruleset", "commodity-market", "--seats", "Anna,Ben,bot,free")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("The game is open: http://127.0.0.1:8000/games/")
    links = dict(line.split() for line in lines[2:])
    assert list(links) == ["Host", "Anna", "Ben"]
    assert all(link.startswith("http://127.0.0.1:8000/seat/") for link in links.values())
    assert len(set(links.values())) == 3


def test_links_carry_the_public_address(judge: CommandLine) -> None:
    judge.config('[web]\naddress = "https://judge.example.org/"')
    game = opened(judge, "--seats", FOUR)
    assert game["address"] == f"https://judge.example.org/games/{game['game']}"
    assert game["host"].startswith("https://judge.example.org/seat/")
    assert list(game["seats"]) == ["Anna", "Ben", "Cem", "Dora"]


def test_everything_a_host_decides_is_kept(judge: CommandLine) -> None:
    game = opened(
        judge,
        *("--seats", "Anna,Ben", "--ruleset", "commodity-market", "--title", "Our  market"),
        *("--option", "months=6", "--option", "loans=true", "--option", "name_X=Iron"),
        *("--deadline", "20:00", "--zone", "Europe/Berlin", "--language", "de", "--forum", "by-hand", "--start"),
    )
    assert listed(judge) == [
        {
            "game": game["game"],
            "title": "Our market",
            "ruleset": "commodity-market",
            "players": ["Anna", "Ben"],
            "status": "running",
            "turn": 1,
            "waiting": ["Anna", "Ben"],
            "deadline": listed(judge)[0]["deadline"],
            "zone": "Europe/Berlin",
            "address": game["address"],
        }
    ]
    assert listed(judge)[0]["deadline"]


def test_a_game_of_bots_that_starts_at_once_is_played_to_its_end(judge: CommandLine) -> None:
    opened(judge, "--seats", "bot,bot", "--option", "months=1", "--start")
    assert [game["status"] for game in listed(judge)] == ["over"]


def test_games_are_listed_with_what_they_wait_for(judge: CommandLine) -> None:
    opened(judge, "--seats", "Anna,bot", "--start", "--deadline", "24h", "--title", "One [b]market[/b]")
    opened(judge, "--seats", "Anna,free", "--title", "Another")
    another, one = judge("games").out.splitlines()[3:5]
    assert another.split() == [another.split()[0], "Another", "Anna,", "(free)", "seats", "are", "free"]
    assert re.search(r"One \[b\]market\[/b\] +Anna, Bot 2 +running, turn 1 +Anna ", one)
    assert one.rstrip().endswith("(UTC)")


def test_no_game_is_told_with_how_to_open_one(judge: CommandLine) -> None:
    assert judge("games").out == "There is no game yet. `judge new-game --help` tells how to open one.\n"
    assert listed(judge) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--option", "months"], "--option: write NAME=VALUE, for example months=6; “months” was read."),
        (["--option", "months=6", "--option", "months=7"], "--option: “months” is given twice."),
        (["--option", "months=99"], "options.months: Months: 99 was read, at most 24 is allowed."),
        (["--option", "months=soon"], "options.months: Months: a whole number is needed, “soon” was read."),
        (["--option", "weeks=3"], "options.weeks: “weeks” is not known here."),
        (["--ruleset", "comodity-market"], "comodity-market"),
        (["--forum", "elsewhere"], "There is no forum “elsewhere”; possible: board, by-hand."),
        (["--zone", "Berlin"], "zone: There is no time zone “Berlin”; right would be, for example: Europe/Berlin."),
        (["--title", "x" * 81], "title: title: at most 80 characters are allowed."),
    ],
)
def test_a_game_that_cannot_be_opened_says_why_and_opens_none(
    judge: CommandLine, arguments: list[str], told: str
) -> None:
    ran = judge("new-game", "--ruleset", "commodity-market", "--seats", FOUR, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert listed(judge) == []


def test_every_problem_of_a_plan_is_told(judge: CommandLine) -> None:
    ran = judge(
        "new-game", "--ruleset", "commodity-market", "--seats", "Anna,anna,B>n,Cem,Dora,bot,bot", "--zone", "Mars"
    )
    assert ran.code == 2
    assert [line.split(":")[0] for line in ran.err.splitlines()] == ["seats", "seats.2", "seats.3", "zone"]


def test_a_game_that_cannot_start_is_refused_and_not_opened(judge: CommandLine) -> None:
    ran = judge("new-game", "--ruleset", "commodity-market", "--seats", "Anna,free,free", "--start")
    assert ran.code == 1
    assert ran.err == "This game needs 2 to 6 players; 1 are there.\n"
    assert listed(judge) == []


def test_a_new_link_is_for_a_player_by_name_or_seat_or_for_the_host(judge: CommandLine) -> None:
    game = opened(judge, "--seats", FOUR)["game"]
    links = [
        judge("link", game, "anna").out,
        judge("link", game, "1").out,
        judge("link", game, "--host").out,
        json.loads(judge("link", game, "Ben", "--json").out)["link"] + "\n",
    ]
    assert all(link.startswith("http://127.0.0.1:8000/seat/") for link in links)
    assert len(set(links)) == 4


def test_unknown_games_and_seats_are_told(judge: CommandLine) -> None:
    game = opened(judge, "--seats", "Anna,free")["game"]
    for arguments, told in [
        (["nowhere", "Anna"], "There is no game “nowhere” here."),
        (["nowhere", "--host"], "There is no game “nowhere” here."),
        ([game, "Ben"], "This game has no seat “Ben”; its seats: 1 Anna, 2."),
        ([game, "2"], "Nobody sits there yet"),
    ]:
        ran = judge("link", *arguments)
        assert (ran.code, ran.out) == (1, "")
        assert told in ran.err


def test_refusals_and_problems_are_told_in_german(judge: CommandLine) -> None:
    ran = judge.process("link", "nirgends", "--host", language="de_DE.UTF-8")
    assert ran.err.startswith("Ein Spiel „nirgends“ gibt es hier nicht.")
    ran = judge.process(
        "new-game", "--ruleset", "commodity-market", "--seats", FOUR, "--option", "months=99", language="de_DE.UTF-8"
    )
    assert ran.err == "options.months: Monate: Gelesen wurde 99, erlaubt sind höchstens 24.\n"
