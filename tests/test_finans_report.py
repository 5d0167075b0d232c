"""How Finans tells a round and shows its board: the story, balance sheets that add up, and a picture of all squares."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from judge.core.picture import Box, Caption, Disc, Path, Picture
from judge.core.report import Chart, Line, Table
from judge.core.ruleset import visible
from judge.language import Voice
from judge.render import plain, render_blocks
from rulesets.finans import ruleset
from rulesets.finans.balance import balance
from rulesets.finans.board import MOST_POINTS, show
from rulesets.finans.box import GROUPS, PROPERTIES, SQUARES
from rulesets.finans.chapters import chapters
from rulesets.finans.events import GameEnded, RoundBegan, Threw, TurnBegan, TurnMissed
from rulesets.finans.roundtrip import round_trip
from rulesets.finans.state import FinansState, FinansView
from rulesets.finans.viewing import view
from tests.finans_books import Books
from tests.finans_table import VOICE, A, B, C, Round, group, owned, play, position
from tests.games import played

AWAY = {B: {"missing": 3, "square": 24}, C: {"missing": 3, "square": 24}}
GERMAN = Voice.of(ruleset, "de")


def lines(round_: Round, voice: Voice = VOICE, seat: str | None = None) -> list[str]:
    """The sentences of the report: the headlines first, then a paragraph for each turn."""
    blocks = ruleset.report(view(round_.state, seat), visible(round_.events, seat))
    return [plain(voice.say(block.text)) for block in blocks if isinstance(block, Line)]


def business(**anna: object) -> FinansState:
    """The rulebook's board meeting: Anna stands in the Bank, Ben and Cem own a part of the Business Centre."""
    lots = {**owned(A, "furniture", "grocery"), **owned(B, "bookshop", built=True)}
    shares = {"business_1": A, "business_2": B, "business_3": C}
    return position({A: {"square": 35, "cash": 300_000, **anna}, **AWAY}, lots=lots, shares=shares)


def test_a_board_meeting_is_told_with_who_gives_up_what_and_where_the_fee_goes() -> None:
    told = lines(play(business(), {A: "meeting Business Centre fee 80000"}, dice=[5, 3, 4]))
    assert told[0].startswith("Anna takes Business Centre over in a board meeting.")
    assert told[1] == (
        "Anna calls a board meeting of Business Centre and puts up 140,000 Cr and a procurement fee of 80,000 Cr. "
        "5 and 3, at most 8 was needed: the take-over succeeds. "
        "Ben gives up Bookshop and Business 50 for 90,000 Cr and Cem gives up Business 50 for 50,000 Cr. "
        "The fee goes to the Bank (30,000 Cr), Ben (25,000 Cr) and Cem (25,000 Cr). "
        "Anna owns the whole of Business Centre: the rents there are doubled. "
        "Anna throws 4 and lands on Banking Hall (39)."
    )


def test_a_meeting_of_a_group_of_which_the_bank_holds_a_part_does_not_take_it_over() -> None:
    lots = {**owned(A, "furniture"), **owned(B, "bookshop")}
    state = position({A: {"square": 35, "cash": 300_000}, **AWAY}, lots=lots)
    told = lines(play(state, {A: "meeting Business Centre fee 120000"}, dice=[4]))
    assert told[0].startswith("Anna wins the board meeting of Business Centre.")


def test_shares_that_are_alike_are_given_up_together() -> None:
    state = position(
        {A: {"square": 35, "cash": 300_000}, **AWAY}, lots=owned(A, "furniture"), shares=group(B, "crafts")
    )
    state.shares["crafts_3"] = A
    told = lines(play(state, {A: "meeting Crafts House fee 120000"}, dice=[4]))
    assert "Ben gives up 2 × Crafts 50 for 100,000 Cr." in told[1]


