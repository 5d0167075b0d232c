"""How people begin a line before they come to the point, in any game: "Hallo zusammen, meine Bestellung: …".

Greetings and these openings mean nothing and are left out, if the rest of the line reads.  Whom a greeting names may
matter ("Hi Ben, …"), so names are not left out; and words for buying and selling are not here, since they may
contradict the order.
"""

from __future__ import annotations

from judge.core.tokens import Row, keys

_ANNOUNCEMENTS = """order, orders, my order, my orders, here are my orders, move, my move, bid, bids, my bid, my bids,
I bid, I take, I order, please, Bestellung, meine Bestellung, meine Order, meine Orders, Befehl, Befehle, meine Befehle,
Gebot, Gebote, mein Gebot, meine Gebote, Zug, mein Zug, hier mein Zug, hier meine Befehle, hier meine Bestellung,
hier meine Gebote, hier sind meine Befehle, ich nehme, ich biete, ich bestelle, bitte"""
_GREETINGS = """hello, hi, hey, howdy, greetings, good morning, good afternoon, good evening, good day, Hallo,
Hallöchen, Moin, Moin moin, Servus, Tach, Grüezi, Grüß Gott, Grüß euch, Guten Morgen, Guten Tag, Guten Abend, n'Abend"""
_EVERYBODY = """all, you all, everybody, everyone, folks, there, again, together, to all, to everybody, zusammen, alle,
an alle, alle zusammen, allerseits, miteinander, Leute, liebe Leute, ihr, ihr alle, ihr Lieben, nochmal, wieder,
in die Runde"""


def _phrases(texts: str) -> frozenset[tuple[str, ...]]:
    return frozenset(keys(text) for text in texts.split(","))


_ANNOUNCING = _phrases(_ANNOUNCEMENTS)
_GREETING = _phrases(_GREETINGS)
_TO_EVERYBODY = _phrases(_EVERYBODY)
_AFTER_GREETING = frozenset((",", "!", ".", ":", "-", ";"))


def after_greeting(tokens: Row) -> int:
    """Where the line goes on after a greeting to nobody in particular; 0 if it begins with none."""
    end = _after(_GREETING, tokens, 0)
    if end == 0:
        return 0
    end = _after(_TO_EVERYBODY, tokens, end)
    while end < len(tokens) and tokens[end].text in _AFTER_GREETING:
        end += 1
    return end


def after_announcement(tokens: Row, start: int) -> int:
    """Where the line goes on after words that announce orders; `start` if none do."""
    end = _after(_ANNOUNCING, tokens, start)
    if end == start or end == len(tokens):
        return start
    return end + (tokens[end].text in (":", ","))


def _after(phrases: frozenset[tuple[str, ...]], tokens: Row, start: int) -> int:
    for length in range(4, 0, -1):
        if tuple(token.key for token in tokens[start : start + length]) in phrases:
            return start + length
    return start
