"""`judge keys` and `judge keys rotate`: the judge's own keys, listed and replaced.

Rotating takes a new pair for receipts, one for envelopes, and a new key at the head of the key file, under which
everything is sealed anew.  A judge that is running goes on.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.table import Table
from sqlmodel import Session

from judge.bootstrap import Judge
from judge.cli.terminal import LANGUAGE, _, call_of, one_of, show, tell
from judge.core.text import Text
from judge.language import Voice
from judge.service.keys import all_keys, rotate
from judge.store import add_key, count_older, reseal


def keys(
    context: typer.Context,
    action: Annotated[
        str | None,
        typer.Argument(
            metavar="[rotate]",
            parser=one_of("rotate"),
            show_default=False,
            help=_("Replace all keys; without it they are listed."),
        ),
    ] = None,
) -> None:
    settings = call_of(context).settings()
    with call_of(context).judge(settings) as judge:
        if action is None:
            _list(judge, settings.zone)
        else:
            _rotate(judge)


def _list(judge: Judge, zone: str) -> None:
    voice = Voice(LANGUAGE, zone=zone)
    uses = {"sig": _("receipts"), "enc": _("envelopes")}
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column(_("Key"), no_wrap=True)
    for title in (_("For"), _("Since"), _("Retired")):
        shown.add_column(title)
    with judge.store.read() as session:
        for row in all_keys(session):
            retired = voice.moment(row.retired) if row.retired else ""
            shown.add_row(row.kid, uses[row.use], voice.moment(row.created), retired)
    show(shown)


def _rotate(judge: Judge) -> None:
    """The pairs come last: a rotation that was broken off has retired none yet, and is begun again whole."""
    file = judge.settings.key_path
    with judge.store.read() as session:
        count_older(session)  # whatever no key opens is told before anything is changed
    judge.store.write(lambda session: add_key(file))
    tell(Text.of("A new key stands at the head of {file}.", file=str(file)))
    count = reseal(judge.store)
    tell(Text.n("{count} sealed entry was sealed anew.", "{count} sealed entries were sealed anew.", count))

    def new_pairs(session: Session) -> None:
        rotate(session, judge.clock.now())

    judge.store.write(new_pairs)
    tell(Text.of("There are new keys for receipts and envelopes; those of before still verify and open."))
    tell(
        Text.of(
            "Keep a copy of {file} now. Its older lines are only needed for backups that were made before.",
            file=str(file),
        )
    )
