"""What a game costs its forum, and how soon a post is answered there, against one bare fetch of the topic's page.

`python -m tests.bench.forums` asks the three real forums, `python -m tests.bench.forums misago` one.  A player waits
for the next look besides: a minute at most, a quarter of one near a deadline (`[reading]`).
"""

from __future__ import annotations

import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from judge.store import queries
from tests.at_the_forum import ForumTable, at_the_forum
from tests.forums import FORUMS

TIMES = 6


class Requests(logging.Handler):
    """Counts what is asked of the forum."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.asked = self.unchanged = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.asked += 1
        self.unchanged += "304" in record.getMessage().rpartition('"HTTP/')[2]


@dataclass
class Measured:
    seconds: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    unchanged: int = 0

    def once(self, work: Callable[[], object]) -> None:
        counting, logger = Requests(), logging.getLogger("httpx")
        logger.setLevel(logging.INFO)  # connectors quieten it
        logger.addHandler(counting)
        began = time.perf_counter()
        work()
        self.seconds.append(time.perf_counter() - began)
        logger.removeHandler(counting)
        logger.setLevel(logging.WARNING)
        self.requests.append(counting.asked)
        self.unchanged += counting.unchanged

    def told(self, what: str, ceiling: float) -> str:
        median = statistics.median(self.seconds)
        asked = f"{statistics.mean(self.requests):5.1f} requests"
        unchanged = f", {self.unchanged / len(self.requests):.1f} answered “not modified”" if self.unchanged else ""
        return f"  {what:38} {median * 1000:6.0f} ms, ratio {median / ceiling:5.1f}, {asked}{unchanged}"


def measure(club: ForumTable) -> None:
    """A look at a topic where nothing has been said, and one that finds an order, until its receipt has gone out."""
    page, topic = Measured(), address(club)
    with httpx.Client(follow_redirects=True) as reader:
        for _ in range(TIMES):
            page.once(lambda: reader.get(topic).raise_for_status())
    ceiling = statistics.median(page.seconds)
    print(page.told("the topic's page, fetched bare", ceiling))
    idle, answer = Measured(), Measured()
    for number in range(TIMES):
        club.look()  # sees the answer to the order before
        club.clock.forward(seconds=61)
        idle.once(club.work)
        club.post("Anna", f"X:1 at {40 + number}")
        club.clock.forward(seconds=61)
        before = receipts_sent(club)
        answer.once(club.work)
        if receipts_sent(club) != before + 1:
            raise SystemExit("A post has not been answered within the look that found it.")
    print(idle.told("a look that finds nothing new", ceiling))
    print(answer.told("a look that finds an order, and answers", ceiling))


def address(club: ForumTable) -> str:
    with club.table.judge.store.read() as session:
        url = queries.games(session)[0].thread_url
    assert url is not None
    return url


def receipts_sent(club: ForumTable) -> int:
    """Those that have gone out; where a forum has no private messages they stand on the order page at once."""
    letters = [letter for letter in club.table.all_letters() if letter.kind.startswith("receipt-")]
    return sum(letter.status in ("sent", "kept") for letter in letters)


def main() -> None:
    wanted = sys.argv[1:] or list(FORUMS)
    if unknown := set(wanted) - set(FORUMS):
        sys.exit(f"There is no {', '.join(sorted(unknown))}; possible: {', '.join(FORUMS)}")
    logging.getLogger("httpx").propagate = False
    for name in wanted:
        print(name)
        with tempfile.TemporaryDirectory() as folder, at_the_forum(name, Path(folder)) as club:
            club.open(cool_off_minutes=60)
            measure(club)


if __name__ == "__main__":
    main()
