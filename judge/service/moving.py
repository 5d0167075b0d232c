"""Moving a game to another judge: one file holds all of it, sealed with the key file of the judge that it leaves.

Only with that key file can the file be read; one changed byte and it is refused.  In the commit that packs a game it is
set aside here, since a game that goes on in two places would have two results.  If the move fails, its host lets it go
on here; a game that was moved may also come back, as long as its record continues the one that stayed here.

Where it arrives the game goes on where it was: the deadline moves by the time that it was on its way, letters that
waited are sent by the new judge alone, and chance and record go on as they would have here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlmodel import Session, col, select

from judge.core.report import Line, Report
from judge.core.seal import Hex32, canonical, digest
from judge.core.text import Moment, Text
from judge.service import publishing
from judge.service.audit import note
from judge.service.luggage import Rows, UnknownRows, clear, gather, settle
from judge.service.places import known_forums
from judge.service.position import find_game, ruleset_of
from judge.service.refusal import Refusal
from judge.store import KeyFileError, Vault, queries, seal, wake
from judge.store.tables import AuditRow, GameRow, RecordRow

FORMAT = 1
ALARM = "moved to another judge"


class Parcel(BaseModel):
    """The file: what may be read without a key, and the rest.

    sealed   an Inside under the vault of the judge that the game leaves
    hash     SHA-256 of the canonical JSON of everything else; it tells damage from a wrong key
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    gamejudge_private: Literal[1] = 1
    game: str
    title: str
    sealed: str
    hash: Hex32


class Inside(BaseModel):
    """What only the key file opens; it says once more whose it is, so that no other parcel's label can be put on it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    title: str
    rows: Rows


@dataclass(frozen=True)
class Arrived:
    """A game that came in.  `back`: it had been here before."""

    game_id: str
    title: str
    status: str
    back: bool


# Leaving


def pack(session: Session, now: datetime, game_id: str) -> bytes:
    """Everything of a game as one sealed file; from now on it does not go on here."""
    game = find_game(session, game_id)
    if game.moved is not None:
        raise Refusal(
            "conflict",
            Text.of(
                "This game was handed to another judge {moved}: export it there. If it never arrived, let it go on "
                "here first, from its host's page.",
                moved=Moment(game.moved),
            ),
        )
    note(session, now, game_id, Text.of("The game was exported with all that is sealed, for another judge."))
    game.moved, game.moves = now, game.moves + 1
    session.add(game)
    session.flush()
    label = {"game": game.id, "title": game.title}
    inside = seal(session, {**label, "rows": gather(session, game_id)})
    outside = {"gamejudge_private": FORMAT, **label, "sealed": inside.decode()}
    _set_aside(session, now, game)
    return canonical({**outside, "hash": digest(outside)}) + b"\n"


def _set_aside(session: Session, now: datetime, game: GameRow) -> None:
    """Its letters are the new judge's to send.  A running game rests; an open or finished one stands as it is."""
    for letter in queries.letters(session, game.id):
        if letter.status in queries.UNDER_WAY:
            letter.status = "moved"
            session.add(letter)
    if game.status not in ("running", "aside"):
        return
    game.status, game.alarm = "aside", ALARM
    text = Text.of(
        "This game goes on at another judge. No orders or posts are taken here any more; your host knows the new "
        "address, and what was handed in is taken along."
    )
    _tell_thread(session, now, game, f"moved-{game.moves}", text)
    wake(session, game.id)


def stay(session: Session, now: datetime, game: GameRow) -> None:
    """Lets a game go on here that was packed and never arrived.  Nobody can see from here whether it did."""
    for letter in queries.letters(session, game.id):
        if letter.status == "moved":
            letter.status = "waiting"
            session.add(letter)
    if game.status == "aside":
        game.status, game.alarm = "running", None
    note(session, now, game.id, Text.of("The host lets the game go on here after all: it must go on nowhere else."))
    _go_on(session, now, game)


# Arriving


def bring_in(session: Session, now: datetime, file: bytes, key: Vault | None = None) -> Arrived:
    """Takes a game in that another judge packed; `key` is that judge's key file, unless it is the same as here."""
    parcel = read(file)
    rows = _opened(parcel, key or session.info["vault"])
    here = session.get(GameRow, parcel.game)
    known: dict[str, int] = {}
    if here is not None:
        known = _continued(session, here, rows)
        clear(session, parcel.game)
    try:
        settle(session, now, rows, known)
    except UnknownRows as unknown:
        raise _newer() from unknown
    game = find_game(session, parcel.game)
    _demand_installed(session, game)
    note(
        session,
        now,
        game.id,
        Text.of("The game came back from another judge.") if here else Text.of("The game came from another judge."),
    )
    _go_on(session, now, game)
    return Arrived(game.id, game.title, game.status, back=here is not None)


