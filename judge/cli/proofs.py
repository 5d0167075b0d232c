"""`judge export` and `judge verify`: what is public of a game as a file, and whether it holds.

`verify` needs neither config, database, key nor network, so that it can be run by somebody who trusts no judge.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from judge.cli.terminal import LANGUAGE, FailureError, _, call_of
from judge.core.text import DOLLARS, Text
from judge.language import Voice
from judge.registry import ruleset, rulesets
from judge.verification import Counts, Verdict, verify
from judge.verification.reading import MOST_BYTES
from judge.verification.receipts import LONGEST_RECEIPT

HOLDS, DOES_NOT_HOLD, NO_EXPORT, NOT_REPLAYED = 0, 1, 2, 3
"""Exit codes of `judge verify`."""


def export(
    context: typer.Context,
    game: Annotated[
        str, typer.Argument(metavar="GAME", show_default=False, help=_("The game's id, as `judge games` lists it."))
    ],
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help=_("Where to write it; otherwise it goes to stdout."))
    ] = None,
    private: Annotated[
        bool,
        typer.Option(
            "--private", help=_("Everything, sealed with the key file, to move the game to another judge instead.")
        ),
    ] = False,
) -> None:
    if private:
        from judge.cli.moving import export_private  # with the database's libraries

        export_private(context, game, output)
        return
    from judge.service.export import export_bytes

    with call_of(context).judge() as judge, judge.store.read() as session:
        content = export_bytes(session, game)
    if output is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        text = Text.of("{file} cannot be written: {reason}.", file=str(output), reason=error.strerror or str(error))
        raise FailureError(text) from error


def verify_export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=_("The export; - reads it from stdin."))],
    expect: Annotated[
        str | None,
        typer.Option(metavar="HASH", help=_("A hash from a post of the judge, which must be that of a record.")),
    ] = None,
    receipt: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help=_("A signed receipt, to be held against what counted; can be repeated.")),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print the answer as one JSON object."))] = False,
) -> int:
    tokens = [_read(path, LONGEST_RECEIPT).decode(errors="replace") for path in receipt or ()]
    verdict = verify(_read(file, MOST_BYTES), ruleset, expect, tokens)
    folders = tuple(rules.folder / "locale" for rules in rulesets().values())
    played = rulesets().get(verdict.ruleset)
    currency = DOLLARS if played is None else played.currency
    voice = Voice(LANGUAGE, names=verdict.names, catalogues=folders, currency=currency)
    if as_json:
        typer.echo(json.dumps(_as_json(verdict, voice)))
    else:
        for line in _lines(verdict, voice):
            typer.echo(_printable(line))
    return _exit_code(verdict)


def _read(file: Path, most: int) -> bytes:
    """A file's content, never much more of it than can be an answer."""
    try:
        if file == Path("-"):
            return sys.stdin.buffer.read(most + 1)
        with file.open("rb") as stream:
            return stream.read(most + 1)
    except OSError as error:
        text = Text.of("{file} cannot be read: {reason}.", file=str(file), reason=error.strerror or str(error))
        raise FailureError(text, code=NO_EXPORT) from error


def _exit_code(verdict: Verdict) -> int:
    if not verdict.readable:
        return NO_EXPORT
    if not verdict.ok:
        return DOES_NOT_HOLD
    return HOLDS if verdict.unreplayed is None else NOT_REPLAYED


def _lines(verdict: Verdict, voice: Voice) -> Iterator[str]:
    """The answer, line by line: what holds or does not, what was checked, what cannot be checked yet."""
    failure = verdict.failure
    if not verdict.readable and failure is not None:
        yield voice.say(failure.text)
        return
    if verdict.game:
        rules = f"{verdict.ruleset} {verdict.ruleset_version}"
        yield f"{verdict.title} ({verdict.game}, {rules})"
    if failure is not None:
        yield voice.say(Text.of("DOES NOT HOLD: {why}", why=failure.text))
        if failure.place:
            yield "  " + " · ".join(voice.say(part) for part in failure.place)
        yield voice.say(Text.of("Checked before that:"))
    elif verdict.unreplayed is not None:
        text = Text.of("What was checked holds, but the game was not played again. {why}", why=verdict.unreplayed)
        yield voice.say(text)
    elif verdict.closed:
        yield voice.say(Text.of("HOLDS, as far as it is open."))
    else:
        yield voice.say(Text.of("HOLDS."))
    yield from (f"  {voice.say(checked)}" for checked in _checked(verdict.counts))
    yield from map(voice.say, verdict.notes)
    if verdict.closed and verdict.ok:
        yield voice.say(Text.of("Still closed:"))
        yield from (f"  {voice.say(sentence)}" for sentence in verdict.closed)


def _checked(counts: Counts) -> Sequence[Text]:
    return (
        Text.n("{count} record", "{count} records", counts.records),
        Text.n("{count} sealed set of orders", "{count} sealed sets of orders", counts.sets),
        Text.n("{count} order line", "{count} order lines", counts.lines),
        Text.n("{count} link of the dice's chain", "{count} links of the dice's chain", counts.links),
        Text.n("{count} public throw", "{count} public throws", counts.throws),
        Text.n("{count} turn played again", "{count} turns played again", counts.turns),
    )


def _as_json(verdict: Verdict, voice: Voice) -> dict[str, Any]:
    failure = verdict.failure
    return {
        "holds": verdict.ok,
        "export": verdict.readable,
        "replayed": verdict.readable and verdict.unreplayed is None,
        "game": verdict.game,
        "title": verdict.title,
        "ruleset": verdict.ruleset,
        "ruleset_version": verdict.ruleset_version,
        "failure": None
        if failure is None
        else {
            "text": voice.say(failure.text),
            "record": failure.record,
            "turn": failure.turn,
            "version": failure.version,
            "seat": failure.seat,
            "line": failure.line,
        },
        "checked": asdict(verdict.counts),
        "unreplayed": None if verdict.unreplayed is None else voice.say(verdict.unreplayed),
        "closed": [voice.say(sentence) for sentence in verdict.closed],
        "notes": [voice.say(sentence) for sentence in verdict.notes],
    }


def _printable(line: str) -> str:
    """What a file holds cannot steer the terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
