"""Reading a game's topic on a forum: how much is asked for, and what follows from it.

A forum's marks say nothing of edits, so that each reading goes through all posts of the open turn and of the one
before, and asks for the source of those that are not as they were.  Only near a deadline are there glances between two
readings, that ask for the mark alone.

The forum is asked outside of any transaction.  What was seen is taken in by one commit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session

from judge.forum import Changed, Forum, ForumError, Post, Raw, Refused
from judge.service import claiming, publishing
from judge.service.places import Places, faults_as_changes
from judge.service.position import find_game
from judge.service.sighting import Reader, Seen, newest_sights, post_hash
from judge.service.watching import closing_waits, glances_follow, next_look, pace_of, wait_after
from judge.store import Store, queries
from judge.store.forum_tables import SightRow, WatchRow
from judge.store.tables import GameRow, TurnRow

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Window:
    """How far back a topic is read: from a post of the judge's own, or (None) from its beginning."""

    since: str | None = None
    turn: int = 0
    """The turn that was opened by that post."""


@dataclass(frozen=True)
class Look:
    """What is known before the forum is asked."""

    began: datetime
    read: datetime | None
    """When the reading before this one began."""
    thread: str
    window: Window
    deadline: datetime | None
    """Of the open turn."""
    mark: str | None
    whole: bool
    glances: bool
    """Whether a glance may follow before the next whole reading: it compares marks."""
    players: frozenset[str | None]
    """Author ids of seats."""
    hashes: Mapping[str, str]
    """Of the posts as they were seen last, by post id."""


@dataclass
class Found:
    """What the forum showed.  `posts` is None if nothing seemed new."""

    mark: str | None
    """None if it was not asked for."""
    lag: timedelta | None = None
    """By how much the forum's clock is ahead of the judge's."""
    merges: bool = False
    precision: timedelta = timedelta(0)
    posts: list[Post] | None = None
    seen: list[Seen] = field(default_factory=list)
    """Those that are new or have changed."""


def read(
    store: Store, places: Places, now: Callable[[], datetime], game_id: str, whole: bool = False
) -> Literal["new", "nothing", "failed"]:
    """Looks into a game's topic now and takes in what is there; `whole`: also where nothing seems new."""
    with store.read() as session:
        look = _look(session, now(), find_game(session, game_id), whole)
    try:
        with faults_as_changes(), places.visit(game_id) as forum:
            found = _ask(forum, look)
            found.lag = None if forum.served is None else forum.served - now()
    except ForumError as error:
        failure = error
        store.write(lambda session: _failed(session, now(), game_id, failure))
        return "failed"
    return "new" if store.write(lambda session: _take_in(session, now(), game_id, look, found)) else "nothing"


def _look(session: Session, now: datetime, game: GameRow, whole: bool) -> Look:
    watch = session.get(WatchRow, game.id) or WatchRow(game_id=game.id)
    turn = queries.latest_turn(session, game.id)
    whole = whole or watch.read is None or watch.read + pace_of(session).usual <= now or watch.failures > 0
    deadline = turn.deadline if turn is not None and game.paused is None else None
    return Look(
        began=now,
        read=watch.read,
        thread=game.thread or "",
        window=_window(session, game, turn),
        deadline=deadline,
        mark=watch.mark,
        whole=whole or closing_waits(session, now, game, watch.read),
        glances=glances_follow(session, now, deadline),
        players=frozenset(row.author_id for row in queries.seats(session, game.id) if row.author_id is not None),
        hashes={post_id: sight.hash for post_id, sight in newest_sights(session, game.id).items()},
    )


def _ask(forum: Forum, look: Look) -> Found:
    """Asks the forum: what is there now, and what was typed in posts that may be orders."""
    me, caps = forum.me().id, forum.caps
    mark = forum.probe() if look.glances or not look.whole else None
    found = Found(mark, merges=caps.merges_posts, precision=caps.precision)
    if look.whole or found.mark != look.mark:
        found.posts = list(forum.fetch_posts(look.window.since))
        if not found.posts:  # the judge's own post is gone, and nothing follows it
            found.posts = list(forum.fetch_posts())
        for post in found.posts:
            if post.author_id != me and look.hashes.get(post.id) != post_hash(post):
                found.seen.append(_seen(forum, post, look))
    return found


