"""What simulations count: how long a game lasts, what it asks of people, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.ruleset import Seat
from judge.core.text import Text
from rulesets.finans.balance import wealth
from rulesets.finans.box import BUILDERS, HEAD_OFFICE
from rulesets.finans.buying import may_buy_here
from rulesets.finans.state import FinansState


def begins_visit(origin: int, square: int) -> bool:
    """Whether a move ends where something is to be decided; what follows inside the Bank is the same visit."""
    return (may_buy_here(square) or square in BUILDERS) and not (origin in HEAD_OFFICE and square in HEAD_OFFICE)


def count_posts(state: FinansState, visitors: Sequence[Seat], run_on: int) -> None:
    """Who would have to say something before the next round; after `run_on` rounds without any, everybody."""
    tally = state.tally
    tally.quiet = 0 if visitors else tally.quiet + 1
    if tally.quiet == run_on:
        tally.quiet, visitors = 0, [seat for seat in state.alive if not state.players[seat].missing]
    tally.waits += bool(visitors)
    for seat in visitors:
        tally.posts[seat] = tally.posts.get(seat, 0) + 1


def figures(state: FinansState) -> list[tuple[Text, list[int]]]:
    """Each figure with its numbers; none of a game that has not ended."""
    tally, ending = state.tally, state.ending
    if ending is None:
        return []
    riches = sorted(wealth(state, seat) for seat in state.players)
    endings = {
        "million": Text.of("Games won by cash and groups"),
        "last player": Text.of("Games won by the last player"),
        "time": Text.of("Games ended by time"),
    }
    return [
        (Text.of("Rounds in a game"), [len(state.wealth)]),
        (Text.of("Rounds that wait for somebody"), [tally.waits]),
        (Text.of("Posts of a player, one for each visit where something can be done"), list(tally.posts.values())),
        (Text.of("Bankruptcies in a game"), [sum(sheet.bankrupt for sheet in state.players.values())]),
        (Text.of("Meetings called in a game"), [tally.meetings]),
        (Text.of("Meetings won in a game"), [tally.take_overs]),
        (Text.of("The winner's cash, in thousands"), [state.players[seat].cash // 1000 for seat in ending.winners]),
        (Text.of("From the richest to the poorest, in thousands"), [(riches[-1] - riches[0]) // 1000]),
        *((words, [int(ending.reason == reason)]) for reason, words in endings.items()),
    ]
