"""What a playthrough may say, and what is answered to a file that is none."""

from __future__ import annotations

from pathlib import Path

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from judge.language import Voice
from judge.playthrough import PlaythroughError, replay, replay_json
from tests.toy_ruleset import ruleset

RULESETS = {ruleset.name: ruleset}
HEAD = "Two bidders.\n\ngame lots\nseats Anna, Ben\n"
FILES = sorted((Path(__file__).parent / "playthroughs" / "lots").glob("*.txt"))


def game(*turns: str, head: str = HEAD) -> str:
    return head + "\n" + "\n".join(turns) + "\n"


def played(*turns: str, head: str = HEAD) -> str:
    return replay(game(*turns, head=head), RULESETS)


def refused(script: str) -> PlaythroughError:
    with pytest.raises(PlaythroughError) as found:
        replay(script, RULESETS)
    return found.value


def answer(script: str) -> str | None:
    """The replay, or None for a file that is refused with one of its lines and a whole sentence."""
    try:
        return replay(script, RULESETS)
    except PlaythroughError as error:
        refusal = error
    assert 1 <= refusal.line <= script.count("\n") + 1
    assert str(refusal).endswith((".", "?", ")"))
    return None


def test_judges_lines_are_ignored_and_written_anew() -> None:
    stale = game(
        "== 1", "Anna> bid 3", "  ! nonsense", "Ben> pass", "all: nonsense", "Anna: nonsense", "look", "  | nonsense"
    )
    fresh = game("== 1", "Anna> bid 3", "Ben> pass", "look")
    assert replay(stale, RULESETS) == replay(fresh, RULESETS)
    assert "nonsense" not in replay(stale, RULESETS)


def test_spacing_and_wording_of_the_author_stay() -> None:
    script = game("", "  == 1", "   Anna>   bid  3 ", "", "      > please!", "\tBen>pass", "", "", "   look   Anna", "")
    lines = replay(script, RULESETS).split("\n")
    assert [line for line in lines if line.strip()[:1] not in ("|", "") and line[2:6] not in ("all:", "Anna")] == [
        line for line in script.split("\n") if line.strip()
    ]
    assert replay("\n".join(lines), RULESETS) == "\n".join(lines)


def test_indented_file_gets_indented_lines() -> None:
    plain = played("== 1", "Anna> bid 30", "Anna> bid 3", "Ben> pass", "look")
    indented = "\n".join(
        f"    {line}" if line else ""
        for line in game("== 1", "Anna> bid 30", "Anna> bid 3", "Ben> pass", "look").split("\n")
    )
    assert (
        replay(indented, RULESETS).rstrip()
        == "\n".join(f"    {line}" if line else "" for line in plain.split("\n")).rstrip()
    )


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    script = game("== 1", "Anna> bid 3", "Ben> pass")
    assert replay("\ufeff" + script.replace("\n", "\r\n"), RULESETS) == replay(script, RULESETS)


def test_spacing_and_emptiness_that_mean_nothing_are_read_over() -> None:
    plain = replay_json(game(*FIRST, head=HEAD + "options rounds=2, free_cards=true\n"), RULESETS)
    for head in (
        "game\tlots\n\nseats\tAnna,Ben\noptions free_cards = True ,, rounds=2,\n",
        "options  rounds=2,free_cards=TRUE\nseats Anna ,  Ben\ngame   lots\n\n\n",
    ):
        script = game(*FIRST, head=head)
        assert replay_json(script, RULESETS) == plain
        assert replay_json(script.removesuffix("\n").replace("\n", "\r"), RULESETS) == plain
    assert replay(game(*FIRST, head=HEAD + "options\n"), RULESETS).count("options\n") == 1
    assert "Nobody wants" in played("== 1", "  ( Anna : No  orders. )", "Ben> pass")


def test_head_may_come_without_a_story_and_in_any_order() -> None:
    assert "Anna wins" in played("== 1", "Anna> bid 3", "Ben> pass", head="seats Anna, Ben\ngame lots\n")
    story = "In this\ngame nothing happens.\n\nMost\nseats are taken, game over.\n\n"
    assert played(head=story + "game lots\nseats Anna, Ben\n").startswith(story)


def test_events_go_where_the_author_left_room_for_them() -> None:
    script = game("== 1", "Anna> bid 3", "Ben> pass", "", "all: here", "", "look")
    lines = replay(script, RULESETS).split("\n")
    at = lines.index("all: Anna wins the lot for $3.")
    assert lines[at - 1] == ""
    assert replay("\n".join(lines), RULESETS) == "\n".join(lines)


def test_later_valid_post_replaces_and_a_refused_one_changes_nothing() -> None:
    """T013, T267: the earlier valid set stands, and the reason is told."""
    text = played("== 1", "Anna> bid 3", "Anna> bid 4", "Anna> bid 11", "Ben> pass")
    assert "Anna> bid 11\n  ! You bid $11 and have $10.\n" in text
    assert "all: Anna wins the lot for $4." in text


