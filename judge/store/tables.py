"""The tables.  Submissions and turns are only ever added to; their state moves forward, never back.

Columns named `sealed_*` hold bytes that only the vault can read (`store.seal`, `store.unseal`); what stands in them is
said beside each.  All times are UTC.  Seats are known by their key ("1", "2", …) in game order; names belong to people
and may change.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, LargeBinary
from sqlalchemy.types import JSON
from sqlmodel import Field

from judge.store.columns import Table, UtcDateTime, new_public_id


class GameRow(Table, table=True):
    """A game: what was agreed when it was opened, and how far it is."""

    __tablename__ = "game"

    id: str = Field(primary_key=True)
    title: str
    ruleset: str
    ruleset_version: int
    options: dict[str, Any] = Field(sa_type=JSON)
    language: str
    zone: str
    numbers: str
    """How numbers are read in posts: neutral, de or en."""
    deadline_rule: dict[str, Any] = Field(sa_type=JSON)
    """See service.deadlines."""
    cool_off_minutes: int = 0
    """How long a complete turn waits for second thoughts before it resolves."""
    open_orders: str = "count"
    """What happens to an order in a post that everybody can read: count or refuse."""
    read_code: bool = True
    read_spoilers: bool = True
    forum: str
    """The name of a forum (ForumRow); "board" for the judge's own, "by-hand" where the host copies posts from there."""
    thread: str | None = None
    thread_url: str | None = None
    status: str
    """open (seats are being taken), running, over, or aside (something is wrong; the alarm says what)."""
    paused: datetime | None = Field(default=None, sa_type=UtcDateTime)
    moved: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it was handed to another judge; None = it is played here."""
    moves: int = 0
    """How often it has been handed on, by any judge: of two copies, the higher number is the later one."""
    alarm: str | None = None
    created: datetime = Field(sa_type=UtcDateTime)
    started: datetime | None = Field(default=None, sa_type=UtcDateTime)
    ended: datetime | None = Field(default=None, sa_type=UtcDateTime)


class ChainRow(Table, table=True):
    """A chain of secrets from which a game's chance comes.  When its last link is used, the next chain begins."""

    __tablename__ = "chain"

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    number: int = Field(primary_key=True)
    length: int
    used: int = 0
    """Links that turns have been given, from 1."""
    anchor: str
    """Link 0 in hex, public from the beginning."""
    hidden_anchor: str
    """SHA-256 of the hidden secret in hex, public from the beginning."""
    drawn: bool = False
    """Whether anything was shuffled or drawn with the hidden secret."""
    opened: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the hidden secret became public, at the end of the game."""
    sealed_secrets: bytes = Field(sa_type=LargeBinary)
    """{"seed": hex of the last link, "hidden": hex of the hidden secret}."""


class RecordRow(Table, table=True):
    """One entry of a game's public record: only ever added, and chained by its hash (see core.record)."""

    __tablename__ = "record"

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    number: int = Field(primary_key=True)
    """From 1."""
    kind: str
    turn: int | None = None
    version: int | None = None
    body: str
    """The canonical JSON that was hashed."""
    hash: str


class KeyRow(Table, table=True):
    """A key pair of the judge: for signing receipts, or for opening sealed envelopes."""

    __tablename__ = "key"

    kid: str = Field(primary_key=True)
    """The RFC 7638 thumbprint."""
    use: str
    """sig (Ed25519) or enc (P-256), as in a JWK."""
    public: dict[str, Any] = Field(sa_type=JSON)
    """The public JWK."""
    created: datetime = Field(sa_type=UtcDateTime)
    retired: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when nothing new is made with it; what was made before still opens and verifies."""
    sealed_private: bytes = Field(sa_type=LargeBinary)
    """The private JWK."""


class SeatRow(Table, table=True):
    """A place at the table and who sits there."""

    __tablename__ = "seat"

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    seat: str = Field(primary_key=True)
    name: str
    bot: bool = False
    taken: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When a person (or a bot) took it; None = free."""
    author_id: str | None = None
    """The player's immutable id on the game's forum."""
    author_name: str | None = None
    """The name that he had there when he claimed the seat."""


