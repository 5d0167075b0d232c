"""Finds the sentences for people in Python source, for Babel's catalogues (`[judge: **.py]` in a mapping).

`Text.of("…")`, `Text.n("…", "…", …)` and `_("…")` are read from the syntax tree, so that a text inside another text's
values is found too, and both arms of `Text.of("…" if … else "…")`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

Found = tuple[int, str, str | tuple[str, str], list[str]]


def texts(
    source: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Found]:
    """Line, gettext function, message and (no) comments of each text; Babel's extraction interface."""
    for node in ast.walk(ast.parse(source.read())):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        match ast.unparse(node.func):
            case "Text.of" | "_":
                for message in _literals(node.args[0]):
                    yield node.lineno, "gettext", message, []
            case "Text.n":
                one, many = (_literals(argument) for argument in node.args[:2])
                for pair in zip(one, many, strict=True):
                    yield node.lineno, "ngettext", pair, []


def _literals(node: ast.expr) -> list[str]:
    """The sentences that this argument may be; none if it is only known when the program runs."""
    match node:
        case ast.Constant(value=str(sentence)):
            return [sentence]
        case ast.IfExp(body=body, orelse=orelse):
            return _literals(body) + _literals(orelse)
    return []
