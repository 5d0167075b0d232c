"""Money Maker: halves of decisions that other tests leave out, each by its number in the facts of the game."""

from __future__ import annotations

import pytest

from judge.core.notation import read
from rulesets.money_maker import ruleset
from rulesets.money_maker.events import Auctioned, Bought, ChipMoved, NotOpened, NotPaidOff
from rulesets.money_maker.run_events import (
    DebtsCalled,
    DebtWorkedOff,
    Degraded,
    Extinguished,
    Freed,
    GameEnded,
    OwedPaid,
    PaidInPart,
    Promoted,
    RunSettled,
    RunStarted,
    WentBankrupt,
)
from rulesets.money_maker.scoring import score_sheet
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import COMPANIES
from tests.money_maker_table import BLUE_10, CHEESE, FISH, QUIET, SHIP, only, play, problems_of, table, those

RUN = (SHIP, BLUE_10)
RICH = {"gold": 60, "board": [11]}


def test_b2_a_card_is_not_opened_either_when_the_means_have_shrunk_since_the_order() -> None:
    """One post a round: Anna pays 10 for a card in Ben's turn, has 6 left in all, and the Sail Loft opens at 7."""
    state = table(
        options={"fast": True},
        phase="round",
        start="Ben",
        active="Ben",
        row=["Sheep Farm", "Sail Loft"],
        banks={"Anna": {"board": [379]}},
    )
    _, events = play(
        state,
        QUIET * 3,
        Ben="open Sheep Farm max 9\nproduce nothing",
        Anna="bid Sheep Farm 12\npay with gold\nopen Sail Loft max 12\nproduce nothing",
    )
    assert (only(events, Auctioned).winner, only(events, Auctioned).price) == ("Anna", 10)
    event = only(events, NotOpened)
    assert (event.card, event.reason, event.price, event.most) == ("Sail Loft", "means", 7, 6)


def test_b4_the_ceiling_is_gold_and_others_credit_and_own_credit_not_yet_issued() -> None:
    state = table(row=["Sail Loft"], banks={"Ben": {"board": [300], "claims": {"Anna": 6, "Cem": 0}}})
    assert problems_of(state, "Ben", "bid Sail Loft 101") == []
    [problem] = problems_of(state, "Ben", "bid Sail Loft 102")
    assert problem == "A bid of 102 was read; with gold and all credit you can pay 101 at most."
    start = table(phase="start bid", turn=0)
    assert problems_of(start, "Ben", "bid 395") == []
    assert problems_of(start, "Ben", "bid 396") == [
        "A bid of 396 was read; with gold and all credit you can pay 395 at most."
    ]


def test_b8_the_chip_moves_once_in_a_turn_that_began_with_five_cards_open() -> None:
    row = ["Textile Producer", "Sail Loft", "Sheep Farm", "Hop Yard", "Malt House"]
    rest = [card for card in COMPANIES if card not in row]
    names = ("Anna", "Ben", "Cem", "Dora", "Eva")
    held = {name: {"cards": rest[at::5]} for at, name in enumerate(names)}
    after, events = play(table(", ".join(names), row=row, pile=[], banks=held), QUIET, Anna="produce nothing")
    assert [event.why for event in those(events, ChipMoved)] == ["empty pile", "five open"]
    after, events = play(after, QUIET, Ben="produce nothing")
    assert [event.why for event in those(events, ChipMoved)] == ["five open"]
    assert (after.meter, after.active) == (3, "Cem")


def test_b9_a_sale_that_only_pays_a_prisoners_debts_takes_no_gold_and_starts_no_run() -> None:
    """Anna is in prison: of the 3 for her goods 1 is in the Reserve; all of it pays debts, and nothing is owed."""
    state = table(
        banks={
            "Anna": {"rating": 0, "board": [9], "gold": 0, "goods": {"consumer": 2}},
            "Ben": {"gold": 409},
            "Cem": {"gold": 0},
        },
        markets={"consumer": {"slots": [2, 2, 3, 3, 3, 3, 3, 3]}},
    )
    assert state.reserve == 1
    after, events = play(state, QUIET, Anna="sell consumer")
    assert (those(events, OwedPaid), those(events, RunStarted)) == ([], [])
    assert (after.banks["Anna"].board, after.reserve) == ([6], 1)


