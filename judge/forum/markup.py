"""The lines that a player typed himself, out of a post in any markup.

What others said (quotes), what is taken back (struck text) and what a program added (signatures, mail footers) goes;
bold type, lists, tables, links and pictures of smilies become the plain text again.  In Markdown and BBCode every line
keeps its place, so that a problem names the line of the post.  Markdown's lazy quotes count as typed: only lines that
begin with `>` are quoted.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.core.notation import LINE_END
from judge.forum import Markup
from judge.forum.htmlpost import visible_lines

GONE = "  "
"""Stands where something was taken out: two blanks, so that no number grows together over the gap."""

_SIGNATURE = re.compile(r"--[ \u00a0]?")
_ORIGINAL = re.compile(
    r"-{3,} ?(?:original message|ursprüngliche nachricht|message d'origine|oorspronkelijk bericht) ?-{3,}",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"(?:diese nachricht wurde )?von meine[mr] .{1,60} gesendet|gesendet (?:von|mit|via|aus) .{1,60}"
    r"|sent (?:from|via|with) .{1,60}|envoyé (?:de|depuis|à partir de|avec) .{1,60}"
    r"|(?:verstuurd|verzonden) (?:vanaf|vanuit|met|via) .{1,60}"
    r"|(?:get|holen sie sich|obtenir|télécharger|download) outlook .{1,40}|outlook (?:für|for|pour|voor) .{1,40}",
    re.IGNORECASE,
)
_ATTRIBUTION = re.compile(r"(?:am|on|le|op) .{4,200} (?:schrieb|wrote|a écrit|schreef)\b.{0,80}:", re.IGNORECASE)
_SAID_IN = re.compile(r"@\S.{0,80}\]\([^()\s]{0,300}/post/\d+\).{0,40}:\s*")
"""What NodeBB puts above a quote: `@Anna said in [Month 1](/post/3):`."""

_PICTURE = re.compile(
    r"!\[[^\[\]\n]{0,300}\]\([^\n\s]{0,500}\)"
    r"|\[(?P<bb>img|attachment|attach)\b[^\]\n]{0,200}\](?:[^\[\]\n]{0,500}\[/(?P=bb)\])?"
    r"|<img\b(?![^<>]{0,300}(?:smil|emo))[^<>]{0,1000}>",
    re.IGNORECASE,
)

_QUOTES = frozenset(("quote", "blockquote"))
_STRUCK = frozenset(("s", "strike", "del"))
_SPOILERS = frozenset(("spoiler", "hide", "details", "spoil"))
_CODE = frozenset(("code", "pre", "php", "icode", "codeblock", "tt", "c"))
_PLAIN = frozenset(("noparse", "plain", "nobbc"))
_DROPPED = frozenset(
    ("img", "attachment", "media", "youtube", "video", "sig", "signature", "summary", "script", "style")
)
_CELLS = frozenset(("*", "li", "td", "th"))
_WRAPPER_NAMES = """b i u em strong color colour size font center left right justify align list ul ol table tr tbody
thead url email link mention user member h1 h2 h3 h4 h5 h6 heading indent small big mark ins p div span a br hr
highlight bg header"""
_WRAPPERS = frozenset(_WRAPPER_NAMES.split())
_LITERAL = _CODE | _PLAIN

_BBCODE = r"\[(?P<bbend>/?)(?P<bb>[A-Za-z][A-Za-z0-9]*|\*)(?:[=\s](?:\"[^\"\n]{0,200}\"|[^\]\"\n]){0,200})?\]"
_MARKDOWN = (
    r"(?P<escaped>\\[!-/:-@\[-`{-~])|(?P<comment><!--)|(?P<ticks>`+)"
    r"|<(?P<tagend>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*)(?P<attributes>\s[^<>]{0,300})?/?>"
    r"|!?\[(?P<link>[^\[\]\n]{0,300})\]\([^()\n]{0,500}\)|<(?P<address>https?://[^\s<>]{1,500})>|(?P<strike>~~)|(?P<stars>\*+|_+)"
)
_BBCODE_TOKEN = re.compile(_BBCODE)
_MARKDOWN_TOKEN = re.compile(f"{_MARKDOWN}|{_BBCODE}")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_KEPT_LINE = "\ue000"


def typed_text(source: str, markup: Markup, *, code: bool = True, spoilers: bool = True) -> str:
    """What the author of a post typed himself, as plain lines.

    `code` and `spoilers` say whether text in code blocks and behind spoilers counts.  For Markdown and BBCode the
    result has as many lines as the source.
    """
    source = LINE_END.sub("\n", source)
    if markup == "html":
        lines = visible_lines(source, code=code, spoilers=spoilers)
    elif markup == "bbcode":
        lines = [_plain(line) for line in _unwrapped(source, markup, code, spoilers).split("\n")]
    else:
        lines = _markdown_lines(source, code, spoilers)
    return "\n".join(_without_footers(lines))


def only_pictures(source: str, markup: Markup) -> bool:
    """Whether a post holds a picture and not a word beside it.  Drawn smilies are words."""
    rest, pictures = _PICTURE.subn(" ", source)
    return pictures > 0 and not typed_text(rest, markup).strip()


def has_word(source: str, markup: Markup, word: str) -> bool:
    """Whether its author typed this himself, as a word of its own: how a letter's key is found again."""
    return word in source and word in typed_text(source, markup).split()


