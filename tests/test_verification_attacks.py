"""What a judge could try, with all hashes reckoned anew, and what catches him.

Whoever rewrites the hashes of all records is caught by `--expect`, since the old ones stand in posts; each test here
does without it and shows what else does not hold, and where.
"""

from __future__ import annotations

import hashlib

import pytest

from tests.forging import Forgery, check, finished_auction, last_hash, market, place, running_auction, told


@pytest.fixture
def lots() -> Forgery:
    """A finished auction with everything in it."""
    return Forgery(finished_auction())


@pytest.fixture
def bourse() -> Forgery:
    """A finished commodity market."""
    return Forgery(market(months=2))


def hidden_of(forged: Forgery) -> bytes:
    return bytes.fromhex(forged.find("ended")["hidden"]["1"])


def test_an_order_that_is_exchanged_after_the_close_is_named_with_its_line(lots: Forgery) -> None:
    lots.order(1, "2")["amount"] = 9
    verdict = check(lots.written())
    assert "not the one that was sealed: its salt does not fit" in told(verdict)
    assert place(verdict) == (1, "2", 1)


def test_an_order_that_is_exchanged_in_a_running_game_does_not_fit_its_seal() -> None:
    forged = Forgery(running_auction())
    forged.order(1, "1")["amount"] = 9
    verdict = check(forged.written())
    assert "not the ones whose seal was published" in told(verdict)
    assert place(verdict) == (1, "1", None)


def test_an_order_that_is_exchanged_with_its_seal_needs_another_salt(lots: Forgery) -> None:
    lots.order(1, "2")["amount"] = 9
    lots.seal_again(1, "2")
    verdict = check(lots.written())
    assert "its salt does not fit" in told(verdict)
    assert place(verdict) == (1, "2", 1)


def test_an_order_that_is_exchanged_with_seal_and_salt_throws_other_dice(lots: Forgery) -> None:
    """The seals go into the dice of their turn, and into the record whose hash has been posted."""
    data = lots.written()
    lots.order(1, "2")["amount"] = 9
    lots.seal_again(1, "2", hidden_of(lots))
    forged = lots.written()
    other_throws = "not what the secret and the orders of this turn give"
    by_chance_the_same = "The rules throw other dice than the record lists"
    assert any(words in told(check(forged)) for words in (other_throws, by_chance_the_same))
    assert check(data, expect=last_hash(data)).ok
    assert not check(forged, expect=last_hash(data)).ok


def test_an_order_that_is_exchanged_with_everything_has_other_results(bourse: Forgery) -> None:
    """Without dice: the rules make something else of the new order."""
    bourse.order(1, "1")["price"] += 40
    bourse.seal_again(1, "1", hidden_of(bourse))
    verdict = check(bourse.written())
    assert "not what follows from the orders by the rules" in told(verdict)
    assert place(verdict)[0] == 1


def test_an_order_that_the_rules_forbid_cannot_have_counted(bourse: Forgery) -> None:
    bourse.order(1, "1")["units"] = 18
    bourse.seal_again(1, "1", hidden_of(bourse))
    verdict = check(bourse.written())
    assert "By the rules these orders cannot count" in told(verdict)
    assert place(verdict)[:2] == (1, "1")


def test_a_price_that_is_changed_among_the_events_is_found_by_the_rules(bourse: Forgery) -> None:
    event = next(event for event in bourse.find("resolved", 1)["events"] if "price" in event)
    event["price"] += 1
    verdict = check(bourse.written())
    assert "Event " in told(verdict)
    assert event["event"] in told(verdict)
    assert place(verdict) == (1, None, None)


def test_an_event_that_is_added_or_left_out_is_found_by_the_rules(bourse: Forgery) -> None:
    events = bourse.find("resolved", 2)["events"]
    events.append(events[-1])
    assert "things happened in this turn, and the record tells of" in told(check(bourse.written()))


def test_a_position_that_is_changed_is_found_by_the_rules(bourse: Forgery) -> None:
    bourse.find("resolved", 3)["state"]["players"]["2"]["cash"] += 100
    verdict = check(bourse.written())
    assert "The position (“players”) is not what follows" in told(verdict)
    assert place(verdict)[0] == 3


def test_a_first_position_that_is_changed_is_found_by_the_rules(bourse: Forgery) -> None:
    bourse.find("started")["state"]["prices"]["X"] += 1
    assert "The position (“prices”)" in told(check(bourse.written()))


