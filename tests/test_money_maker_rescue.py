"""Money Maker: help in a bank run, by standing tariffs and in the rescue window, and exchanges at other times."""

from __future__ import annotations

from rulesets.money_maker import ruleset
from rulesets.money_maker.run_events import (
    Degraded,
    Exchanged,
    Extinguished,
    Freed,
    HelpUsed,
    OfferFailed,
    OfferMade,
    PaidInPart,
    Promoted,
    Rescued,
    RunSettled,
)
from rulesets.money_maker.state import TableState
from rulesets.money_maker.window import MOST_ROUNDS
from tests.money_maker_table import BLUE_10, QUIET, SHIP, only, play, problems_of, table, those

RUN = (SHIP, BLUE_10)


def figure_13(**options: object) -> TableState:
    """Will has 17 gold for the 20 that are due on his block, Ann 30 for her 20; both have rating II."""
    return table(
        "Will, Ann, Cem",
        options=options,
        meter=3,
        banks={
            "Will": {"rating": 2, "gold": 17, "board": [20, 0]},
            "Ann": {"rating": 2, "gold": 30, "board": [20, 0]},
        },
    )


def test_figure_13_1_will_is_three_short() -> None:
    window, events = play(figure_13(), RUN)
    event = only(events, PaidInPart)
    assert (event.seat, event.payment.gold, event.left) == ("Will", 17, 3)
    assert window.phase == "rescue"


def test_figure_13_2_and_13_3_three_of_anns_credit_for_ten_of_wills() -> None:
    """Ann is promoted to III; Will lays her credit on her ring and keeps his rating; she has his in her vault."""
    window, events = play(figure_13(), RUN)
    promoted = only(events, Promoted)
    assert (promoted.seat, promoted.after) == ("Ann", 3)
    window, events = play(window, Will="offer Ann: 10 credit for 3 credit")
    assert only(events, OfferMade).number == 1
    after, events = play(window, Ann="accept offer 1")
    assert only(events, Exchanged).taker == "Ann"
    assert only(events, HelpUsed).claims == {"Ann": 3}
    assert those(events, Promoted) == []
    assert only(events, RunSettled).degraded == ()
    assert sum(after.banks["Ann"].board) == 3
    assert after.banks["Ann"].claims["Will"] == 10
    assert after.banks["Will"].rating == 2
    assert after.banks["Will"].board == [0, 0]


def test_a_tariff_rescues_at_once_and_the_credit_goes_to_the_lenders_vault() -> None:
    """B18: three gold for ten credit is within what Will gives; no window is opened."""
    after, events = play(figure_13(), RUN, Ann="rescue up to 10 at 3 for 10", Will="borrow at 4 a gold")
    event = only(events, Rescued)
    assert (event.lender, event.gold, event.credit) == ("Ann", 3, 10)
    assert after.phase == "turn"
    assert after.banks["Ann"].claims["Will"] == 10
    assert after.banks["Ann"].gold == 30 - 20 - 3
    assert [event.seat for event in those(events, Promoted)] == ["Ann"]


def test_tariffs_need_a_borrower_who_gives_as_much_and_the_whole_deficit() -> None:
    for orders in (
        {"Ann": "rescue up to 10 at 3 for 10", "Will": "borrow at 3 a gold"},
        {"Ann": "rescue up to 10 at 3 for 10"},
        {"Ann": "rescue up to 2 at 3 for 3", "Will": "borrow at 4 a gold"},
    ):
        after, events = play(figure_13(), RUN, **orders)
        assert those(events, Rescued) == []
        assert after.phase == "rescue"


def test_the_cheapest_lenders_help_first_and_credit_is_rounded_up_for_each() -> None:
    after, events = play(
        figure_13(),
        RUN,
        Ann="rescue up to 10 at 3 for 4",
        Cem="rescue up to 2 at 1 for 1",
        Will="borrow at 2 a gold",
    )
    assert [(event.lender, event.gold, event.credit) for event in those(events, Rescued)] == [
        ("Cem", 2, 2),
        ("Ann", 1, 2),
    ]
    assert after.phase == "turn"