def _markdown_lines(source: str, code: bool, spoilers: bool) -> list[str]:
    """Markdown's lines; code blocks are put aside first, since nothing in them is markup."""
    lines = source.replace(_KEPT_LINE, " ").split("\n")
    aside: list[str] = []
    fence = ""
    for number, line in enumerate(lines):
        found = _FENCE.match(line)
        if fence:
            closes = found is not None and found[1].startswith(fence) and not line.strip().strip(fence[0])
            aside.append(line if code and not closes else "")
            fence = "" if closes else fence
            lines[number] = _KEPT_LINE
        elif found is not None and not (found[1][0] == "`" and "`" in line[found.end() :]):
            fence = found[1]
            aside.append("")
            lines[number] = _KEPT_LINE
        elif line.lstrip().startswith(">"):
            lines[number] = ""
            if number and _SAID_IN.fullmatch(lines[number - 1]):
                lines[number - 1] = ""
    kept = iter(aside)
    text = _unwrapped("\n".join(lines), "markdown", code, spoilers)
    # A code block inside a quote or spoiler is gone with it, so each mark that is left takes its own line by number.
    by_number = {number: next(kept) for number, line in enumerate(lines) if line == _KEPT_LINE}
    return [
        by_number[n] if line == _KEPT_LINE else _plain(line.removesuffix("\\"))
        for n, line in enumerate(text.split("\n"))
    ]


def _plain(line: str) -> str:
    return html.unescape(line).replace("\n", " ").replace("\r", " ")


@dataclass
class _Piece:
    """A stretch of the source and what is shown in its place."""

    source: str
    shown: str
    name: str = ""
    closes: bool = False
    hides: bool = False
    """What stands between this tag and its end is not shown."""


def _unwrapped(source: str, markup: Markup, code: bool, spoilers: bool) -> str:
    pieces = list(_pieces(source, markup, code, spoilers))
    hidden = [0] * (len(pieces) + 1)
    for first, last in _hidden_spans(pieces):
        hidden[first] += 1
        hidden[last] -= 1
    shown: list[str] = []
    depth = 0
    for piece, change in zip(pieces, hidden, strict=False):
        if change > 0 and depth == 0:
            shown.append(GONE)
        depth += change
        shown.append("\n" * piece.source.count("\n") if depth else piece.shown)
    return "".join(shown)


def _hidden_spans(pieces: list[_Piece]) -> Iterator[tuple[int, int]]:
    """From which piece to before which other nothing is shown; tags that hide nothing lose their brackets only."""
    opened: dict[str, list[int]] = {}
    for number, piece in enumerate(pieces):
        if not piece.name:
            if "\n\n" in piece.source or re.search(r"\n[ \t]+\n", piece.source):
                opened.pop("~~", None)
            continue
        waiting = opened.setdefault(piece.name, [])
        if piece.closes or (piece.name == "~~" and waiting):
            if waiting:
                first = waiting.pop()
                pieces[first].shown = piece.shown = ""
                if pieces[first].hides:
                    yield first, number + 1
            elif piece.name != "~~":
                piece.shown = ""
        else:
            waiting.append(number)
    for name in _QUOTES | _SPOILERS | _DROPPED:
        for first in opened.get(name, ()):
            pieces[first].shown = ""
            if pieces[first].hides and name not in _DROPPED:
                yield first, len(pieces)


