"""A turn's report under an address of its own: what everybody was told, and what the visitor's seat alone was told.

A turn that has closed and not resolved shows its seals.  Turns that were taken back stay, marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Query
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from judge.core.report import Report
from judge.core.text import Text
from judge.service.letters import letter_report, rendered
from judge.service.publishing import THREAD
from judge.service.refusal import Refusal
from judge.service.voices import game_voice
from judge.store import queries
from judge.store.tables import LetterRow, TurnRow
from judge.web.place import Place, find_place, private_report
from judge.web.proof import TurnProof, turn_proof
from judge.web.request import judge_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)

NEWEST = 6
"""So many letters the host's page shows, beside those of the open turn."""


@dataclass(frozen=True)
class CopyText:
    """A letter in the markups of other forums, in the game's language."""

    letter: LetterRow
    place: int
    """Among the game's public letters, from 1.  The row's number would tell how many letters there are to seats."""
    title: str
    bbcode: str
    markdown: str


@dataclass(frozen=True)
class TurnPage:
    turn: TurnRow
    versions: Sequence[tuple[int, datetime | None]]
    """All that were closed, and when each was taken back."""
    report: Report | None
    """None while only its seals are published."""
    told: Report | None
    opened: Sequence[tuple[str, Sequence[str]]]
    """Who ordered what, of the lines that opened with the turn.  Nobody is said to have ordered nothing whose orders
    may stay closed."""
    stays_closed: bool
    """Whether all orders of the turn open later, with the end of the game."""
    copies: Sequence[CopyText]
    before: int | None
    after: int | None
    proof: TurnProof | None
    """None in a turn older than the game's record."""


@router.get("/games/{game_id}/turns/{number}")
def turn(
    request: Request, game_id: str, number: int, version: int | None = Query(default=None, ge=1, le=1_000_000)
) -> Response:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        shown = find_turn(session, place, number, version)
        return page(request, "turn.html", voice=place.voice, place=place, shown=shown)


def find_turn(session: Session, place: Place, number: int, version: int | None = None) -> TurnPage:
    """A turn that has closed, or a version of it; Refusal if there is none (yet)."""
    game_id = place.game.id
    row = queries.turn(session, game_id, number, version) if 0 < number < 1_000_000 else None
    if row is None or row.status == "over":
        raise Refusal("unknown", Text.of("This game has no turn {number}.", number=str(number)))
    if row.closed is None:
        earlier = queries.versions(session, game_id, number) if version is None else ()
        if not earlier:
            raise Refusal("unknown", _nothing_yet(row))
        return find_turn(session, place, number, earlier[-1][0])
    resolved = queries.resolved_numbers(session, game_id)
    late = any(kind.opens == "game" for kind in place.ruleset.orders)
    opened = [
        (place.voice.names.get(seat, seat), tuple(lines))
        for seat, lines in sorted(row.opened_lines.items(), key=lambda pair: int(pair[0]))
        if lines or not late
    ]
    return TurnPage(
        turn=row,
        versions=queries.versions(session, game_id, number),
        report=None if row.report is None else Report.model_validate(row.report),
        told=private_report(session, row, place.seat),
        opened=opened,
        stays_closed=late and not opened and row.report is not None and place.game.status != "over",
        copies=copy_texts(session, place, number),
        before=max((other for other in resolved if other < number), default=None),
        after=min((other for other in resolved if other > number), default=None),
        proof=turn_proof(session, row),
    )


def _nothing_yet(turn: TurnRow) -> Text:
    if turn.undone is not None:
        return Text.of("Turn {number} was taken back before it had a result.", number=turn.number)
    return Text.of(
        "Turn {number} has no result yet: its report stands here once the turn has resolved.", number=turn.number
    )


def copy_texts(session: Session, place: Place, number: int | None = None) -> list[CopyText]:
    """The public letters of a turn (or of the whole game), the newest first, ready to be copied into a forum."""
    return _copies(session, place, [pair for pair in _letters(session, place) if number in (None, pair[1].number)])


def newest_copy_texts(session: Session, place: Place) -> list[CopyText]:
    """What a host has to copy now: the newest letters, and all of the open turn however many notices followed."""
    letters = _letters(session, place)
    open_turn = place.turn.number if place.turn is not None else None
    current = [pair for pair in letters[:-NEWEST] if pair[1].number is not None and pair[1].number == open_turn]
    return _copies(session, place, [*current, *letters[-NEWEST:]])


def _letters(session: Session, place: Place) -> list[tuple[int, LetterRow]]:
    return list(enumerate(queries.letters(session, place.game.id, THREAD), 1))


def _copies(session: Session, place: Place, letters: Sequence[tuple[int, LetterRow]]) -> list[CopyText]:
    voice = game_voice(session, place.game)
    texts = []
    for number, letter in reversed(letters):
        text = rendered(letter_report(session, letter), voice)
        texts.append(CopyText(letter, number, text.title, text.bbcode, text.markdown))
    return texts
