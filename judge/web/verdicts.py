"""The judge's own check of what it has published, remembered so that looking at a page does not play a game again."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock

from judge.verification import Rulesets, Verdict, verify

MOST_KEPT = 200


class Verdicts:
    """The verdicts on the exports that were asked for last.  Two who ask for the same one wait for one check."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, Verdict] = OrderedDict()
        self._lock = Lock()

    def on(self, export: bytes, rulesets: Rulesets) -> Verdict:
        """The verdict on this file; it may take as long as playing the game again."""
        name = hashlib.sha256(export).digest()
        with self._lock:  # one check at a time, so that curious visitors leave the machine to the players
            verdict = self._kept.get(name) or verify(export, rulesets)
            self._kept[name] = verdict
            self._kept.move_to_end(name)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return verdict
