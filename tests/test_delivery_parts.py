"""Letters that are too long for one post stand in several, in order, each once (T303)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import Session

from judge.core.report import Block, Chart, Heading, Line, Report, Series, Table
from judge.core.text import Money, Player, Text
from judge.forum import Caps
from judge.language import Voice
from judge.service.letters import size
from judge.service.parts import TooLongError, in_parts
from judge.store import queries
from judge.store.tables import LetterRow
from tests.paper_forum import Fate, Killed, PaperTable, at_paper

VOICE = Voice("en", names={"1": "Anna", "2": "日本 [b] | @everyone"})
FOOTER = "gamejudge g7kq2abc/1.1/result/thread#999/999"


def line(words: str, item: bool = False) -> Line:
    return Line(text=Text.of("{words}", words=words), item=item)


def sections(count: int, length: int = 300) -> Report:
    blocks: list[Block] = [line("Opening.")]
    for number in range(count):
        blocks += [Heading(text=Text.of("Section {n}", n=number)), line(f"<{number}>" + "x" * length)]
    return Report(title=Text.of("Long"), blocks=tuple(blocks))


def parted(report: Report, limit: int) -> list[Report]:
    return in_parts(report, VOICE, lambda part: size(part, VOICE, FOOTER), limit)


def words(reports: list[Report]) -> list[str]:
    """What is said, without titles, heads of tables and what lays it out."""
    said: list[str] = []
    for block in (block for report in reports for block in report.blocks):
        match block:
            case Heading(text=text) | Line(text=text):
                said += VOICE.say(text).split()
            case Table(rows=rows):
                said += [word for row in rows for cell in row for word in VOICE.say(cell).split()]
            case Chart():
                said += f"{VOICE.say(block.title)}: {VOICE.say(block.alt)}".split()
    return said


def test_a_short_letter_is_one_post_without_a_number() -> None:
    report = sections(2)
    assert parted(report, 10_000) == [report]


def test_a_long_letter_is_cut_at_its_sections_and_numbered() -> None:
    report = sections(12)
    parts = parted(report, 1000)
    assert [VOICE.say(part.title) for part in parts] == [f"Long ({n}/{len(parts)})" for n in range(1, len(parts) + 1)]
    assert [block for part in parts for block in part.blocks] == list(report.blocks)
    assert all(isinstance(part.blocks[0], Heading) for part in parts[1:])
    assert all(size(part, VOICE, FOOTER) <= 1000 for part in parts)


def test_a_long_section_is_cut_before_its_tables_then_between_lines() -> None:
    prices = Table(title=Text.of("Prices"), head=("Month", "X"), rows=(("January", 40), ("February", 37)))
    blocks = (Heading(text=Text.of("One")), line("a" * 560), prices, line("b" * 300), line("c" * 250), line("d" * 250))
    first, *rest = parted(Report(title=Text.of("Long"), blocks=blocks), 700)
    assert first.blocks == blocks[:2]
    assert [part.blocks for part in rest] == [blocks[2:4], blocks[4:]]


def test_a_long_table_is_cut_between_rows_and_keeps_its_head() -> None:
    rows = tuple((f"Player {number}", Money(number), number * 7) for number in range(200))
    table = Table(title=Text.of("Cash"), head=(None, Text.of("Cash"), Text.of("Units")), rows=rows, board=True)
    heading = Heading(text=Text.of("Standings"))
    parts = parted(Report(title=Text.of("Long"), blocks=(line("Before."), heading, table)), 3000)
    tables = [block for part in parts for block in part.blocks if isinstance(block, Table)]
    assert len(tables) == len(parts) > 2
    assert all((one.title, one.head, one.board) == (table.title, table.head, True) for one in tables)
    assert tuple(row for one in tables for row in one.rows) == rows
    assert [heading in part.blocks for part in parts] == [True] + [False] * (len(parts) - 1)


def test_a_heading_is_never_left_alone_at_the_end_of_a_post() -> None:
    rows = tuple((f"Player {number}", "x" * 60) for number in range(40))
    blocks = (line("a" * 500), Heading(text=Text.of("Cash")), Table(title=Text.of("Cash"), head=("P", "C"), rows=rows))
    parts = parted(Report(title=Text.of("Long"), blocks=blocks), 900)
    assert all(not isinstance(part.blocks[-1], Heading) for part in parts)


def test_only_a_line_that_fits_nowhere_is_cut_and_at_a_blank() -> None:
    long = " ".join(f"word{number}" for number in range(400))
    parts = parted(Report(title=Text.of("Long"), blocks=(line("Short."), line(long, item=True))), 1000)
    assert words(parts) == ["Short.", *long.split()]
    assert all(block.item for part in parts for block in part.blocks[-1:] if isinstance(block, Line))
    whole = "x" * 5000
    assert "".join(words(parted(Report(title=Text.of("Long"), blocks=(line(whole),)), 1000))) == whole


def test_a_row_that_fits_into_no_post_becomes_lines() -> None:
    table = Table(title=Text.of("Said"), head=("Who", "What"), rows=(("Anna", "so " * 500), ("Ben", "yes")))
    parts = parted(Report(title=Text.of("Long"), blocks=(table,)), 1000)
    assert words(parts) == ["Anna", "·", *["so"] * 500, "Ben", "yes"]


def test_no_post_is_too_short_for_its_title_unnoticed() -> None:
    with pytest.raises(TooLongError):
        parted(sections(2), 60)


CELLS = st.one_of(
    st.none(), st.integers(0, 9999), st.text("ab [|*<é", max_size=30), st.builds(Player, st.sampled_from("12"))
)
TEXTS = st.text("abc def|[*_\n:)@", max_size=400).map(lambda words: Text.of("{words}", words=words))
BLOCKS = st.one_of(
    st.builds(Heading, text=TEXTS),
    st.builds(Line, text=TEXTS, item=st.booleans()),
    st.builds(
        Table, title=st.just(Text.of("T")), head=st.just(("A", "B")), rows=st.lists(st.tuples(CELLS, CELLS)).map(tuple)
    ),
    st.just(Chart(title=Text.of("C"), across=(1, 2), series=(Series(name="X", values=(1, 2)),), alt=Text.of("Up."))),
)


@given(st.lists(BLOCKS, max_size=12), st.integers(600, 2000))
def test_nothing_is_lost_and_every_post_is_short_enough(blocks: list[Block], limit: int) -> None:
    report = Report(title=Text.of("Long"), blocks=tuple(blocks))
    parts = parted(report, limit)
    assert all(size(part, VOICE, FOOTER) <= limit for part in parts)
    assert "".join(words(parts)).replace("·", "") == "".join(words([report])).replace("·", "")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PaperTable]:
    table = at_paper(tmp_path, Caps(dm=True, max_length=1000))
    table.write("opening")
    table.deliver()
    table.paper.written.clear()
    yield table
    table.judge.close()


def parts_there(table: PaperTable, to: str | None = None) -> list[str]:
    return [key.rpartition("#")[2] for key in table.paper.keys(to)]


def test_all_parts_are_posted_in_their_order_with_keys_of_their_own(table: PaperTable) -> None:
    table.write_report("result", sections(6))
    table.write("notice-1")
    assert table.deliver() == 2
    assert table.paper.keys() == [f"-/result/thread#{part}/3" for part in (1, 2, 3)] + ["-/notice-1/thread"]
    letter = table.letter("result")
    assert (letter.status, letter.post_ids) == ("sent", ["101", "102", "103"])
    for number, post in enumerate(table.paper.written[:3], 1):
        assert post.text.title == f"Long ({number}/3)"
        assert post.text.bbcode.startswith(f"[b]Long ({number}/3)[/b]\n")
        assert post.text.bbcode.endswith(f"gamejudge {post.key}\n")
        assert max(len(post.text.bbcode), len(post.text.markdown)) <= 1000


def test_an_opening_in_parts_begins_the_topic_under_its_plain_title(tmp_path: Path) -> None:
    table = at_paper(tmp_path, Caps(max_length=1000))
    table.write_report("opening", sections(6))
    assert table.deliver() == 1
    assert [post.topic for post in table.paper.written] == ["Long", "7", "7"]
    assert parts_there(table) == ["1/3", "2/3", "3/3"]
    table.judge.close()


@pytest.mark.parametrize(
    "fates", [["killed before"], ["taken", "killed after"], ["taken", "lost"], ["taken", "taken", "never arrived"]]
)
def test_parts_go_on_where_the_judge_died(table: PaperTable, fates: list[Fate]) -> None:
    """What follows the letter waits for its last part; a player who is renamed meanwhile moves no border."""
    table.write_report("result", sections(6))
    table.write("notice-1")
    table.paper.next.extend(fates)
    with suppress(Killed):
        table.deliver()
    table.clock.forward(seconds=60)
    assert table.deliver() == 2
    assert parts_there(table) == ["1/3", "2/3", "3/3", "-/notice-1/thread"]
    assert len(table.letter("result").post_ids) == 3


def test_parts_stay_as_they_were_cut_at_first(table: PaperTable) -> None:
    blocks = [line("x" * 400), *[Line(text=Text.of("{who} buys.", who=Player("1"))) for _ in range(40)]]
    table.write_report("result", Report(title=Text.of("Long"), blocks=tuple(blocks)))
    table.paper.next.extend(["taken", "never arrived"])
    table.deliver()
    total = table.letter("result").parts
    assert total is not None
    table.judge.store.write(lambda session: _rename(session, table.game_id, "A" * 39))
    table.clock.forward(seconds=60)
    table.deliver()
    assert parts_there(table) == [f"{part}/{len(total)}" for part in range(1, len(total) + 1)]
    told = " ".join(post.text.text for post in table.paper.written)
    assert len(re.findall("buys", told)) == 40


def test_a_part_that_is_held_keeps_back_the_next(table: PaperTable) -> None:
    """T305: all or nothing does not mean twice."""
    table.write_report("result", sections(6))
    table.paper.next.extend(["taken", "held"])
    assert table.deliver() == 0
    assert table.letter("result").status == "held"
    assert parts_there(table) == ["1/3"]
    table.paper.let_through()
    table.clock.forward(hours=2)
    assert table.deliver() == 1
    assert parts_there(table) == ["1/3", "2/3", "3/3"]


def test_parts_of_a_letter_to_a_seat_are_sealed(table: PaperTable) -> None:
    table.write_report("told", sections(6), to="1")
    table.paper.next.extend(["taken", "never arrived"])
    table.deliver()
    letter: LetterRow = table.letter("told", "1")
    assert letter.parts is None
    assert letter.sealed_parts is not None
    assert b"Section" not in letter.sealed_parts
    table.clock.forward(seconds=60)
    assert table.deliver() == 1
    assert parts_there(table, "author Anna") == ["1/3", "2/3", "3/3"]
    assert table.letter("told", "1").post_ids == ["101", "102", "103"]


def test_a_forum_with_too_little_room_is_named_as_the_reason(tmp_path: Path) -> None:
    table = at_paper(tmp_path, Caps(max_length=60))
    table.write("opening")
    assert table.deliver() == 0
    letter = table.letter("opening")
    assert letter.error == "A post there may have 60 characters: too few for this letter."
    assert table.said()[-1] == "The forum does not take “opening”."
    table.judge.close()


def _rename(session: Session, game_id: str, name: str) -> None:
    for row in queries.seats(session, game_id):
        row.name = name
        session.add(row)
