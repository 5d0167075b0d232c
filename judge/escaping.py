"""Plain words made safe in a markup: they say the same, and nothing in them is taken for markup.

Forums differ in what they obey, so this assumes the worst of all of them.  BBCode knows no way to quote a bracket, and
no markup can switch off smileys (`8)`, `:x`, `:name:`), signs (`(c)`) and mentions (`@name`).  There a word joiner,
which has no width and no meaning, comes between the characters.  Order lines such as `X:3 at 40` stay free of it, so
that they can be copied into a post.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_JOINER = "\N{WORD JOINER}"
_INVISIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"\s*[\t\n\r\x0b\x0c\u2028\u2029]\s*")

# Each alternative says where a joiner goes: before the second group.
_LIVELY = re.compile(
    r"""
    (?<![0-9]) ([8B]-?) ([)])                            # 8) 8-) B)
  | ([:;][-'^o]?) ([()\[\]{}DPpOoXx|/\\?*$@<>]) (?!/)    # :) ;-) :x, but no ://
  | (=) ([()])                                           # =)
  | ([:;][-']) ([0-9sS])                                 # :-3
  | (:) ([A-Za-z_+-][\w+-]*:)                            # :name:
  | (\() ((?:c|r|tm|p)\))                                # (c)
  | (@) (\w)                                             # @name
  | (<) (3)                                              # <3
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Markdown of some kinds makes a link of an address before it looks at what is escaped in it, so this becomes none.
_ADDRESS = re.compile(r"(?<=http|ttps):(?=//[^\s<]*[\\`*_\[\]<&|~])", re.IGNORECASE)


def _calm(text: str) -> str:
    """Words that no forum turns into pictures, signs or notices."""

    def apart(found: re.Match[str]) -> str:
        before, after = (group for group in found.groups() if group is not None)
        return f"{before}{_JOINER}{after}"

    # Twice, since the halves of one find may be part of another, as in "8):x:".
    return _LIVELY.sub(apart, _LIVELY.sub(apart, text))


def one_line(text: str) -> str:
    """No line breaks, and no characters that nobody sees but that turn or stop what follows."""
    return _BREAKS.sub(" ", _INVISIBLE.sub("", text))


def plain(text: str) -> str:
    """For plain text: one line with ordinary spaces, which people can search for and type."""
    return one_line(text).replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


def bbcode(text: str) -> str:
    """For BBCode, outside and inside `[code]`: no bracket opens a tag."""
    return re.sub(r"\[(?=\S)", f"[{_JOINER}", _calm(one_line(text)))


def markdown(text: str) -> str:
    """For Markdown of any kind, at the start of a line or in a table's cell."""
    text = _ADDRESS.sub(f":{_JOINER}", _calm(one_line(text)))
    # Entities where not every Markdown knows the backslash.
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    text = text.replace("<", "&lt;").replace("|", "&#124;").replace("~", "&#126;")
    text = re.sub(r"([\\`*_\[\]])", r"\\\1", text)
    text = re.sub(r"^(\s*)>", r"\1&gt;", text)
    text = re.sub(r"^(\s*)([#+-])", r"\1\\\2", text)
    return re.sub(r"^(\s*[0-9]+)([.)])(?=\s|$)", r"\1\\\2", text)


ESCAPES: Mapping[str, Callable[[str], str]] = {"txt": plain, "bbcode": bbcode, "md": markdown, "html": one_line}
"""By markup; HTML's own characters are left to the templates, which escape by themselves."""