def test_options_that_are_changed_are_found_by_the_rules(bourse: Forgery) -> None:
    bourse.find("created")["options"]["months"] = 3
    verdict = check(bourse.written())
    assert "By the rules 18 things happened in this turn, and the record tells of 19" in told(verdict)
    assert place(verdict) == (4, None, None)
    bourse.find("created")["options"]["months"] = "many"
    assert "options are none that its rules know" in told(check(bourse.written()))


def test_a_throw_that_is_changed_does_not_follow_from_its_secret(lots: Forgery) -> None:
    throw = lots.find("resolved", 1)["chance"]["throws"][0]
    throw["threw"] = throw["threw"] % 6 + 1
    verdict = check(lots.written())
    assert "Throw 1 is not what the secret and the orders of this turn give" in told(verdict)
    assert place(verdict)[0] == 1


def test_a_throw_that_is_left_out_is_missed_by_the_rules(lots: Forgery) -> None:
    lots.find("resolved", 1)["chance"]["throws"].pop()
    verdict = check(lots.written())
    assert "The rules throw other dice than the record lists" in told(verdict)


def test_a_link_cannot_be_skipped_to_choose_among_the_dice(lots: Forgery) -> None:
    for record in lots.records:
        if record["record"] == "resolved" and record["turn"] >= 3:
            record["chance"]["link"] += 1
    verdict = check(lots.written())
    assert "somebody chose among the dice" in told(verdict)
    assert place(verdict)[0] == 3


def test_the_secret_of_the_dice_cannot_be_exchanged(lots: Forgery) -> None:
    lots.find("resolved", 3)["chance"]["secret"] = "ab" * 32
    verdict = check(lots.written())
    assert "bound before the game: it has been exchanged" in told(verdict)
    assert place(verdict)[0] == 3


def test_the_hidden_secret_cannot_be_exchanged(lots: Forgery) -> None:
    """It was bound by its hash, so that the deck cannot be shuffled anew afterwards."""
    lots.find("ended")["hidden"]["1"] = "cd" * 32
    assert "The hidden secret is not the one that was bound" in told(check(lots.written()))


def test_an_exchanged_anchor_needs_another_first_record(lots: Forgery) -> None:
    """A whole game made up afterwards holds by itself; that it is another one, the posted hashes tell."""
    posted = last_hash(lots.written())
    other = "ef" * 32
    lots.find("created")["anchors"]["hidden"] = hashlib.sha256(bytes.fromhex(other)).hexdigest()
    lots.find("ended")["hidden"]["1"] = other
    assert not check(lots.written()).ok
    assert check(market(months=2)).ok
    assert "in no record of this file" in told(check(market(months=2), expect=posted))


@pytest.mark.parametrize(("kind", "turn"), [("started", None), ("closed", 3), ("resolved", 3)])
def test_a_record_that_is_left_out_is_missed(lots: Forgery, kind: str, turn: int | None) -> None:
    lots.drop(kind, turn)
    assert "cannot stand here" in told(check(lots.written()))


def test_a_whole_turn_that_is_left_out_is_missed(lots: Forgery) -> None:
    lots.drop("closed", 3)
    lots.drop("resolved", 3)
    assert "Turn 3 in version 1 is due here" in told(check(lots.written()))


def test_records_in_another_order_do_not_hold(lots: Forgery) -> None:
    entries = lots.content["records"]
    entries[2:6] = entries[4:6] + entries[2:4]
    assert "Turn 1 in version 1 is due here" in told(check(lots.written()))


def test_the_end_of_a_game_cannot_be_left_out(lots: Forgery) -> None:
    lots.drop("ended")
    assert "some are missing at the end" in told(check(lots.written()))
    lots.content["status"] = "running"
    lots.content["open"] = {
        "turn": 9, "version": 1, "opened": "2026-03-02T12:00:00Z", "deadline": None, "posted": [], "awaited": [],
    }  # fmt: skip
    without = lots.written()
    assert check(without).ok  # nobody can see before the end that a deck is used up
    whole = Forgery(market(months=2))
    whole.drop("ended")
    assert "By the rules the game is over here" in told(check(whole.written()))


def test_a_seat_that_had_posted_cannot_count_as_absent_where_all_had_posted(bourse: Forgery) -> None:
    bourse.find("closed", 1)["seats"]["2"] = {"how": "missed", "commitment": None}
    del bourse.find("resolved", 1)["sets"]["2"]
    bourse.find("resolved", 1)["filled"]["2"] = []
    verdict = check(bourse.written())
    assert "closed because all had posted, but this seat counts as absent" in told(verdict)
    assert place(verdict) == (1, "2", None)


