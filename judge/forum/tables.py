"""Tables on forums whose Markdown knows none: as BBCode has them, in straight columns within `[code]`."""

from __future__ import annotations

import re

from judge.forum import Rendered

_IN_CODE = re.compile(r"^\[code\]\n.*?^\[/code\]$", re.MULTILINE | re.DOTALL)
_ROWS = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def with_tables_in_code(text: Rendered) -> str:
    """The letter in Markdown, with each table in `[code]`."""
    tables = _IN_CODE.findall(text.bbcode)
    if len(_ROWS.findall(text.markdown)) != len(tables):
        return text.markdown
    in_order = iter(tables)
    return _ROWS.sub(lambda _: f"{next(in_order)}\n", text.markdown)
