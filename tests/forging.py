"""Exports of real games to be verified, and what somebody who wants to cheat would do to them.

A `Forgery` is an export that may be changed at will; `written` makes a file of it again, with as many of its hashes
reckoned anew as the forger can: none, the file's, or those of all records too.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from judge import registry
from judge.core.dice import Dice
from judge.core.order_json import dump_orders
from judge.core.record import OpenedSet
from judge.core.ruleset import AnyRuleset
from judge.core.seal import OrdersPlace, canonical, digest, record_hash, seal_set, set_commitment
from judge.core.text import Text
from judge.language import Voice
from judge.registry import NotInstalledError
from judge.service import intake, moderation
from judge.service.deadlines import Hours
from judge.service.export import export_bytes
from judge.service.rewinding import rewind
from judge.verification import Verdict, verify
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import LotsOptions, LotsState, setup
from tests.toy_ruleset import ruleset as lots

Record = dict[str, Any]


def _open_setup(seats: Sequence[str], options: LotsOptions, dice: Dice) -> LotsState:
    """Without a deck, so that nothing is drawn in secret."""
    state = setup(seats, options, Dice(b"a deck that nobody needs"))
    return state.model_copy(update={"deck": [], "cards": {seat: [] for seat in seats}})


open_lots = replace(lots, name="open-lots", setup=_open_setup)
GAMES = (lots, open_lots)


def rulesets(name: str, version: int) -> AnyRuleset:
    """The installed games and the toy ones."""
    known = {(game.name, game.version): game for game in GAMES}
    if (name, version) in known:
        return known[name, version]
    if name in {game.name for game in GAMES}:
        raise NotInstalledError(Text.of("not in this version"))
    return registry.ruleset(name, version)


def check(data: bytes, expect: str | None = None, receipts: Sequence[str] = ()) -> Verdict:
    return verify(data, rulesets, expect, receipts)


def told(verdict: Verdict) -> str:
    """Why it does not hold, in English."""
    assert verdict.failure is not None
    return Voice("en", names=verdict.names).say(verdict.failure.text)


def place(verdict: Verdict) -> tuple[int | None, str | None, int | None]:
    """Turn, seat and line of what does not hold."""
    assert verdict.failure is not None
    return verdict.failure.turn, verdict.failure.seat, verdict.failure.line


def sentences(texts: Sequence[Text]) -> str:
    return " ".join(Voice("en", names={"1": "Anna", "2": "Ben"}).say(text) for text in texts)


# Games


@contextmanager
def at_a_table() -> Iterator[TestTable]:
    with tempfile.TemporaryDirectory() as folder:
        table = sit_down(Path(folder), games=[*registry.rulesets().values(), *GAMES])
        try:
            yield table
        finally:
            table.judge.close()


def exported(table: TestTable) -> bytes:
    with table.judge.store.read() as session:
        return export_bytes(session, table.game_id)


def auction(table: TestTable, ruleset: str = "lots", **options: Any) -> None:
    """A game of lots between Anna and Ben, with a day for each turn."""
    table.open(names=("Anna", "Ben"), ruleset=ruleset, options=options, deadline=Hours(hours=24))


def bid(table: TestTable, anna: str | None, ben: str | None) -> None:
    """Both hand in, or one of them misses the deadline."""
    for seat, text in (("1", anna), ("2", ben)):
        if text is not None:
            table.order(seat, text)
    if anna is None or ben is None:
        table.clock.forward(hours=24)
    table.look()


def paint(table: TestTable, colour: str = "blue") -> None:
    [seat] = table.position().asks
    table.order(seat, f"paint {colour}")
    table.look()


def play(table: TestTable) -> None:
    """Four rounds of lots with ties, standing and late lines, an absence, a forced seat and a decision.

    Turn 1: level bids.  Turn 3: Anna's standing orders count, Ben posts.  Turn 5: Ben is absent.  Turn 7: Anna has
    nothing left to bid with, and the host calls the last round.
    """
    bid(table, "always 2\nguess red", "bid 2\nguess blue")
    paint(table)
    bid(table, None, "bid 1\nguess red")
    paint(table, "red")
    bid(table, f"bid {table.view().purses['1']}", None)  # type: ignore[attr-defined]  # a view of lots
    paint(table)
    table.do(moderation.decide, table.game_id, "last round")
    bid(table, None, "bid 1")
    paint(table)


@cache
def finished_auction(ruleset: str = "lots") -> bytes:
    with at_a_table() as table:
        auction(table, ruleset, rounds=9)
        play(table)
        return exported(table)


@cache
def running_auction(ruleset: str = "lots") -> bytes:
    """Three turns have been played, the fourth is open."""
    with at_a_table() as table:
        auction(table, ruleset, rounds=9)
        bid(table, "bid 3", "always 2")
        paint(table)
        bid(table, "bid 4", None)
        return exported(table)


@cache
def small_auction() -> bytes:
    """A single round with level bids: the smallest finished game."""
    with at_a_table() as table:
        auction(table, rounds=1, purse=3)
        bid(table, "bid 2", "bid 2\nguess red")
        paint(table)
        return exported(table)


@cache
def market(months: int = 1, turns: int | None = None) -> bytes:
    """A commodity market of four, to the end or for so many turns."""
    with at_a_table() as table:
        table.open(options={"months": months})
        while table.turn().status == "open" and (turns is None or table.turn().number <= turns):
            play_market(table)
        return exported(table)


def play_market(table: TestTable) -> None:
    """One turn of a market, as bots would play it."""
    where = table.position()
    for seat, ask in where.asks.items():
        if ask.forced is None:
            whims = Dice(f"{seat} {where.turn.number}".encode())
            orders = where.ruleset.bot(where.ruleset.view(where.state, seat), seat, ask, whims)
            table.do(intake.hand_in, table.game_id, seat, intake.Source("api"), dump_orders(orders))
    table.look()


def rewound(table: TestTable, number: int, *reopen: str) -> None:
    table.do(rewind, table.game_id, number, "A slip of the pen.", reopen)


# Forgeries


class Forgery:
    """An export in the hands of a forger."""

    def __init__(self, data: bytes) -> None:
        self.content: dict[str, Any] = json.loads(data)

    @property
    def records(self) -> list[Record]:
        return [entry["record"] for entry in self.content["records"]]

    def find(self, kind: str, turn: int | None = None, version: int = 1) -> Record:
        return next(
            record
            for record in self.records
            if record["record"] == kind and (turn is None or (record["turn"], record.get("version")) == (turn, version))
        )

    def drop(self, kind: str, turn: int | None = None) -> None:
        record = self.find(kind, turn)
        self.content["records"] = [entry for entry in self.content["records"] if entry["record"] is not record]

    def order(self, turn: int, seat: str, line: int = 1) -> dict[str, Any]:
        """An order that has been opened, to be changed in place."""
        lines = self.find("resolved", turn)["sets"][seat]["parts"]["turn"]["lines"]
        order: dict[str, Any] = lines[line - 1]["order"]
        return order

    def seal_again(self, turn: int, seat: str, hidden: bytes | None = None, version: int = 1) -> None:
        """Puts the seal of a changed set into the close, as only the judge himself can; the salts too, if he knows."""
        place = OrdersPlace(game=self.content["game"], turn=turn, version=version, seat=seat)
        opened = self.find("resolved", turn, version)["sets"][seat]
        if hidden is not None:
            lines = [line["order"] for line in opened["parts"]["turn"]["lines"]]
            opened["parts"]["turn"] = seal_set(hidden, place, {"turn": lines}).parts["turn"].model_dump(mode="json")
        read = OpenedSet.model_validate(opened)
        commitments = {name: part.commitment for name, part in read.parts.items()} | read.closed
        self.find("closed", turn, version)["seats"][seat]["commitment"] = set_commitment(place, commitments)

    def written(self, chain: bool = True, file: bool = True) -> bytes:
        if chain:
            previous = bytes(32)
            for entry in self.content["records"]:
                entry["hash"] = record_hash(previous, entry["record"])
                previous = bytes.fromhex(entry["hash"])
        if file:
            self.content["hash"] = digest({name: value for name, value in self.content.items() if name != "hash"})
        return canonical(self.content) + b"\n"


def last_hash(data: bytes) -> str:
    """What the judge's last post says."""
    newest: str = json.loads(data)["records"][-1]["hash"]
    return newest


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
