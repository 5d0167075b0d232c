"""A table of Finans for tests: a position with a few things changed, orders as posts, and every die written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.core.dice import Dice, ScriptedDice
from judge.core.notation import read
from judge.core.order_json import choice_problems
from judge.core.orders import Order
from judge.core.ruleset import Event, resolve_turn, visible
from judge.language import Voice
from judge.render import plain
from rulesets.finans import ruleset
from rulesets.finans.state import FinansOptions, FinansState, setup

A, B, C = "Anna", "Ben", "Cem"
VOICE = Voice.of(ruleset, "en")


def position(
    players: Mapping[str, Mapping[str, Any]] | None = None,
    lots: Mapping[str, Any] | None = None,
    shares: Mapping[str, str] | None = None,
    news: Sequence[str] = (),
    tips: Sequence[str] = (),
    seats: Sequence[str] = (A, B, C),
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> FinansState:
    """Anna starts.  `lots` gives owners, or whole lots; `news` and `tips` lie on top of their piles."""
    state = setup(seats, FinansOptions.model_validate(options or {}), Dice(b"table"))
    data = state.model_dump(mode="json") | {"first": seats[0]} | fields
    for seat, sheet in (players or {}).items():
        data["players"][seat] |= sheet
    for key, lot in (lots or {}).items():
        data["properties"][key] |= {"owner": lot} if isinstance(lot, str) else lot
    data["shares"] |= shares or {}
    for name, top in (("news", news), ("tips", tips)):
        for card in reversed(top):
            data[name].remove(card)
            data[name].insert(0, card)
    return FinansState.model_validate(data)


def owned(seat: str, *keys: str, **more: Any) -> dict[str, dict[str, Any]]:
    return {key: {"owner": seat, **more} for key in keys}


def group(seat: str, name: str, count: int = 3) -> dict[str, str]:
    """All shares of a group."""
    return {f"{name}_{number}": seat for number in range(1, count + 1)}


@dataclass(frozen=True)
class Round:
    """What a round has made of a position."""

    before: FinansState
    state: FinansState
    events: Sequence[Event]

    @property
    def told(self) -> list[str]:
        """What everybody is told, in English."""
        return [plain(VOICE.say(event.tell())) for event in visible(self.events, None)]

    def told_to(self, seat: str) -> list[str]:
        return [plain(VOICE.say(event.tell())) for event in self.events if event.only == seat]

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def winners(self) -> list[str]:
        """Nobody as long as the game goes on."""
        return [] if self.state.ending is None else self.state.ending.winners

    def gain(self, seat: str) -> int:
        return self.state.players[seat].cash - self.before.players[seat].cash

    def cash(self, seat: str) -> int:
        return self.state.players[seat].cash


def orders(state: FinansState, seat: str, post: str, language: str = "en") -> list[Order]:
    """A post as its orders, which must be readable and legal."""
    ask = ruleset.asks(state)[seat]
    reading = read(post, ask, language=language)
    assert reading.problems == (), [problem.text for problem in reading.problems]
    found = list(reading.orders)
    assert [problem for order in found for problem in choice_problems(order, ask)] == []
    assert [problem.text for problem in ruleset.check(state, seat, found) if not problem.warning] == []
    return found


def refusals(state: FinansState, seat: str, post: str) -> list[str]:
    """What keeps a post from counting, in English."""
    ask = ruleset.asks(state)[seat]
    reading = read(post, ask)
    found = [*reading.problems, *ruleset.check(state, seat, reading.orders)]
    return [plain(VOICE.say(problem.text)) for problem in found if not problem.warning]


def play(state: FinansState, posts: Mapping[str, str] | None = None, dice: Sequence[int] = ()) -> Round:
    """A round; `dice` are all its throws, in their order."""
    given = {seat: orders(state, seat, posts[seat]) if posts and seat in posts else [] for seat in ruleset.asks(state)}
    chance = ScriptedDice(b"round", throws=dice)
    after, events = resolve_turn(ruleset, state, given, chance)
    assert chance.unused() is None, chance.unused()
    assert len(chance.thrown) == 0, f"{len(chance.thrown)} throws were not written down"
    FinansState.model_validate(after.model_dump(mode="json"))
    return Round(state, after, events)
