"""What things are called: the names that a slot of an order may hold.

Case, accents, hyphens and spaces make no difference, and an umlaut may be written with an e or without its dots.
A value's own word wins over every name, a whole name over an abbreviation.  The beginning of a name is enough when it
fits one thing only; what fits two is told with both.  After a number a name may begin with a times sign ("2xOil"); of
"3xFine", where there are Fine and X-Fine, both are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from judge.core.orders import Ask, Choice
from judge.core.text import Player, Text, Words
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
        for choice in self.choices:
            for key in _name_keys(choice.value):
                self._values.setdefault(key, choice.value)
            for name in _all_names(choice):
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
        piece = tokens[start : start + self._longest]
        counted = start > 0 and bool(piece) and piece[0].space == 0 and tokens[start - 1].kind == "number"
        if not piece or (counted and piece[0].text == "x"):  # the x of "3x" is no name even where something is called X
            return
        pieces = [piece]
        if counted and piece[0].key.startswith("x") and len(piece[0].text) > 1:
            pieces.append([_without_times_sign(piece[0]), *piece[1:]])
        pieces = [begun for begun in pieces if not self._starts.isdisjoint((begun[0].key[:1], begun[0].plain[:1]))]
        whole = [fit for begun in pieces for fit in self._whole(begun)]
        for fit in whole or [fit for begun in pieces for fit in self._begun(begun)]:
            yield Fit(start + fit.end, fit.values)

    def _whole(self, piece: Sequence[Token]) -> Iterator[Fit]:
        """Whole names at the beginning of the piece, the longest first."""
        for end in _ends(piece):
            values = self._exact(piece[:end])
            if values:
                yield Fit(end, values)

    def _begun(self, piece: Sequence[Token]) -> Iterator[Fit]:
        """The longest abbreviation at the beginning of the piece."""
        for end in _ends(piece) if piece[0].kind == "word" else ():
            values = self._abbreviated(piece[:end])
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
        for typed in _name_keys(text[:40]):
            for key in get_close_matches(typed, self._names, n=1, cutoff=0.55):
                return self._names[key][0]
        return None

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


def with_names(ask: Ask, names: Mapping[str, str]) -> Ask:
    """The ask as it is read and written at a table where seats have names: choices about a player are called by his."""
    if not any(choice.seat in names for given in (ask.choices, ask.known) for row in given.values() for choice in row):
        return ask
    choices, known = (
        {field: _named_row(row, names) for field, row in given.items()} for given in (ask.choices, ask.known)
    )
    return replace(ask, choices=choices, known=known)


def _named_row(row: Sequence[Choice], names: Mapping[str, str]) -> tuple[Choice, ...]:
    """The row with players' names, each written so that it reads as nothing else: one may be called like a thing."""
    named = [_named(choice, names) for choice in row]
    if not any(choice.seat in names for choice in named):
        return tuple(named)
    called: dict[str, set[str]] = {}
    for choice in named:
        for name in _all_names(choice):
            for key in _name_keys(name):
                called.setdefault(key, set()).add(choice.value)

    def is_clear(name: str) -> bool:
        return all(len(called[key]) == 1 for key in _name_keys(name))

    return tuple(_clearly_written(choice, names, is_clear) for choice in named)


def _clearly_written(choice: Choice, names: Mapping[str, str], is_clear: Callable[[str], bool]) -> Choice:
    if choice.seat not in names or all(map(is_clear, choice.written.values())):
        return choice
    longer = [name for name in choice.also if names[choice.seat or ""] in name]
    clear = next(filter(is_clear, longer), choice.value)
    written = {language: said if is_clear(said) else clear for language, said in choice.written.items()}
    return replace(choice, written=written)


def _named(choice: Choice, names: Mapping[str, str]) -> Choice:
    name = names.get(choice.seat or "")
    if name is None:
        return choice

    def said(text: str) -> str:
        return re.sub(rf"(?<!\w){re.escape(choice.seat or '')}(?!\w)", lambda _: str(name), text)

    written = {"en": said(choice.value)} | {language: said(text) for language, text in choice.written.items()}
    return replace(choice, also=(*choice.also, *map(said, (choice.value, *choice.also))), written=written)


def spoken(words: Words) -> str:
    """A title as it is typed in English; gaps are filled with plain values."""
    if isinstance(words, str):
        return words
    text = words.text
    for name, value in words.values.items():
        said = value.player if isinstance(value, Player) else value
        text = text.replace(f"{{{name}}}", spoken(said) if isinstance(said, Text | str) else str(said))
    return text


def _all_names(choice: Choice) -> tuple[str, ...]:
    return (choice.value, spoken(choice.title), *choice.also, *choice.written.values())


def _name_keys(name: str) -> tuple[str, ...]:
    return _piece_keys(tokenise(normalise(name)))


def _piece_keys(piece: Sequence[Token]) -> tuple[str, ...]:
    heard = [token for token in piece if token.text not in _SILENT]
    return tuple(dict.fromkeys(("".join(token.key for token in heard), "".join(token.plain for token in heard))))


def _ends(piece: Sequence[Token]) -> list[int]:
    return [end for end in range(len(piece), 0, -1) if piece[end - 1].text not in _SILENT]


def _without_times_sign(token: Token) -> Token:
    return replace(token, text=token.text[1:], key=token.key[1:], plain=token.plain[1:], start=token.start + 1)
