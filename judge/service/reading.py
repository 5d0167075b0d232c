"""Reading a game's topic on a forum: how much is asked for, and what follows from it.

A forum's marks say nothing of edits, so that each reading goes through all posts of the open turn and of the one
before, and asks for the source of those that are not as they were.  Only glances between two readings are cheap.

The forum is asked outside of any transaction.  What was seen is taken in by one commit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session

from judge.forum import Changed, Forum, ForumError, Missing, Post, Raw, Retry
from judge.service import claiming, publishing
from judge.service.places import Places
from judge.service.position import find_game
from judge.service.sighting import Reader, Seen, newest_sights, post_hash
from judge.service.watching import LONGEST_WAIT, closing_waits, next_look, pace_of
from judge.store import Store, queries
from judge.store.forum_tables import SightRow, WatchRow
from judge.store.tables import GameRow, LetterRow, TurnRow

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Look:
    """What is known before the forum is asked."""

    began: datetime
    thread: str
    since: str | None
    mark: str | None
    whole: bool
    players: frozenset[str | None]
    """Author ids of seats."""
    hashes: Mapping[str, str]
    """Of the posts as they were seen last, by post id."""


@dataclass
class Found:
    """What the forum showed.  `posts` is None if nothing seemed new."""

    mark: str
    served: datetime | None = None
    me: str = ""
    merges: bool = False
    posts: list[Post] | None = None
    seen: list[Seen] = field(default_factory=list)
    """Those that are new or have changed."""
    skipped: set[str] = field(default_factory=set)


def read(
    store: Store, places: Places, now: Callable[[], datetime], game_id: str
) -> Literal["new", "nothing", "failed"]:
    """Looks into a game's topic now and takes in what is there."""
    with store.read() as session:
        look = _look(session, now(), find_game(session, game_id))
    try:
        with places.visit(game_id) as forum:
            found = _ask(forum, look)
    except ForumError as error:
        failure = error
        store.write(lambda session: _failed(session, now(), game_id, failure))
        return "failed"
    return "new" if store.write(lambda session: _take_in(session, now(), game_id, look, found)) else "nothing"


def _look(session: Session, now: datetime, game: GameRow) -> Look:
    watch = session.get(WatchRow, game.id) or WatchRow(game_id=game.id)
    turn = queries.latest_turn(session, game.id)
    whole = watch.read is None or watch.read + pace_of(session).usual <= now or watch.failures > 0
    return Look(
        began=now,
        thread=game.thread or "",
        since=_since(session, game, turn),
        mark=watch.mark,
        whole=whole or closing_waits(session, now, game, watch.read),
        players=frozenset(row.author_id for row in queries.seats(session, game.id) if row.author_id is not None),
        hashes={post_id: sight.hash for post_id, sight in newest_sights(session, game.id).items()},
    )


def _ask(forum: Forum, look: Look) -> Found:
    """Asks the forum: what is there now, and what was typed in posts that may be orders."""
    me = forum.me().id
    found = Found(forum.probe(), me=me, merges=forum.caps.merges_posts)
    if look.whole or found.mark != look.mark:
        found.posts = list(forum.fetch_posts(look.since))
        for post in found.posts:
            if post.author_id == me or look.hashes.get(post.id) == post_hash(post):
                continue
            try:
                found.seen.append(Seen(post, _typed(forum, post, look.players)))
            except Missing:  # it was taken away while the judge was reading
                found.skipped.add(post.id)
    found.served = forum.served
    return found


def _typed(forum: Forum, post: Post, players: Collection[str | None]) -> Raw | None:
    """What a player typed; of others only a word that claims a seat matters."""
    if post.state != "visible":
        return None
    return forum.fetch_raw(post.id) if post.author_id in players or claiming.WORD.search(post.text) else None


def _take_in(session: Session, now: datetime, game_id: str, look: Look, found: Found) -> bool:
    """Writes down what was seen; whether there was something that matters."""
    game = find_game(session, game_id)
    watch = session.get(WatchRow, game_id) or WatchRow(game_id=game_id)
    if game.thread != look.thread:
        return False  # the game has moved to another topic meanwhile
    mattered = False
    if found.posts is not None:
        mattered = _take_posts(session, now, game, look, found, found.posts)
        watch.read, watch.mark = look.began, found.mark
    watch.looked, watch.failures, watch.error, watch.alarm = look.began, 0, None, False
    if found.served is not None:
        watch.lag = round((found.served - now).total_seconds(), 1)
    watch.next_look = next_look(session, now, game, watch)
    session.add(watch)
    session.flush()
    return mattered


def _take_posts(
    session: Session, now: datetime, game: GameRow, look: Look, found: Found, posts: Sequence[Post]
) -> bool:
    turn = queries.latest_turn(session, game.id)
    letter = None if turn is None else publishing.letter_that_opened(session, turn)
    positions = {post.id: post.position for post in posts}
    floor = None if letter is None or not letter.post_ids else positions.get(letter.post_ids[0])
    opened = letter is None or letter.status in ("sent", "held")
    reader = Reader(session, now, game, floor, opened, found.merges)
    outcomes = [reader.take(seen) for seen in sorted(found.seen, key=lambda seen: seen.post.position)]
    outcomes += [reader.take_absence(sight) for sight in _absent(session, game, look, found, posts)]
    return any(outcome not in (None, "nothing") for outcome in outcomes)


def _absent(session: Session, game: GameRow, look: Look, found: Found, posts: Sequence[Post]) -> list[SightRow]:
    """Posts that were seen before and are not listed where they would have to be."""
    listed, first = {post.id for post in posts}, min(post.position for post in posts)
    return [
        sight
        for post_id, sight in newest_sights(session, game.id).items()
        if post_id not in listed and post_id not in found.skipped and (look.since is None or sight.position > first)
    ]


def _since(session: Session, game: GameRow, turn: TurnRow | None) -> str | None:
    """The post from which on is read: the judge's own that opened the turn before, so that late edits are seen too."""
    if turn is None:
        return None
    before = queries.result_before(session, game.id, turn.number)
    letter: LetterRow | None = None
    while before is not None and letter is None:
        letter = publishing.letter_that_opened(session, before)
        before = queries.result_before(session, game.id, before.number)
    letter = letter or publishing.letter_that_opened(session, turn)
    return letter.post_ids[0] if letter is not None and letter.post_ids else None


def _failed(session: Session, now: datetime, game_id: str, error: ForumError) -> None:
    """Writes down that the forum could not be read, and when it is tried again."""
    watch = session.get(WatchRow, game_id) or WatchRow(game_id=game_id)
    watch.failures += 1
    watch.error = error.text.model_dump(mode="json")
    watch.alarm = watch.alarm or isinstance(error, Changed)
    wait = min(pace_of(session).usual * (1 << min(watch.failures - 1, 6)), LONGEST_WAIT)
    if isinstance(error, Retry):
        wait = timedelta(seconds=error.after)
    watch.next_look = now + wait
    session.add(watch)
    log.warning("the topic of game %s could not be read, %d times in a row: %s", game_id, watch.failures, error)
