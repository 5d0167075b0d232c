"""Step 5: the sector dice say which housing blocks are hit, the credit die what the credit on them does.

Throws of a turn: sector die, from the third run on the second sector die, credit die; then whatever is thrown again.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.dice import Dice
from judge.core.ruleset import Event, Seat
from rulesets.money_maker.card_events import ActionPlayed, CreditCounted, DiceThrown, SectorTurned, ThrownAgain
from rulesets.money_maker.cards import discard_action
from rulesets.money_maker.markets import discard
from rulesets.money_maker.meter import move_chip
from rulesets.money_maker.paying import affected_blocks
from rulesets.money_maker.plans import trigger
from rulesets.money_maker.plays import PlayReroll, PlayWind
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import SECTORS, SETUP, TABLES, CreditFace, Sector


def throw_sectors(faces: list[Sector], run: int, dice: Dice) -> list[Sector]:
    """The faces that lie, filled up: one die, two from the third bank run on."""
    count = 2 if run >= SETUP.second_sector_die_from_run else 1
    return faces + [SECTORS[dice.roll(len(SECTORS)) - 1] for _ in range(count - len(faces))]


def throw_credit(dice: Dice) -> CreditFace:
    faces = TABLES.dice.credit_faces
    return faces[dice.roll(len(faces)) - 1]


def cast_dice(state: TableState, seat: Seat, dice: Dice) -> Iterator[Event]:
    """The end of a turn: always thrown (B10); then the cards for after the dice, clockwise; then the effect."""
    faces = throw_sectors([], state.runs, dice)
    face = throw_credit(dice)
    yield DiceThrown(seat=seat, sectors=tuple(faces), tint=face.colour, number=face.n)
    for player in state.clockwise(seat):
        again = trigger(state, player, PlayReroll)
        if again is not None and again.face in (None, face.colour):
            discard_action(state, player, again.card_played)
            yield ActionPlayed(seat=player, action=again.card_played)
            face = throw_credit(dice)
            yield ThrownAgain(seat=player, tint=face.colour, number=face.n)
        wind = trigger(state, player, PlayWind)
        if wind is not None and not wind.run:
            yield from turn_wind(state, player, wind, faces)
    state.facts.faces = faces
    yield from take_effect(state, seat, face)


def turn_wind(state: TableState, seat: Seat, line: PlayWind, faces: list[Sector]) -> Iterator[Event]:
    """Turning Wind: the first die, or the first that shows the face named, is turned, if that changes anything."""
    turned = [place for place, face in enumerate(faces) if line.away in (None, face) and face != line.to]
    if turned:
        before, faces[turned[0]] = faces[turned[0]], line.to
        discard_action(state, seat, line.card_played)
        yield ActionPlayed(seat=seat, action=line.card_played)
        yield SectorTurned(seat=seat, before=before, after=line.to)


def credit_hit(state: TableState, seat: Seat) -> int:
    """A bank's credit on all affected blocks together (B6)."""
    bank = state.banks[seat]
    return sum(bank.board[block] for block in affected_blocks(state, seat, state.facts.faces))


def take_effect(state: TableState, seat: Seat, face: CreditFace) -> Iterator[Event]:
    """As many goods discarded, or chip steps made, as banks have more than 10 (or 20) credit there (Figs. 9 and 10)."""
    credit = {player: credit_hit(state, player) for player in state.alive}
    over = tuple(player for player, amount in credit.items() if amount > face.n)
    goods = 0
    if face.colour != "blue":
        goods = discard(state.markets["production" if face.colour == "red" else "consumer"], len(over))
    yield CreditCounted(tint=face.colour, number=face.n, credit=credit, over=over, goods=goods)
    if face.colour == "blue":
        yield from move_chip(state, len(over), "dice", seat)
