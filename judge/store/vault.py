"""The vault: what keeps sealed orders unreadable for whoever holds the database or a backup alone.

The key file lies beside the config, never in the database, and only its owner may read it.  It holds one Fernet key a
line, the current one first; older ones still open what they sealed.  A judge at work looks into the file again when it
has changed, so that `judge keys rotate` needs no restart.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from judge.core.text import Text
from judge.store.errors import KeyFileError

PADDED_TO = 512
"""What is sealed is a multiple of so many bytes long, so that its length does not tell a pass from three bids."""

Mark = tuple[int, int, int]
"""What changes when a file is written anew: its number on the disk, its time, its length."""


class Vault:
    """Seals JSON values with the current key, opens them with any key of the file."""

    def __init__(self, keys: list[bytes]) -> None:
        self._fernets = [Fernet(key) for key in keys]
        self._file: Path | None = None
        self._mark: Mark | None = None

    def seal(self, value: Any) -> bytes:
        # What is sealed with a key that was just replaced could be missed by the work that seals everything anew.
        self._look_again()
        plain = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        return self._fernets[0].encrypt(plain + b" " * (-len(plain) % PADDED_TO))

    def unseal(self, sealed: bytes) -> Any:
        return json.loads(self._open(sealed))

    def resealed(self, sealed: bytes) -> bytes | None:
        """The same under the current key; None if that sealed it already."""
        self._look_again()
        if self._is_current(sealed):
            return None
        return self._fernets[0].encrypt(self._open(sealed))

    def is_current(self, sealed: bytes) -> bool:
        """Whether it opens without the older keys of the file.  KeyFileError if it opens with none."""
        self._look_again()
        if self._is_current(sealed):
            return True
        self._open(sealed)
        return False

    def _is_current(self, sealed: bytes) -> bool:
        try:
            self._fernets[0].decrypt(sealed)
        except InvalidToken:
            return False
        return True

    def _open(self, sealed: bytes) -> bytes:
        try:
            return MultiFernet(self._fernets).decrypt(sealed)
        except InvalidToken:
            self._look_again()
        try:
            return MultiFernet(self._fernets).decrypt(sealed)
        except InvalidToken as wrong:
            raise KeyFileError(
                Text.of(
                    "The key file does not fit this database: it cannot open what is sealed in it. Put the right one "
                    "back, and any key that was taken out of it before `judge keys rotate` had finished"
                )
            ) from wrong

    def _look_again(self) -> None:
        """Takes the keys that the file has now.  If it cannot be read, the judge goes on with those that it has."""
        with suppress(OSError, KeyFileError):
            if self._file is not None and _mark_of(self._file.stat()) != self._mark:
                fresh = Vault.open_file(self._file)
                self._fernets, self._mark = fresh._fernets, fresh._mark

    @classmethod
    def generate(cls) -> Vault:
        """A vault with a fresh key that is written nowhere: for tests and playthroughs."""
        return cls([Fernet.generate_key()])

    @classmethod
    def open_file(cls, path: Path) -> Vault:
        """The vault of a key file.  Raises KeyFileError, saying what to do."""
        try:
            with path.open("rb") as file:
                status = os.fstat(file.fileno())
                lines = file.read().split()
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
        mode = status.st_mode & 0o777
        if mode & 0o077:
            raise KeyFileError(
                Text.of(
                    "The key file {file} can be read by others (mode {mode}): chmod 600 {file}",
                    file=str(path),
                    mode=f"{mode:04o}",
                )
            )
        try:
            vault = cls(lines) if lines else _malformed(path)
        except ValueError:
            vault = _malformed(path)
        vault._file, vault._mark = path, _mark_of(status)
        return vault

    @classmethod
    def create_file(cls, path: Path) -> Vault:
        """A new key file with mode 0600; fails if there is one already."""
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            _write(file.fileno(), Fernet.generate_key() + b"\n")
        return cls.open_file(path)


def add_key(path: Path) -> None:
    """Puts a new key at the head of a key file; the older ones stay below.

    The file is there whole at every moment, the old one or the new one, with the same owner and mode 0600.  Of two
    programs only one may do this at a time: do it inside `Store.write`.
    """
    Vault.open_file(path)
    path = path.resolve()
    beside = path.with_name(f"{path.name}.new")
    try:
        before = path.stat()
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
            if os.fstat(descriptor).st_uid != before.st_uid:
                os.fchown(descriptor, before.st_uid, before.st_gid)
            _write(descriptor, Fernet.generate_key() + b"\n" + path.read_bytes())
        finally:
            os.close(descriptor)
        beside.replace(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        text = Text.of("The key file {file} cannot be written: {reason}", file=str(path), reason=error.strerror or "–")
        raise KeyFileError(text) from error


def _write(descriptor: int, content: bytes) -> None:
    os.write(descriptor, content)
    os.fsync(descriptor)


def _mark_of(status: os.stat_result) -> Mark:
    return status.st_ino, status.st_mtime_ns, status.st_size


def _malformed(path: Path) -> Vault:
    raise KeyFileError(
        Text.of("The key file {file} holds no key: put the right one back from where you keep it", file=str(path))
    )
