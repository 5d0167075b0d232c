"""When the judge looks into a game's topic on a forum, and what it must have seen before a turn closes.

It looks every minute or so, more often near a deadline.  No turn closes on posts that were not read since it was
complete, or since its time was up: a forum that cannot be read keeps its turns open, and the host is told.  Nobody is
taken for absent because the judge could not see him.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from judge.forum import ForumError, Retry
from judge.service.places import account_of
from judge.service.position import find_game
from judge.store import queries
from judge.store.forum_tables import ForumRow, WatchRow
from judge.store.tables import GameRow

LONGEST_WAIT = timedelta(minutes=15)
"""Between two tries to reach a forum that is away."""


@dataclass(frozen=True)
class Pace:
    """How often the judge looks into a topic (settings: [reading])."""

    usual: timedelta = timedelta(seconds=60)
    near: timedelta = timedelta(seconds=15)
    """While the deadline is near: between two of the usual readings a glance at whether there is anything new."""
    nearness: timedelta = timedelta(minutes=5)
    settling: timedelta = timedelta(seconds=30)
    """A turn whose time is up closes on a reading that began so long after its deadline: forums take a while to show
    what was posted in the last second."""


def pace_of(session: Session) -> Pace:
    """The pace that is set here."""
    pace: Pace = session.info.get("pace", Pace())
    return pace


def looked_at(session: Session, game: GameRow) -> bool:
    """Whether the judge reads this game's topic on a forum."""
    return game.thread is not None and game.moved is None and account_of(session, game) is not None


def games_to_look_at(session: Session, now: datetime) -> list[str]:
    """The games on forums that it is time to look at."""
    query = select(GameRow.id).where(col(GameRow.forum).in_(select(ForumRow.name)))
    games = session.exec(query.where(col(GameRow.status) != "over")).all()
    return [game_id for game_id in games if look_due(session, now, game_id) or inbox_due(session, now, game_id)]


def look_due(session: Session, now: datetime, game_id: str) -> bool:
    """Whether it is time to look into a game's topic."""
    game = find_game(session, game_id)
    if game.status == "over" or not looked_at(session, game):
        return False
    watch = session.get(WatchRow, game_id)
    if watch is None or watch.next_look is None or watch.next_look <= now:
        return True
    return not watch.failures and closing_waits(session, now, game, watch.read)


def inbox_due(session: Session, now: datetime, game_id: str) -> bool:
    """Whether it is time to read the private messages on the forum of this game."""
    game = find_game(session, game_id)
    account = account_of(session, game)
    if account is None or game.status == "over" or game.moved is not None:
        return False
    if account.inbox_next is None or account.inbox_next <= now:
        return True
    return not account.inbox_failures and closing_waits(session, now, game, account.inbox_read)


def closing_waits(session: Session, now: datetime, game: GameRow, read: datetime | None) -> bool:
    """Whether the open turn would close now if the forum had been read since it could; `read` is when it was."""
    return any(moment <= now and (read is None or read < moment) for moment in _closings(session, game))


def _closings(session: Session, game: GameRow) -> list[datetime]:
    """The moments from which on the open turn may close, as far as they are known."""
    turn = queries.latest_turn(session, game.id)
    if turn is None or turn.status != "open" or game.paused is not None:
        return []
    moments = [] if turn.deadline is None else [turn.deadline + pace_of(session).settling]
    if turn.complete is not None:
        moments.append(turn.complete + timedelta(minutes=game.cool_off_minutes))
    return moments


def seen_since(session: Session, game: GameRow, moment: datetime) -> bool:
    """Whether posts and private messages were read since then; always so where the judge reads no forum."""
    account = account_of(session, game)
    if account is None or game.moved is not None:
        return True
    watch = session.get(WatchRow, game.id)
    topic = game.thread is None or (watch is not None and watch.read is not None and watch.read >= moment)
    return topic and account.inbox_read is not None and account.inbox_read >= moment


def seen_after_deadline(session: Session, game: GameRow, deadline: datetime) -> bool:
    """Whether what was posted in time can have been seen."""
    return seen_since(session, game, deadline + pace_of(session).settling)


def wait_after(session: Session, failures: int, error: ForumError) -> timedelta:
    """Until a forum is tried again after so many failures in a row: as long as it asks for, else ever longer."""
    if isinstance(error, Retry):
        return timedelta(seconds=error.after)
    return min(pace_of(session).usual * (1 << min(failures - 1, 6)), LONGEST_WAIT)


def next_look(session: Session, now: datetime, game: GameRow, watch: WatchRow) -> datetime:
    """When to look again after a look that went well."""
    pace, turn = pace_of(session), queries.latest_turn(session, game.id)
    if turn is None or turn.status != "open" or game.paused is not None:
        return now + pace.usual
    moments = [now + pace.usual]
    closings = _closings(session, game)
    if turn.deadline is not None:
        closings.append(turn.deadline)
        if now >= turn.deadline - pace.nearness:
            moments.append(now + pace.near)
    moments += [max(closing, now) for closing in closings if watch.read is None or watch.read < closing]
    return min(moments)


def glances_follow(session: Session, now: datetime, deadline: datetime | None) -> bool:
    """Whether a deadline may be near before the topic is read the next time."""
    pace = pace_of(session)
    return deadline is not None and now + pace.usual >= deadline - pace.nearness
