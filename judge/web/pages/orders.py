"""A seat's orders: the tally sheet, the same as text or as a sealed block, and the receipts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from judge.core.notation import example, write
from judge.core.order_json import parse_orders
from judge.core.orders import Ask, Order, Problem, Section
from judge.envelope import LINE_LENGTH, MOST_BYTES, PADDED_TO
from judge.service import intake
from judge.service.access import held_since
from judge.service.claiming import word_of
from judge.service.intake import Source
from judge.service.keys import envelope_key
from judge.service.places import account_of
from judge.service.position import Position, position, stored_orders
from judge.service.receipts import Receipt, Understood, load_receipt, understood
from judge.service.refusal import Refusal
from judge.service.standing import kept_lines
from judge.store import queries
from judge.web.forms import OrderForm, Typed, order_form, read_form, typed_orders
from judge.web.livesums import live_sums
from judge.web.place import Place, find_place
from judge.web.request import Form, SentForm, judge_of, now_of, request_key
from judge.web.template import page

router = APIRouter(include_in_schema=False)

Door = Literal["form", "text", "pass", "withdraw", "more"]


@dataclass(frozen=True)
class OrderSheet:
    """The form of a seat that is asked, with what the page's script needs for its sums."""

    ask: Ask
    form: OrderForm
    live: dict[str, Any]
    example: str
    counts: bool
    """Whether a set of this seat counts now."""
    text: str = ""
    """What was typed as text, if it came back with problems."""
    text_problems: tuple[Problem, ...] = ()
    kept: tuple[Understood, ...] = ()
    """Lines of earlier turns that stand beside the set that counts."""
    envelope: dict[str, Any] = field(default_factory=dict)
    """What the page's script needs to seal the orders."""
    elsewhere: tuple[Section, ...] = ()
    """What only the page of the orders has."""
    unfolded: bool = False


@router.get("/games/{game_id}/orders")
def orders(request: Request, game_id: str) -> Response:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        place.access.require_seat()
        return _orders_page(request, session, place, order_sheet(session, place))


@router.post("/games/{game_id}/orders")
def hand_in(request: Request, game_id: str, form: Form = SentForm) -> Response:
    if _door(form) == "more":
        return _whole_form(request, game_id, form)

    def work(session: Session) -> Receipt:
        place = find_place(session, request, game_id)
        return take_form(session, request, place, form)

    try:
        slip = judge_of(request).store.write(work)
    except Refusal as refusal:
        if refusal.reason not in ("conflict", "gone"):
            raise
        return _kept_page(request, game_id, form, refusal)
    if slip.outcome != "refused":
        return RedirectResponse(f"/games/{game_id}/orders", status_code=303)
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        if _door(form) == "text":
            sheet = order_sheet(session, place, text=form.get("text"), text_problems=slip.problems)
        else:
            sheet = order_sheet(session, place, typed=form.typed, problems=slip.problems)
        return _orders_page(request, session, place, sheet, status=422, refused=slip)


def _whole_form(request: Request, game_id: str, form: Form) -> Response:
    """The whole form with what was typed beside the table; nothing is handed in."""
    try:
        with judge_of(request).store.read() as session:
            place = find_place(session, request, game_id)
            seat = place.access.require_seat()
            number, version = _whole(form.get("number")), _whole(form.get("version"))
            intake.open_turn(session, now_of(request), game_id, seat, number, version)
            sheet = order_sheet(session, place, typed=form.typed)
            return _orders_page(request, session, place, replace(sheet, unfolded=True) if sheet else None)
    except Refusal as refusal:
        if refusal.reason not in ("conflict", "gone"):
            raise
        return _kept_page(request, game_id, form, refusal)


def take_form(session: Session, request: Request, place: Place, form: Form) -> Receipt:
    """Hands in what the form holds, by the door that was used."""
    seat = place.access.require_seat()
    now = now_of(request)
    source = Source("form", request=request_key(request, form.get("request")))
    number, version = _whole(form.get("number")), _whole(form.get("version"))
    match _door(form):
        case "withdraw":
            return intake.withdraw(session, now, place.game.id, seat, source, number, version)
        case "text":
            return intake.hand_in_text(session, now, place.game.id, seat, source, form.get("text"), number, version)
        case "pass":
            return intake.hand_in(session, now, place.game.id, seat, source, [], number, version)
        case "form" | "more":
            data = read_form(place.ask, form.typed) if place.ask else []
            return intake.hand_in(session, now, place.game.id, seat, source, data, number, version)


