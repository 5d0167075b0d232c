"""Every sentence for people has a German one with the same gaps, and no translation is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

from judge.extract import texts
from judge.language import LANGUAGES
from judge.registry import rulesets
from judge.resources import PACKAGE, locale_folder, templates_folder

ROOT = Path(__file__).parent.parent
SOURCES = {
    "judge": (PACKAGE, templates_folder()),
    **{name: (ruleset.folder,) for name, ruleset in rulesets().items()},
}
CATALOGUES = {
    "judge": locale_folder(),
    **{name: ruleset.folder / "locale" for name, ruleset in rulesets().items()},
}
CASES = [(name, language) for name in SOURCES for language in LANGUAGES if language != "en"]


@cache
def said(name: str) -> Catalog:
    """The texts in code and templates, found as `make texts` finds them."""
    with TemporaryDirectory() as folder:
        found = Path(folder) / "messages.pot"
        mapping = f"--mapping={ROOT / 'pyproject.toml'}"
        CommandLineInterface().run(["pybabel", "-q", "extract", mapping, f"--output={found}", *map(str, SOURCES[name])])
        with found.open("rb") as source:
            return read_po(source)


@cache
def translated(name: str, language: str) -> Catalog:
    with (CATALOGUES[name] / language / "LC_MESSAGES" / "messages.po").open("rb") as source:
        return read_po(source, locale=language)


def messages(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def forms(words: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """A message's or a translation's forms: one, or one for each number."""
    return (words or "",) if isinstance(words, str | None) else tuple(words)


def gaps(words: str) -> set[tuple[str, str]]:
    """The gaps of a text ({name}) or of a template's ( %(name)s )."""
    return set(re.findall(r"\{(\w+)\}|%\((\w+)\)s", words))


def counts(message: Message) -> set[tuple[str, str]]:
    """The gap of the number that picks the form: "one unit" may leave it out."""
    return {("count", ""), ("", "count"), ("", "num")} if message.pluralizable else set()


@pytest.mark.parametrize(("name", "language"), CASES)
def test_every_text_is_translated(name: str, language: str) -> None:
    known = {forms(message.id): message for message in messages(translated(name, language))}
    lacking = [
        forms(message.id)[0]
        for message in messages(said(name))
        if forms(message.id) not in known
        or known[forms(message.id)].fuzzy
        or not all(forms(known[forms(message.id)].string))
    ]
    assert lacking == [], f"{len(lacking)} texts of {name} lack a translation; run “make texts” and fill them in"


@pytest.mark.parametrize(("name", "language"), CASES)
def test_translations_have_the_gaps_of_their_texts(name: str, language: str) -> None:
    for message in messages(translated(name, language)):
        wanted = set().union(*map(gaps, forms(message.id)))
        for form in filter(None, forms(message.string)):
            assert wanted - counts(message) <= gaps(form) <= wanted, f"{message.id!r} → {form!r}"


@pytest.mark.parametrize(("name", "language"), CASES)
def test_no_translation_is_left_over(name: str, language: str) -> None:
    needed = {forms(message.id) for message in messages(said(name))}
    left = [message.id for message in messages(translated(name, language)) if forms(message.id) not in needed]
    assert left == []


@pytest.mark.parametrize("name", SOURCES)
def test_texts_are_literal_so_that_they_are_found(name: str) -> None:
    hidden: list[str] = []
    for file in sorted(SOURCES[name][0].rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Text.of", "Text.n"):
                alone = ast.unparse(ast.Call(node.func, node.args, []))
                if not list(texts(BytesIO(alone.encode()), {}, (), {})):
                    hidden.append(f"{file}:{node.lineno}")
    assert hidden == []


def test_templates_texts_are_found() -> None:
    assert "The numbers as a table" in {message.id for message in messages(said("judge"))}