def test_b10_a_chained_run_before_step_5_keeps_the_faces_of_the_run_before_it() -> None:
    """Anna's sale empties the Reserve; the cheese that is thrown then calls the debts of both runs."""
    state = table(
        banks={
            "Anna": {"goods": {"consumer": 1}, "gold": 9},
            "Ben": {"rating": 2, "gold": 200, "board": [0, 230]},
            "Cem": {"rating": 2, "gold": 200, "board": [0, 230]},
        }
    )
    window, _ = play(state, (CHEESE,), Anna="sell consumer")
    again, events = play(window, Ben="done", Cem="done")
    assert [event.seat for event in those(events, Degraded)] == ["Ben", "Cem"]
    assert only(events, RunStarted).number == 2
    assert only(events, DebtsCalled).sectors == ("cheese",)
    assert again.facts.faces == []


def test_b11_solvency_is_looked_at_clockwise_from_the_triggering_bank() -> None:
    """Cem's turn: the record of the run begins with Cem."""
    state = table(active="Cem", meter=3, banks={"Anna": {"gold": 9, "board": [5]}, "Cem": RICH, "Ben": {"board": [4]}})
    _, events = play(state, RUN, Cem="produce nothing")
    assert list(only(events, DebtsCalled).due) == ["Cem", "Anna", "Ben"]
    assert [event.seat for event in those(events, Extinguished)] == ["Cem", "Anna", "Ben"]


def test_b11_two_short_banks_cannot_make_each_other_solvent() -> None:
    """Each holds enough of the other's credit, but neither is solvent first."""
    banks = {
        "Anna": RICH,
        "Ben": {"gold": 0, "board": [12], "claims": {"Anna": 0, "Cem": 12}},
        "Cem": {"gold": 0, "board": [12], "claims": {"Anna": 0, "Ben": 12}},
    }
    window, events = play(table(meter=3, banks=banks), RUN)
    assert (window.phase, those(events, PaidInPart)) == ("rescue", [])
    assert window.run is not None
    assert window.run.short == ["Ben", "Cem"]


def test_b12_credit_laid_in_a_run_is_due_in_the_run_that_follows_in_a_chain() -> None:
    """Ben lays 3 of Anna's credit on her ring; three degraded banks of five move the chip six steps, into run 2."""
    short = {"rating": 2, "gold": 0, "board": [15, 0]}
    banks = {
        "Anna": RICH,
        "Ben": {"gold": 3, "board": [6], "claims": {"Anna": 3}},
        **dict.fromkeys(("Cem", "Dora", "Eva"), short),
    }
    window, events = play(table("Anna, Ben, Cem, Dora, Eva", meter=5, banks=banks), RUN, Anna="do not promote")
    assert only(events, DebtsCalled).due["Anna"] == 11
    assert window.banks["Anna"].board == [3]
    _, events = play(window, Cem="done", Dora="done", Eva="done")
    assert only(events, RunStarted).number == 2
    assert only(events, DebtsCalled).due == {"Anna": 3, "Ben": 0, "Cem": 15, "Dora": 15, "Eva": 15}


def test_b13_what_was_paid_in_one_run_does_not_count_in_the_next() -> None:
    """Anna pays 9 twice, and 10 would promote her."""
    state = table(meter=3, banks={"Anna": {"gold": 40, "board": [9]}, "Ben": RICH})
    after, events = play(state, RUN, Anna="produce nothing")
    assert [event.seat for event in those(events, Promoted)] == ["Ben"]
    data = after.model_dump()
    data["meter"], data["banks"]["Anna"]["board"], data["banks"]["Ben"]["board"] = 3, [9], [11, 0]
    after, events = play(TableState.model_validate(data), RUN, Ben="produce nothing")
    assert next(event for event in those(events, Extinguished) if event.seat == "Anna").due == 9
    assert "Anna" not in [event.seat for event in those(events, Promoted)]
    assert after.banks["Anna"].rating == 1


