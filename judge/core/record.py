"""The public record of a game: what everybody may know, in the order in which it became public.

Each record is one JSON object, only ever added, and chained to the one before it by `seal.record_hash`.  The models
below are its schema; SEALING.md tells how each field is checked.  Times are UTC, seats are keys, money is integer.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from judge.core.dice import Throw
from judge.core.seal import Hex32, Opens, SealedPart

Json = dict[str, Any]
How = Literal["posted", "standing", "forced", "missed"]
"""Where a seat's orders come from: handed in, carried over, the only ones possible, or the default of who is absent."""

Why = Literal["complete", "deadline", "host", "forced"]
"""What closed a turn: everybody had posted, the time was up, the host did it, or nobody had anything to decide."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Anchors(_Part):
    """A new chain of secrets, bound before it is used.

    public   link 0 of the chain for public throws; link n is revealed by the n-th resolution that uses the chain
    hidden   SHA-256 of the secret for shuffles, private draws and salts; it is revealed when the game ends
    """

    chain: int
    length: int
    public: Hex32
    hidden: Hex32


class Chance(_Part):
    """The link that a resolution used, and every public throw made with it."""

    chain: int
    link: int
    secret: Hex32
    throws: tuple[Throw, ...]


class Created(_Part):
    """The game was opened: its rules and options, and the anchors of its chance, before anybody sat down.

    keys    the judge's signing keys, as RFC 7638 thumbprints
    joined  only in a game that began before records were kept: from here on it has them
    """

    record: Literal["created"] = "created"
    at: AwareDatetime
    game: str
    ruleset: str
    ruleset_version: int
    options: Json
    anchors: Anchors
    keys: tuple[str, ...]
    joined: Joined | None = None


class Joined(_Part):
    """Where the record of an older game begins."""

    turn: int
    version: int
    state: Json


class Started(_Part):
    """Everybody is there, and the set-up is made.

    seats   seat key → what it contributes to the set-up's chance: SHA-256 of the player's name
    state   the public view of the first position
    """

    record: Literal["started"] = "started"
    at: AwareDatetime
    seats: dict[str, Hex32]
    chance: Chance
    state: Json
    anchors: Anchors | None = None


class Entry(_Part):
    """A seat that was asked: where its orders come from, and their seal (forced and missed seats have none)."""

    how: How
    commitment: Hex32 | None = None


class Closed(_Part):
    """A turn takes no more orders: the seals of those that count, published before anything is opened.

    void   seats that lost what they had handed in and their standing orders while the turn was open
    keys   the judge's signing keys and all others that signed receipts of this turn, as thumbprints
    """

    record: Literal["closed"] = "closed"
    at: AwareDatetime
    turn: int
    version: int
    opened: AwareDatetime
    deadline: AwareDatetime | None
    why: Why
    seats: dict[str, Entry]
    decisions: tuple[str, ...]
    void: tuple[str, ...]
    keys: tuple[str, ...]


class OpenedSet(_Part):
    """A sealed set with what opens now.

    parts    opened
    closed   the commitments of the parts that stay closed until the game ends
    """

    parts: dict[Opens, SealedPart]
    closed: dict[Opens, Hex32]


class Resolved(_Part):
    """A turn's result.

    sets      the sealed sets of seats that posted or have standing orders
    filled    the orders (those that open with the turn) of forced and absent seats
    events    what everybody is told;  state: the public view afterwards
    anchors   the next chain, if this turn used the last link of the one before
    """

    record: Literal["resolved"] = "resolved"
    at: AwareDatetime
    turn: int
    version: int
    sets: dict[str, OpenedSet]
    filled: dict[str, tuple[Json, ...]]
    chance: Chance
    events: tuple[Json, ...]
    state: Json
    anchors: Anchors | None = None


class Seen(_Part):
    """A result that was undone: whose orders everybody has seen, and which seats were told something of their own."""

    turn: int
    version: int
    opened: tuple[str, ...]
    told: tuple[str, ...]


class Rewound(_Part):
    """The host took turns back.  The named turn is open again, in a new version.

    undone   every result that counts no more;  seen: what became known through them
    kept     seats whose orders of the undone turn count again
    anchors  a new chain, if the game was over and its secrets were opened
    """

    record: Literal["rewound"] = "rewound"
    at: AwareDatetime
    turn: int
    version: int
    why: str
    undone: tuple[Seen, ...]
    kept: tuple[str, ...]
    anchors: Anchors | None = None


class LatePart(_Part):
    """The part of a set that stayed closed until the game ended."""

    turn: int
    version: int
    seat: str
    part: SealedPart


class Ended(_Part):
    """The game is over, and everything that was still closed opens.

    hidden      chain number → the secret behind its hidden anchor
    sets        all parts that were closed, of undone results too
    standings   seat and points
    """

    record: Literal["ended"] = "ended"
    at: AwareDatetime
    hidden: dict[int, Hex32]
    sets: tuple[LatePart, ...]
    standings: tuple[tuple[str, int], ...]


Record = Annotated[Created | Started | Closed | Resolved | Rewound | Ended, Field(discriminator="record")]
RECORD: TypeAdapter[Record] = TypeAdapter(Record)
"""Reads a record from JSON."""


# The export


class ChainedRecord(_Part):
    """A record and its hash, which holds all earlier ones."""

    hash: Hex32
    record: Json


class OpenTurn(_Part):
    """What is public of a turn that takes orders: who has posted and who is awaited, nothing else."""

    turn: int
    version: int
    opened: AwareDatetime
    deadline: AwareDatetime | None
    posted: tuple[str, ...]
    awaited: tuple[str, ...]


class Export(_Part):
    """All that is public of a game so far, in one file.

    keys     the judge's public signing keys (JWK), retired ones too
    names    who sits where now; not part of any record, since people may ask to be forgotten
    hash     SHA-256 of the canonical JSON of everything else
    """

    gamejudge: Literal[1] = 1
    game: str
    title: str
    ruleset: str
    ruleset_version: int
    language: str
    status: str
    names: dict[str, str]
    keys: tuple[Json, ...]
    records: tuple[ChainedRecord, ...]
    open: OpenTurn | None
    hash: Hex32