def order_sheet(
    session: Session,
    place: Place,
    typed: Typed | None = None,
    problems: Iterable[Problem] = (),
    text: str = "",
    text_problems: tuple[Problem, ...] = (),
    whole: bool = True,
) -> OrderSheet | None:
    """The sheet with what was typed, else with the set that counts; None if the seat has nothing to decide now.

    Beside the table it is not `whole`: what is for later turns and holds nothing is left to the page of the orders.
    """
    ask, where = place.ask, place.where
    if ask is None or where is None or place.seat is None:
        return None
    submission = queries.counting(session, where.turn).get(place.seat)
    counting = stored_orders(session, where, submission) if submission is not None else []
    standing = kept_lines(session, where).get(place.seat, ())
    kept = [line for line in standing if not any(order == line or order.replaces(line) for order in counting)]
    form = order_form(ask, typed if typed is not None else typed_orders(ask, counting), list(problems))
    elsewhere = () if whole else form.later
    form = form.without(elsewhere)
    return OrderSheet(
        ask=ask,
        form=form,
        live=live_sums(ask, form, place.voice, place.game.language, standing),
        example=example(ask.kinds[0], ask, place.game.language) if ask.kinds else "",
        counts=submission is not None,
        text=text,
        text_problems=text_problems,
        kept=understood(kept, ask, place.game.language),
        envelope=_envelope(session, where, place.seat),
        elsewhere=elsewhere,
    )


def _envelope(session: Session, where: Position, seat: str) -> dict[str, Any]:
    """The judge's key, what envelopes of this seat are for now, and how they are written."""
    turn = where.turn
    return {
        "key": envelope_key(session),
        "game": where.game.id,
        "turn": turn.number,
        "version": turn.version,
        "seat": seat,
        "padded_to": PADDED_TO,
        "most_bytes": MOST_BYTES,
        "line_length": LINE_LENGTH,
    }


def receipts(session: Session, place: Place) -> list[Receipt]:
    """What the judge answered the seat in the open (or last) turn, the newest first.

    What was handed in before the seat got a new link is nobody's any more, void or not.
    """
    if place.where is None or place.seat is None:
        return []
    since = held_since(session, place.game.id, place.seat)
    rows = queries.submissions(session, place.where.turn, place.seat)
    mine = [row for row in rows if row.status != "void" and (since is None or row.received >= since)]
    return [load_receipt(session, row) for row in mine]


def _orders_page(
    request: Request,
    session: Session,
    place: Place,
    sheet: OrderSheet | None,
    status: int = 200,
    refused: Receipt | None = None,
) -> Response:
    return page(
        request,
        "orders.html",
        status,
        voice=place.voice,
        place=place,
        sheet=sheet,
        slips=receipts(session, place),
        refused=refused,
        word=word_of(session, place.game.id, place.access.require_seat()),
        account=account_of(session, place.game),
    )


def _kept_page(request: Request, game_id: str, form: Form, refusal: Refusal) -> Response:
    """Orders for a turn that is not open any more: nothing was stored, and nothing that was typed is lost."""
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        kept = form.get("text") if _door(form) == "text" else _as_text(session, place, form)
        status = 410 if refusal.reason == "gone" else 409
        return page(request, "kept.html", status, voice=place.voice, place=place, text=refusal.text, kept=kept)


def _as_text(session: Session, place: Place, form: Form) -> str:
    """The lines that the form stood for, read with the turn that it was made for."""
    number, version = _whole(form.get("number")), _whole(form.get("version"))
    if number is None or place.seat is None:
        return ""
    try:
        ask = position(session, place.game.id, number, version).ask(place.seat)
    except Refusal:
        return ""
    if ask is None:
        return ""
    lines = []
    for data in read_form(ask, form.typed):
        orders, problems = parse_orders([data], ask)
        lines += [_line(order, ask, place) for order in orders] if not problems else [_raw(data)]
    return "\n".join(lines)


def _line(order: Order, ask: Ask, place: Place) -> str:
    return write(order, ask, place.game.language)


def _raw(data: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in data.items() if name != "kind")


def _door(form: Form) -> Door:
    match form.get("door"):
        case "text":
            return "text"
        case "pass":
            return "pass"
        case "withdraw":
            return "withdraw"
        case "more":
            return "more"
    return "form"


def _whole(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 10 else None