def test_b13_all_affected_blocks_are_paid_at_once_and_count_together() -> None:
    """Two dice hit both blocks of ring II: 11 and 11 make the 20 for rating III, and each alone would not."""
    state = table(
        options={"length": "long"}, runs=2, meter=3, banks={"Anna": {"rating": 2, "gold": 60, "board": [11, 11]}}
    )
    after, events = play(state, (*RUN, FISH), Anna="produce nothing")
    assert (only(events, Promoted).paid, after.banks["Anna"].rating) == (22, 3)


def test_b15_a_block_that_a_run_has_made_too_dear_is_not_paid_off_in_part() -> None:
    """Ben's whispers come before Anna's alternative step: the run leaves her 4 gold, and 10 lie on the fish."""
    state = table(
        meter=3,
        banks={
            "Anna": {"rating": 2, "gold": 12, "board": [8, 10]},
            "Ben": {"actions": ["Whispers at the Exchange"]},
        },
    )
    after, events = play(state, (SHIP, *QUIET), Anna="pay off fish", Ben="play Whispers at the Exchange")
    assert only(events, Extinguished).due == 8
    assert (only(events, NotPaidOff).seat, only(events, NotPaidOff).debt) == ("Anna", 10)
    assert (after.banks["Anna"].gold, after.banks["Anna"].board) == (4, [0, 10])


def test_b16_a_bankrupt_bank_moves_the_chip_two_steps_too() -> None:
    state = table(meter=3, banks={"Anna": RICH, "Ben": {"rating": 0, "gold": 0, "board": [12]}})
    window, _ = play(state, RUN, Anna="produce nothing")
    after, events = play(window, Ben="done")
    assert only(events, WentBankrupt).seat == "Ben"
    assert (only(events, ChipMoved).why, after.meter, after.phase) == ("degraded", 2, "turn")


def test_b16_the_last_run_ends_the_game_before_the_chip_steps() -> None:
    state = table(options={"length": "short"}, runs=2, meter=3, banks={"Anna": RICH, "Ben": {"gold": 0, "board": [12]}})
    window, _ = play(state, (*RUN, CHEESE), Anna="produce nothing")
    _, events = play(window, Ben="done")
    kinds = [type(event) for event in events]
    assert kinds.index(Degraded) < kinds.index(RunSettled) < kinds.index(GameEnded)
    assert ChipMoved not in kinds


def test_b17_who_has_come_to_prison_in_a_round_of_one_post_neither_opens_nor_bids_any_more() -> None:
    """Anna's dice bring a run in which Ben is degraded; his lines for his own turn and for Cem's had been good."""
    state = table(
        options={"fast": True},
        phase="round",
        meter=3,
        row=["Sheep Farm", "Textile Producer"],
        banks={"Ben": {"gold": 2, "board": [11]}, "Cem": {"gold": 40}},
    )
    window, _ = play(
        state,
        RUN,
        Anna="produce nothing",
        Ben="open Sheep Farm max 9\nbid Textile Producer 20",
        Cem="open Textile Producer max 5",
    )
    after, events = play(window, (*QUIET, *QUIET), Ben="done")
    assert only(events, Degraded).after == 0
    auction = only(events, Auctioned)
    assert (auction.card, auction.winner, auction.bids) == ("Textile Producer", "Cem", {"Cem": 5})
    assert after.banks["Ben"].cards == []


def test_others_credit_of_a_bank_that_goes_bankrupt_comes_back_on_the_rings_of_who_issued_it() -> None:
    """Ben was short himself, so that Anna could not pay with his credit."""
    state = table(
        "Anna, Ben, Cem, Dora",
        meter=4,
        banks={
            "Anna": {"rating": 0, "gold": 0, "board": [12], "claims": {"Ben": 5}, "goods": {"consumer": 3}},
            "Ben": {"gold": 3, "board": [4]},
            "Cem": {"gold": 40},
        },
    )
    window, _ = play(state, RUN, Anna="produce nothing\nsell 1 consumer at 8 or better")
    after, events = play(window, Anna="done", Ben="done")
    assert only(events, WentBankrupt).goods == {"production": 0, "consumer": 3}
    assert [(placed.bank, placed.count) for placed in only(events, WentBankrupt).placed] == [("Ben", 5)]
    assert (after.banks["Anna"].claims["Ben"], after.banks["Ben"].board) == (0, [5 + 1])
    assert sum(after.banks["Anna"].goods.values()) == 0


