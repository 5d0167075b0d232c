"""Orders a second, each on disk before its receipt exists, against bare commits on the same disk."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from judge.service import intake
from tests.at_the_table import TestTable, sit_down

SECONDS = 3.0
SEATS = ("1", "2", "3", "4", "5", "6")


def commits_a_second(folder: Path) -> float:
    """The ceiling for one writer without group commit: a row and a commit, forced to disk."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE submission (id INTEGER PRIMARY KEY, body BLOB)")
    done, end = 0, time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO submission (body) VALUES (?)", (bytes(600),))
        connection.execute("COMMIT")
        done += 1
    connection.close()
    return done / SECONDS


def orders_a_second(table: TestTable, players: int) -> float:
    """So many players who change their orders as fast as they get receipts."""
    end = time.perf_counter() + SECONDS

    def change(player: int) -> int:
        seat, done = SEATS[player % len(SEATS) - 1], 0
        while time.perf_counter() < end:
            bid = [{"kind": "bid", "grade": "X", "units": 1, "price": 40 + done % 100}]
            table.do(intake.hand_in, table.game_id, seat, intake.Source("api"), bid)
            done += 1
        return done

    with ThreadPoolExecutor(players) as crowd:
        return sum(crowd.map(change, range(players))) / SECONDS


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = sit_down(folder)
        table.open(names=("Anna", "Ben", "Cem", "Dora", "Emil", "Fritz"), cool_off_minutes=60)
        ceiling = commits_a_second(folder)
        print(f"bare SQLite commits: {ceiling:8.0f} a second")
        for players in (1, 20):
            rate = orders_a_second(table, players)
            print(f"orders, {players:2} at once:  {rate:8.0f} a second, ratio {rate / ceiling:.2f}")
        table.judge.close()


if __name__ == "__main__":
    main()
