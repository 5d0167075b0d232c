"""`judge demo`: threads are played by posts, up to their first results, then a visitor takes a seat against bots.

A thread is data: `demo.toml` in a ruleset's folder says who plays, what they post, and which seat is left to the
visitor.  Every run opens fresh games, one of each ruleset that has such a file, since a personal link works once.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ConfigDict
from sqlmodel import Session

from judge.bootstrap import Judge
from judge.cli.serving import Host, Port, listen, serve, write_log
from judge.cli.terminal import LANGUAGE, FailureError, _, call_of, say, tell
from judge.core.dice import Dice
from judge.core.notation import write
from judge.core.report import Report
from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.language import Voice
from judge.registry import ruleset as installed
from judge.registry import rulesets
from judge.service import intake, moderation, table, thread
from judge.service.access import Access
from judge.service.letters import rendered
from judge.service.position import find_game, position
from judge.service.receipts import Receipt, problem_text
from judge.service.voices import game_voice

SCRIPT = "demo.toml"
ORDERS = "{orders}"


class Move(BaseModel):
    """What a player does: he posts, or he hands in orders by form.

    `{orders}` in a post stands for the lines of a bot: what chance lays on the table nobody can name beforehand.
    """

    model_config = ConfigDict(extra="forbid")

    player: str
    post: str = ""
    orders: list[dict[str, Any]] | None = None


class DemoScript(BaseModel):
    """A ruleset's demo.toml.  `before` is posted while seats are still being taken, `moves` once the game runs."""

    model_config = ConfigDict(extra="forbid")

    players: tuple[str, ...]
    visitor: str
    options: dict[str, Any] = {}
    before: tuple[Move, ...] = ()
    moves: tuple[Move, ...]


def demo(
    context: typer.Context,
    ruleset: Annotated[
        str | None, typer.Option(metavar="NAME", help=_("The game to show; otherwise all that have a demo."))
    ] = None,
    serving: Annotated[
        bool, typer.Option("--serve", help=_("Serve the game afterwards, as `judge run` does."))
    ] = False,
    host: Host = None,
    port: Port = None,
) -> None:
    settings = call_of(context).settings(host, port)
    write_log(settings)
    listener = listen(settings) if serving else None
    shown = _rulesets(ruleset)
    with call_of(context).judge(settings) as judge:
        for one in shown:
            if len(shown) > 1:
                title = say(one.title)
                tell(f"\n{title}\n{'=' * len(title)}")
            game = DemoGame(judge, one)
            game.play()
            game.hand_over()
        if listener is not None:
            serve(judge, listener)
        else:
            tell(Text.of("Serve it with `judge run`."))


def script_of(ruleset: AnyRuleset) -> DemoScript | None:
    """A ruleset's demo; None if it has none."""
    file = ruleset.folder / SCRIPT
    return DemoScript.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def _rulesets(name: str | None) -> Sequence[AnyRuleset]:
    candidates = list(rulesets().values()) if name is None else [installed(name)]
    if shown := [candidate for candidate in candidates if (candidate.folder / SCRIPT).is_file()]:
        return shown
    raise FailureError(Text.of("No demo comes with {games}.", games=name or ", ".join(rulesets()) or "–"))


