"""The judge's accounts on forums: what a host tells of each, and the topics that games find there already.

What is secret of an account is sealed and never shown again; everything else can be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from difflib import get_close_matches
from urllib.parse import urlsplit

from sqlmodel import Session, col, select

from judge.core.orders import Problem
from judge.core.text import Listing, Text
from judge.forum import ForumError, Hook, Refused, Setting, Topic
from judge.language import UnknownZoneError, time_zone
from judge.service.places import Places, known_forums
from judge.service.refusal import Refusal
from judge.service.table import Invalid, NewGame, one_line
from judge.store import Store, seal, unseal, wake
from judge.store.forum_tables import ForumRow, WatchRow
from judge.store.tables import GameRow

LONGEST_VALUE = 500
HOOK_INTERVAL = timedelta(seconds=2)
"""Between two looks that a webhook brings about."""
WHO = ("url", "user", "token")
"""With another one of these the judge may be somebody else there."""


def accounts(session: Session) -> Sequence[ForumRow]:
    """All accounts, by name."""
    return session.exec(select(ForumRow).order_by(col(ForumRow.name))).all()


def find_account(session: Session, name: str) -> ForumRow:
    """An account by its name; raises Refusal."""
    row = session.get(ForumRow, name)
    if row is not None:
        return row
    names = [row.name for row in accounts(session)]
    if not names:
        raise Refusal("unknown", Text.of("There is no account on a forum yet. `judge forum add --help` tells how."))
    near = get_close_matches(name, names, n=1)
    if near:
        text = Text.of("There is no forum “{name}”. Did you mean “{near}”?", name=name, near=near[0])
        raise Refusal("unknown", text)
    known = ", ".join(names)
    raise Refusal("unknown", Text.of("There is no forum “{name}”; there are: {known}.", name=name, known=known))


def add_forum(
    session: Session, now: datetime, name: str, kind: str, wanted: Sequence[Setting], given: Mapping[str, str]
) -> ForumRow:
    """Keeps an account under a name; `wanted` is what its kind of forum must or may be told.

    Raises Invalid with every problem.
    """
    problems = [*_name_problems(session, name), *_problems(wanted, given)]
    problems += [
        Problem(Text.of("The setting “{name}” is missing: {about}.", name=one.name, about=one.about))
        for one in wanted
        if not one.optional and not given.get(one.name, "").strip()
    ]
    if problems:
        raise Invalid(problems)
    row = ForumRow(name=name, connector=kind, created=now, sealed_settings=b"")
    _write(session, row, wanted, given)
    return row


def change_forum(session: Session, name: str, wanted: Sequence[Setting], given: Mapping[str, str]) -> ForumRow:
    """Replaces some of what an account was told; an empty value takes back what was optional."""
    row = find_account(session, name)
    problems = _problems(wanted, given)
    problems += [
        Problem(Text.of("The setting “{name}” is needed: {about}.", name=one.name, about=one.about))
        for one in wanted
        if not one.optional and one.name in given and not given[one.name].strip()
    ]
    if problems:
        raise Invalid(problems)
    if any(name in WHO for name in given):
        row.account_id = None
        if not games_at(session, name, unfinished=True):
            row.inbox_since = None
    _write(session, row, wanted, given)
    return row


def remove_forum(session: Session, name: str) -> None:
    """Forgets an account, unless games are played there."""
    row = find_account(session, name)
    games = games_at(session, name, unfinished=True)
    if games:
        text = Text.n(
            "A game is still played on “{forum}”: {games}. End it, or hand it to another judge, before you remove the "
            "account.",
            "{count} games are still played on “{forum}”: {games}. End them, or hand them to another judge, before you "
            "remove the account.",
            len(games),
            forum=name,
            games=Listing([f"{game.title} ({game.id})" for game in games]),
        )
        raise Refusal("conflict", text)
    session.delete(row)
    session.flush()


def games_at(session: Session, name: str, unfinished: bool = False) -> Sequence[GameRow]:
    """The games that are played on a forum; `unfinished`: only those that this judge has still to see to the end."""
    query = select(GameRow).where(GameRow.forum == name).order_by(col(GameRow.created))
    if unfinished:
        query = query.where(GameRow.status != "over", col(GameRow.moved).is_(None))
    return session.exec(query).all()


# Webhooks


def hear(session: Session, name: str, headers: Mapping[str, str], body: bytes) -> str | None:
    """The topic in which something happened, as a forum's webhook says; raises Refusal for what it did not sign."""
    row = session.get(ForumRow, name)
    if row is None:  # whoever guesses names learns none
        raise Refusal("unknown", Text.of("There is no such forum here."))
    hook: Hook | None = session.info["hook"](row.connector)
    if hook is None:
        return None
    secret = str(unseal(session, row.sealed_settings).get("secret", ""))
    try:
        return hook(secret, headers, body)
    except Refused as refused:
        raise Refusal("forbidden", refused.text) from refused