class LinkRow(Table, table=True):
    """A personal link to a seat, or to the host's place (`seat` None): shown once, claimed once, stored hashed."""

    __tablename__ = "link"

    token_hash: str = Field(primary_key=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    seat: str | None = None
    created: datetime = Field(sa_type=UtcDateTime)
    claimed: datetime | None = Field(default=None, sa_type=UtcDateTime)
    voided: datetime | None = Field(default=None, sa_type=UtcDateTime)


class AccessRow(Table, table=True):
    """Who holds a token (a browser's session or a bearer token, hashed) may act for a seat or as the host."""

    __tablename__ = "access"
    __table_args__ = (Index("ix_access_token_hash_game_id", "token_hash", "game_id"),)

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str
    game_id: str = Field(foreign_key="game.id", index=True)
    seat: str | None = None
    bearer: bool = False
    created: datetime = Field(sa_type=UtcDateTime)
    voided: datetime | None = Field(default=None, sa_type=UtcDateTime)


class TurnRow(Table, table=True):
    """One opening of orders.  The row is the lock: whoever moves its status on does the work, and nobody else."""

    __tablename__ = "turn"

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    number: int = Field(primary_key=True)
    version: int = Field(primary_key=True, default=1)
    status: str
    """open, closed, resolved; dropped if it was taken back before it had a result; over for the row that keeps the last
    position of a game."""
    opened: datetime = Field(sa_type=UtcDateTime)
    undone: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the host took it back; it is kept, and counts no more."""
    chain: int = 0
    link: int = 0
    """Which link of which chain its chance comes from; 0 in turns older than the game's record."""
    deadline: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    complete: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """Since when every awaited seat has a valid set; None while one is missing."""
    fresh: bool = False
    """Standing sets do not count as posted here: the game has just begun, or ran on without anybody's post."""
    ran_on: bool = False
    """Nobody had to post: it closed as it opened, and its result is told in one letter with the one before it."""
    closed: datetime | None = Field(default=None, sa_type=UtcDateTime)
    resolved: datetime | None = Field(default=None, sa_type=UtcDateTime)
    why: str | None = None
    """What closed it: complete, deadline, host, forced."""
    missed: list[str] = Field(default_factory=list, sa_type=JSON)
    passed: list[str] = Field(default_factory=list, sa_type=JSON)
    """Who handed in an empty set, as far as that is public with the result."""
    forced: list[str] = Field(default_factory=list, sa_type=JSON)
    decisions: list[str] = Field(default_factory=list, sa_type=JSON)
    """What the host or the clock has decided for the game in this turn ("last round")."""
    kept: list[str] = Field(default_factory=list, sa_type=JSON)
    """Seats whose orders of an undone version count here too, and stay as they are."""
    void: list[str] = Field(default_factory=list, sa_type=JSON)
    """Seats that lost what they had handed in, and their standing orders, while this turn was open."""
    public_state: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    """The public View at the opening."""
    events: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    """Public events, once resolved."""
    report: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The public Report, once resolved."""
    opened_orders: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    """The orders that opened with the turn, by seat."""
    opened_lines: dict[str, list[str]] = Field(default_factory=dict, sa_type=JSON)
    """The same as the judge writes them, in the game's language."""
    sealed_state: bytes = Field(sa_type=LargeBinary)
    """The State at the opening."""
    sealed_sets: bytes | None = Field(default=None, sa_type=LargeBinary)
    """{seat: InForce}, fixed when the turn closes (see service.sealing)."""
    sealed_private: bytes | None = Field(default=None, sa_type=LargeBinary)
    """{seat: Report} of what each seat alone is told, once resolved."""


class SubmissionRow(Table, table=True):
    """What somebody handed in, and what became of it."""

    __tablename__ = "submission"
    __table_args__ = (
        ForeignKeyConstraint(
            ["game_id", "number", "version"], ["turn.game_id", "turn.number", "turn.version"], name="fk_submission_turn"
        ),
        Index("ix_submission_turn_seat", "game_id", "number", "version", "seat"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: str
    number: int
    version: int
    seat: str
    via: str
    """form, api, post, message, paste, bot, kept (of a version of the turn that was taken back)."""
    post_id: str | None = None
    request: str | None = Field(default=None, unique=True)
    """A key that makes a doubled request the same request."""
    received: datetime = Field(sa_type=UtcDateTime)
    status: str
    """counting, replaced, withdrawn, refused, void."""
    sealed_orders: bytes = Field(sa_type=LargeBinary)
    """The orders as JSON."""
    sealed_receipt: bytes = Field(sa_type=LargeBinary)
    """The Receipt as JSON."""


class StandingRow(Table, table=True):
    """The orders of a seat that carry over until they are changed."""

    __tablename__ = "standing"

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    seat: str = Field(primary_key=True)
    since: datetime = Field(sa_type=UtcDateTime)
    sealed_orders: bytes = Field(sa_type=LargeBinary)


class LetterRow(Table, table=True):
    """Something to be published or told, exactly once: the outbox."""

    __tablename__ = "letter"

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    """ "game · turn · version · kind · recipient"; it also stands in the post, so that a retry can find it."""
    game_id: str = Field(foreign_key="game.id", index=True)
    kind: str
    recipient: str
    """"thread", or a seat."""
    number: int | None = None
    created: datetime = Field(sa_type=UtcDateTime)
    status: str = Field(default="waiting", index=True)
    """waiting, sent, held (the forum keeps it back until a moderator has looked), kept (no forum takes it: it is on the
    page), moved (the judge that has the game now sends it)."""
    body: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The Report, if everybody may read it."""
    sealed_body: bytes | None = Field(default=None, sa_type=LargeBinary)
    """The Report, if it is for one seat."""
    parts: list[dict[str, Any]] | None = Field(default=None, sa_type=JSON)
    """Reports for a post each, fixed before the first is sent, if it is too long for one post."""
    sealed_parts: bytes | None = Field(default=None, sa_type=LargeBinary)
    """The same of a letter to one seat."""
    tries: int = 0
    """Without success, in a row."""
    begun: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the try began that is under way, or that a killed judge did not end."""
    next_try: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When it is tried again; of a held one, when the judge looks whether it has been let through."""
    sent: datetime | None = Field(default=None, sa_type=UtcDateTime)
    post_ids: list[str] = Field(default_factory=list, sa_type=JSON)
    """The posts where it stands; of one in parts, those of the parts that stand there by now."""
    address: str | None = None
    """Where people read it (of one in parts, its first), if the forum says."""
    error: str | None = None
    """What went wrong last, in English."""
    trouble: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The same as a Text."""


class PostRow(Table, table=True):
    """A post on the judge's own board."""

    __tablename__ = "post"

    id: int | None = Field(default=None, primary_key=True)
    """In the order of writing; never shown, since gaps would tell how many posts are hidden."""
    public_id: int = Field(default_factory=new_public_id, sa_type=BigInteger, unique=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    author: str
    """"judge", "seat:2", or "guest:" and a hash."""
    author_name: str
    key: str | None = Field(default=None, index=True)
    """The letter's key, if the judge wrote it."""
    request: str | None = Field(default=None, unique=True)
    number: int | None = None
    """The turn that was open when it was written."""
    version: int | None = None
    created: datetime = Field(sa_type=UtcDateTime)
    edited: datetime | None = Field(default=None, sa_type=UtcDateTime)
    deleted: datetime | None = Field(default=None, sa_type=UtcDateTime)
    text: str
    """What everybody may read, as Markdown: without order lines while their turn is open."""
    letter: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The judge's posts are Reports, shown in the reader's language."""
    mark: bool = False
    """"Sealed order handed in" stands here."""
    hidden: bool = False
    """Held nothing but orders: not shown before the turn closes."""
    sealed_source: bytes | None = Field(default=None, sa_type=LargeBinary)
    """What the author typed, whole."""


class AuditRow(Table, table=True):
    """Who did what to a game, for everybody to read.  Only added to; never holds an order."""

    __tablename__ = "audit"

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    at: datetime = Field(sa_type=UtcDateTime)
    request: str | None = Field(default=None, unique=True)
    text: dict[str, Any] = Field(sa_type=JSON)
    """A Text."""
