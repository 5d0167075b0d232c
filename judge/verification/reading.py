"""An export as it lies in a file: its one canonical form, its schema, its records.

Nothing in the file is trusted.  It is bounded in size and depth before anything else looks at it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NoReturn

from pydantic import ValidationError

from judge.core.record import RECORD, Created, Export, Record
from judge.core.seal import canonical
from judge.core.text import Text
from judge.verification.verdict import DoesNotHold, NotAnExport

MOST_BYTES = 16 * 1024 * 1024
"""Hundreds of times as much as a long game needs."""

MOST_DEPTH = 64
"""How deep the JSON may nest; the judge's own is not half as deep."""

FORMAT = 1


@dataclass(frozen=True)
class Entry:
    """One record of the file, or why it is none."""

    number: int
    hash: str
    body: bytes
    """Its canonical JSON, which is what is hashed."""
    record: Record | None
    problem: DoesNotHold | None = None


@dataclass(frozen=True)
class ExportFile:
    """An export that could be read.  `problem` is what is wrong with the file as a whole."""

    heading: Export
    entries: list[Entry]
    problem: DoesNotHold | None


def read_export(data: bytes) -> ExportFile:
    """Takes a file apart; raises `NotAnExport` for one that is none, `DoesNotHold` for one that misses its schema."""
    content = _content(data)
    records = content["records"]
    entries = [_entry(number, raw) for number, raw in enumerate(records, 1)]
    broken = next((entry for entry in entries if entry.problem is not None and not entry.body), None)
    if broken is not None and broken.problem is not None:
        raise broken.problem.at(broken.number, None, None)
    heading = _heading(content)
    chained = b",".join(b'{"hash":%b,"record":%b}' % (canonical(entry.hash), entry.body) for entry in entries)
    parts = {name: _canonical(value) for name, value in content.items() if name != "records"}
    parts["records"] = b"[%b]" % chained
    return ExportFile(heading, entries, _whole(data, parts, heading.hash))


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same; unlike `==`, tells 1 from true and from 1.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def _content(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        most = MOST_BYTES // 1024 // 1024
        raise NotAnExport(Text.of("This file is larger than {most} MB; no export of a game is.", most=most))
    try:
        content = json.loads(data.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise NotAnExport(Text.of("This is no export of a game: the file is not JSON.")) from None
    if not isinstance(content, dict) or "gamejudge" not in content:
        raise NotAnExport(Text.of("This is no export of a game: it is JSON of another kind."))
    if not same(content["gamejudge"], FORMAT):
        given = str(content["gamejudge"])[:20]
        raise NotAnExport(
            Text.of("This export has the format {given}; this judge reads format {known}.", given=given, known=FORMAT)
        )
    if _depth(content) > MOST_DEPTH:
        raise NotAnExport(Text.of("This is no export of a game: it nests deeper than one does."))
    if not isinstance(content.get("records"), list) or not content["records"]:
        raise DoesNotHold(Text.of("The file holds no record of the game, so that there is nothing to verify."))
    return content


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _depth(value: Any) -> int:
    """How deep a JSON value nests, counted without recursion."""
    depth, level = 0, [value]
    while level and depth <= MOST_DEPTH:
        depth += 1
        level = [inner for outer in level for inner in _inside(outer)]
    return depth


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _canonical(value: Any) -> bytes:
    try:
        return canonical(value)
    except ValueError:  # a lone surrogate, a number that is too large
        raise DoesNotHold(Text.of("The file holds a text or number that no judge writes.")) from None


def _entry(number: int, raw: Any) -> Entry:
    """`body` is empty only if the record has no canonical form, so that nothing can be said about the file."""
    if not isinstance(raw, dict) or raw.keys() != {"hash", "record"} or not isinstance(raw["hash"], str):
        raise _misfit("records").at(number, None, None)
    try:
        canonical(raw["hash"])
        body = canonical(raw["record"])
    except ValueError:
        text = Text.of("The record holds a text or number that no judge writes.")
        return Entry(number, raw["hash"], b"", None, DoesNotHold(text))
    try:
        record = RECORD.validate_python(raw["record"])
    except ValidationError as error:
        return Entry(number, raw["hash"], body, None, _misfit(_field(error)))
    written = record.model_dump(mode="json")
    if not same(written, raw["record"]):
        wrong = next(name for name in written if not same(written[name], raw["record"].get(name)))
        return Entry(number, raw["hash"], body, None, _misfit(wrong))
    if not all(_in_utc(getattr(record, name, None)) for name in ("at", "opened", "deadline")):
        return Entry(number, raw["hash"], body, None, _misfit("at"))
    facts = {**raw["record"], "options": None} if isinstance(record, Created) else raw["record"]
    if any(isinstance(value, float) for value in _all_values(facts)):
        text = Text.of("The record holds a number that is not whole.")
        return Entry(number, raw["hash"], body, None, DoesNotHold(text))
    return Entry(number, raw["hash"], body, record)


def _in_utc(time: datetime | None) -> bool:
    return time is None or time.utcoffset() == timedelta(0)


def _all_values(value: Any) -> Iterator[Any]:
    level = [value]
    while level:
        yield from level
        level = [inner for outer in level for inner in _inside(outer)]


def _heading(content: dict[str, Any]) -> Export:
    """The head of the file; its records are read one by one."""
    try:
        heading = Export.model_validate({**content, "records": []})
    except ValidationError as error:
        raise _misfit(_field(error)) from None
    written = heading.model_dump(mode="json", exclude={"records"})
    for name, value in written.items():
        if not same(value, content.get(name)):
            raise _misfit(name)
    times = () if heading.open is None else (heading.open.opened, heading.open.deadline)
    if not all(map(_in_utc, times)):
        raise _misfit("open")
    return heading


def _field(error: ValidationError) -> str:
    where = [str(part) for part in error.errors(include_url=False)[0]["loc"]]
    return ".".join(where).encode(errors="replace").decode()[:60] or "record"


def _misfit(name: str) -> DoesNotHold:
    return DoesNotHold(Text.of("“{field}” is missing, or is not as a judge writes it.", field=name))


def _whole(data: bytes, parts: dict[str, bytes], claimed: str) -> DoesNotHold | None:
    """Whether the file is the canonical form of its content, and its hash that of the content."""
    written = _object(parts) + b"\n"
    if written != data:
        byte = next((place for place, pair in enumerate(zip(written, data, strict=False)) if pair[0] != pair[1]), None)
        return DoesNotHold(
            Text.of(
                "The file is not written as the judge writes it, from byte {byte} on: something has been changed in "
                "it, or a program has saved it in a form of its own.",
                byte=(min(len(written), len(data)) if byte is None else byte) + 1,
            )
        )
    del parts["hash"]
    if hashlib.sha256(_object(parts)).hexdigest() != claimed:
        return DoesNotHold(Text.of("The file's own hash does not fit: something has been changed in it."))
    return None


def _object(parts: dict[str, bytes]) -> bytes:
    """A JSON object of values that are canonical already."""
    return b"{%b}" % b",".join(b'"%b":%b' % (name.encode(), parts[name]) for name in sorted(parts))