def test_a_failed_meeting_costs_the_fee() -> None:
    told = lines(play(business(), {A: "meeting Business Centre fee 80000"}, dice=[5, 4, 4]))
    assert told[0].startswith("Anna fails to take Business Centre over.")
    assert "The fee goes to the Bank (80,000 Cr). Anna throws 4" in told[1]


def test_deeds_throw_and_rent_are_one_sentence() -> None:
    state = position({A: {"square": 11, "cash": 90_000}, **AWAY}, lots=owned(B, "bookshop", built=True))
    played_ = play(state, {A: "buy Laundry, Crafts 50"}, dice=[1])
    assert lines(played_)[1] == (
        "Anna buys Laundry for 15,000 Cr and Crafts 50 for 50,000 Cr, throws 1, lands on Bookshop (12) and pays Ben "
        "24,000 Cr rent."
    )
    assert lines(played_, GERMAN)[1] == (
        "Anna kauft Wäscherei für 15.000 Kr und Handwerk 50 für 50.000 Kr, würfelt 1, kommt auf Feld 12 (Buchhandlung) "
        "und zahlt Ben 24.000 Kr Miete."
    )


def test_what_others_do_in_a_turn_is_a_sentence_of_its_own() -> None:
    state = position({A: {"square": 1}, **AWAY}, tips=["birthday"])
    told = lines(play(state, dice=[2]))
    assert told[1] == (
        "Anna throws 2, lands on Market Tip (3) and draws the tip “Birthday”. "
        "Ben pays Anna 5,000 Cr and Cem pays Anna 5,000 Cr."
    )


def test_what_a_card_does_to_everybody_is_one_sentence() -> None:
    drivers = {seat: {**sheet, "car": True} for seat, sheet in AWAY.items()}
    state = position({A: {"square": 7, "car": True}, **drivers}, news=["N17"])
    told = lines(play(state, dice=[1, 1]))
    assert told[1] == (
        "Anna throws 1 and 1, lands on Financial News (9) and draws the news “Road tax”. Each car owner pays 10,000. "
        "This costs Anna 10,000 Cr, Ben 10,000 Cr and Cem 10,000 Cr."
    )


def test_a_wish_list_that_was_skipped_says_its_reason_once() -> None:
    state = position({A: {"square": 11, "cash": 12_000}, **AWAY})
    told = lines(play(state, {A: "buy Shipyard, Steel Works, Saw Mill, Technics 100"}, dice=[2]))
    assert told[1].endswith(
        "“buy Shipyard, Steel Works, Saw Mill and Technics 100” is skipped: All of it costs more than 12,000 Cr."
    )
    mixed = position({A: {"square": 11, "cash": 42_000}, **AWAY}, lots=owned(B, "radio"))
    told = lines(play(mixed, {A: "buy Shipyard, Steel Works, Saw Mill, Trust 75, Radio Works"}, dice=[2]))
    assert told[1].endswith("4 of them cost more than 42,000 Cr each. The Bank has no Radio Works.")


def test_a_wish_list_for_all_that_the_bank_has_is_told_by_its_first_wishes() -> None:
    """What costs more than the cash would leave less than is to be kept as well, so that is said once."""
    state = position({A: {"square": 11, "cash": 42_000}, **AWAY})
    wishes = "Laundry, Barber Shop, Travel Bureau, Shipyard, Steel Works"
    round_ = play(state, {A: f"buy {wishes} keep 30000"}, dice=[2])
    assert lines(round_)[1].endswith(
        "“buy Laundry, Barber Shop, Travel Bureau and 2 more, keeping 30,000 Cr” is skipped: "
        "Of 42,000 Cr less than 30,000 Cr would be left."
    )
    assert lines(round_, GERMAN)[1].endswith("entfällt: Von 42.000 Kr bliebe weniger als 30.000 Kr.")


