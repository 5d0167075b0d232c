"""When a turn closes: on the grid of local days, across clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from judge.service.deadlines import RULES, Daily, Hours, NoDeadline, deadline

BERLIN = "Europe/Berlin"
EVENING = Daily(at=time(20))


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


def test_a_daily_deadline_stays_at_its_local_time_when_the_clocks_go_forward() -> None:
    """T050: opened on 28 March, the deadline is 29 March 20:00 in Berlin, which is 18:00 UTC."""
    assert deadline(EVENING, utc(2026, 3, 28, 20), BERLIN) == utc(2026, 3, 29, 18)


def test_everybody_in_by_afternoon_leaves_the_next_turn_until_tomorrow_evening() -> None:
    """T053: resolved at 14:00, so the next deadline is tomorrow at 20:00, not today."""
    assert deadline(EVENING, utc(2026, 6, 10, 12), BERLIN) == utc(2026, 6, 11, 18)


def test_a_turn_that_opens_at_its_deadline_has_a_whole_day() -> None:
    assert deadline(EVENING, utc(2026, 6, 10, 18), BERLIN) == utc(2026, 6, 11, 18)


def test_later_means_later_where_the_players_are() -> None:
    """23:30 UTC is already the next day in Berlin, so the deadline is on the day after that."""
    assert deadline(EVENING, utc(2026, 6, 10, 23, 30), BERLIN) == utc(2026, 6, 12, 18)


def test_a_time_that_the_clocks_skip_comes_as_if_they_had_not() -> None:
    """02:30 on 29 March 2026 does not exist in Berlin: the turn closes at 03:30 summer time."""
    assert deadline(Daily(at=time(2, 30)), utc(2026, 3, 28, 12), BERLIN) == utc(2026, 3, 29, 1, 30)


def test_a_time_that_comes_twice_is_taken_the_first_time() -> None:
    """02:30 on 25 October 2026 comes twice in Berlin; the first is summer time."""
    assert deadline(Daily(at=time(2, 30)), utc(2026, 10, 24, 12), BERLIN) == utc(2026, 10, 25, 0, 30)


def test_hours_count_from_the_opening_whatever_the_clocks_do() -> None:
    assert deadline(Hours(hours=24), utc(2026, 3, 28, 12), BERLIN) == utc(2026, 3, 29, 12)


def test_without_a_rule_a_turn_waits_for_as_long_as_it_takes() -> None:
    assert deadline(NoDeadline(), utc(2026, 3, 28, 12), BERLIN) is None


@given(
    opened=st.integers(0, 6 * 365 * 24 * 60).map(lambda minutes: utc(2024, 1, 1) + timedelta(minutes=minutes)),
    at=st.times().map(lambda moment: moment.replace(second=0, microsecond=0)),
    zone=st.sampled_from([BERLIN, "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]),
)
def test_a_daily_deadline_is_always_ahead_and_at_most_two_days_away(opened: datetime, at: time, zone: str) -> None:
    found = deadline(Daily(at=at), opened, zone)
    assert found is not None
    assert 0 < (found - opened).total_seconds() < 49.5 * 3600


@pytest.mark.parametrize("rule", [{"rule": "hours", "hours": 0}, {"rule": "daily", "at": "25:00"}, {"rule": "weekly"}])
def test_a_rule_that_makes_no_sense_is_refused(rule: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RULES.validate_python(rule)
