"""What things are called: the names that a slot of an order may hold.

Case, accents, hyphens and spaces make no difference, and an umlaut may be written with an e or without its dots.
A value's own word wins over every name, a whole name over an abbreviation.  The beginning of a name is enough when it
fits one thing only; what fits two is told with both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from judge.core.orders import Choice
from judge.core.text import Text, Words
from judge.core.tokens import Token, normalise, tokenise

SHORTEST = 2
"""Letters that an abbreviation needs at least."""

_SILENT = frozenset("-.'")


@dataclass(frozen=True)
class Fit:
    """Tokens up to `end` that name something: one value, or several if an abbreviation is not clear."""

    end: int
    values: tuple[str, ...]


class Names:
    """All the names of one slot, and the values they stand for."""

    def __init__(self, choices: Iterable[Choice]) -> None:
        self.choices = tuple(choices)
        self._values: dict[str, str] = {}
        self._names: dict[str, list[str]] = {}
        self._words: list[tuple[tuple[str, ...], str]] = []
        self._longest = 1
        self._nearest: dict[str, str | None] = {}
        for choice in self.choices:
            for key in _name_keys(choice.value):
                self._values.setdefault(key, choice.value)
            for name in (choice.value, spoken(choice.title), *choice.also, *choice.written.values()):
                tokens = tokenise(normalise(name))
                self._longest = max(self._longest, len(tokens))
                for key in _name_keys(name):
                    if choice.value not in self._names.setdefault(key, []):
                        self._names[key].append(choice.value)
                self._words.append((tuple(token.key for token in tokens if token.text not in _SILENT), choice.value))
        self._starts = {key[0] for key in self._names if key}

    def at(self, tokens: Sequence[Token], start: int) -> Iterator[Fit]:
        """Every name that begins at `start`: whole names of each length, else the longest abbreviation."""
        start += start + 1 < len(tokens) and tokens[start].text == "@"
        if start >= len(tokens) or self._starts.isdisjoint((tokens[start].key[:1], tokens[start].plain[:1])):
            return
        if _is_times_sign(tokens, start):
            return
        last = min(len(tokens), start + self._longest)
        ends = [end for end in range(last, start, -1) if tokens[end - 1].text not in _SILENT]
        found = False
        for end in ends:
            values = self._exact(tokens[start:end])
            if values:
                found = True
                yield Fit(end, values)
        if not found and tokens[start].kind == "word":
            for end in ends:
                values = self._abbreviated(tokens[start:end])
                if values:
                    yield Fit(end, values)
                    return

    def _exact(self, piece: Sequence[Token]) -> tuple[str, ...]:
        for key in _piece_keys(piece):
            if key in self._values:
                return (self._values[key],)
        for key in _piece_keys(piece):
            if key in self._names:
                return tuple(self._names[key])
        return ()

    def _abbreviated(self, piece: Sequence[Token]) -> tuple[str, ...]:
        typed = _piece_keys(piece)
        if len(typed[0]) < SHORTEST:
            return ()
        words = [token.key for token in piece if token.text not in _SILENT]
        values = {value: None for key, named in self._names.items() if key.startswith(typed) for value in named}
        for name, value in self._words:
            begun = [whole.startswith(part) for whole, part in zip(name, words, strict=False)]
            if len(words) <= len(name) and all(begun):
                values[value] = None
        return tuple(values)

    def nearest(self, text: str) -> str | None:
        """The value whose name is most like the text; None if nothing is."""
        if text in self._nearest:
            return self._nearest[text]
        best, best_ratio = None, 0.55
        for typed in _name_keys(text[:40]):
            for key, values in self._names.items():
                ratio = SequenceMatcher(None, typed, key).ratio()
                if ratio > best_ratio:
                    best, best_ratio = values[0], ratio
        self._nearest[text] = best
        return best

    @property
    def words(self) -> frozenset[str]:
        """All the words of all the names."""
        return frozenset(word for words, _ in self._words for word in words)

    @property
    def longest(self) -> int:
        """How many tokens the longest name has."""
        return self._longest


class AnyName(Names):
    """The names of a slot whose choices are not known: any one or two words."""

    def at(self, tokens: Sequence[Token], start: int) -> Iterator[Fit]:
        for end in (start + 1, start + 2):
            if end <= len(tokens) and all(token.kind == "word" for token in tokens[start:end]):
                yield Fit(end, (" ".join(token.text for token in tokens[start:end]),))


def spoken(words: Words) -> str:
    """A title as it is typed in English; gaps are filled with plain values."""
    if isinstance(words, str):
        return words
    text = words.text
    for name, value in words.values.items():
        text = text.replace(f"{{{name}}}", spoken(value) if isinstance(value, Text | str) else str(value))
    return text


def _name_keys(name: str) -> tuple[str, ...]:
    return _piece_keys(tokenise(normalise(name)))


def _piece_keys(piece: Sequence[Token]) -> tuple[str, ...]:
    heard = [token for token in piece if token.text not in _SILENT]
    return tuple(dict.fromkeys(("".join(token.key for token in heard), "".join(token.plain for token in heard))))


def _is_times_sign(tokens: Sequence[Token], start: int) -> bool:
    """Whether the token is the x of "3x", which is no name even where something is called X."""
    token = tokens[start]
    return token.text == "x" and token.space == 0 and start > 0 and tokens[start - 1].kind == "number"
