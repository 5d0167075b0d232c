"""`make faults`: 500 faults on the way to each forum, with a progress bar, and a count at the end.

`python -m tests.faults 100 misago documented.nodebb` has so many on the way to these alone.  Faults are drawn by forum
and number, so that the same ones come each time; `FIRST=501` in the environment goes on behind those of another run.
"""

from __future__ import annotations

import logging
import os
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import islice

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from tests.faults.scene import scene
from tests.forums import DOCUMENTED, FORUMS, start

USUAL = 500
BATCH = 20
"""Faults between two looks of the moderator, who ends all with what he misses, or sees twice or in another order."""
COUNTED = ("Faults", "Judges killed", "Letters", "Their posts, each found once, in order")


def main() -> None:
    wanted = sys.argv[1:]
    count = int(wanted.pop(0)) if wanted and wanted[0].isdigit() else USUAL
    if unknown := set(wanted) - {*FORUMS, *DOCUMENTED}:
        sys.exit(f"There is no {', '.join(sorted(unknown))}; possible: {', '.join((*FORUMS, *DOCUMENTED))}")
    first = int(os.environ.get("FIRST", "1"))
    logging.disable(logging.WARNING)
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    told = dict[str, Counter[str]]()
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        bars = {name: progress.add_task(name, total=count, start=False) for name in wanted or (*FORUMS, *DOCUMENTED)}
        for name, bar in bars.items():
            progress.start_task(bar)
            told[name] = _suffer(name, count, first, partial(progress.advance, bar))
    table = Table(title=f"Faults {first} to {first + count - 1}")
    table.add_column("Forum", no_wrap=True)
    for heading in COUNTED:
        table.add_column(heading, justify="right")
    for name, counted in told.items():
        table.add_row(name, *(str(counted[heading]) for heading in COUNTED))
    console.print(table)


def _suffer(name: str, count: int, first: int, advance: Callable[[], object]) -> Counter[str]:
    counted = Counter[str]()
    with start(name, seconds=6 * 3600) as live, scene(live) as at_work:
        coming = at_work.plans(name, count, first)
        while batch := list(islice(coming, BATCH)):
            for plan in batch:
                at_work.suffer(plan)
                advance()
            at_work.check()
        told = (
            len(at_work.met),
            sum("killed" in fault for fault in at_work.met),
            at_work.written,
            len(at_work.found),
        )
        counted.update(dict(zip(COUNTED, told, strict=True)))
    return counted


if __name__ == "__main__":
    main()