def _pieces(source: str, markup: Markup, code: bool, spoilers: bool) -> Iterator[_Piece]:
    token = _BBCODE_TOKEN if markup == "bbcode" else _MARKDOWN_TOKEN
    lowered = source.lower() if source.isascii() else "".join(c.lower() if c.isascii() else c for c in source)
    never: set[str] = set()
    position = 0
    while match := token.search(source, position):
        if match.start() > position:
            yield _Piece(source[position : match.start()], source[position : match.start()])
        position = match.end()
        opener, closer = _literal(match, never)
        end = lowered.find(closer, position) if opener else -1
        if opener and end >= 0:
            inner = source[position:end]
            position = end + len(closer)
            kept = opener in _PLAIN or (code and opener != "comment")
            yield _Piece(source[match.start() : position], inner if kept else GONE + "\n" * inner.count("\n"))
            continue
        if opener:
            never.add(closer)
        yield _tag(match, source, spoilers)
    yield _Piece(source[position:], source[position:])


def _literal(match: re.Match[str], never: set[str]) -> tuple[str, str]:
    """If the token starts text that holds no markup: what it is, and what ends it."""
    groups = match.groupdict()
    opener, closer = "", ""
    if groups.get("ticks"):
        opener, closer = "code", groups["ticks"]
    elif groups.get("comment"):
        opener, closer = "comment", "-->"
    elif groups.get("bb") and not groups["bbend"] and groups["bb"].lower() in _LITERAL:
        opener = groups["bb"].lower()
        closer = f"[/{opener}]"
    elif groups.get("tag") and not groups["tagend"] and groups["tag"].lower() in _CODE:
        opener = groups["tag"].lower()
        closer = f"</{opener}>"
    return ("", "") if closer in never else (opener, closer)


def _tag(match: re.Match[str], source: str, spoilers: bool) -> _Piece:
    """One token outside code: a tag, a link, an escaped sign, or emphasis."""
    groups = match.groupdict()
    whole = match.group()
    if groups.get("escaped"):
        return _Piece(whole, whole[1])
    if groups.get("strike"):
        return _Piece(whole, whole, "~~", hides=True)
    if groups.get("stars"):
        before, after = source[match.start() - 1 : match.start()], source[match.end() : match.end() + 1]
        apart = not (before.strip() or after.strip()) or (before.isalnum() and after.isalnum())
        marker = not before.strip() and after in (" ", "\t")
        return _Piece(whole, whole if apart or marker else "")
    if groups.get("link") is not None:
        return _Piece(whole, groups["link"])
    if groups.get("address"):
        return _Piece(whole, groups["address"])
    name = (groups.get("bb") or groups.get("tag") or "").lower()
    closes = bool(groups.get("bbend") or groups.get("tagend"))
    if name == "span":
        return _Piece(whole, "", name, closes, hides="line-through" in (groups.get("attributes") or "").lower())
    if name in _SPOILERS:
        return _Piece(whole, whole, name, closes, hides=not spoilers)
    if name in _QUOTES | _STRUCK | _DROPPED:
        return _Piece(whole, whole, name, closes, hides=True)
    if name in _CELLS:
        return _Piece(whole, " | " if name != "li" or not closes else "")
    if name in ("sup", "sub"):
        return _Piece(whole, "" if closes else "^")
    return _Piece(whole, "" if name in _WRAPPERS | _LITERAL else whole)


def _without_footers(lines: list[str]) -> list[str]:
    """The lines with signature and mail footers emptied."""
    kept: list[str] = []
    over = False
    for line in lines:
        bare = line.strip()
        over = over or bool(_SIGNATURE.fullmatch(line.strip("\t\r\ufeff")) or _ORIGINAL.fullmatch(bare))
        gone = over or (len(bare) < 300 and (_FOOTER.fullmatch(bare.rstrip(".! ")) or _ATTRIBUTION.fullmatch(bare)))
        kept.append("" if gone else line)
    return kept
