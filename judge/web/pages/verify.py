"""How everybody can check a game: in the browser, on another machine, and what the judge itself says."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from judge.core.text import Text
from judge.service.export import export_bytes
from judge.store import queries
from judge.verification import Verdict
from judge.web.place import find_place
from judge.web.proof import all_anchors, entered
from judge.web.request import judge_of
from judge.web.template import page
from judge.web.verdicts import Verdicts

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/verify")
def verify(request: Request, game_id: str) -> Response:
    verdict = own_verdict(request, game_id)
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        return page(
            request,
            "verify.html",
            voice=place.voice,
            place=place,
            entries=entered(session, game_id),
            anchors=all_anchors(session, game_id),
            verdict=verdict,
            words={name: place.voice.gettext(text.text) for name, text in WORDS.items()},
        )


def own_verdict(request: Request, game_id: str) -> Verdict | None:
    """What the judge finds when it checks its own export; None if there is no record to check."""
    with judge_of(request).store.read() as session:
        content = export_bytes(session, game_id)
        recorded = queries.last_record(session, game_id) is not None
        rulesets = session.info["ruleset"]
    verdicts: Verdicts = request.app.state.verdicts
    return verdicts.on(content, rulesets) if recorded else None


WORDS = {
    "holds": Text.of("Everything that can be checked here holds."),
    "does not hold": Text.of("This does not hold:"),
    "checking": Text.of("Checking …"),
    "checked": Text.of("Checked:"),
    "checked so far": Text.of("Checked up to there:"),
    "still closed": Text.of("Still closed:"),
    "not the rules": Text.of(
        "Not checked here: whether the results follow from the rules of the game. “judge verify” on another machine "
        "plays it again."
    ),
    "no file": Text.of("The file could not be fetched just now. Try again."),
    # Where something is
    "record": Text.of("record {record}"),
    "turn": Text.of("turn {turn}"),
    "turn and version": Text.of("turn {turn} (version {version})"),
    "line": Text.of("line {line}"),
    "throw number": Text.of("throw {number}"),
    # What was counted
    "count records": Text.of("Records, each with the hash of those before it: {count}"),
    "count seals": Text.of("Seals of sets: {count}"),
    "count lines": Text.of("Lines of orders: {count}"),
    "count links": Text.of("Links of the chain: {count}"),
    "count throws": Text.of("Throws: {count}"),
    "count hidden": Text.of("Hidden secrets against their anchors: {count}"),
    "count salts": Text.of("Salts: {count}"),
    # What is still closed
    "open turn": Text.of("the orders of turn {turn}, which is open"),
    "closing turn": Text.of("the orders of turn {turn}, which is being resolved"),
    "late sets": Text.of("orders that open when the game ends (sets: {count})"),
    "hidden secret": Text.of("the secret of hidden draws and salts, until the game ends"),
    # What does not hold
    "not canonical": Text.of("The file is not written as the judge writes it: something in it was changed."),
    "shape": Text.of("This does not have the form that it must have."),
    "file hash": Text.of("The file's own hash does not fit: something in it was changed."),
    "no record": Text.of("There is no record in it, so nothing can be checked."),
    "keys": Text.of("A key of the judge does not fit its name, or is not among those in the file."),
    "record hash": Text.of("The hash does not fit the record and those before it."),
    "order": Text.of("Such a record cannot stand here."),
    "anchors": Text.of("The anchors of a chain are missing, or stand where none belong."),
    "head": Text.of("The game or its rules are not those with which it was opened."),
    "seats": Text.of("The seats are not those of this game."),
    "how": Text.of("A seal is missing, or stands where none belongs."),
    "sets": Text.of("What was opened is not what was sealed."),
    "seal": Text.of("The orders do not fit their seal."),
    "kept": Text.of("The orders were to count again as they were, and are others."),
    "link": Text.of("The secret is not the next link of the chain."),
    "throw": Text.of("The throw does not follow from the secret and the seals."),
    "undone": Text.of("The results named are not those that were taken back."),
    "hidden": Text.of("The hidden secret does not fit its anchor."),
    "late": Text.of("What was opened at the end is not what had stayed closed."),
    "salt": Text.of("The salt does not follow from the hidden secret."),
    "now": Text.of("What the file says of now does not go with its last record."),
    # What was pasted
    "nothing to compare": Text.of("In what you pasted there is neither a whole hash (64 digits) nor a receipt."),
    "hash holds": Text.of("The hash that you pasted is that of {where}."),
    "no record hash": Text.of("The hashes that you pasted stand in the file, but none of them is that of a record."),
    "strange hash": Text.of("What you pasted holds a hash that stands nowhere in this game's record:"),
    "receipt holds": Text.of("The receipt of {name} for turn {turn} holds: its seal is the one that was published."),
    "receipt before the close": Text.of(
        "The receipt of {name} for turn {turn} is genuine. The seals of that turn have not been published yet: come "
        "back when it has closed."
    ),
    "receipt withdrawn": Text.of(
        "The receipt of {name} for turn {turn} holds: the set was withdrawn, and no seal of one was published."
    ),
    "receipt of nothing": Text.of(
        "The receipt of {name} for turn {turn} is genuine, but it refused what was handed in: it proves nothing about "
        "what counted."
    ),
    "receipt void": Text.of(
        "The receipt of {name} for turn {turn} is genuine; what was handed in became void while the turn was open, "
        "since the seat got a new player or a new link. The record says so."
    ),
    "receipt never closed": Text.of(
        "The receipt of {name} for turn {turn} is genuine, but the turn was taken back before it closed: none of its "
        "orders ever counted."
    ),
    "receipt broken": Text.of(
        "What was published of {name} in turn {turn} is not what this receipt says. If it is the last receipt for that "
        "turn, the judge did not keep its word."
    ),
    "receipt key": Text.of("The receipt is not signed with a key of this judge."),
    "receipt game": Text.of("The receipt is for another game."),
    "receipt signature": Text.of("The signature of the receipt does not hold."),
    "receipt seal": Text.of("The receipt does not fit its own seal."),
    "no receipt": Text.of("The receipt cannot be read: was it copied whole?"),
    "no signatures": Text.of("This browser cannot check signatures (Ed25519) yet; “judge verify” can."),
}
"""What the script says, by the names that it has for it; it fills in the gaps."""
