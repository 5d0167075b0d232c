"""`make texts` finds every sentence for people in Python source."""

from __future__ import annotations

from io import BytesIO

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract

from judge.extract import texts


def found(source: str) -> list[str | tuple[str, ...]]:
    """The messages that Babel takes from a module, in its order."""
    return sorted((message for _, message, _, _ in extract(texts, BytesIO(source.encode()), DEFAULT_KEYWORDS)), key=str)


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ('Text.of("Over.")', ["Over."]),
        ('Text.of("{player} is late.", player=Player(seat))', ["{player} is late."]),
        ('Text.n("{count} unit", "{count} units", 3)', [("{count} unit", "{count} units")]),
        ('_("Orders")', ["Orders"]),
        ('Text.of("Split " "in two.")', ["Split in two."]),
        ('Text.of("Sold." if sold else "Kept.")', ["Kept.", "Sold."]),
        ('Text.of("All: {all}", all=Listing([Text.of("One"), Text.of("Two")]))', ["All: {all}", "One", "Two"]),
        ('Text.n("a" if x else "c", "b" if x else "d", 2)', [("a", "b"), ("c", "d")]),
        ("Text.of(sentence)", []),
        ('print("Not for people.")', []),
        ('Path.of("Not a text.")', []),
    ],
)
def test_each_text_is_found_once(source: str, messages: list[str | tuple[str, ...]]) -> None:
    assert found(source) == messages