def test_what_is_skipped_of_a_line_that_was_done_in_part_is_named() -> None:
    lots = owned(A, "bookshop", "paint", "soap")
    state = position({A: {"square": 17, "cash": 60_000}, **AWAY}, lots=lots)
    told = lines(play(state, {A: "build Bookshop, Paint Factory, Soap Factory"}, dice=[2]))
    assert told[1].startswith("Anna builds on Bookshop for 20,000 Cr, throws 2")
    assert told[1].endswith("is skipped: Each of these costs more than 40,000 Cr: Paint Factory and Soap Factory.")


def test_payments_to_several_players_are_one_clause() -> None:
    told = lines(play(position({A: {"square": 1}, **AWAY}, tips=["banquet"]), dice=[2]))
    assert told[1].endswith("draws the tip “Banquet” and pays Ben 5,000 Cr and Cem 5,000 Cr.")


def test_a_jail_pass_is_shown_in_the_sentence_of_the_landing() -> None:
    told = lines(play(position({A: {"square": 22, "tips": ["jail_pass"]}, **AWAY}), dice=[2]))
    assert told[1] == "Anna throws 2, lands on Jail (24), shows a jail pass and is free at once."


def test_why_a_standing_line_was_skipped_stands_in_its_owners_report_alone() -> None:
    state = position({A: {"square": 11, "cash": 12_000}, **AWAY})
    round_ = play(state, {A: "always buy Shipyard"}, dice=[2])
    assert not any("skipped" in line for line in lines(round_))
    assert lines(round_, seat=A) == [
        "Your standing line “buy Shipyard” is skipped: There are only 12,000 Cr, and Shipyard costs 60,000 Cr."
    ]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_event_stands_in_the_turn_of_one_player(players: int) -> None:
    """In the order of play, nothing left out and nothing told twice, whoever wins when."""
    for turn in played(ruleset, players, f"chapters {players}"):
        assert isinstance(turn.before, FinansState)
        found = chapters(turn.events)
        told = [event for event in turn.events if not isinstance(event, RoundBegan | TurnBegan | GameEnded)]
        assert [event for _, chapter in found for event in chapter] == told
        order = [seat for seat in turn.before.order if not turn.before.players[seat].bankrupt]
        whose = [seat for seat, _ in found]
        assert whose == [seat for seat in order if seat in whose]
        throws = [(seat, event) for seat, told in found for event in told if isinstance(event, Threw | TurnMissed)]
        assert [event.seat for _, event in throws] == [seat for seat, _ in throws]
        assert isinstance(turn.after, FinansState)
        assert turn.after.over or set(turn.after.alive) <= set(whose)


def test_who_loses_everything_in_the_turn_of_another_stands_in_that_turn() -> None:
    """Ben cannot pay Anna's birthday: it is told in her turn, and so is what she does after the throw."""
    state = position(
        {A: {"square": 1}, B: {"square": 2, "cash": 3_000, "loans": 3}, C: {"square": 2}}, tips=["birthday"]
    )
    round_ = play(state, {A: "after loan 1", B: "bonds 7"}, dice=[2, 2])
    (anna, _), (cem, _) = chapters(round_.events)
    assert (anna, cem) == (A, C)
    told = lines(round_)[1]
    assert "Ben can pay Anna only 3,000 Cr of 5,000 Cr" in told
    assert told.endswith("Anna borrows 50,000 Cr.")


def test_balance_sheets_add_up_to_the_wealth_by_which_a_timed_game_is_won() -> None:
    """A27, as the printed tables have it."""
    for turn in played(ruleset, 4, "balances")[::3]:
        assert isinstance(turn.after, FinansState)
        shown, books = view(turn.after, None), Books.of(turn.after)
        assert {seat: balance(shown, seat).worth for seat in shown.players} == {
            seat: books.wealth(seat) for seat in shown.players
        }


def tables(blocks: Sequence[object]) -> list[Table]:
    return [block for block in blocks if isinstance(block, Table)]


