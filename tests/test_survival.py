"""What was acknowledged survives kill -9, and a result is published once: a real judge in a process of its own."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.counts import times

EVERYBODY = ("1", "2", "3", "4")


class Unavailable(Exception):
    """The judge says that it cannot store anything now."""


class Served:
    """A judge that is started, killed and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}/api/v1", timeout=10)
        self.bearers: dict[str, str] = {}
        self.game = ""

    def start(self) -> None:
        command = [sys.executable, "-c", "from judge.cli import main; main()", "run", "--port", str(self.port)]
        environment = {**os.environ, "GAMEJUDGE_DATA": str(self.folder)}
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        for _ in range(600):
            with contextlib.suppress(httpx2.TransportError):
                if self.client.get("/games").status_code == 200:
                    return
            assert self.process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)
        raise AssertionError("the judge does not answer")

    def kill(self, by: signal.Signals = signal.SIGKILL) -> int:
        """Ends the judge's process and says with which code it ended."""
        assert self.process is not None
        os.kill(self.process.pid, by)
        return self.process.wait(30)

    def limit_files(self, most_bytes: int) -> None:
        """The judge can make no file longer than this, as on a disk that is full."""
        assert self.process is not None
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))

    def call(self, method: str, path: str, place: str = "host", **options: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.bearers[place]}"} if place in self.bearers else {}
        answer = self.client.request(method, path, headers=headers, **options)
        if answer.status_code == 503:
            raise Unavailable(answer.text)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def open(self, months: int) -> None:
        seats = [{"name": name} for name in ("Anna", "Ben", "Cem", "Dora")]
        plan = {"ruleset": "commodity-market", "seats": seats, "options": {"months": months}}
        opened = self.call("POST", "/games", json=plan)
        self.game = opened["id"]
        for place, token in {"host": opened["host_token"], **opened["seat_tokens"]}.items():
            self.bearers[place] = self.call("POST", "/claim", place="nobody", json={"token": token})["token"]
        self.call("POST", f"/games/{self.game}/moderate/start")

    def bid(self, seat: str, price: int) -> int:
        """Hands in a bid and says which price the judge acknowledged."""
        bid = [{"kind": "bid", "grade": "X", "units": 1, "price": price}]
        slip = self.call("POST", f"/games/{self.game}/orders", place=seat, json={"orders": bid})
        assert slip["outcome"] == "counting"
        return price

    def hand_in_nothing(self, seat: str) -> None:
        assert self.call("POST", f"/games/{self.game}/orders", place=seat, json={"orders": []})["outcome"] == "counting"

    def counting_price(self, seat: str) -> int:
        receipts = self.call("GET", f"/games/{self.game}/orders", place=seat)["receipts"]
        slip = next(slip for slip in receipts if slip["outcome"] == "counting")
        return int(slip["orders"][0]["price"])

    def result_posts(self) -> list[str]:
        letters = self.call("GET", f"/games/{self.game}/thread")
        return [post["key"] for post in letters if post.get("key") and "/result/" in post["key"]]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    judge = Served(tmp_path)
    judge.start()
    yield judge
    judge.kill()
    judge.client.close()


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM], ids=str)
def test_every_acknowledged_order_survives_the_judges_end(served: Served, by: signal.Signals) -> None:
    """Three players change their orders as fast as they can while the judge is killed, or told to stop."""
    served.open(months=1)
    chance = random.Random(9)
    prices = dict.fromkeys(EVERYBODY[:3], 40)
    for _ in range(times(3, full=50)):
        acknowledged: dict[str, int] = {}
        sent = dict(prices)

        def change(seat: str, acknowledged: dict[str, int] = acknowledged, sent: dict[str, int] = sent) -> None:
            with contextlib.suppress(httpx2.TransportError, Unavailable):
                while True:
                    sent[seat] += 1
                    acknowledged[seat] = served.bid(seat, sent[seat])

        players = [threading.Thread(target=change, args=(seat,)) for seat in prices]
        for player in players:
            player.start()
        time.sleep(chance.uniform(0.3, 1.2))
        code = served.kill(by)
        for player in players:
            player.join()
        served.start()
        assert code == (0 if by == signal.SIGTERM else -by)
        assert acknowledged, "nothing was acknowledged before the end"
        for seat, price in acknowledged.items():
            kept = served.counting_price(seat)
            assert price <= kept <= sent[seat]
        prices = sent


def test_a_full_disk_loses_nothing_and_is_forgotten_once_there_is_room(served: Served) -> None:
    """What cannot be stored is refused with the reason; reading goes on; a last order that did not fit can come again.

    The judge resolves and publishes as soon as it can write.
    """
    served.open(months=1)
    for seat in EVERYBODY[1:]:
        served.hand_in_nothing(seat)
    served.limit_files(max(path.stat().st_size for path in served.folder.glob("gamejudge.db*")))
    with pytest.raises(Unavailable, match="disk"):
        served.bid("1", 7341)
    table = served.call("GET", f"/games/{served.game}")
    assert (table["status"], table["turn"], table["waits_for"]) == ("running", 1, ["Anna"])
    served.limit_files(resource.RLIM_INFINITY)
    served.bid("1", 50)
    until(lambda: len(served.result_posts()) == 1)


def test_a_result_is_published_once_however_the_judge_dies(served: Served) -> None:
    """Killed somewhere between the last order and the post, the judge resolves and publishes each turn once."""
    served.open(months=24)  # one more than there are kills, so that the game goes on
    chance = random.Random(17)
    for _ in range(times(4, full=23)):
        turn = served.call("GET", f"/games/{served.game}")["turn"]
        for seat in EVERYBODY[:3]:
            served.hand_in_nothing(seat)
        last = threading.Thread(target=_pass_into_the_dark, args=(served,))
        last.start()
        time.sleep(chance.uniform(0, 0.25))
        served.kill()
        last.join()
        served.start()
        if served.call("GET", f"/games/{served.game}")["waits_for"] == ["Dora"]:
            served.hand_in_nothing("4")
        until(lambda turn=turn: served.call("GET", f"/games/{served.game}")["turn"] > turn)
        until(lambda turn=turn: any(_number(key) >= turn for key in served.result_posts()))
        assert len(served.result_posts()) == len(set(served.result_posts()))
    played = served.call("GET", f"/games/{served.game}")["turn"] - 1
    assert len(served.result_posts()) == played // 2  # without certificates selling is forced, in the same run


def _pass_into_the_dark(served: Served) -> None:
    with contextlib.suppress(httpx2.TransportError):
        served.hand_in_nothing("4")


def _number(key: str) -> int:
    """The turn in a letter's key: "game/turn.version/kind/recipient"."""
    return int(key.split("/")[1].split(".")[0])


def until(true: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
