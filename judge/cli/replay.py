"""`judge replay`: a game from a file, without config, database, key or network."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from judge import playthrough
from judge.cli.terminal import FailureError, _
from judge.core.text import Text
from judge.registry import rulesets


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_("The playthrough; - reads it from stdin."))],
    as_json: Annotated[
        bool, typer.Option("--json", help=_("Print prices, cash, events and standings as one JSON object instead."))
    ] = False,
) -> None:
    script = _read(file)
    try:
        if as_json:
            answer = json.dumps(playthrough.replay_json(script, rulesets()), ensure_ascii=False) + "\n"
        else:
            answer = playthrough.replay(script, rulesets())
    except playthrough.PlaythroughError as error:
        where = Text.of("{file}, line {line}: {problem}", file=str(file), line=str(error.line), problem=error.text)
        raise FailureError(where, code=2) from error
    # A playthrough is UTF-8, whatever the terminal speaks.
    sys.stdout.buffer.write(answer.encode())
    sys.stdout.buffer.flush()


def _read(file: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if file == Path("-") else file.read_bytes()
        return content.decode()
    except OSError as error:
        text = Text.of("{file} cannot be read: {reason}.", file=str(file), reason=error.strerror or str(error))
        raise FailureError(text, code=2) from error
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        text = Text.of("{file}, line {line}: this is no UTF-8 text.", file=str(file), line=str(line))
        raise FailureError(text, code=2) from error
