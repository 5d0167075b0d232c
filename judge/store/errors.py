"""What the store says when it cannot do its work: which thing is wrong, and what to do about it."""

from __future__ import annotations

from judge.core.text import Text


class _OperatorsError(Exception):
    """`text` is for people, in their language; the exception itself says it in English."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.text.format(**text.values))
        self.text = text


class StoreError(_OperatorsError):
    """The database cannot be used now.  Nothing was stored."""


class KeyFileError(_OperatorsError):
    """The key file is missing, malformed, readable by others, or not the one this database was written with."""
