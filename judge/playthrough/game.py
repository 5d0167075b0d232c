"""Plays a script: reads its posts like a forum's, resolves its turns, and writes what the judge says.

Seats are known by their names.  Chance that is not scripted comes from the playthrough's secret, the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from judge.core.dice import ScriptedDice, ScriptError
from judge.core.notation import read
from judge.core.order_json import choice_problems
from judge.core.orders import Ask, Order, Problem, carried_over, standing_after
from judge.core.ruleset import AnyRuleset, Event, State, resolve_turn, visible
from judge.core.text import Listing, Text
from judge.language import LANGUAGES, Voice
from judge.playthrough.script import (
    Blank,
    Decision,
    Line,
    Look,
    Missed,
    Pile,
    PlaythroughError,
    Post,
    Script,
    Throws,
    Turn,
    parse,
)
from judge.playthrough.start import given_state, options
from judge.registry import unknown_ruleset
from judge.render import plain, render_blocks

T = TypeVar("T")

MOST_UNATTENDED = 100
"""A game that resolves more turns in a row without anybody having to post would not stop by itself."""


def played(text: str, rulesets: Mapping[str, AnyRuleset]) -> Game:
    """The game after the last line of its script; raises `PlaythroughError`."""
    script = parse(text)
    if script.game not in rulesets:
        raise PlaythroughError(script.at["game"].number, unknown_ruleset(script.game, rulesets).text)
    if script.language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        script.at["language"].wrong(
            Text.of("There is no language “{name}”; there are: {known}.", name=script.language, known=known)
        )
    try:
        game = Game(script, rulesets[script.game])
        game.play()
    except PlaythroughError:
        raise
    except Exception as error:
        if script.given is None:
            raise
        # A position that play can never reach may break the rules anywhere.
        reason = f"{type(error).__name__}: {error}"
        text_of_error = Text.of("The given position cannot be played on ({reason}).", reason=reason)
        raise PlaythroughError(script.at["given"].number, text_of_error) from error
    return game


class Game:
    """A game while its script is played.  `output` are the lines of the replay, `turns` what happened as data."""

    def __init__(self, script: Script, ruleset: AnyRuleset) -> None:
        self.script = script
        self.ruleset = ruleset
        self.seats = script.seats
        self.voice = Voice.of(ruleset, script.language)
        self.output: list[str] = [line.text for line in script.opening]
        self.turns: list[dict[str, Any]] = []
        self.standing: dict[str, list[Order]] = {}
        self.unposted = 0
        self.unattended = 0
        if len(self.seats) not in ruleset.seats:
            script.at["seats"].wrong(
                Text.of(
                    "{game} is for {least} to {most} players; {count} are named.",
                    game=ruleset.title,
                    least=ruleset.seats[0],
                    most=ruleset.seats[-1],
                    count=len(self.seats),
                )
            )
        self.state: State = self._set_up()

    @property
    def over(self) -> bool:
        return not self.ruleset.asks(self.state)

    def standings(self) -> list[list[Any]]:
        """Seats and points, most first, ties in seat order."""
        points = sorted(self.ruleset.standings(self.state), key=lambda entry: self.seats.index(entry[0]))
        return [[seat, number] for seat, number in sorted(points, key=lambda entry: -entry[1])]

    def play(self) -> None:
        """The turns of the script, and those between and after them in which nobody has to post."""
        number = 1
        for turn in self.script.turns:
            if turn.number == 0 and number == 1 and not self.turns:
                self._write_set_up(turn)
                continue
            if turn.number < number:
                turn.line.wrong(Text.of("Turn {number} was expected here.", number=number))
            while number < turn.number:
                self._demand_going_on(number, turn.line)
                if awaited := self._awaited():
                    turn.line.wrong(
                        Text.of(
                            "Turn {number} must come before this one: it waits for {seats}.",
                            number=number,
                            seats=Listing(tuple(awaited)),
                        )
                    )
                self._insert(number, turn.line)
                self.output.append("")
                number += 1
            self._demand_going_on(number, turn.line)
            self._play(turn)
            number += 1
        self._run_on(number)

    def refusals(self, seat: str, ask: Ask, orders: Sequence[Order]) -> list[Problem]:
        """All that keeps a set from counting."""
        misfits = [problem for order in orders for problem in choice_problems(order, ask)]
        return misfits or [problem for problem in self.ruleset.check(self.state, seat, orders) if not problem.warning]

    def kept(self, seat: str, ask: Ask) -> list[Order] | None:
        """The seat's standing lines of the kinds asked now; None if it never gave any or they cannot be given now."""
        if seat not in self.standing:
            return [] if ask.silent else None
        lines = [order for order in self.standing[seat] if isinstance(order, ask.kinds)]
        if not self.refusals(seat, ask, lines):
            return lines
        return [] if ask.silent else None

    def waits_for(self, seat: str, ask: Ask) -> bool:
        """Whether the turn needs a post of this seat: it is neither forced nor covered by a standing set."""
        return ask.forced is None and not (ask.standing and self.kept(seat, ask) is not None)

    def scripted(self, turn: Turn | None, number: int, use: Callable[[ScriptedDice], T]) -> T:
        """What `use` makes of the turn's chance.  Every seat contributes 32 zero bytes, as if it sealed nothing."""
        throws: list[int] = []
        piles: dict[str, list[str]] = {}
        line = turn.line if turn else self.script.at["game"]
        for item in turn.items if turn else ():
            if isinstance(item, Throws):
                throws += item.values
                line = item.line
            elif isinstance(item, Pile):
                line = item.line
                if item.name in piles:
                    line.wrong(Text.of("The pile “{name}” is laid out twice in this turn.", name=item.name))
                piles[item.name] = item.top
        context = self.ruleset.name.encode() + number.to_bytes(4, "big") + bytes(32 * len(self.seats))
        dice = ScriptedDice(self.script.secret, context, throws, piles)
        try:
            made = use(dice)
        except ScriptError as error:
            line.wrong(Text.of("This cannot be thrown or drawn: {reason}.", reason=str(error)))
        if unused := dice.unused():
            line.wrong(Text.of("The turn does not use all that is scripted: {rest}.", rest=unused))
        return made

    def _set_up(self) -> State:
        chosen = options(self.script, self.ruleset)
        first = self.script.turns[0] if self.script.turns and self.script.turns[0].number == 0 else None
        state = self.scripted(first, 0, lambda dice: self.ruleset.setup(self.seats, chosen, dice))
        return given_state(self.script, self.ruleset, state)

    def _write_set_up(self, turn: Turn) -> None:
        self.output.append(turn.line.text)
        for item in turn.items:
            self._copy(item) if not isinstance(item, Look) else self._look(item)
        self._record(0, {}, [])

    def _awaited(self) -> list[str]:
        return [seat for seat, ask in self.ruleset.asks(self.state).items() if self.waits_for(seat, ask)]

    def _demand_going_on(self, number: int, line: Line) -> None:
        if self.over:
            line.wrong(Text.of("The game is over after turn {last}; no turn can follow.", last=number - 1))

    def _run_on(self, number: int) -> None:
        """Turns after the last one of the script, as long as nobody has to post; `run_on` stops standing orders."""
        last = self.script.turns[-1].line if self.script.turns else self.script.at["game"]
        while not self.over and not self._awaited():
            forced = all(ask.forced is not None for ask in self.ruleset.asks(self.state).values())
            if not forced and self.unposted >= self.ruleset.run_on:
                return
            while not self.output[-1].strip():
                self.output.pop()
            self._insert(number, last)
            number += 1

    def _insert(self, number: int, line: Line) -> None:
        if self.output[-1].strip():
            self.output.append("")
        self._play(Turn(number, Line(line.number, f"{line.indent}== {number}")))

    def _play(self, turn: Turn) -> None:
        """One turn: its lines as they are, refusals under their posts, events where it closes."""
        opening = _Opening(self, turn)
        self.output.append(turn.line.text)
        for at, item in enumerate([*turn.items, None]):
            if at == turn.end:
                events = opening.close()
                for event in events:
                    told = plain(self.voice.say(event.tell()))
                    self.output.append(f"{turn.line.indent}{event.only or 'all'}: {told}")
                self._record(turn.number, opening.problems, events)
            match item:
                case Post(seat=seat, lines=lines):
                    self._copy(item)
                    problems = [plain(self.voice.say(problem.text)) for problem in opening.hand_in(item)]
                    self.output += [f"{lines[0].indent}  ! {problem}" for problem in problems]
                    if problems:
                        opening.problems.setdefault(seat, []).extend(problems)
                case Missed(seat=seat):
                    self._copy(item)
                    opening.miss(seat)
                case Decision():
                    self._copy(item)
                    opening.decide(item)
                case Look():
                    self._look(item)
                case Blank() | Throws() | Pile():
                    self._copy(item)

    def _copy(self, item: object) -> None:
        match item:
            case Post(lines=lines):
                self.output += [line.text for line in lines]
            case Blank(line=line) | Missed(line=line) | Decision(line=line) | Throws(line=line) | Pile(line=line):
                self.output.append(line.text)

    def _look(self, look: Look) -> None:
        self.output.append(look.line.text)
        shown = render_blocks(self.ruleset.show(self.ruleset.view(self.state, look.seat)), "txt", self.voice)
        self.output += [f"{look.line.indent}  | {row}".rstrip() for row in shown.rstrip("\n").split("\n")]

    def _record(self, number: int, problems: dict[str, list[str]], events: Sequence[Event]) -> None:
        told = [
            {"event": type(event).__name__, **event.model_dump(mode="json", exclude={"only"})}
            for event in visible(events, None)
        ]
        position = self.ruleset.view(self.state, None).model_dump(mode="json")
        self.turns.append({"number": number, "problems": problems, "events": told, "state": position})