def test_the_group_table_counts_every_paper_once() -> None:
    state = position(
        lots={**owned(A, *[key for key in PROPERTIES if PROPERTIES[key].group == "trust"]), **owned(B, "paint")},
        shares=group(A, "trust", 2) | {"chemistry_1": C},
    )
    table = tables(show(view(state, None)))[1]
    said = {plain(VOICE.say(row[0])): [plain(VOICE.say(cell)) for cell in row[1:]] for row in table.rows}
    assert len(said) == len(GROUPS)
    assert said["Financial Trust"] == ["2 + 2 ✓", "–", "–", "–"]
    assert said["Chemistry Corporation"] == ["–", "1 + 0", "0 + 1", "2 + 2"]


def marked() -> FinansView:
    """A position with everything that the board can show."""
    lots = {
        **owned(A, "insurance", "brokerage", built=True),
        **owned(B, "paint", built=True, mortgaged=True),
        **owned(C, "soap"),
    }
    state = position({A: {"square": 12}, B: {"square": 12}, C: {"square": 40}}, lots=lots, shares=group(A, "trust", 2))
    return view(state, None)


def test_the_board_shows_all_squares_owners_buildings_and_pieces() -> None:
    shapes = round_trip(marked()).shapes
    captions = [shape for shape in shapes if isinstance(shape, Caption)]
    assert {shape.text for shape in captions if isinstance(shape.text, int)} == set(SQUARES)
    boxes = [shape for shape in shapes if isinstance(shape, Box)]
    squares = [box for box in boxes if box.says is not None]
    assert len(squares) == len(SQUARES)
    assert len(boxes) - len(squares) == 4
    legend = 3
    assert sum(isinstance(shape, Disc) for shape in shapes) == 3 + legend
    words = [plain(VOICE.say(shape.text)) for shape in captions]
    assert words.count("M") == 2
    assert words.count("×2") == 3
    paints = [shape.paint for shape in shapes if isinstance(shape, Path)]
    assert paints.count("bad") == 3
    assert paints.count("ink") == 2


def test_squares_lie_side_by_side_on_one_way_round() -> None:
    """No two cover each other, and each touches the next one, from 46 back to 1."""
    squares = [shape for shape in round_trip(marked()).shapes if isinstance(shape, Box) and shape.says is not None]

    def touch(one: Box, other: Box) -> bool:
        across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
        down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
        assert across <= 0 or down <= 0, "two squares cover each other"
        return across >= 0 and down >= 0 and (across > 0 or down > 0)

    for number, square in enumerate(squares):
        assert touch(square, squares[(number + 1) % len(squares)]), number + 1
        for other in squares[number + 1 :]:
            touch(square, other)


def test_the_board_can_be_read_on_a_phone_and_without_colours() -> None:
    picture = round_trip(marked())
    assert isinstance(picture, Picture)
    assert all(shape.size >= picture.width / 40 for shape in picture.shapes if isinstance(shape, Caption))
    assert plain(VOICE.say(picture.alt)) == "Anna on 12, Ben on 12 and Cem on 40."
    page = render_blocks([picture], "html", GERMAN)
    assert "Versich." in page
    assert "Anna auf 12" in page


def test_everything_on_the_board_stands_in_words_too() -> None:
    said = render_blocks(show(marked()), "bbcode", VOICE)
    for words in (
        "Insurance Office (built on)",
        "Paint Factory (built on, mortgaged)",
        "2 + 2 ✓",
        "40 Builders",
    ):
        assert words in said
    news = position({A: {"square": 9}}, face_up="N02")
    assert "Bad Times" in render_blocks(show(view(news, None)), "txt", VOICE)


def test_a_long_game_still_makes_a_chart_that_can_be_read() -> None:
    state = position(round=124)
    state.wealth = [dict.fromkeys(state.players, 1000 * number) for number in range(123)]
    chart = next(block for block in show(view(state, None)) if isinstance(block, Chart))
    assert len(chart.across) <= MOST_POINTS
    assert chart.across[-1] == 123
    assert chart.series[0].values[-1] == 122_000
