"""A game as it stands: its row, its ruleset, the turn that is open and the state behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlmodel import Session

from judge.core.names import with_names
from judge.core.order_json import load_orders
from judge.core.orders import Ask, Order, Problem
from judge.core.ruleset import AnyRuleset, State
from judge.core.text import Text
from judge.service.refusal import Refusal
from judge.store import queries, unseal
from judge.store.tables import GameRow, SeatRow, SubmissionRow, TurnRow

GONE = Text.of("This game goes on at another judge: ask its host for the new address.")


@dataclass(frozen=True)
class Position:
    """A turn of a game with all that the rules need to say about it."""

    game: GameRow
    ruleset: AnyRuleset
    turn: TurnRow
    state: State
    names: Mapping[str, str] = field(default_factory=dict)
    """Who sits where, by seat."""

    @cached_property
    def asks(self) -> Mapping[str, Ask]:
        """What each seat is asked, in words that know the players' names."""
        asks: Mapping[str, Ask] = self.ruleset.asks(self.state)
        return {seat: with_names(ask, self.names) for seat, ask in asks.items()}

    def ask(self, seat: str) -> Ask | None:
        """What the seat may order in this turn; None if it is not asked."""
        return self.asks.get(seat)

    def check(self, seat: str, orders: list[Order]) -> list[Problem]:
        return list(self.ruleset.check(self.state, seat, orders))


def find_game(session: Session, game_id: str) -> GameRow:
    game = session.get(GameRow, game_id)
    if game is None:
        raise Refusal("unknown", Text.of("There is no game “{game}” here. The lobby lists all games.", game=game_id))
    return game


def demand_here(game: GameRow) -> None:
    """Refuses what nobody can do any more to a game that has moved to another judge."""
    if game.moved is not None:
        raise Refusal("gone", GONE)


def find_seat(session: Session, game_id: str, seat: str) -> SeatRow:
    row = session.get(SeatRow, (game_id, seat))
    if row is None:
        raise Refusal("unknown", Text.of("This game has no seat “{seat}”.", seat=seat))
    return row


def ruleset_of(session: Session, game: GameRow) -> AnyRuleset:
    """The pinned version of the game's rules."""
    find: Callable[[str, int], Any] = session.info["ruleset"]
    found: AnyRuleset = find(game.ruleset, game.ruleset_version)
    return found


def position(session: Session, game_id: str, number: int | None = None, version: int | None = None) -> Position:
    """The open (or last) turn of a game, or the turn named."""
    game = find_game(session, game_id)
    row = queries.latest_turn(session, game_id) if number is None else queries.turn(session, game_id, number, version)
    if row is None:
        if number is None:
            raise Refusal("conflict", Text.of("This game has not started yet: orders can be handed in once it has."))
        raise Refusal("unknown", Text.of("This game has no turn {number}.", number=number))
    ruleset = ruleset_of(session, game)
    state = ruleset.State.model_validate(unseal(session, row.sealed_state))
    return Position(game, ruleset, row, state, queries.names(session, game_id))


def stored_orders(session: Session, where: Position, submission: SubmissionRow) -> list[Order]:
    """The orders of a submission."""
    return load_orders(unseal(session, submission.sealed_orders), where.ruleset.orders)
