"""`judge rewind`: takes turns back, in public."""

from __future__ import annotations

from typing import Annotated

import typer
from sqlmodel import Session

from judge.cli.games import seat_key
from judge.cli.terminal import _, call_of, say, tell, whole_number
from judge.core.text import Text
from judge.service.rewinding import rewind as take_back


def rewind(
    context: typer.Context,
    game: Annotated[
        str, typer.Argument(metavar="GAME", show_default=False, help=_("The game's id, as `judge games` lists it."))
    ],
    turn: Annotated[
        int,
        typer.Argument(
            metavar="TURN",
            show_default=False,
            parser=whole_number(1, 1_000_000),
            help=_("The first turn to take back; all later ones go with it."),
        ),
    ],
    why: Annotated[str, typer.Option(metavar="TEXT", help=_("The reason, which everybody will read."))],
    reopen: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT",
            help=_(
                "Who orders anew: a player's name or a seat's number; can be repeated. The orders of all others "
                "count as they were. Without it everybody orders anew."
            ),
        ),
    ] = None,
) -> None:
    with call_of(context).judge() as judge:

        def work(session: Session) -> int:
            seats = [seat_key(session, game, one) for one in reopen or ()]
            return take_back(session, judge.clock.now(), game, turn, why, seats)

        version = judge.store.write(work)
        judge.clock.work(game)
    tell(
        say(
            Text.of(
                "Turn {number} is open again, in version {version}. The thread says what was taken back, and why.",
                number=turn,
                version=version,
            )
        )
    )
