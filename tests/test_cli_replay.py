"""`judge replay`: a game without config, database, key or network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.at_the_command_line import CommandLine

PLAYTHROUGHS = sorted((Path(__file__).parent / "playthroughs" / "commodity-market").glob("*.txt"))

SHORT = """\
Two players, one month.

game      commodity-market
seats     Anna, Ben
options   months=1

== 1
Anna> X:3 at 42
(Ben: no orders)
"""


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def test_a_playthrough_is_printed_with_the_judges_lines(judge: CommandLine) -> None:
    story = PLAYTHROUGHS[0]
    ran = judge("replay", str(story))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == story.read_text(encoding="utf-8")


def test_json_is_one_object_and_nothing_else(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text(SHORT, encoding="utf-8")
    ran = judge("replay", "--json", "short.txt")
    assert ran.code == 0
    told = json.loads(ran.out)
    assert list(told) == ["game", "seats", "turns", "over", "standings"]
    assert told["turns"][0]["state"]["players"]["Anna"] == {
        "cash": 900 - 3 * 42,
        "stock": {"X": 3, "F": 0, "S": 0},
        "debt": 0,
    }


def test_a_dash_reads_from_stdin(judge: CommandLine) -> None:
    ran = judge("replay", "-", stdin=SHORT)
    assert ran.code == 0
    assert ran.out.startswith("Two players, one month.\n")


def test_neither_config_nor_database_nor_key_is_touched(judge: CommandLine, tmp_path: Path) -> None:
    judge.config("this is = no config")
    ran = judge.process("replay", str(PLAYTHROUGHS[0]))
    assert ran.code == 0
    assert [file.name for file in tmp_path.iterdir()] == ["config.toml"]


def test_a_playthrough_is_written_in_utf_8_whatever_the_terminal_speaks(judge: CommandLine) -> None:
    story = next(story for story in PLAYTHROUGHS if not story.read_text(encoding="utf-8").isascii())
    ran = judge.process("replay", str(story), language="de_DE.ISO-8859-1", encoding="utf-8")
    assert ran.out == story.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "story.txt, line 1: This is no playthrough"),
        (SHORT.replace("Ben: no", "Cem: no").encode(), "story.txt, line 9: Nobody here is called “Cem”"),
        (SHORT.replace("months=1", "months=0").encode(), "story.txt, line 5: "),
        (SHORT.replace("commodity-market", "chess").encode(), "story.txt, line 3: There is no game “chess”"),
        (b"\xff", "story.txt, line 1: this is no UTF-8 text."),
        (SHORT.encode() + b"Ben\xfc> pass\n", "story.txt, line 10: this is no UTF-8 text."),
    ],
)
def test_what_is_no_playthrough_ends_with_2_and_the_line(
    judge: CommandLine, tmp_path: Path, content: bytes, told: str
) -> None:
    (tmp_path / "story.txt").write_bytes(content)
    for option in ([], ["--json"]):
        ran = judge("replay", "story.txt", *option)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(told)


def test_a_file_that_cannot_be_read_is_told(judge: CommandLine) -> None:
    ran = judge("replay", "nowhere.txt")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "nowhere.txt cannot be read: No such file or directory.\n"


def test_posts_that_are_refused_do_not_make_a_playthrough_fail(judge: CommandLine) -> None:
    ran = judge("replay", "-", stdin=SHORT.replace("X:3", "X:19") + "Anna> pass\n")
    assert ran.code == 0
    assert "\n  ! " in ran.out
