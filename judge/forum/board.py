"""The judge's own board as a forum: every game has a thread here.

Posts of people are taken in as they are written (`judge.service.thread`), so there is nothing to poll; the judge's
letters arrive by the same outbox as on any other forum and are stored as reports, shown in each reader's language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.text import Text
from judge.forum import Caps, DirectMessage, Forum, Member, Place, Post, Published, Raw, Refused, Rendered, Topic
from judge.store import Store
from judge.store.tables import PostRow

JUDGE = "judge"
NAME = "Gamejudge"


class Board:
    """The thread of one game on the judge's own board."""

    caps = Caps(raw=True, instant=True)

    served: datetime | None = None

    def __init__(self, place: Place) -> None:
        self._game_id = place.game_id
        self._store: Store = place.store
        self._now = place.now

    def me(self) -> Member:
        return Member(JUDGE, NAME)

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic:
        first = self.publish(text, key).ids[0]
        return Topic(self._game_id, title, first)

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> Topic | None:
        found = self.find(key)
        return None if found is None else Topic(self._game_id, title, found.ids[0])

    def topic(self) -> Topic:
        with self._store.read() as session:
            rows = _rows(session, self._game_id)
        if not rows:
            raise Refused(Text.of("This game has no topic yet."))
        return Topic(self._game_id, "", str(rows[0].id))

    def probe(self) -> str:
        with self._store.read() as session:
            newest = session.exec(
                select(PostRow.id).where(PostRow.game_id == self._game_id).order_by(col(PostRow.id).desc())
            ).first()
        return str(newest or 0)

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        with self._store.read() as session:
            rows = _rows(session, self._game_id)
        return [
            _post(position, row) for position, row in enumerate(rows) if since is None or int(since) < (row.id or 0)
        ]

    def fetch_raw(self, post_id: str) -> Raw:
        post = next((post for post in self.fetch_posts() if post.id == post_id), None)
        if post is None:
            raise Refused(Text.of("There is no such post in this thread."))
        return Raw(post.text, post.markup)

    def history(self, post_id: str) -> None:
        return None

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published:
        def put(session: Session) -> str:
            earlier = session.exec(select(PostRow).where(PostRow.game_id == self._game_id, PostRow.key == key)).first()
            if earlier is not None:
                return str(earlier.id)
            row = PostRow(
                game_id=self._game_id,
                author=JUDGE,
                author_name=NAME,
                key=key,
                created=self._now(),
                text=text.markdown,
                letter=dict(text.report),
            )
            session.add(row)
            session.flush()
            return str(row.id)

        return Published((self._store.write(put),))

    def find(self, key: str, since: datetime | None = None) -> Published | None:
        with self._store.read() as session:
            row = session.exec(select(PostRow).where(PostRow.game_id == self._game_id, PostRow.key == key)).first()
        return None if row is None else Published((str(row.id),))

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        raise Refused(Text.of("What the judge has written on its board stays as it is."))

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        return ()

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str:
        raise Refused(Text.of("The board has no private messages: letters to a seat stand on its order page."))

    def close(self) -> None:
        """There is nothing to let go of."""


def forum(place: Place) -> Forum:
    """The connector."""
    return Board(place)


def _rows(session: Session, game_id: str) -> Sequence[PostRow]:
    return session.exec(select(PostRow).where(PostRow.game_id == game_id).order_by(col(PostRow.id))).all()


def _post(position: int, row: PostRow) -> Post:
    hidden = row.hidden or row.deleted is not None
    return Post(
        id=str(row.id),
        position=position,
        author_id=row.author,
        author_name=row.author_name,
        text="" if hidden else row.text,
        markup="markdown",
        created=row.created,
        edited=row.edited,
        state="deleted" if row.deleted is not None else "hidden" if row.hidden else "visible",
    )