def look_soon(session: Session, now: datetime, name: str, topic: str) -> None:
    """Has the judge look at once into a topic in which something happened, unless it has just done so."""
    for game in games_at(session, name, unfinished=True):
        watch = session.get(WatchRow, game.id)
        if game.thread == topic and watch is not None and watch.failures == 0:
            watch.next_look = now if watch.looked is None else max(now, watch.looked + HOOK_INTERVAL)
            watch.mark = None  # a probe may say nothing of what has happened
            session.add(watch)
            wake(session, game.id)


# Topics that are there already


def topic_for(store: Store, places: Places, plan: NewGame) -> Topic | None:
    """The topic that a new game is to go on in, as its forum shows it; None if it gets one of its own.

    Asks the forum, so that no work of the store's may be under way.  Raises Invalid if the topic cannot be read.
    """
    given = one_line(plan.thread or "")
    with store.read() as session:
        if not given or plan.forum not in known_forums(session):  # an unknown forum is a problem of the plan
            return None
        account = session.get(ForumRow, plan.forum)
    try:
        if account is None:
            raise Refused(Text.of("Only on a forum with an account can a game go on in a topic that is there already."))
        with places.log_in(plan.forum, given) as forum:
            return forum.topic()
    except ForumError as error:
        text = Text.of("The topic cannot be used: {reason}", reason=error.text)
        raise Invalid([Problem(text, field="thread", quote=given)]) from error


# What is told of an account


def _name_problems(session: Session, name: str) -> Iterator[Problem]:
    if not re.fullmatch(r"\w[\w.-]{0,39}", name):
        text = Text.of(
            "“{name}” is no name for a forum: letters, digits, dots and hyphens are allowed, at most 40.", name=name
        )
        yield Problem(text, field="NAME")
    elif name in known_forums(session):
        yield Problem(Text.of("There is a forum “{name}” already; choose another name.", name=name), field="NAME")


def _problems(wanted: Sequence[Setting], given: Mapping[str, str]) -> list[Problem]:
    by_name = {setting.name: setting for setting in wanted}
    problems = []
    for name, value in given.items():
        if name not in by_name:
            known = ", ".join(by_name)
            text = Text.of("“{name}” is no setting of such a forum; there are: {known}.", name=name, known=known)
            problems.append(Problem(text, field=name))
        elif value.strip() and (why := _value_problem(by_name[name], value.strip())):
            problems.append(Problem(why, field=name))
    return problems


def _value_problem(setting: Setting, value: str) -> Text | None:
    if len(value) > LONGEST_VALUE:
        return Text.of("At most {most} characters are allowed.", most=LONGEST_VALUE)
    if setting.kind == "number" and not (value.isascii() and value.isdecimal() and len(value) < 10):
        return Text.of("A whole number is needed, “{given}” was read.", given=value)
    if setting.kind == "zone":
        try:
            time_zone(value)
        except UnknownZoneError as unknown:
            return unknown.text
    if setting.kind == "address" and not _is_address(value):
        return Text.of("An address such as https://forum.example.org is needed, “{given}” was read.", given=value)
    return None


def _is_address(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None and parts.port != 0
    except ValueError:  # a port that is no number, a bracket too many
        return False


def _write(session: Session, row: ForumRow, wanted: Sequence[Setting], given: Mapping[str, str]) -> None:
    """Puts secret settings under seal, and the others where they can be read."""
    told = dict(row.settings)
    secret = dict(unseal(session, row.sealed_settings)) if row.sealed_settings else {}
    for setting in wanted:
        if setting.name not in given:
            continue
        values = secret if setting.secret else told
        values.pop(setting.name, None)
        if value := given[setting.name].strip("\r\n") if setting.secret else one_line(given[setting.name]):
            values[setting.name] = value
    row.settings, row.sealed_settings = told, seal(session, secret)
    session.add(row)
    session.flush()