def test_b17_credit_of_a_short_bank_pays_no_prisoners_debts() -> None:
    banks = {
        "Anna": RICH,
        "Ben": {"rating": 0, "gold": 0, "board": [4], "claims": {"Anna": 0, "Cem": 5}},
        "Cem": {"gold": 0, "board": [15]},
    }
    window, events = play(table(meter=3, banks=banks), RUN, Anna="produce nothing")
    assert window.run is not None
    assert (window.run.due["Ben"], window.banks["Ben"].claims["Cem"]) == (4, 5)
    assert those(events, DebtWorkedOff) == []


def test_b17_others_credit_that_a_prisoner_receives_pays_his_debts_at_once() -> None:
    prisoner = {"rating": 0, "gold": 0, "board": [4]}
    state = table(options={"player_deals": "always"}, banks={"Ben": prisoner})
    state, _ = play(state, QUIET, Cem="offer Ben: 3 credit for nothing")
    after, events = play(state, QUIET, Ben="accept offer 1\nproduce nothing")
    event = only(events, DebtWorkedOff)
    assert (event.claims, event.left) == ({"Cem": 3}, 1)
    assert (after.banks["Ben"].board, after.banks["Cem"].board, after.banks["Ben"].rating) == ([1], [3], 0)


def test_b17_a_prisoner_who_pays_off_all_his_debts_comes_to_ring_one_and_no_higher() -> None:
    state = table(banks={"Anna": {"rating": 0, "gold": 40, "board": [35]}})
    after, events = play(state, QUIET, Anna="pay off windmill")
    assert only(events, Freed).seat == "Anna"
    assert those(events, Promoted) == []
    assert after.banks["Anna"].rating == 1


def test_b17_a_prisoner_who_pays_all_that_a_run_calls_comes_to_ring_one_and_no_higher() -> None:
    state = table(meter=3, banks={"Anna": {"rating": 0, "gold": 40, "board": [35]}})
    after, events = play(state, (SHIP, BLUE_10))
    assert only(events, Freed).seat == "Anna"
    assert those(events, Promoted) == []
    assert after.banks["Anna"].rating == 1


def test_b17_the_prison_is_worth_no_points() -> None:
    prisoner = table(banks={"Anna": {"rating": 0, "board": [4]}, "Ben": {"rating": 2, "board": [0, 0]}})
    assert [score_sheet(prisoner, seat).rating for seat in ("Anna", "Ben", "Cem")] == [0, 10, 0]


@pytest.mark.parametrize(
    "line", ["I promise you 10 gold in my next turn", "Ben, I'll pay you back twice as much later"]
)
def test_b18_promises_are_free_speech_and_move_nothing(line: str) -> None:
    window, _ = play(table(meter=3, banks={"Anna": RICH, "Ben": {"gold": 0, "board": [12]}}), RUN)
    reading = read(line, ruleset.asks(window)["Ben"], others=ruleset.orders)
    assert (reading.intent, reading.problems) == (None, ())


def test_b24_outside_a_run_a_prisoners_credit_may_be_spent() -> None:
    banks = {"Anna": {"claims": {"Ben": 0, "Cem": 3}}, "Cem": {"rating": 0, "gold": 0, "board": [8]}}
    after, events = play(table(banks=banks), QUIET, Anna="buy 3 consumer\nproduce nothing")
    assert only(events, Bought).payment.claims == {"Cem": 3}
    assert (after.banks["Anna"].gold, after.banks["Cem"].board) == (15, [11])


def test_every_field_of_the_public_state_is_told_to_people_who_script() -> None:
    rules = (ruleset.folder / "RULES.md").read_text(encoding="utf-8")
    definitions = ruleset.View.model_json_schema()["$defs"]
    for part in ("BankView", "MarketView", "RunView", "VaultView", "OpenOffer", "Item"):
        for name in definitions[part]["properties"]:
            assert f"`{name}`" in rules, f"{part}.{name}"
    for reason in GameEnded.model_json_schema()["properties"]["reason"]["enum"]:
        assert f'"{reason}"' in rules, reason
    state = table(runs=1)
    assert ruleset.view(state, None).slot == "B1"
