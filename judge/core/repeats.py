"""Lines that ask for the orders of another turn once more: "everything as last turn".

No order is guessed from them.  A player who writes one expects something to happen, so he is told that nothing will.
"""

from __future__ import annotations

import re

_ALL = r"(?:everything|all|repeat(?: everything| all| orders)?|(?:all )?(?:my |the )?(?:same )?orders|(?:the )?same)"
_ALLES = r"(?:bitte )?(?:alles|alle|(?:alle |meine )?befehle|das ?selbe|das gleiche|genauso|noch ?mal)"
_LAST = r"(?:in |on )?(?:the |my )?(?:last|previous)(?: (?:turn|round|month|phase|time|week))?"
_LETZTE = r"(?:in |im |beim )?(?:der |dem |den )?(?:letzte|vorige)[nrms]? (?:runde|zug|monat|phase|mal|woche)"
_REPEAT = re.compile(
    rf"(?:{_ALL}[ ,:]+)?(?:exactly )?(?:same as|as|like) {_LAST}|{_ALL} as (?:before|always)"
    rf"|(?:{_ALLES}[ ,:]+)?(?:genau ?)?(?:so )?wie {_LETZTE}|{_ALLES}[ ,:]+wie (?:zuletzt|vorher|immer|gehabt|bisher)",
    re.IGNORECASE,
)


def asks_for_repeat(text: str) -> str | None:
    """The line that asks for it, as it was typed; None if there is none."""
    lines = (line.strip(" \t.!*-") for line in text.splitlines())
    return next((line for line in lines if len(line) < 80 and _REPEAT.fullmatch(line)), None)
