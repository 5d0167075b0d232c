"""`judge seal`: orders as a block for a public thread, made on the player's own machine.

It needs the judge's public key and nothing else of a judge: no config, database or key file.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import SplitResult, urlsplit

import httpx
import typer

from judge.cli.terminal import FailureError, _, tell, whole_number
from judge.core.text import Text
from judge.envelope import Content, EnvelopeError
from judge.envelope import seal as seal_block

SECONDS = 20
LOOPBACK = ("127.0.0.1", "localhost", "::1")
KEYS = "/.well-known/jwks.json"


def seal(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ADDRESS|ORDER",
            show_default=False,
            help=_(
                "The game's address such as https://judge.example.org/games/abc, unless --key, --game and --turn are "
                "given; then the orders, a line each. Without orders they are read from stdin."
            ),
        ),
    ] = None,
    seat: Annotated[
        str,
        typer.Option(metavar="SEAT", show_default=False, help=_("Your seat's number; with an address also your name.")),
    ] = "",
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|ADDRESS", help=_("The judge's public keys: /.well-known/jwks.json, or a copy of it.")
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="ID", help=_("The game's id."))] = None,
    turn: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole_number(1, 1_000_000), help=_("The turn that the orders are for.")),
    ] = None,
    version: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole_number(1, 1_000_000), help=_("The turn's version: 1, unless it was taken back.")
        ),
    ] = None,
) -> None:
    given = list(words or ())
    address = given.pop(0) if given and _is_address(given[0]) else None
    if not seat:
        raise FailureError(Text.of("{name} is missing.", name="--seat"), code=2)
    if address is not None:
        if (key, game, turn, version) != (None, None, None, None):
            raise FailureError(
                Text.of("With a game's address, --key, --game, --turn and --version are asked from the judge."), code=2
            )
        public, place = _ask_judge(address, seat)
    else:
        if key is None or game is None or turn is None:
            raise FailureError(
                Text.of("Give the game's address, or else --key, --game and --turn; its page tells them."), code=2
            )
        public = _envelope_key(_fetch(key) if _is_address(key) else _read(Path(key)), key)
        place = {"game": game, "turn": turn, "version": version or 1, "seat": seat}
    text = "\n".join(given) if given else _typed()
    if not text.strip():
        raise FailureError(Text.of("There is nothing to seal; “pass” says that you want nothing."), code=2)
    try:
        typer.echo(seal_block(public, Content(**place, text=text)))
    except EnvelopeError as error:
        raise FailureError(error.text) from error
    except ValueError as error:
        raise FailureError(Text.of("This game or seat cannot be: {given}", given=f"{game} {seat}"), code=2) from error


def _is_address(given: str) -> bool:
    return given.startswith(("https://", "http://"))


def _typed() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FailureError(
            Text.of("{file}, line {line}: this is no UTF-8 text.", file="stdin", line=str(line)), code=2
        ) from error


def _ask_judge(address: str, seat: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The judge's key, and what the envelope is for: the turn that is open now."""
    parts = _parts(address)
    named = re.match(r"/games/([^/]+)", parts.path)
    if named is None or not parts.hostname:
        raise FailureError(
            Text.of(
                "{address} is no game's address; one looks like https://judge.example.org/games/abc.", address=address
            ),
            code=2,
        )
    judge = f"{parts.scheme}://{parts.netloc}"
    answer = _fetch(f"{judge}/api/v1/games/{named[1]}")
    try:
        seats = {one["seat"]: str(one["name"]) for one in answer["seats"]}
        place = {"game": answer["id"], "turn": answer["turn"], "version": answer["version"]}
    except (KeyError, TypeError) as error:
        raise FailureError(_no_judge(address)) from error
    if place["turn"] is None:
        raise FailureError(Text.of("No turn of this game is open now."))
    mine = [key for key, name in seats.items() if seat == key or seat.casefold() == name.casefold()]
    if not mine:
        known = ", ".join(f"{key} {name}".strip() for key, name in seats.items())
        raise FailureError(Text.of("This game has no seat “{seat}”; its seats: {known}.", seat=seat, known=known))
    return _envelope_key(_fetch(judge + KEYS), judge + KEYS), {**place, "seat": mine[0]}


def _parts(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError as error:  # half an IPv6 address
        raise FailureError(_no_judge(address)) from error


def _fetch(address: str) -> Any:
    """What a judge answers, as JSON."""
    host = _parts(address).hostname
    if address.startswith("http://") and host not in LOOPBACK:
        tell(
            Text.of(
                "Warning: this address is not https, so somebody on the way could have put in a key of his own. Ask "
                "the host for the address of the judge, or compare the key."
            ),
            error=True,
        )
    try:
        with httpx.Client(timeout=SECONDS, follow_redirects=True, trust_env=host not in LOOPBACK) as client:
            answer = client.get(address)
        if answer.status_code == httpx.codes.NOT_FOUND:
            raise FailureError(Text.of("There is nothing at {address}: is the game's id right?", address=address))
        answer.raise_for_status()
        return answer.json()
    except httpx.HTTPStatusError as error:
        raise FailureError(
            Text.of("{address} answers with status {status}.", address=address, status=str(error.response.status_code))
        ) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise FailureError(
            Text.of("{address} cannot be reached: {reason}", address=address, reason=str(error) or type(error).__name__)
        ) from error
    except ValueError as error:
        raise FailureError(_no_judge(address)) from error


def _no_judge(address: str) -> Text:
    return Text.of("What answers at {address} is no judge.", address=address)


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        text = Text.of("{file} cannot be read: {reason}.", file=str(file), reason=error.strerror or str(error))
        raise FailureError(text, code=2) from error
    except ValueError as error:
        raise FailureError(Text.of("{file} holds no keys.", file=str(file)), code=2) from error


def _envelope_key(keys: Any, source: str) -> dict[str, Any]:
    """The first key for envelopes of a JWK Set, or the one key that there is."""
    listed = keys.get("keys", [keys]) if isinstance(keys, dict) else []
    for key in listed if isinstance(listed, list) else []:
        if isinstance(key, dict) and key.get("use", "enc") == "enc" and key.get("kty") == "EC":
            return key
    raise FailureError(Text.of("{source} holds no key for envelopes.", source=source))