def test_warnings_are_not_printed() -> None:
    text = played("== 1", "Anna> bid 10", "Ben> pass")
    assert "!" not in text
    assert replay_json(text, RULESETS)["turns"][0]["problems"] == {}


def test_chat_alone_is_no_post() -> None:
    assert "Anna" in str(refused(game("== 1", "Anna> good luck", "Ben> bid 3")))


def test_withdrawn_set_has_to_be_made_up_for() -> None:
    assert refused(game("== 1", "Anna> bid 3", "Anna> withdraw", "Ben> pass")).line == 6
    assert "Nobody wants" in played("== 1", "Anna> bid 3", "Anna> withdraw", "(Anna: no orders)", "Ben> pass")


def test_of_a_post_and_a_missed_deadline_the_later_counts() -> None:
    assert "Nobody wants" in played("== 1", "Anna> bid 3", "(Anna: no orders)", "Ben> pass")
    assert "Anna wins" in played("== 1", "(Anna: no orders)", "Anna> bid 3", "Ben> pass")


def test_somebody_who_is_not_asked_is_told_so_and_may_chat() -> None:
    text = played(
        "== 1", "Anna> bid 3", "Ben> pass", "", "== 2", "Ben> well done!", "Ben> paint red", "Anna> paint blue"
    )
    assert "Ben> well done!\nBen> paint red\n  ! You are not asked for orders in this turn.\nAnna>" in text


def test_forced_seat_may_say_what_is_forced_and_nothing_else() -> None:
    head = HEAD + 'given {"purses": {"Ben": 0}}\n'
    assert "!" not in played("== 1", "Anna> bid 3", "Ben> pass", head=head)
    assert "Ben> bid 1\n  ! Only one set of orders is possible" in played(
        "== 1", "Anna> bid 3", "Ben> bid 1", head=head
    )


def test_pass_overrules_a_standing_bid_for_one_turn() -> None:
    head = HEAD + "options only_red=true, rounds=2\n"
    text = played("== 1", "Anna> always 2", "Ben> pass", "", "== 3", "Anna> pass", "Ben> bid 1", head=head)
    assert "Ben wins the lot for $1." in text


def test_playthrough_speaks_its_language() -> None:
    text = played(
        "== 1", "Anna> biete 3", "Ben> male rot", "Ben> biete 1.000", "Ben> passe", head=HEAD + "language de\n"
    )
    assert text.count("  ! ") >= 1
    assert "Anna ersteigert lot für 3 $." in text


def test_chance_is_the_same_each_time_and_the_secret_changes_it() -> None:
    ties = ("== 1", "Anna> bid 3", "Ben> bid 3")
    assert played(*ties) == played(*ties)
    secrets = {played(*ties, head=HEAD + f"secret {number:02x}\n").partition("== 1")[2] for number in range(8)}
    assert len(secrets) > 1


def test_json_tells_public_events_and_problems_by_name() -> None:
    script = game("== 1", "Anna> bid 11", "Anna> bid 3", "Ben> pass", "", "== 2", "Anna> paint blue")
    data = replay_json(script, RULESETS)
    assert set(data) == {"game", "seats", "turns", "over", "standings"}
    first, second = data["turns"]
    assert first["number"] == 1
    assert first["problems"] == {"Anna": ["You bid $11 and have $10."]}
    assert first["events"] == [{"event": "LotWon", "seat": "Anna", "name": "lot", "price": 3}]
    assert first["state"]["purses"] == {"Anna": 7, "Ben": 10}
    assert second["events"] == [{"event": "Painted", "seat": "Anna", "colour": "blue"}]
    assert (data["over"], data["standings"]) == (False, [])


def test_standings_fall_by_points_with_ties_in_seat_order() -> None:
    given = 'given {"deck": [], "points": {"Anna": 1, "Cem": 5, "Ben": 1}}'
    head = f"game lots\nseats Anna, Ben, Cem\noptions rounds=1\n{given}\n"
    data = replay_json(game("== 1", "Anna> pass", "Ben> pass", "Cem> pass", head=head), RULESETS)
    assert data["over"] is True
    assert data["standings"] == [["Cem", 5], ["Anna", 1], ["Ben", 1]]


def test_scripted_set_up_is_turn_zero() -> None:
    data = replay_json(game("== 0", "pile cards: 9", "look"), RULESETS)
    assert [turn["number"] for turn in data["turns"]] == [0]


FIRST = ("== 1", "Anna> bid 3", "Ben> pass")


