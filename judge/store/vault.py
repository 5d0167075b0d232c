"""The vault: what keeps sealed orders unreadable for whoever holds the database or a backup alone.

The key file lies beside the config, never in the database, and only its owner may read it.  It holds one Fernet key a
line, the current one first; older ones still open what they sealed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from judge.core.text import Text
from judge.store.errors import KeyFileError


class Vault:
    """Seals JSON values with the current key, opens them with any key of the file."""

    def __init__(self, keys: list[bytes]) -> None:
        self._fernet = MultiFernet([Fernet(key) for key in keys])

    def seal(self, value: Any) -> bytes:
        return self._fernet.encrypt(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())

    def unseal(self, sealed: bytes) -> Any:
        try:
            return json.loads(self._fernet.decrypt(sealed))
        except InvalidToken as wrong:
            raise KeyFileError(
                Text.of("The key file does not fit this database: it cannot open what is sealed in it")
            ) from wrong

    @classmethod
    def generate(cls) -> Vault:
        """A vault with a fresh key that is written nowhere: for tests and playthroughs."""
        return cls([Fernet.generate_key()])

    @classmethod
    def open_file(cls, path: Path) -> Vault:
        """The vault of a key file.  Raises KeyFileError, saying what to do."""
        try:
            mode = path.stat().st_mode & 0o777
            lines = path.read_bytes().split()
        except FileNotFoundError as missing:
            text = Text.of(
                "The key file {file} is missing; without it nothing sealed in the database can be opened: "
                "put it back from where you keep it",
                file=str(path),
            )
            raise KeyFileError(text) from missing
        except OSError as unreadable:
            text = Text.of(
                "The key file {file} cannot be read: {reason}", file=str(path), reason=unreadable.strerror or "–"
            )
            raise KeyFileError(text) from unreadable
        if mode & 0o077:
            raise KeyFileError(
                Text.of(
                    "The key file {file} can be read by others (mode {mode}): chmod 600 {file}",
                    file=str(path),
                    mode=f"{mode:04o}",
                )
            )
        try:
            return cls(lines) if lines else _malformed(path)
        except ValueError:
            return _malformed(path)

    @classmethod
    def create_file(cls, path: Path) -> Vault:
        """A new key file with mode 0600; fails if there is one already."""
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(Fernet.generate_key() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        return cls.open_file(path)


def _malformed(path: Path) -> Vault:
    raise KeyFileError(
        Text.of("The key file {file} holds no key: put the right one back from where you keep it", file=str(path))
    )
