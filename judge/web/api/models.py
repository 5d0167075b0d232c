"""What programs get and send."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from judge.core.record import Anchors, Chance, How, OpenedSet
from judge.core.seal import SealedSet

LONGEST_TEXT = 20_000


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\0", "")


Written = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(_clean)]
SeatKey = Annotated[str, Field(pattern="^[0-9]{1,3}$")]
Key = Annotated[str, Field(max_length=100, description="Your own key for this request; sent again, it is done once.")]


class Answer(BaseModel):
    model_config = ConfigDict(frozen=True)


class Wish(BaseModel):
    """A request's body; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ProblemAnswer(Answer):
    line: int | None = None
    field: str | None = None
    text: str
    quote: str | None = None
    right: str | None = None
    warning: bool = False


class Problems(Answer):
    """What keeps something from being done: all of it, in sentences for people."""

    problems: list[ProblemAnswer]


class SeatAnswer(Answer):
    seat: str
    name: str
    bot: bool
    status: Literal["posted", "awaited", "forced", "standing", "optional", "idle", "free", "ready"]


class GameSummary(Answer):
    """A game as the lobby shows it."""

    id: str
    title: str
    ruleset: str
    status: Literal["open", "running", "over", "aside"]
    paused: bool
    turn: int | None
    deadline: datetime | None
    waits_for: list[str] = Field(description="Names of the players who have not posted yet.")
    seats: list[SeatAnswer]
    you: str | None = Field(description="Your own seat.")
    host: bool = Field(description="Whether you are the host.")


class GameAnswer(GameSummary):
    """A game as its table shows it."""

    version: int | None = Field(description="The open turn's version.")
    options: dict[str, Any]
    language: str
    zone: str
    deadline_rule: dict[str, Any]
    state: dict[str, Any] | None = Field(description="The position as everybody may see it.")
    view: dict[str, Any] | None = Field(description="The position as your seat may see it.")
    board: list[dict[str, Any]] = Field(description="The same in words and tables.")
    standings: list[tuple[str, int]]
    last_turn: int | None
    anchors: list[Anchors] = Field(description="What binds the judge's secrets, from before the game began.")
    record_hash: str | None = Field(description="Hash of the newest entry of the public record.")
    forum: str = Field(description="Where it is played: board, by-hand, or the name of a forum.")
    topic: str | None = Field(description="Address of its topic there.")


class RulesetAnswer(Answer):
    """A game that can be played here."""

    name: str
    title: str
    about: str
    version: int
    least_seats: int
    most_seats: int
    options: dict[str, Any] = Field(description="JSON schema of its options.")
    orders: dict[str, dict[str, Any]] = Field(description="JSON schema of each kind of order.")
    rules: str | None = Field(default=None, description="The rules as Markdown.")


class OpenedAnswer(Answer):
    """A new game. The tokens are shown this once."""

    id: str
    host_token: str
    seat_tokens: dict[str, str]


class Claim(Wish):
    token: str = Field(max_length=200, description="The last part of a personal link.")


class ClaimAnswer(Answer):
    token: str = Field(description="Your bearer token. It is shown this once.")
    game: str
    seat: str | None
    host: bool


class LinkAnswer(Answer):
    """What a personal link is good for."""

    game: str
    title: str
    seat: str | None
    name: str | None


class TakeSeat(Wish):
    name: str = Field(max_length=100)
    seat: SeatKey | None = None


class UnderstoodAnswer(Answer):
    line: str
    words: str


class ReceiptAnswer(Answer):
    """What the judge tells the sender, and nobody else, about a set of orders."""

    turn: int
    version: int
    seat: str
    via: str
    received: datetime
    outcome: Literal["counting", "withdrawn", "refused"]
    orders: list[dict[str, Any]]
    understood: list[UnderstoodAnswer]
    problems: list[ProblemAnswer]
    counting: list[UnderstoodAnswer] | None = Field(description="The set that counts after this; null: none does.")
    then: str = Field(description="What will happen at the deadline.")
    deadline: datetime | None
    commitment: str | None = Field(description="The seal of the set that counts after this.")
    sealed: SealedSet | None = Field(description="That set with its salts; keep it until the turn has resolved.")
    signed: str = Field(description="The judge's signature over it, a compact JWS.")


class ChoiceAnswer(Answer):
    value: str
    title: str
    also: list[str]


class AskAnswer(Answer):
    """What your seat is asked."""

    prompt: str
    at_hand: str | None = Field(description="What you have to order with; null: the game does not say.")
    kinds: dict[str, dict[str, Any]] = Field(description="JSON schema of each kind of order.")
    choices: dict[str, list[ChoiceAnswer]]


class OrdersAnswer(Answer):
    """Your order page."""

    turn: int | None
    version: int | None
    deadline: datetime | None
    ask: AskAnswer | None = Field(description="null: there is nothing to decide for you now.")
    receipts: list[ReceiptAnswer]
    forum_word: str | None = Field(description="Posted in the game's topic, it gives the seat to that account.")
    forum_account: str | None = Field(description="The name of the account that posts for you there.")


