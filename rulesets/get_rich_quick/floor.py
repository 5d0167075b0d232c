"""What people look at: the exchange floor with the last shouts and all scores, the rounds so far, one's own hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from judge.core.report import Block, Cell, Chart, Line, Series, Table
from judge.core.ruleset import Seat
from judge.core.text import Listing, Player, Text, Value
from rulesets.get_rich_quick.cards import GET_RICH_QUICK, PACK, TITLES, VALUES, WILDS
from rulesets.get_rich_quick.state import RoundResult, TableView


def show(view: TableView) -> Sequence[Block]:
    """The position: where the game stands, the floor, the reader's hand, and the rounds once there are some."""
    return [Line(text=place(view)), exchange_floor(view), *own_hand(view), *rounds(view)]


def place(view: TableView) -> Text:
    values: dict[str, Value] = {
        "round": view.round,
        "bell": view.bell,
        "dealer": Player(view.dealer),
        "goal": view.options.goal,
    }
    if view.phase == "over":
        return Text.n("The game is over after one round.", "The game is over after {count} rounds.", view.round)
    if view.phase == "dealt complete":
        return Text.of("Round {round}, dealt by {dealer}: somebody has a complete set and calls.", **values)
    if view.last_round or view.round == view.options.rounds:
        return Text.of("The last round, bell {bell}. {dealer} has dealt.", **values)
    return Text.of("Round {round}, bell {bell}. {dealer} has dealt. The goal is {goal} million.", **values)


def exchange_floor(view: TableView) -> Table:
    """A row a player: score, cards in hand, what was shouted in the last bell and what became of it."""
    rows: list[tuple[Cell, ...]] = []
    for seat, score in view.scores.items():
        shouted = [Text.of("{cards}", cards=lot.cards) for lot in view.offers if lot.seat == seat]
        rows.append(
            (
                Player(seat),
                score,
                PACK.cards_of_each + (seat in view.ten_cards),
                Text.of("{lots}", lots=Listing(shouted)) if shouted else None,
                Text.of("{swaps}", swaps=Listing(swapped)) if (swapped := list(_swaps_of(view, seat))) else None,
            )
        )
    return Table(
        title=Text.of("Exchange floor"),
        head=(
            Text.of("Player"),
            Text.of("Score"),
            Text.of("Cards"),
            Text.of("Shouted last"),
            Text.of("Swapped"),
        ),
        rows=tuple(rows),
    )


def _swaps_of(view: TableView, seat: Seat) -> Iterator[Text]:
    for swap in view.swaps:
        if seat in swap.seats:
            partner = next(other for other in swap.seats if other != seat)
            yield Text.of("{cards} with {who}", cards=swap.cards, who=Player(partner))


def own_hand(view: TableView) -> Iterator[Block]:
    """The reader's cards in groups, the largest first; wild cards last."""
    if view.hand is None:
        return
    counts = Counter(view.hand)
    groups = sorted((card for card in counts if card in VALUES), key=lambda card: (-counts[card], -VALUES[card]))
    rows: list[tuple[Cell, ...]] = [(TITLES[card], counts[card], VALUES[card]) for card in groups]
    rows += [(TITLES[card], counts[card], None) for card in WILDS if card in counts]
    yield Table(
        title=Text.of("Your hand"), head=(Text.of("Card"), Text.of("Held"), Text.of("Full set")), rows=tuple(rows)
    )
    if view.holding:
        yield Line(
            text=Text.of("You hold: a complete set of yours is not called before it is doubled. Drop it with “call”.")
        )


def rounds(view: TableView) -> Iterator[Block]:
    """A row a round with its call and the scores after it; from the second round on the scores as a chart."""
    if not view.results:
        return
    seats = list(view.scores)
    rows: list[tuple[Cell, ...]] = [
        (result.round, Player(result.winner), set_called(result), *(result.scores[seat] for seat in seats))
        for result in view.results
    ]
    yield Table(
        title=Text.of("Scores after each round, in millions"),
        head=(Text.of("Round"), Text.of("Winner"), Text.of("Set"), *(Player(seat) for seat in seats)),
        rows=tuple(rows),
        board=True,
    )
    if len(view.results) == 1:
        return
    lines = {seat: (0, *(result.scores[seat] for result in view.results)) for seat in seats}
    yield Chart(
        title=Text.of("Scores by round"),
        across=tuple(range(len(view.results) + 1)),
        series=tuple(Series(name=Text.of("{who}", who=Player(seat)), values=lines[seat]) for seat in seats),
        alt=Text.of(
            "{courses}.",
            courses=Listing(
                [Text.of("{who} {scores}", who=Player(seat), scores=_course(lines[seat])) for seat in seats]
            ),
        ),
    )


def _course(scores: Sequence[int]) -> str:
    return " → ".join(str(score).replace("-", "−") for score in scores)


def set_called(result: RoundResult) -> Text:
    if result.doubled:
        return Text.of("{commodity} + {wild}, doubled", commodity=TITLES[result.commodity], wild=TITLES[GET_RICH_QUICK])
    return TITLES[result.commodity]
