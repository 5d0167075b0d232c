"""The lines that a reader of an HTML post sees as typed by its author."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, PreformattedString, Tag
from bs4.exceptions import ParserRejectedMarkup

_GONE_NAMES = """blockquote cite del s strike script style head template noscript button select textarea object iframe
svg summary"""
_GONE = frozenset(_GONE_NAMES.split())
_FOREIGN_CLASS = re.compile(
    r"(?:^|[-_])(?:signature|sig|quote|quoted|quotes|quoteheader|quotetitle|notice|citation)(?:[-_]|$)"
)
_SPOILER_CLASS = re.compile(r"(?:^|[-_])(?:spoiler|spoil)(?:[-_]|$)")
_UNSEEN_STYLE = re.compile(r"line-through|display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLOCK_NAMES = """address article aside body center dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6
header hr li main nav ol p pre section table tbody tfoot thead tr ul"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_CODE = frozenset(("code", "pre", "kbd", "samp", "tt"))
_GAP = "  "


def visible_lines(source: str, *, code: bool, spoilers: bool) -> list[str]:
    """The lines of an HTML post without quotes, struck text and signatures; pictures are their alternative text."""
    shown: list[str] = []
    stack: list[PageElement | str] = [_parsed(source)]
    preformatted = 0
    while stack:
        node = stack.pop()
        if isinstance(node, str) and not isinstance(node, NavigableString):
            preformatted -= node == _END_OF_PRE
            shown.append("\n" if node == _END_OF_PRE else node)
        elif isinstance(node, NavigableString):
            if not isinstance(node, PreformattedString):
                shown.append(str(node) if preformatted else re.sub(r"[ \t\r\n\f]+", _blank, str(node)))
        elif not isinstance(node, Tag):
            continue
        elif _is_gone(node, code, spoilers):
            shown.append("\n" if node.name in _BLOCKS or node.name == "blockquote" else _GAP)
        elif node.name == "br":
            shown.append("\n")
        elif node.name == "img":
            shown.append(str(node.get("alt") or ""))
        else:
            before, after = _around(node.name)
            shown.append(before)
            preformatted += node.name == "pre"
            stack.append(_END_OF_PRE if node.name == "pre" else after)
            stack.extend(reversed(node.contents))
    return [line.strip(" \t") for line in "".join(shown).split("\n") if line.strip()]


_END_OF_PRE = "</pre>"


def _blank(match: re.Match[str]) -> str:
    return _GAP if len(match.group()) > 1 else " "


def _around(name: str) -> tuple[str, str]:
    """What stands before and after an element in plain text."""
    if name in _BLOCKS or name == "blockquote":
        return "\n", "\n"
    if name in ("td", "th"):
        return "", " | "
    if name in ("sup", "sub"):
        return "^", ""
    return "", ""


def _is_gone(tag: Tag, code: bool, spoilers: bool) -> bool:
    given = tag.get("class") or ""
    classes = (given if isinstance(given, str) else " ".join(given)).lower().split()
    spoiler = any(_SPOILER_CLASS.search(name) for name in classes)
    # Misago draws a spoiler as a blockquote of that class.
    unseen = tag.name in _GONE and not (spoiler and tag.name == "blockquote")
    if unseen or any(_FOREIGN_CLASS.search(name) for name in classes):
        return True
    if tag.attrs and (_UNSEEN_STYLE.search(str(tag.get("style", ""))) or tag.has_attr("hidden")):
        return True
    if not spoilers and (tag.name == "details" or spoiler):
        return True
    return not code and tag.name in _CODE


def _parsed(source: str) -> Tag:
    # The parser gives up on "<![", which no forum writes; as text it does no harm.
    for text in (source, source.replace("<!", "&lt;!")):
        try:
            return BeautifulSoup(f"<div>{text}</div>", "html.parser")
        except (ParserRejectedMarkup, AssertionError):
            continue
    return BeautifulSoup("<div></div>", "html.parser")