@pytest.mark.parametrize(
    ("script", "line", "words"),
    [
        ("", 1, "no playthrough"),
        ("Once upon a time\n\n== 1\nAnna> X", 1, "no playthrough"),
        ("game lots\n", 1, "seats"),
        ("game chess\nseats Anna, Ben", 1, "no game “chess”"),
        ("game lost\nseats Anna, Ben", 1, "Did you mean “lots”"),
        (game(head=HEAD + "zone Berlin\n"), 5, "no key of the head"),
        (game(head=HEAD + "game lots\n"), 5, "twice"),
        (game(head=HEAD + "language\n"), 5, "no value"),
        (game(head=HEAD + "language fr\n"), 5, "en, de"),
        (game(head=HEAD + "numbers fr\n"), 5, "neutral"),
        (game(head=HEAD + "secret xyz\n"), 5, "hexadecimal"),
        (game(head=HEAD + "options rounds\n"), 5, "key=value"),
        (game(head=HEAD + "options rounds=1, rounds=2\n"), 5, "twice"),
        (game(head=HEAD + "options rounds=many\n"), 5, "whole number"),
        (game(head=HEAD + "options rounds=0\n"), 5, "at least 1"),
        (game(head=HEAD + "options free_cards=yes\n"), 5, "true or false"),
        (game(head=HEAD + "options colour=red\n"), 5, "not known"),
        (game(head=HEAD + "given [1]\n"), 5, "JSON object"),
        (game(head=HEAD + "given {oops\n"), 5, "JSON object"),
        (game(head=HEAD + 'given {"x": 1}\n'), 5, "not known"),
        (game(head=HEAD + 'given {"round": "two"}\n'), 5, "whole number"),
        (game(head=HEAD + 'given {"purses": {"Cem": 2}}\n'), 5, "Nobody here is called “Cem”"),
        ("game lots\nseats Anna", 2, "2 to 4 players; 1"),
        ("game lots\nseats Anna, Anna", 2, "Two players"),
        ("game lots\nseats Anna, all", 2, "cannot be a player's name"),
        ("game lots\nseats Anna, B(e)n", 2, "cannot be a player's name"),
        ("game lots\nseats Anna,, Ben", 2, "cannot be a player's name"),
        (game("== 1", "Anna> bid 3"), 6, "still waits for Ben"),
        (game("== 2", "Anna> bid 3"), 6, "Turn 1 must come before"),
        (game(*FIRST, "== 1"), 9, "Turn 2 was expected"),
        (game("== one"), 6, "A turn is opened by"),
        (game("== 1", "Ann> bid 3"), 7, "Nobody here is called “Ann”"),
        (game("== 1", "(Ann: no orders)"), 7, "Nobody here is called “Ann”"),
        (game("== 1", "look Ann"), 7, "Nobody here is called “Ann”"),
        (game("== 1", "> bid 3"), 7, "continues a post"),
        (game("== 1", "bid 3"), 7, "nothing that may stand"),
        (game("== 1", "Ann: hello"), 7, "nothing that may stand"),
        (game("== 1", "dice six"), 7, "whole numbers"),
        (game("== 1", "pile cards: 1,,2"), 7, "first card"),
        (game(*FIRST, "dice 6"), 9, "does not use"),
        (game("== 1", "dice 7 1", "Anna> bid 3", "Ben> bid 3"), 7, "cannot show 7"),
        (game("== 0", "pile cards: 3, 3"), 7, "no (further) “3”"),
        (game("== 0", "pile cards: 3", "pile cards: 4"), 8, "twice"),
        (game("== 0", "Anna> bid 3"), 7, "Under “== 0”"),
        (game(*FIRST, "look", "Anna> bid 4"), 10, "first “look”"),
        (game("== 1", "judge> stop"), 7, "last round"),
        (game(*FIRST, "judge> last round", "== 2", "Anna> paint red", "== 3"), 12, "The game is over after turn 2"),
    ],
)
def test_what_is_no_playthrough_is_answered_with_its_line(script: str, line: int, words: str) -> None:
    error = refused(script)
    assert words in str(error)
    assert error.line == line


def test_error_speaks_german_too() -> None:
    assert "Anna" in Voice("de").say(refused(game("== 1", "Ben> pass")).text)


STRANGE = (
    "look",
    "== 3",
    "dice 1",
    "> X",
    "Anna> passe",
    "(Ben: no orders)",
    "judge> last round",
    "given {}",
    "game x",
)
LINES = st.sampled_from(sorted({*STRANGE, *(line for file in FILES for line in file.read_text("utf-8").split("\n"))}))
EDITS = st.lists(
    st.tuples(st.sampled_from(["drop", "add", "swap", "type"]), st.integers(0, 99), LINES, st.text(max_size=5)),
    max_size=6,
)


@settings(max_examples=300, deadline=None)
@hypothesis.given(file=st.sampled_from(FILES), edits=EDITS)
def test_garbage_is_played_or_refused_but_never_breaks(file: Path, edits: list[tuple[str, int, str, str]]) -> None:
    lines = file.read_text(encoding="utf-8").split("\n")
    for kind, place, line, typed in edits:
        at = place % len(lines)
        if kind == "drop" and len(lines) > 1:
            del lines[at]
        elif kind == "add":
            lines.insert(at, line)
        elif kind == "swap":
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
        else:
            middle = place % (len(lines[at]) + 1)
            lines[at] = lines[at][:middle] + typed + lines[at][middle:]
    script = "\n".join(lines)
    once = answer(script)
    assert once is None or answer(once) == once


@settings(max_examples=200, deadline=None)
@hypothesis.given(st.text())
def test_any_text_at_all_is_answered(text: str) -> None:
    with pytest.raises(PlaythroughError):
        replay(text, RULESETS)