def test_a_seat_that_is_asked_cannot_be_passed_over(bourse: Forgery) -> None:
    del bourse.find("closed", 1)["seats"]["2"]
    del bourse.find("resolved", 1)["sets"]["2"]
    verdict = check(bourse.written())
    assert "The rules ask this seat for orders" in told(verdict)
    assert place(verdict) == (1, "2", None)


def test_a_forced_seat_cannot_have_had_a_choice(lots: Forgery) -> None:
    lots.find("closed", 7)["seats"]["1"]["how"] = "missed"
    lots.find("closed", 7)["why"] = "deadline"
    lots.find("closed", 7)["deadline"] = lots.find("closed", 7)["at"]
    assert "the record says the opposite" in told(check(lots.written()))


def test_a_late_part_that_was_never_sealed_is_found(lots: Forgery) -> None:
    late = lots.find("ended")["sets"]
    late.append({**late[0], "turn": 2})
    verdict = check(lots.written())
    assert "that were never sealed" in told(verdict)
    assert place(verdict) == (2, late[0]["seat"], None)


def test_a_late_part_that_is_not_opened_is_missed(lots: Forgery) -> None:
    gone = lots.find("ended")["sets"].pop(0)
    verdict = check(lots.written())
    assert "sealed until the end have not been opened" in told(verdict)
    assert place(verdict) == (gone["turn"], gone["seat"], None)


def test_a_late_order_that_is_exchanged_is_named_with_its_line(lots: Forgery) -> None:
    late = next(one for one in lots.find("ended")["sets"] if one["part"]["lines"])
    late["part"]["lines"][0]["order"]["colour"] = "blue"
    verdict = check(lots.written())
    assert "its salt does not fit" in told(verdict)
    assert place(verdict) == (1, "1", 1)


def test_a_standing_order_cannot_be_exchanged_for_another(lots: Forgery) -> None:
    """Turn 3 plays Anna's standing bid of 2, with seal and salts made anew by the judge himself."""
    assert lots.find("closed", 3)["seats"]["1"]["how"] == "standing"
    lots.order(3, "1")["amount"] = 1
    lots.seal_again(3, "1", hidden_of(lots))
    verdict = check(lots.written())
    assert "not the standing orders that the seat has given" in told(verdict)
    assert place(verdict) == (3, "1", None)


def test_standing_orders_cannot_be_passed_over(lots: Forgery) -> None:
    closed, resolved = lots.find("closed", 3), lots.find("resolved", 3)
    closed["seats"]["1"] = {"how": "missed", "commitment": None}
    closed["why"] = "deadline"
    del resolved["sets"]["1"]
    resolved["filled"]["1"] = []
    gone = lots.find("ended")
    gone["sets"] = [one for one in gone["sets"] if (one["turn"], one["seat"]) != (3, "1")]
    verdict = check(lots.written())
    assert "its standing orders were valid" in told(verdict)
    assert place(verdict) == (3, "1", None)


def test_orders_of_the_absent_are_those_of_the_rules(bourse: Forgery, lots: Forgery) -> None:
    lots.find("resolved", 5)["filled"]["2"] = [{"kind": "bid", "amount": 1}]
    verdict = check(lots.written())
    assert "filled in are not those that the rules provide" in told(verdict)
    assert place(verdict) == (5, "2", None)


def test_standings_are_those_of_the_rules(bourse: Forgery) -> None:
    entry = bourse.find("ended")["standings"][1]
    entry[1] += 5
    verdict = check(bourse.written())
    assert "The final standings are not those that the rules give" in told(verdict)
    assert place(verdict)[1] == entry[0]


def test_a_decision_that_the_rules_do_not_know_is_found(lots: Forgery) -> None:
    lots.find("closed", 1)["decisions"] = ["Anna wins"]
    assert "The rules know no decision “Anna wins”" in told(check(lots.written()))


def test_a_deadline_cannot_close_a_turn_before_it_comes(lots: Forgery) -> None:
    lots.find("closed", 5)["deadline"] = "2036-01-01T12:00:00Z"
    assert "at its deadline, but that had not come" in told(check(lots.written()))


def test_the_head_of_the_file_fits_its_records(lots: Forgery) -> None:
    lots.content["ruleset_version"] = 2
    assert "names another game or other rules" in told(check(lots.written()))


def test_who_has_posted_in_the_open_turn_fits_the_rules() -> None:
    forged = Forgery(market(months=3, turns=1))
    assert forged.content["open"]["awaited"]
    forged.content["open"]["awaited"] = []
    assert "says of the open turn does not fit" in told(check(forged.written()))
