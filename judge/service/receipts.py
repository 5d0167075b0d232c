"""Receipts: what the judge tells the sender, and nobody else, about a post or form.

Every line as it was understood, every problem with the right form, what counts now, and what will happen at the
deadline.  A receipt is data; pages, posts and the API show it each in their way.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict
from sqlmodel import Session

from judge.core.notation import write
from judge.core.order_json import dump_orders
from judge.core.orders import Ask, Order, Problem
from judge.core.seal import SealedSet
from judge.core.text import Moment, Text
from judge.service.keys import sign
from judge.service.position import Position
from judge.store import unseal
from judge.store.tables import SubmissionRow

Outcome = Literal["counting", "withdrawn", "refused"]
"""counting: this set counts now; withdrawn: none does any more; refused: what counted before still does."""


class Understood(BaseModel):
    """One order: as the judge would write it, and in words."""

    model_config = ConfigDict(frozen=True)

    line: str
    words: Text


class Receipt(BaseModel):
    """The stamped slip for one submission."""

    model_config = ConfigDict(frozen=True)

    game_id: str
    number: int
    version: int
    seat: str
    via: str
    received: AwareDatetime
    written: AwareDatetime | None = None
    """When it was written, by the clock of the forum in which it was read."""
    outcome: Outcome
    understood: tuple[Understood, ...] = ()
    """Of this submission, whether it counts or not."""
    orders: list[dict[str, Any]] = []
    problems: tuple[Problem, ...] = ()
    counting: tuple[Understood, ...] | None = None
    """The set that counts after this; None: none does."""
    deadline: AwareDatetime | None = None
    then: Text
    """What will happen at the deadline."""
    public: bool = False
    """The order came in a post that everybody can read."""
    sealed: SealedSet | None = None
    """The set that was taken, under its seal: what the judge publishes at the close must be the same."""
    signed: str = ""
    """The judge's signature over what it took, as a compact JWS; see judge/core/SEALING.md."""


def understood(orders: list[Order], ask: Ask | None, language: str) -> tuple[Understood, ...]:
    """Orders as the judge writes and says them."""
    if ask is None:
        return ()
    return tuple(Understood(line=write(order, ask, language), words=order.tell(ask)) for order in orders)


def receipt(
    where: Position,
    seat: str,
    now: datetime,
    via: str,
    outcome: Outcome,
    orders: list[Order],
    problems: list[Problem],
    counting: list[Order] | None,
    public: bool = False,
    sealed: SealedSet | None = None,
) -> Receipt:
    """The receipt for a set that has just been looked at; `counting` is the set that counts from now on."""
    ask = where.ask(seat)
    language = where.game.language
    return Receipt(
        game_id=where.game.id,
        number=where.turn.number,
        version=where.turn.version,
        seat=seat,
        via=via,
        received=now,
        outcome=outcome,
        understood=understood(orders, ask, language),
        orders=dump_orders(orders),
        problems=tuple(problems),
        counting=None if counting is None else understood(counting, ask, language),
        deadline=where.turn.deadline,
        then=_then(where, seat, counting),
        public=public,
        sealed=sealed,
    )


def signed(session: Session, slip: Receipt) -> Receipt:
    """The receipt with the judge's signature, by which a player can prove what was taken."""
    payload = {
        "receipt": 1,
        "game": slip.game_id,
        "turn": slip.number,
        "version": slip.version,
        "seat": slip.seat,
        "received": slip.received.isoformat().replace("+00:00", "Z"),
        "outcome": slip.outcome,
        "commitment": None if slip.sealed is None else slip.sealed.commitment,
        "set": None if slip.sealed is None else slip.sealed.model_dump(mode="json"),
    }
    return slip.model_copy(update={"signed": sign(session, payload)})


def _then(where: Position, seat: str, counting: list[Order] | None) -> Text:
    deadline, ask = where.turn.deadline, where.ask(seat)
    if counting is None and ask is not None and ask.optional:
        return Text.of("No set of yours counts now, and the turn does not wait for one.")
    if counting is None:
        if deadline is None:
            return Text.of("No set of yours counts now. The turn waits for you.")
        return Text.of(
            "No set of yours counts now. If none comes by {deadline}, you play the default orders and are named as "
            "absent.",
            deadline=Moment(deadline),
        )
    if deadline is None:
        return Text.of("Your orders are in. You can change them until the last player has posted.")
    return Text.of(
        "Your orders are in. You can change them until the last player has posted, or until {deadline}.",
        deadline=Moment(deadline),
    )


def load_receipt(session: Session, submission: SubmissionRow) -> Receipt:
    return Receipt.model_validate(unseal(session, submission.sealed_receipt))


def problem_text(problem: Problem) -> Text:
    """A problem in one sentence: where, what was read, why not, and the right form."""
    text: Text = problem.text
    if problem.line is not None and problem.quote:
        text = Text.of("Line {line}, “{quote}”: {why}", line=problem.line, quote=problem.quote, why=text)
    if problem.right:
        text = Text.of("{problem} Right would be: {form}", problem=text, form=problem.right)
    return text
