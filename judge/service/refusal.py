"""A use case that cannot be carried out, said to whoever asked for it."""

from __future__ import annotations

from typing import Literal

from judge.core.text import Text

Reason = Literal["unknown", "forbidden", "conflict", "gone", "invalid"]


class Refusal(Exception):
    """Nothing was changed.  `reason` is the kind of refusal (a page makes a status of it, a command an exit code)."""

    def __init__(self, reason: Reason, text: Text, field: str | None = None) -> None:
        super().__init__(text.text)
        self.reason = reason
        self.text = text
        self.field = field
