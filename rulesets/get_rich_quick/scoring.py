"""The end of a round and of the game: the call, both fines, the goal (rulebook, "Scoring", "End of the Game")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from judge.core.dice import Dice
from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.get_rich_quick.cards import GET_RICH_QUICK, PACK, TAXMAN, VALUES
from rulesets.get_rich_quick.dealing import after, deal, ten_cards
from rulesets.get_rich_quick.events import Dealt, Fined, GameEnded, HandDealt, RoundWon
from rulesets.get_rich_quick.sets import best_set
from rulesets.get_rich_quick.state import RoundResult, TableState


def dealt_complete(state: TableState) -> Seat | None:
    """Who calls before the first bell; of two the one with the dearer set."""
    dealt = {seat: complete for seat, hand in state.hands.items() if (complete := best_set(hand))}
    return max(dealt, key=lambda seat: VALUES[dealt[seat].commodity], default=None)


def end_round(state: TableState, winner: Seat, bells: int, dice: Dice) -> Iterator[Event]:
    """The call and the fines, then the next deal, unless the game is over.

    A set that is dealt complete ends its round at once, so there may be several rounds in a row.
    """
    caller: Seat | None = winner
    while caller is not None:
        yield from _score(state, caller, bells)
        reason = _why_over(state)
        if reason is not None:
            state.over = True
            best = max(state.scores.values())
            winners = tuple(seat for seat, score in state.scores.items() if score == best)
            yield GameEnded(reason=reason, winners=winners, scores=dict(state.scores))
            return
        yield from _deal_next(state, dice)
        caller, bells = dealt_complete(state), 0


def _score(state: TableState, winner: Seat, bells: int) -> Iterator[Event]:
    """The set's points to the caller; the Taxman costs everybody, Get Rich Quick everybody but him."""
    complete = best_set(state.hands[winner])
    assert complete is not None
    state.scores[winner] += complete.points
    yield RoundWon(
        round=state.round,
        seat=winner,
        commodity=complete.commodity,
        cards=complete.cards,
        doubled=complete.doubled,
        dealt=bells == 0,
        points=complete.points,
    )
    fines: dict[Seat, int] = {}
    for card in (TAXMAN, GET_RICH_QUICK):
        holder = next(seat for seat, hand in state.hands.items() if card in hand)
        if card == TAXMAN or holder != winner:
            state.scores[holder] -= PACK.fine
            fines[holder] = fines.get(holder, 0) + PACK.fine
            yield Fined(round=state.round, seat=holder, card=card, points=PACK.fine)
    state.results.append(
        RoundResult(
            round=state.round,
            bells=bells,
            winner=winner,
            commodity=complete.commodity,
            doubled=complete.doubled,
            points=complete.points,
            fines=fines,
            scores=dict(state.scores),
        )
    )


def _why_over(state: TableState) -> Literal["goal", "rounds", "last round"] | None:
    """The goal is looked at after the fines (rulebook, "End of the Game")."""
    if max(state.scores.values()) >= state.options.goal:
        return "goal"
    if state.last_round:
        return "last round"
    return "rounds" if 0 < state.options.rounds <= state.round else None


def _deal_next(state: TableState, dice: Dice) -> Iterator[Event]:
    """The next player clockwise deals a new round, in which nobody holds."""
    state.round += 1
    state.bell = 1
    state.dealer = after(state.seats, state.dealer)[0]
    state.hands = deal(state.seats, state.dealer, dice)
    state.holding = dict.fromkeys(state.seats, False)
    yield Dealt(round=state.round, dealer=state.dealer, ten_cards=tuple(ten_cards(state.seats, state.dealer)))
    for seat, hand in state.hands.items():
        yield HandDealt(only=seat, hand=tuple(hand))


def figures(state: TableState) -> list[tuple[Text, list[int]]]:
    """What simulations count: rounds to the end, bells in each, doubles, fines."""
    fined = [sum(result.fines.values()) // PACK.fine for result in state.results]
    return [
        (Text.of("Rounds in a game"), [len(state.results)]),
        (Text.of("Bells in a round"), [result.bells for result in state.results]),
        (Text.of("Doubled sets in a game"), [sum(result.doubled for result in state.results)]),
        (Text.of("Fines in a round"), fined),
    ]


def standings(state: TableState) -> list[tuple[Seat, int]]:
    """Scores in $ million, the highest first; equal ones share, in the order of the seats."""
    return sorted(state.scores.items(), key=lambda entry: -entry[1])