def read(file: bytes) -> Parcel:
    """What can be read of a file without a key; Refusal if it is none, or damaged."""
    try:
        outside = json.loads(file)
    except (ValueError, RecursionError) as broken:
        raise _damaged() from broken
    if not isinstance(outside, dict):
        raise _damaged()
    if "gamejudge_private" not in outside and "records" in outside:
        raise Refusal(
            "invalid",
            Text.of(
                "This is the public export of a game: it holds nothing sealed, so no game can go on from it. Check it "
                "with “judge verify”, or make a private one: judge export GAME --private"
            ),
        )
    given = outside.get("gamejudge_private")
    if isinstance(given, int) and given > FORMAT:
        raise _newer()
    try:
        parcel = Parcel.model_validate(outside)
        rest = {name: value for name, value in outside.items() if name != "hash"}
        whole = digest(rest) == parcel.hash and canonical(outside) + b"\n" == file
    except (ValidationError, ValueError) as broken:
        raise _damaged() from broken
    if not whole:
        raise _damaged()
    return parcel


def _opened(parcel: Parcel, vault: Vault) -> Rows:
    try:
        content = vault.unseal(parcel.sealed.encode())
    except KeyFileError as wrong:
        raise Refusal(
            "invalid",
            Text.of(
                "The key does not open this file: name the key file of the judge that the game comes from with --key. "
                "Without it nobody can read it."
            ),
        ) from wrong
    try:
        inside = Inside.model_validate(content)
    except ValidationError as other:
        raise _damaged() from other
    if (inside.game, inside.title) != (parcel.game, parcel.title):
        raise _damaged()
    return inside.rows


def _continued(session: Session, here: GameRow, rows: Rows) -> dict[str, int]:
    """How much of the record and audit trail of a game that comes back is here; Refusal if it does not come back."""
    if here.moved is None:
        raise Refusal(
            "conflict",
            Text.of(
                "The game “{game}” is here already and goes on here; nothing was changed. A game must never go on in "
                "two places.",
                game=here.id,
            ),
        )
    hashes = [row.hash for row in queries.records(session, here.id)]
    told = [values["hash"] for values in rows[str(RecordRow.__tablename__)]]
    if rows[str(GameRow.__tablename__)][0]["moves"] < here.moves or told[: len(hashes)] != hashes:
        raise Refusal(
            "conflict",
            Text.of(
                "This file does not continue the game “{game}” that was here: it is older, or another one. Take the "
                "newest export of the judge that has the game now.",
                game=here.id,
            ),
        )
    lines = session.exec(select(AuditRow).where(AuditRow.game_id == here.id).order_by(col(AuditRow.id))).all()
    trail = [(values["at"], values["text"]) for values in rows[str(AuditRow.__tablename__)]]
    common = 0
    for row, line in zip(lines, trail, strict=False):
        if (row.at.isoformat(), row.text) != line:
            break
        common += 1
    return {str(RecordRow.__tablename__): len(hashes), str(AuditRow.__tablename__): common}


def _demand_installed(session: Session, game: GameRow) -> None:
    try:
        ruleset_of(session, game)
    except LookupError as missing:
        raise Refusal(
            "conflict",
            Text.of(
                "This game is played by the rules “{name}” in version {version}, which are not installed here: install "
                "the package that holds them, then import the game again.",
                name=game.ruleset,
                version=game.ruleset_version,
            ),
        ) from missing
    if game.forum not in known_forums(session):
        raise Refusal(
            "conflict",
            Text.of(
                "This game is played on the forum “{name}”, which this judge does not know: add it under that name "
                "with `judge forum add`, then import the game again.",
                name=game.forum,
            ),
        )


def _go_on(session: Session, now: datetime, game: GameRow) -> None:
    """The game is played here from now on; a deadline moves by the time that it was away, as after a pause."""
    away = timedelta(0) if game.moved is None else max(now - game.moved, timedelta(0))
    game.moved = None
    session.add(game)
    if game.status not in ("running", "aside"):
        return
    turn = queries.latest_turn(session, game.id)
    deadline = None
    if turn is not None and turn.status == "open" and turn.deadline is not None and game.paused is None:
        turn.deadline += away
        deadline = turn.deadline
        session.add(turn)
    text = Text.of("The game goes on at this judge.")
    if deadline is not None:
        text = Text.of(
            "The game goes on at this judge. The turn closes {deadline}: the time that the game was away is added.",
            deadline=Moment(deadline),
        )
    _tell_thread(session, now, game, f"arrived-{game.moves}", text)
    wake(session, game.id)


def _tell_thread(session: Session, now: datetime, game: GameRow, kind: str, text: Text) -> None:
    title = Text.of("{game}: a notice", game=game.title)
    publishing.write_letter(session, now, game, kind, Report(title=title, blocks=(Line(text=text),)))


def _newer() -> Refusal:
    return Refusal(
        "invalid",
        Text.of("This file was written by a newer version of the judge: install that version here, then import it."),
    )


def _damaged() -> Refusal:
    return Refusal(
        "invalid",
        Text.of(
            "This file is damaged, or it is no private export of a game: nothing was taken from it. Copy it again from "
            "where it was made."
        ),
    )
