"""When a turn closes at the latest.

Three rules: no deadline; so many hours after the opening; daily at a time of the game's zone.  The daily one is the
first such time on a *later local date* than the opening, so that an early resolution stays on the grid and nobody gets
a turn of ten minutes.

Clock changes: a local time that the clocks skip is taken as if they had not been put forward yet (02:30 becomes 03:30
summer time); a local time that comes twice is taken the first time.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from judge.core.text import Text


class _Rule(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NoDeadline(_Rule):
    rule: Literal["none"] = "none"


class Hours(_Rule):
    """So many hours after the opening."""

    rule: Literal["hours"] = "hours"
    hours: int = Field(ge=1, le=24 * 60)


class Daily(_Rule):
    """Every day at this local time."""

    rule: Literal["daily"] = "daily"
    at: time


DeadlineRule = Annotated[NoDeadline | Hours | Daily, Field(discriminator="rule")]
RULES: TypeAdapter[NoDeadline | Hours | Daily] = TypeAdapter(DeadlineRule)


def deadline(rule: NoDeadline | Hours | Daily, opened: datetime, zone: str) -> datetime | None:
    """The deadline, in UTC, of a turn that opens now; None if it waits for as long as it takes."""
    match rule:
        case NoDeadline():
            return None
        case Hours(hours=hours):
            return opened + timedelta(hours=hours)
        case Daily(at=at):
            local = opened.astimezone(ZoneInfo(zone))
            later = datetime.combine(local.date() + timedelta(days=1), at.replace(tzinfo=None), ZoneInfo(zone))
            return later.astimezone(UTC)


def in_words(rule: NoDeadline | Hours | Daily, zone: str) -> Text:
    """The rule as players read it."""
    match rule:
        case NoDeadline():
            return Text.of("There is no deadline: a turn waits for its last player.")
        case Hours(hours=hours):
            return Text.n(
                "Each turn has a deadline {count} hour after it opens.",
                "Each turn has a deadline {count} hours after it opens.",
                hours,
            )
        case Daily(at=at):
            return Text.of(
                "The deadline is daily at {time} ({zone}), from the day after a turn opens.",
                time=at.strftime("%H:%M"),
                zone=zone,
            )