_NOT_ASKED = Ask(kinds=(), prompt=Text.of("You are not asked for orders in this turn."))


class _Opening:
    """A turn while it takes orders."""

    def __init__(self, game: Game, turn: Turn) -> None:
        self.game = game
        self.turn = turn
        self.asks = game.ruleset.asks(game.state)
        self.sets: dict[str, list[Order]] = {}
        self.missed: set[str] = set()
        self.decisions: list[Order] = []
        self.problems: dict[str, list[str]] = {}

    def hand_in(self, post: Post) -> list[Problem]:
        """Takes a post, unless something keeps it from counting: then nothing changes, and that is returned."""
        seat, script = post.seat, self.game.script
        ask = self.asks.get(seat, _NOT_ASKED)
        others = [kind for kind in self.game.ruleset.orders if kind not in ask.kinds]
        reading = read(post.text, ask, language=script.language, numbers=script.numbers, others=others)
        errors = [problem for problem in reading.problems if not problem.warning]
        if ask is _NOT_ASKED and (errors or reading.intent is not None):
            return [Problem(_NOT_ASKED.prompt)]
        if errors or reading.intent is None:
            return errors
        if ask.forced is not None:
            if reading.intent == "orders" and tuple(reading.orders) != tuple(ask.forced):
                return [
                    Problem(
                        Text.of("Only one set of orders is possible for you in this turn; it is filled in already.")
                    )
                ]
            return []
        if reading.intent == "withdraw":
            self.sets.pop(seat, None)
            return []
        orders = list(reading.orders)
        if reading.intent == "orders":
            orders = carried_over(self.game.kept(seat, ask) or (), orders)
        errors = self.game.refusals(seat, ask, orders)
        if not errors:
            self.sets[seat] = orders
            self.missed.discard(seat)
        return errors

    def miss(self, seat: str) -> None:
        """The seat lets the deadline pass, whatever it posted before."""
        self.sets.pop(seat, None)
        self.missed.add(seat)

    def decide(self, decision: Decision) -> None:
        """What the clock or the host decides for the game."""
        known = self.game.ruleset.judge_orders
        if decision.words not in known:
            decision.line.wrong(
                Text.of(
                    "The judge cannot decide “{words}” in this game; possible: {known}.",
                    words=decision.words,
                    known=", ".join(known) or "–",
                )
            )
        self.decisions.append(Order(kind=decision.words))

    def close(self) -> list[Event]:
        """Resolves the turn and returns all that happened, told to everybody or to one seat."""
        game, asks = self.game, self.asks
        waited_for = [seat for seat, ask in asks.items() if game.waits_for(seat, ask)]
        silent = [seat for seat in waited_for if seat not in self.sets and seat not in self.missed]
        if silent:
            self.turn.line.wrong(
                Text.of(
                    "Turn {number} still waits for {seats}; for nothing, write “({example}: no orders)”.",
                    number=self.turn.number,
                    seats=Listing(tuple(silent)),
                    example=silent[0],
                )
            )
        self._count(waited_for)
        orders: dict[str | None, Sequence[Order]] = {seat: self._set_of(seat, ask) for seat, ask in asks.items()}
        if self.decisions:
            orders[None] = self.decisions
        for seat, handed_in in self.sets.items():
            game.standing[seat] = standing_after(game.standing.get(seat, ()), handed_in)
            if not game.standing[seat]:
                del game.standing[seat]
        game.state, events = game.scripted(
            self.turn, self.turn.number, lambda dice: resolve_turn(game.ruleset, game.state, orders, dice)
        )
        return events

    def _set_of(self, seat: str, ask: Ask) -> Sequence[Order]:
        """What the seat plays: forced, else handed in, else its standing set, else what its rules do for the absent."""
        if ask.forced is not None:
            return ask.forced
        if seat in self.sets:
            return self.sets[seat]
        kept = self.game.kept(seat, ask)
        if kept is not None and (kept or ask.standing):
            return kept
        return self.game.ruleset.default_orders(self.game.state, seat)

    def _count(self, waited_for: list[str]) -> None:
        """How many turns have gone by without a post, and without anybody having to post."""
        game = self.game
        if waited_for or self.sets:
            game.unattended = game.unposted = 0
            return
        game.unattended += 1
        if any(ask.forced is None for ask in self.asks.values()):
            game.unposted += 1
        if game.unattended > MOST_UNATTENDED:
            self.turn.line.wrong(
                Text.of(
                    "{count} turns in a row went by without anybody having to post; the game would not stop.",
                    count=game.unattended,
                )
            )
