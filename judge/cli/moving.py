"""`judge import`, and `judge export --private`: a game moves from one judge to another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from sqlmodel import Session

from judge.cli.terminal import FailureError, _, call_of, tell
from judge.core.text import Text
from judge.service import moving
from judge.store import Vault

LARGEST_MB = 500


def export_private(context: typer.Context, game: str, output: Path | None) -> None:
    """Packs a game for another judge.  It is set aside here in the same commit; until then the file is a `.part`."""
    file = output or Path(f"gamejudge-{game}.private.json")
    unfinished = file.with_name(f"{file.name}.part")
    if file.exists():
        raise FailureError(Text.of("{file} is there already: name another file with --output.", file=str(file)))

    def pack(session: Session) -> None:
        content = moving.pack(session, judge.clock.now(), game)
        try:
            _write(unfinished, content)
        except OSError as error:
            text = Text.of("{file} cannot be written: {reason}.", file=str(file), reason=error.strerror or str(error))
            raise FailureError(text) from error

    with call_of(context).judge() as judge:
        try:
            judge.store.write(pack)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    unfinished.rename(file)
    tell(
        Text.of(
            "The game is in {file}, sealed with this judge's key file, and set aside here. At the other judge: "
            "judge import {file} --key KEYFILE, with a copy of {key}. It must never go on in two places: only if the "
            "move fails, let it go on here from its host's page.",
            file=str(file),
            key=str(call_of(context).settings().key_path),
        )
    )


def import_game(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", show_default=False, help=_("What `judge export --private` wrote."))
    ],
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="KEYFILE", help=_("The key file of the judge that the game comes from; otherwise our own.")
        ),
    ] = None,
) -> None:
    try:
        if file.stat().st_size > LARGEST_MB * 1_000_000:
            raise FailureError(Text.of("{file} is larger than any game: {most} MB.", file=str(file), most=LARGEST_MB))
        content = file.read_bytes()
    except OSError as error:
        raise FailureError(
            Text.of("{file} cannot be read: {reason}.", file=str(file), reason=error.strerror or str(error)), code=2
        ) from error
    vault = None if key is None else Vault.open_file(key)
    settings = call_of(context).settings()
    with call_of(context).judge(settings) as judge:
        arrived = judge.store.write(lambda session: moving.bring_in(session, judge.clock.now(), content, vault))
    address = f"{settings.address}/games/{arrived.game_id}"
    if arrived.back:
        tell(Text.of("“{title}” is back, and goes on here: {address}", title=arrived.title, address=address))
    else:
        tell(Text.of("“{title}” goes on here: {address}", title=arrived.title, address=address))
    tell(
        Text.of(
            "Personal links and programs' tokens work as before. Browsers know their players again if the judge has "
            "the same address as before; otherwise give them new links (judge link) between two turns."
        )
    )


def _write(file: Path, content: bytes) -> None:
    """On the disk, and for its owner only."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
