"""How long it takes to verify a year of a commodity market, against a command that does nothing: `judge --help`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median
from subprocess import DEVNULL, run

JUDGE = str(Path(sys.executable).parent / "judge")
YEAR = Path(__file__).parents[1] / "exports" / "commodity-market" / "a-year-of-bots.json"
RUNS = 5
MOST = 10
"""So many times as long it may take at most."""


def seconds(*arguments: str) -> float:
    """The median of a few runs, each a process of its own."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run([JUDGE, *arguments], check=True, stdout=DEVNULL)
        taken.append(time.perf_counter() - start)
    return median(taken)


def main() -> int:
    seconds("--help")  # so that neither is the first to read the files
    idle = seconds("--help")
    year = seconds("verify", str(YEAR))
    print(f"judge --help:            {idle:6.2f} s")
    print(f"judge verify, 12 months: {year:6.2f} s, ratio {year / idle:.2f} (at most {MOST})")
    return 0 if year <= MOST * idle else 1


if __name__ == "__main__":
    sys.exit(main())