class HandIn(Wish):
    """A set of orders, as objects or as text; an empty list passes."""

    orders: list[Any] | None = None
    text: Written | None = None
    turn: int | None = Field(default=None, ge=1, le=1_000_000, description="For which turn; another one refuses it.")
    version: int | None = Field(default=None, ge=1, le=1_000_000)
    request: Key = ""

    @field_validator("orders")
    @classmethod
    def _can_be_stored(cls, orders: list[Any] | None) -> list[Any] | None:
        json.dumps(
            orders, ensure_ascii=False
        ).encode()  # lone surrogates are no text: UnicodeEncodeError is a ValueError
        return orders


class VersionAnswer(Answer):
    version: int
    undone: datetime | None = Field(description="When it was taken back; the orders in it were seen.")


class SealAnswer(Answer):
    """What was published of a seat when its turn closed."""

    seat: str
    how: How
    commitment: str | None
    opened: OpenedSet | None = Field(description="With orders and salts, once the turn has resolved.")


class TurnAnswer(Answer):
    """A turn that has closed: its seals, and its report once it has resolved."""

    turn: int
    version: int
    versions: list[VersionAnswer]
    closed: datetime
    resolved: datetime | None
    undone: datetime | None = Field(description="When it was taken back; it counts no more.")
    record_hash: str | None = Field(description="Hash of its newest record, as in the judge's posts.")
    previous_hash: str | None = Field(description="Hash of the record before that one.")
    seals: list[SealAnswer]
    chance: Chance | None = Field(description="The secret that its throws come from.")
    report: dict[str, Any] | None
    events: list[dict[str, Any]]
    orders: dict[str, list[str]] = Field(description="By name: the lines that opened with the turn.")
    told: dict[str, Any] | None = Field(description="What your seat alone was told.")


class FailureAnswer(Answer):
    """The first thing that does not hold, and where it is."""

    record: int | None
    turn: int | None
    version: int | None
    seat: str | None
    line: int | None
    text: str


class VerdictAnswer(Answer):
    """The judge's own check. A judge's word about itself proves little: check the export yourself."""

    holds: bool | None = Field(description="null: the game was over before records were kept.")
    failure: FailureAnswer | None = None
    checked: dict[str, int] = Field(default_factory=dict, description="How much was checked.")
    unreplayed: str | None = Field(default=None, description="Why the game was not played again by its rules.")
    closed: list[str] = Field(default_factory=list, description="What cannot be checked yet.")
    notes: list[str] = []


class DocumentAnswer(Answer):
    text: str = Field(description="Markdown.")


class PostAnswer(Answer):
    id: int
    seat: str | None
    name: str
    judge: bool
    created: datetime
    edited: datetime | None
    text: str = Field(description="Markdown.")
    report: dict[str, Any] | None
    sealed: bool = Field(description="A sealed order was handed in with this post.")
    opened: list[str] = Field(description="The order lines of this post that counted, once their turn has resolved.")
    source: str | None = Field(description="What you typed, if it is your own post.")
    key: str | None = Field(description="The letter's key, if the judge wrote it: no two posts have the same.")


class WritePost(Wish):
    text: Written
    name: str = Field(default="", max_length=100, description="For spectators: under which name.")
    request: Key = ""


class EditPost(Wish):
    text: Written


class PostedAnswer(Answer):
    post: int
    receipt: ReceiptAnswer | None


class LetterAnswer(Answer):
    """A public letter of the judge, ready for any forum."""

    id: int = Field(description="Its place among the game's public letters, from 1.")
    kind: str
    turn: int | None
    created: datetime
    title: str
    bbcode: str
    markdown: str


class AuditAnswer(Answer):
    at: datetime
    text: str


class WaitingLetter(Answer):
    kind: str
    turn: int | None
    status: str
    tries: int
    error: str | None


class HostAnswer(Answer):
    """What was done to the game; for its host also what waits to be sent."""

    audit: list[AuditAnswer]
    letters: list[WaitingLetter]
    alarm: str | None


class Paste(Wish):
    seat: SeatKey
    text: Written
    markup: Literal["bbcode", "markdown", "html"] = "bbcode"
    private: bool = False
    request: Key = ""


class Extend(Wish):
    hours: int = Field(ge=1, le=720)
    request: Key = ""


class Decision(Wish):
    words: str = Field(max_length=100, description="As the rules call it, for example “last round”.")


class NewPlayer(Wish):
    seat: SeatKey
    name: str = Field(max_length=100)


class OneSeat(Wish):
    seat: SeatKey


class WhichSeat(Wish):
    seat: SeatKey | None = Field(default=None, description="null: the host's own link.")


class OneTurn(Wish):
    turn: int = Field(ge=1, le=1_000_000)


class Rewind(Wish):
    """Results stay, marked; what was opened stays seen. The others' orders of that turn count again as they were."""

    turn: int = Field(ge=1, le=1_000_000)
    why: str = Field(max_length=500, description="Everybody will read it.")
    reopen: list[SeatKey] = Field(
        default_factory=list, max_length=100, description="The seats that order anew; none: everybody does."
    )
    request: Key = ""


class RewoundAnswer(Answer):
    """The turn that is open now."""

    turn: int
    version: int


class TokenAnswer(Answer):
    token: str = Field(description="The last part of the new personal link. It is shown this once.")


class DoneAnswer(Answer):
    done: bool
