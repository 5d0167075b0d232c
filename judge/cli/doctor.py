"""`judge check`, the doctor: looks at everything a judge needs, changes nothing, and says what to do."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import tempfile
import urllib.error
import urllib.request
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from sqlmodel import Session

from judge.bootstrap import connector
from judge.cli.terminal import FailureError, _, call_of, say, tell
from judge.clock import utc_now
from judge.core.text import Moment, Text
from judge.registry import NotInstalledError, forums, rulesets
from judge.registry import ruleset as installed
from judge.service.accounts import accounts
from judge.service.inspection import Finding, reach
from judge.service.places import Places
from judge.settings import ConfigError, Settings
from judge.store import KeyFileError, Store, StoreError, Vault, count_older, is_set_up, queries
from judge.store.tables import GameRow

ENOUGH_MB = 1000
TOO_LITTLE_MB = 100
STUCK_AFTER_TRIES = 3
"""So often a letter may fail before it is worth a word; forums have their moments."""

PATIENCE = 5
"""Seconds that whoever listens on the judge's port has for an answer."""


EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that mean "all of this machine's", and where to knock then."""


def check(
    context: typer.Context,
    forums: Annotated[bool, typer.Option("--forums", help=_("Also log in to every forum with an account."))] = False,
) -> None:
    call = call_of(context)
    try:
        settings = call.settings()
    except ConfigError as error:
        findings: Iterable[Finding] = [Finding("bad", str(error), Text.of("Mend the config, then check again."))]
    else:
        findings = _all(settings, call.config, forums)
    tell_findings(findings)


def tell_findings(findings: Iterable[Finding]) -> None:
    """Tells each finding as it is made, and how it stands in all; raises FailureError if something is bad."""
    worst = "ok"
    signs = {"ok": _("ok"), "warn": _("warning"), "bad": _("BAD")}
    width = max(map(len, signs.values()))
    for finding in findings:
        worst = max(worst, finding.level, key=["ok", "warn", "bad"].index)
        tell(f"{signs[finding.level]:{width}}  {say(finding.what)}")
        if finding.advice is not None:
            tell(f"{'':{width}}  → {say(finding.advice)}")
    if worst == "bad":
        raise FailureError(Text.of("Something needs attention: see the lines marked {mark}.", mark=signs["bad"]))
    tell(Text.of("Everything is in order.") if worst == "ok" else Text.of("Nothing is broken."))


def _all(settings: Settings, config: Path | None, with_forums: bool) -> Iterator[Finding]:
    yield _config(config)
    yield from _folder(settings.data)
    yield from _time_zones(settings)
    yield from _installed(Text.of("Games installed: {names}"), rulesets)
    yield from _installed(Text.of("Forums installed: {names}"), forums)
    yield from _stored(settings, with_forums)
    yield _port(settings)


def _config(given: Path | None) -> Finding:
    named = given or os.environ.get("GAMEJUDGE_CONFIG")
    file = Path(named or "config.toml")
    if file.exists():
        return Finding("ok", Text.of("Config: {file}", file=str(file.resolve())))
    return Finding("ok", Text.of("Config: none, so the defaults hold (config.example.toml lists them)"))


def _folder(folder: Path) -> Iterator[Finding]:
    place = folder.resolve()
    if not folder.exists():
        yield Finding("ok", Text.of("Data folder: {folder} (made when it is needed)", folder=str(place)))
        place = next(parent for parent in place.parents if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        yield Finding(
            "bad",
            Text.of("{folder} cannot be written: {reason}", folder=str(place), reason=error.strerror or str(error)),
            Text.of("Give the folder to the user that runs the judge (chown), or set “data” to another one."),
        )
    else:
        if place == folder.resolve():
            yield Finding("ok", Text.of("Data folder: {folder}", folder=str(place)))
    free = shutil.disk_usage(place).free // 1_000_000
    level: Literal["ok", "warn", "bad"] = "ok" if free >= ENOUGH_MB else "warn" if free >= TOO_LITTLE_MB else "bad"
    advice = None if level == "ok" else Text.of("Make room: without it no order can be stored.")
    yield Finding(level, Text.of("Disk space: {free} MB free", free=free), advice)


def _time_zones(settings: Settings) -> Iterator[Finding]:
    known = len(zoneinfo.available_timezones())
    if known:
        yield Finding("ok", Text.of("Time zones: {known} known; new games get {zone}", known=known, zone=settings.zone))
    else:
        yield Finding("bad", Text.of("No time zones are known"), Text.of("Install the package tzdata."))


def _installed(what: Text, find: Callable[[], Mapping[str, Any]]) -> Iterator[Finding]:
    try:
        names = sorted(find())
    except Exception as error:
        # Whatever a package of somebody else raises while it is imported.
        yield Finding(
            "bad",
            Text.of("An installed package cannot be loaded: {reason}", reason=f"{type(error).__name__}: {error}"),
            Text.of("Mend or uninstall it (pip)."),
        )
        return
    level: Literal["ok", "bad"] = "ok" if names else "bad"
    advice = None if names else Text.of("Install the judge again: what it comes with is missing.")
    yield Finding(level, what.model_copy(update={"values": {"names": ", ".join(names) or "–"}}), advice)


def _stored(settings: Settings, with_forums: bool) -> Iterator[Finding]:
    """The key file, the database, what stands in it, and the forums if that is wanted."""
    try:
        there = is_set_up(settings.database_url)
    except StoreError as error:
        yield Finding("bad", error.text)
        return
    if not there and not settings.key_path.exists():
        yield Finding("ok", Text.of("Database and key file: none yet (`judge run` makes both)"))
        return
    try:
        vault = Vault.open_file(settings.key_path)
    except KeyFileError as error:
        yield Finding("bad", error.text)
        return
    yield Finding("ok", Text.of("Key file: {file}", file=str(settings.key_path.resolve())))
    if not there:
        yield Finding("ok", Text.of("Database: none yet (`judge run` makes it)"))
        return
    store = Store(settings.database_url, vault)
    try:
        have, want = store.schema()
        yield from _database(store, have, want)
        if with_forums and have == want:
            yield from _forums(store, settings)
    except (StoreError, KeyFileError) as error:
        yield Finding("bad", error.text)
    finally:
        store.close()


def _database(store: Store, have: str | None, want: str | None) -> Iterator[Finding]:
    if have != want:
        yield Finding(
            "warn",
            Text.of(
                "Database: its schema is {have}, this version of the judge wants {want}",
                have=have or "–",
                want=want or "–",
            ),
            Text.of(
                "Make a backup, then start `judge run`: it brings an older schema up to date, and leaves a newer one."
            ),
        )
        return
    with store.read() as session:
        games = queries.games(session)
        older = count_older(session)
    store.write(lambda session: None)
    yield Finding(
        "ok",
        Text.n(
            "Database: can be written, fits the key file; {count} game",
            "Database: can be written, fits the key file; {count} games",
            len(games),
        ),
    )
    if older:
        yield Finding(
            "warn",
            Text.n(
                "{count} sealed entry still needs an older key of the key file",
                "{count} sealed entries still need an older key of the key file",
                older,
            ),
            Text.of("A change of keys was broken off: `judge keys rotate` finishes it. Leave the key file as it is."),
        )
    with store.read() as session:
        for game in queries.games(session):
            yield from _game(session, game)


def _forums(store: Store, settings: Settings) -> Iterator[Finding]:
    """Whether the judge gets in wherever it has an account."""
    with store.read() as session:
        names = [row.name for row in accounts(session)]
    if not names:
        yield Finding("ok", Text.of("Forums: there is no account on any"))
    places = Places(store, connector, utc_now, settings.address)
    try:
        for name in names:
            yield from reach(places, utc_now(), name)
    finally:
        places.close()


def _game(session: Session, game: GameRow) -> Iterator[Finding]:
    name = f"{game.title} ({game.id})"
    if game.moved is not None:
        moved = Moment(game.moved)
        yield Finding("ok", Text.of("{game} was handed to another judge {moved}", game=name, moved=moved))
        return
    if game.status == "aside":
        yield Finding(
            "bad",
            Text.of("{game} is set aside: {alarm}", game=name, alarm=game.alarm or "–"),
            Text.of("Report the line above as a fault of its rules; once mended, let it go on from the host's page."),
        )
    if game.status != "over":
        try:
            installed(game.ruleset, game.ruleset_version)
        except NotInstalledError as missing:
            yield Finding(
                "bad",
                Text.of("{game} cannot go on: {reason}", game=name, reason=missing.text),
                Text.of("Install the package that holds these rules."),
            )
    stuck = [
        letter
        for letter in queries.letters(session, game.id)
        if letter.status == "held" or (letter.status == "waiting" and letter.tries >= STUCK_AFTER_TRIES)
    ]
    if stuck:
        yield Finding(
            "warn",
            Text.n(
                "{game}: {count} letter does not get into its thread: {reason}",
                "{game}: {count} letters do not get into their thread: {reason}",
                len(stuck),
                game=name,
                reason=stuck[0].error or "–",
            ),
            Text.of(
                "The judge tries again by itself; if the forum goes on refusing, copy the text from the game's page."
            ),
        )


def _port(settings: Settings) -> Finding:
    """Whether the port is free, or who has it."""
    host, port = settings.web.host, str(settings.web.port)
    if host in EVERYWHERE:
        host = EVERYWHERE[host]
    try:
        with socket.create_connection((host, settings.web.port), timeout=PATIENCE):
            pass
    except OSError:
        return Finding("ok", Text.of("Port {port}: free; no judge is running here", port=port))
    place = f"[{host}]" if ":" in host else host
    request = urllib.request.Request(f"http://{place}:{port}/healthz", headers={"Host": "127.0.0.1"})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
            health = json.load(answer)
    except urllib.error.HTTPError as error:
        return Finding(
            "bad",
            Text.of(
                "Port {port}: a judge runs here, but is not well (status {status})", port=port, status=str(error.code)
            ),
            Text.of("Read its log; then start it again."),
        )
    except (OSError, ValueError, http.client.HTTPException):
        health = None
    if isinstance(health, dict) and health.get("status") == "ok":
        return Finding("ok", Text.of("Port {port}: a judge is running and well", port=port))
    return Finding(
        "bad",
        Text.of("Port {port}: another program has it", port=port),
        Text.of("Stop that program, or set another “port” under [web]."),
    )