def test_a_rescued_bank_is_solvent_and_its_credit_counts_again() -> None:
    """Cem holds Will's credit, which pays as soon as Will is rescued."""
    state = figure_13()
    data = state.model_dump()
    data["banks"]["Cem"].update(gold=1, board=[6], claims={"Will": 5, "Ann": 0})
    after, events = play(
        TableState.model_validate(data), RUN, Ann="rescue up to 3 at 1 for 1", Will="borrow at 1 a gold"
    )
    assert [event.seat for event in those(events, PaidInPart)] == ["Will", "Cem"]
    assert after.phase == "turn"
    assert after.banks["Cem"].rating == 1
    assert sum(after.banks["Will"].board) == 5


def test_the_window_asks_short_and_solvent_banks_and_missing_it_means_degradation() -> None:
    window, _ = play(figure_13(), RUN)
    assert list(ruleset.asks(window)) == ["Will", "Ann", "Cem"]
    assert [order.kind for order in ruleset.default_orders(window, "Will")] == ["done"]
    assert ruleset.default_orders(window, "Ann") == ()
    after, events = play(window)
    assert only(events, Degraded).seat == "Will"
    assert (after.phase, after.active) == ("turn", "Ann")


def test_goods_and_cards_may_pay_for_help() -> None:
    state = figure_13()
    data = state.model_dump()
    data["banks"]["Will"].update(cards=["Dye House"], goods={"consumer": 3, "production": 0}, actions=["Spilled Dice"])
    window, _ = play(TableState.model_validate(data), RUN, Will="produce nothing")
    window, _ = play(window, Will="offer Ann: Dye House and 2 consumer for 2 gold\noffer Cem: Spilled Dice for 1 gold")
    after, events = play(window, Ann="accept offer 1", Cem="accept offer 2")
    assert len(those(events, Exchanged)) == 2
    assert [event.left for event in those(events, HelpUsed)] == [1, 0]
    assert after.banks["Ann"].cards == ["Dye House"]
    assert after.banks["Ann"].goods["consumer"] == 2
    assert after.banks["Cem"].actions == ["Spilled Dice"]
    assert after.banks["Will"].rating == 2


def test_an_offer_that_cannot_be_kept_fails_when_it_is_accepted() -> None:
    window, _ = play(figure_13(), RUN)
    window, _ = play(window, Ann="offer Will: 9 gold for 20 credit\noffer Cem: 9 gold for 1 gold")
    after, events = play(window, Cem="accept offer 2", Will="accept offer 1")
    assert {type(event) for event in events} >= {Exchanged, OfferFailed}
    assert after.banks["Cem"].gold + after.banks["Will"].gold > 0


def test_only_open_offers_can_be_accepted_and_only_what_one_has_be_offered() -> None:
    window, _ = play(figure_13(), RUN)
    assert problems_of(window, "Ann", "accept offer 7") == ["There is no offer 7 to you; open: –."]
    assert problems_of(window, "Will", "offer Ann: 3 gold for 1 credit") == ["You do not have what you offer."]


def test_own_credit_by_two_names_is_still_only_380_in_all() -> None:
    """ "Credit" and "credit of Will" are the same when Will gives it; he has 3 of his 380 out."""
    window, _ = play(figure_13(), RUN)
    lines = "offer Ann: 300 credit plus {} credit of Will for 3 gold"
    assert problems_of(window, "Will", lines.format(78)) == ["You do not have what you offer."]
    assert problems_of(window, "Will", lines.format(77)) == []
    window, _ = play(window, Ann="offer Will: 3 gold for 300 credit plus 78 credit of Will")
    _, events = play(window, Will="accept offer 1")
    assert only(events, OfferFailed).seat == "Will"


def test_nobody_is_asked_for_more_credit_than_a_bank_can_have_out() -> None:
    window, _ = play(figure_13(), RUN)
    for line in ("offer Will: 3 gold for 381 credit", "offer Will: 3 gold for 381 credit of Will"):
        assert problems_of(window, "Ann", line) == ["A bank can have 380 of its own credit out, no more."]
    assert problems_of(window, "Ann", "offer Will: 3 gold for 380 credit") == []


def test_a_window_closes_after_six_rounds_of_talk() -> None:
    state, _ = play(figure_13(), RUN)
    rounds = 0
    while state.phase == "rescue":
        state, _ = play(state, Will=f"offer Ann: {10 + rounds} credit for 3 gold")
        rounds += 1
    assert rounds == MOST_ROUNDS == 6
    assert state.banks["Will"].rating == 1


