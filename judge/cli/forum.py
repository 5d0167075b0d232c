"""`judge forum add`, `check`, `list`, `change` and `remove`: the judge's accounts on forums.

What is secret (a password, a token) is never an argument, where other users of the machine and the shell's history
would have it: it is asked for without an echo, read from standard input where that is no terminal (one line each), or
taken from the environment, `GAMEJUDGE_FORUM_PASSWORD` for `password`.
"""

from __future__ import annotations

import getpass
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from rich import box
from rich.markup import escape
from rich.table import Table
from sqlmodel import Session

from judge.bootstrap import Judge
from judge.cli.doctor import tell_findings
from judge.cli.terminal import LANGUAGE, FailureError, _, call_of, say, show, tell
from judge.core.text import Text
from judge.language import Voice
from judge.registry import forum_settings, forums
from judge.service import accounts
from judge.service.inspection import Finding, inspect
from judge.store.forum_tables import ForumRow

ENVIRONMENT = "GAMEJUDGE_FORUM_"

Name = Annotated[
    str, typer.Argument(metavar="NAME", show_default=False, help=_("The name that the forum has on this judge."))
]
Given = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME=VALUE",
        show_default=False,
        help=_("What the judge must know of it, such as url=https://forum.example.org; a secret by its name alone."),
    ),
]


def add(
    context: typer.Context,
    name: Name,
    given: Given = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help=_("Its software; without it, what there is is listed."))
    ] = None,
    unchecked: Annotated[bool, typer.Option("--unchecked", help=_("Do not log in there now."))] = False,
) -> None:
    if kind is None:
        raise FailureError(_kinds(), code=2)
    wanted = forum_settings(kind)
    if not wanted:
        raise FailureError(Text.of("Nothing needs to be set up for “{kind}”.", kind=kind), code=2)
    told = _told(wanted, given or (), secrets=[one.name for one in wanted if one.secret and not one.optional])
    with call_of(context).judge() as judge:
        judge.store.write(lambda session: accounts.add_forum(session, judge.clock.now(), name, kind, wanted, told).name)
        tell(Text.of("The judge has an account on “{forum}” now. `judge forum check {forum}` looks again.", forum=name))
        if not unchecked:
            tell_findings(_inspected(judge, name, None))


def check(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", show_default=False, help=_("One forum; without it, all of them.")),
    ] = None,
    topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help=_("A topic to be read there, by its number or address."))
    ] = None,
) -> None:
    if topic is not None and name is None:
        raise FailureError(Text.of("Name the forum that the topic is on."), code=2)
    with call_of(context).judge() as judge:
        with judge.store.read() as session:
            names = [accounts.find_account(session, name).name] if name else [row.name for row in _all(session)]
        tell_findings(finding for one in names for finding in _inspected(judge, one, topic))


def list_forums(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print a JSON list."))] = False,
) -> None:
    with call_of(context).judge() as judge, judge.store.read() as session:
        found = [_facts(session, row) for row in accounts.accounts(session)]
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
    elif not found:
        tell(Text.of("There is no account on a forum yet. `judge forum add --help` tells how."))
    else:
        show(_table(found))


def change(context: typer.Context, name: Name, given: Given = None) -> None:
    with call_of(context).judge() as judge:
        with judge.store.read() as session:
            wanted = forum_settings(accounts.find_account(session, name).connector)
        if not given:
            raise FailureError(Text.of("What shall change? {settings}", settings=_listed(wanted)), code=2)
        told = _told(wanted, given)
        judge.store.write(lambda session: accounts.change_forum(session, name, wanted, told).name)
    tell(Text.of("Changed. `judge forum check {forum}` logs in with it.", forum=name))


def remove(context: typer.Context, name: Name) -> None:
    with call_of(context).judge() as judge:
        judge.store.write(lambda session: accounts.remove_forum(session, name))
    tell(Text.of("The judge has no account on “{forum}” any more.", forum=name))


# What is typed


def _told(wanted: Sequence[Any], given: Sequence[str], secrets: Sequence[str] = ()) -> dict[str, str]:
    """The settings as typed, and those secret ones that were named alone or must be there."""
    by_name = {setting.name: setting for setting in wanted}
    told: dict[str, str] = {}
    asked = list(secrets)
    for word in given:
        name, equals, value = word.partition("=")
        name = name.strip()
        secret = name in by_name and by_name[name].secret
        if secret and value:
            raise FailureError(
                Text.of(
                    "{name} is secret and no argument, since others could read it there: name it alone, and it is "
                    "asked for.",
                    name=name,
                ),
                code=2,
            )
        if not secret and not equals:
            raise FailureError(Text.of("Write NAME=VALUE; “{given}” was read.", given=word), code=2)
        if name in told:
            raise FailureError(Text.of("“{name}” is given twice.", name=name), code=2)
        if secret and not equals:
            asked += [name] if name not in asked else []
        else:
            told[name] = value
    return {**told, **{name: _secret(by_name[name]) for name in asked}}


def _secret(setting: Any) -> str:
    """A secret from the environment, from standard input, or from whoever sits at the terminal."""
    variable = f"{ENVIRONMENT}{setting.name.upper()}"
    if variable in os.environ:
        return os.environ[variable]
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return getpass.getpass(f"{setting.name} ({say(setting.about)}): ")


def _kinds() -> Text:
    """Every kind of forum that needs an account, and what it must be told."""
    kinds = {kind: forum_settings(kind) for kind in forums()}
    lines = [f"\n  --kind {kind}: {', '.join(_words(wanted))}" for kind, wanted in kinds.items() if wanted]
    return Text.of("Which software is it? Each kind must be told what stands after it: {kinds}", kinds="".join(lines))


def _words(wanted: Sequence[Any]) -> Iterator[str]:
    for setting in wanted:
        if not setting.optional:
            yield setting.name if setting.secret else f"{setting.name}=…"


def _listed(wanted: Sequence[Any]) -> str:
    """Every setting with what it is, a line each."""
    return "".join(
        f"\n  {setting.name if setting.secret else f'{setting.name}=…'}: {say(setting.about)}" for setting in wanted
    )


# What is told


def _all(session: Session) -> Sequence[ForumRow]:
    found = accounts.accounts(session)
    if not found:
        raise FailureError(Text.of("There is no account on a forum yet. `judge forum add --help` tells how."))
    return found


def _inspected(judge: Judge, name: str, topic: str | None) -> Iterator[Finding]:
    return inspect(judge.places, judge.clock.now(), name, topic)


def _facts(session: Session, row: ForumRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "kind": row.connector,
        "settings": row.settings,
        "account": row.account_id,
        "games": [game.id for game in accounts.games_at(session, row.name, unfinished=True)],
        "inbox_read": row.inbox_read.isoformat() if row.inbox_read else None,
    }


def _table(found: list[dict[str, Any]]) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column(_("Forum"), no_wrap=True)
    for title in (_("Kind"), _("Address"), _("User"), _("Games")):
        shown.add_column(title, overflow="fold")
    voice = Voice(LANGUAGE)
    for facts in found:
        told = facts["settings"]
        shown.add_row(
            facts["name"],
            facts["kind"],
            escape(told.get("url", "")),
            escape(told.get("user", "")),
            voice.number(len(facts["games"])),
        )
    return shown
