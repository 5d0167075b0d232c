"""Posts read in a second, against the cheapest thing that can be done with the same text."""

from __future__ import annotations

import time
from collections.abc import Callable

from judge.core.dice import Dice
from judge.core.notation import read
from judge.forum.markup import typed_text
from judge.registry import ruleset

SECONDS = 3.0
POST = """Moin zusammen,

> X:9 zu 99
> F:9 zu 99

ich habe jetzt einfach mal was gemacht, mal sehen, was bei rauskommt:

X:3 zu 42
3 Fine zu je 33; S=3/20

Viel Glück!

--\x20
Lästige Signaturen kann man ausschalten.
"""


def rate(work: Callable[[], object]) -> float:
    done, end = 0, time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        work()
        done += 1
    return done / SECONDS


def main() -> None:
    rules = ruleset("commodity-market")
    state = rules.setup(["1", "2", "3", "4"], rules.Options(), Dice(b"bench"))
    ask = rules.asks(state)["1"]
    ceiling = rate(lambda: [line.split() for line in POST.splitlines()])
    print(f"split into words:    {ceiling:8.0f} posts a second")
    markup = rate(lambda: typed_text(POST, "markdown"))
    print(f"markup taken away:   {markup:8.0f} posts a second, ratio {markup / ceiling:.4f}")
    whole = rate(lambda: read(typed_text(POST, "markdown"), ask, language="de"))
    print(f"read as orders:      {whole:8.0f} posts a second, ratio {whole / ceiling:.4f}")


if __name__ == "__main__":
    main()