def waited_for(state: TableState) -> list[str]:
    return [seat for seat, ask in ruleset.asks(state).items() if not ask.optional]


def test_the_window_waits_for_short_banks_and_for_who_has_an_offer_to_answer() -> None:
    """Any solvent bank may speak if it wishes; only who has been offered something is waited for."""
    window, _ = play(figure_13(), RUN)
    assert waited_for(window) == ["Will"]
    window, _ = play(window, Will="offer Ann: 10 credit for 3 gold", Cem="offer Will: 3 gold for 12 credit")
    assert waited_for(window) == ["Will", "Ann"]
    window, _ = play(figure_13(), RUN)
    window, _ = play(window, Will="offer Ann: 10 credit for 3 gold")
    assert waited_for(window) == ["Ann"]


def test_an_offer_that_is_not_taken_lapses_and_the_short_bank_has_the_word_again() -> None:
    window, _ = play(figure_13(), RUN)
    window, _ = play(window, Will="offer Ann: 10 credit for 3 gold")
    window, events = play(window)
    assert (events, window.offers, window.phase) == ([], [], "rescue")
    assert waited_for(window) == ["Will"]
    window, _ = play(window, Will="offer Ann: 12 credit for 3 gold")
    _, events = play(window, Ann="accept offer 2")
    assert only(events, Exchanged).number == 2
    assert only(events, RunSettled).degraded == ()


def test_a_round_that_begins_without_an_offer_and_brings_none_closes_the_window() -> None:
    window, _ = play(figure_13(), RUN)
    _, events = play(window, Will="pass")
    assert only(events, Degraded).seat == "Will"


def test_b17_help_may_free_a_prisoner_without_promotion() -> None:
    state = table(
        "Will, Ann, Cem",
        meter=3,
        banks={"Will": {"rating": 0, "gold": 0, "board": [12]}, "Ann": {"gold": 40, "board": [11]}},
    )
    after, events = play(state, RUN, Ann="rescue up to 12 at 1 for 1", Will="borrow at 1 a gold")
    assert only(events, Freed).seat == "Will"
    assert after.banks["Will"].rating == 1
    assert [event.seat for event in those(events, Promoted)] == ["Ann"]


def test_b13_credit_that_came_as_help_promotes_nobody_when_its_issuer_is_solvent_at_last() -> None:
    """Will gets 12 of Ben's credit while both are short; once Ben has been helped himself it pays Will's debts."""
    state = table(
        "Will, Ben, Cem",
        meter=3,
        banks={
            "Will": {"gold": 0, "board": [12], "goods": {"consumer": 2}},
            "Ben": {"gold": 0, "board": [11]},
            "Cem": {"gold": 40, "board": [0]},
        },
    )
    window, _ = play(state, RUN, Will="produce nothing")
    window, _ = play(window, Ben="offer Will: 12 credit for 1 consumer\noffer Cem: 20 credit for 11 gold")
    after, events = play(window, Will="accept offer 1", Cem="accept offer 2")
    assert only(events, Extinguished).payment.claims == {"Ben": 12}
    assert those(events, Promoted) == []
    assert after.banks["Will"].rating == 1


def test_whoever_pays_debts_with_gold_only_keeps_his_others_credit_and_uses_what_comes_as_help() -> None:
    state = figure_13()
    state.banks["Will"].claims["Cem"] = 5
    window, _ = play(state, RUN, Will="pay debts with gold only")
    window, _ = play(window, Will="offer Ann: 10 credit for 3 credit")
    after, events = play(window, Ann="accept offer 1")
    assert only(events, HelpUsed).claims == {"Ann": 3}
    assert after.banks["Will"].claims["Cem"] == 5
    assert only(events, RunSettled).degraded == ()


def test_b19_exchanges_outside_runs_need_the_option() -> None:
    assert problems_of(table(), "Ben", "offer Anna: 3 gold for 4 credit")
    state = table(options={"player_deals": "always"})
    after, events = play(state, QUIET, Ben="offer Anna: 3 gold for 4 credit")
    assert only(events, OfferMade).maker == "Ben"
    after, events = play(after, QUIET, Anna="accept offer 1")
    assert only(events, Exchanged).number == 1
    assert (after.banks["Anna"].gold, after.banks["Ben"].gold, after.banks["Ben"].claims["Anna"]) == (18, 12, 4)