def _seen(forum: Forum, post: Post, look: Look) -> Seen:
    """A post with what a player typed; of others only a word that claims a seat matters."""
    plays = post.author_id in look.players
    if post.state != "visible" or not (plays or claiming.WORD.search(post.text)):
        return Seen(post, None)
    if plays and look.deadline is not None and (stood := _at(look.deadline, forum, post)) is not None:
        return stood
    try:
        return Seen(post, forum.fetch_raw(post.id))
    except Refused:  # what everybody is shown must do; a post that has just gone will be missed by the next look
        return Seen(post, None)


def _at(deadline: datetime, forum: Forum, post: Post) -> Seen | None:
    """What stood in a post when time was up, if its author has changed it since then and the forum tells."""
    if post.created is None or post.edited is None or not post.created < deadline <= post.edited:
        return None
    revisions = forum.history(post.id) or [] if forum.caps.history else []
    written = post.created
    for revision in revisions:
        if revision.until >= deadline:
            return Seen(post, Raw(revision.text, revision.markup), written)
        written = revision.until
    return None


def _take_in(session: Session, now: datetime, game_id: str, look: Look, found: Found) -> bool:
    """Writes down what was seen; whether there was something that matters."""
    game = find_game(session, game_id)
    watch = session.get(WatchRow, game_id) or WatchRow(game_id=game_id)
    if game.thread != look.thread or watch.read != look.read:
        return False  # the game has moved to another topic meanwhile, or another judge has seen what is newer
    mattered = False
    if found.posts is not None:
        mattered = _take_posts(session, now, game, look, found, found.posts)
        watch.read, watch.mark = look.began, found.mark
    watch.looked, watch.failures, watch.error, watch.alarm = look.began, 0, None, False
    if found.lag is not None:
        watch.lag = round(found.lag.total_seconds(), 1)
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
    reader = Reader(
        session,
        now,
        game,
        floor=None if letter is None or not letter.post_ids else positions.get(letter.post_ids[0]),
        opened=letter is None or letter.status in ("sent", "held"),
        merges=found.merges,
        lag=found.lag or timedelta(0),
        precision=found.precision,
    )
    outcomes = [reader.take(seen) for seen in reader.in_order(found.seen)]
    outcomes += [reader.take_absence(sight) for sight in _absent(session, game, look.window, posts, reader.known)]
    return any(outcome not in (None, "nothing") for outcome in outcomes)


def _absent(
    session: Session, game: GameRow, window: Window, posts: Sequence[Post], known: Mapping[str, SightRow]
) -> list[SightRow]:
    """Posts whose orders were taken, and that are not listed where they would have to be.

    Positions cannot say where that is, since they move when something above them goes.
    """
    listed, began = {post.id for post in posts}, posts[0].created if posts else None
    taken = queries.posts_with_orders(session, game.id, window.turn)
    gone = [known[post_id] for post_id in taken if post_id in known and post_id not in listed]
    return [
        sight
        for sight in gone
        if window.since is None or began is None or sight.created is None or sight.created >= began
    ]


def _window(session: Session, game: GameRow, turn: TurnRow | None) -> Window:
    """From the post on that opened the turn before, so that late edits are seen too."""
    before = None if turn is None else queries.result_before(session, game.id, turn.number)
    while before is not None:
        letter = publishing.letter_that_opened(session, before)
        if letter is not None:
            return Window(letter.post_ids[0], before.number) if letter.post_ids else Window()
        before = queries.result_before(session, game.id, before.number)
    letter = None if turn is None else publishing.letter_that_opened(session, turn)
    if turn is None or letter is None or not letter.post_ids:
        return Window()
    return Window(letter.post_ids[0], turn.number)


def _failed(session: Session, now: datetime, game_id: str, error: ForumError) -> None:
    """Writes down that the forum could not be read, and when it is tried again."""
    watch = session.get(WatchRow, game_id) or WatchRow(game_id=game_id)
    watch.failures += 1
    watch.error = error.text.model_dump(mode="json")
    watch.alarm = watch.alarm or isinstance(error, Changed)
    watch.next_look = now + wait_after(session, watch.failures, error)
    session.add(watch)
    log.warning("the topic of game %s could not be read, %d times in a row: %s", game_id, watch.failures, error)
