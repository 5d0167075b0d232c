"""Starts real forums for people to look at, says where they are and who may log in, and runs until Ctrl-C.

`python -m tests.forums` starts all, `python -m tests.forums spirit --throttle` one, with its limits on posting.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.forums import FORUMS, LiveForum, start

A_DAY = 24 * 3600


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m tests.forums", description=__doc__)
    arguments.add_argument("forum", nargs="*", choices=[[], *FORUMS], help="all three unless named")
    arguments.add_argument("--throttle", action="store_true", help="with each forum's limits on posting")
    chosen = arguments.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as running, contextlib.suppress(KeyboardInterrupt):
        with ThreadPoolExecutor() as pool:

            def begin(name: str) -> LiveForum:
                return running.enter_context(start(name, throttle=chosen.throttle, seconds=A_DAY))

            forums = list(pool.map(begin, chosen.forum or FORUMS))
        for forum in forums:
            sys.stdout.write(described(forum))
        sys.stdout.write("\nCtrl-C stops them.\n")
        sys.stdout.flush()
        signal.pause()
    return 0


def described(forum: LiveForum) -> str:
    held = f", category where posts are held {forum.held_category}" if forum.held_category else ""
    people = [f"    {account.name:10} {account.password:24} id {account.id}" for account in forum.accounts.values()]
    return "\n".join([f"\n{forum.name}: {forum.url}/", f"    category {forum.category}{held}", *people, ""])


if __name__ == "__main__":
    sys.exit(main())