class DemoGame:
    """One run of a demo: opens the game, plays its script, tells the terminal."""

    def __init__(self, judge: Judge, ruleset: AnyRuleset) -> None:
        script = script_of(ruleset)
        assert script is not None
        self.judge = judge
        self.script = script
        self.seats = {name: str(number) for number, name in enumerate(script.players, 1)}
        plan = table.NewGame.model_validate(
            {
                "ruleset": ruleset.name,
                "title": say(Text.of("{game} (demo)", game=ruleset.title)),
                "options": script.options,
                "seats": [{"name": name} for name in script.players],
                "language": LANGUAGE,
                "zone": judge.settings.zone,
            }
        )
        self.opened = self._do(table.new_game, plan)
        self.game_id = self.opened.game_id

    def play(self) -> None:
        """The whole script, then the results as they stand in the thread."""
        tell(Text.of("A demo game. This is what its players post; everybody else reads it without the orders."))
        for move in self.script.before:
            self._move(move)
        self._do(table.start, self.game_id)
        self.judge.clock.work(self.game_id)
        told = len(self._results())
        for move in self.script.moves:
            self._move(move)
            self.judge.clock.work(self.game_id)
            if len(self._results()) > told:
                told = len(self._results())
                tell()
                tell(Text.of("That was the last player: the turn is resolved and its result is posted."))
        for text in self._results():
            tell(f"\n{text}")

    def hand_over(self) -> None:
        """Bots take all seats but the visitor's; he gets the links."""
        visitor = self.seats[self.script.visitor]
        for seat in self.seats.values():
            if seat != visitor:
                self._do(moderation.bot_in_seat, self.game_id, seat)
        self.judge.clock.work(self.game_id)
        address = self.judge.settings.address
        links = (
            (
                Text.of("Play on as {player} against bots:", player=self.script.visitor),
                f"seat/{self.opened.seat_tokens[visitor]}",
            ),
            (Text.of("The game, for everybody:"), f"games/{self.game_id}"),
            (Text.of("Be its host:"), f"seat/{self.opened.host_token}"),
        )
        tell()
        for about, path in links:
            tell(about)
            tell(f"    {address}/{path}")

    def _move(self, move: Move) -> None:
        seat = self.seats[move.player]
        tell()
        if move.orders is None:
            tell(Text.of("{player} posts:", player=move.player))
            post = move.post.strip()
            if ORDERS in post:
                post = post.replace(ORDERS, "\n".join(self._bots_lines(seat)))
            for line in post.splitlines():
                tell(f"  │ {line}".rstrip())
            who = Access(self.game_id, seat=seat)
            slip = self._do(thread.post, who, "", move.player, post).receipt
        else:
            tell(Text.of("{player} hands in a form.", player=move.player))
            slip = self._do(intake.hand_in, self.game_id, seat, intake.Source("form"), move.orders)
        if slip is not None:
            for line in _in_short(slip, self._voice()):
                tell(f"  → {line}")

    def _bots_lines(self, seat: str) -> Sequence[str]:
        """What a bot would order on this seat, as it is written."""
        with self.judge.store.read() as session:
            where = position(session, self.game_id)
        ask, view = where.asks[seat], where.ruleset.view(where.state, seat)
        orders = where.ruleset.bot(view, seat, ask, Dice(f"demo, seat {seat}".encode()))
        return [write(order, ask, LANGUAGE) for order in orders] or ["pass"]

    def _voice(self) -> Voice:
        """The game's, in the terminal's language."""
        with self.judge.store.read() as session:
            return game_voice(session, find_game(session, self.game_id))

    def _results(self) -> Sequence[str]:
        """The result posts of the thread, as text."""
        voice = self._voice()
        with self.judge.store.read() as session:
            shown = thread.posts(session, Access(self.game_id), "")
            reports: list[Report] = [post.report for post in shown if post.report and "/result/" in (post.key or "")]
            return [rendered(report, voice).text.strip() for report in reports]

    def _do(self, use_case: Any, *arguments: Any) -> Any:
        """Carries a use case out now."""

        def work(session: Session) -> Any:
            return use_case(session, self.judge.clock.now(), *arguments)

        return self.judge.store.write(work)


def _in_short(slip: Receipt, voice: Voice) -> Iterator[str]:
    """A receipt in a few lines."""
    if slip.outcome == "refused":
        yield voice.say(Text.of("The judge, to this player alone: this does not count yet."))
        yield from (voice.say(problem_text(problem)) for problem in slip.problems if not problem.warning)
    else:
        lines = "; ".join(one.line for one in slip.understood) or _("an empty set")
        yield voice.say(Text.of("The judge, to this player alone: counted as {lines}", lines=lines))
