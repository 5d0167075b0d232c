"""What a game's export says beside its records, and what nobody can check before its time."""

from __future__ import annotations

from judge.core.record import Closed, Ended
from judge.core.text import Text
from judge.verification.ledger import Ledger
from judge.verification.replaying import Replay
from judge.verification.verdict import DoesNotHold


def check_heading(ledger: Ledger, replay: Replay | None) -> None:
    """The head of the file must tell of the game what its records do."""
    head, course = ledger.heading, ledger.course
    phases = {"open": ("created",), "running": ("open", "closed"), "aside": ("open", "closed"), "over": ("ended",)}
    if course.phase not in phases.get(head.status, ()):
        raise DoesNotHold(
            Text.of(
                "The head of the file says “{status}”, and its records say otherwise: some are missing at the end.",
                status=head.status[:20],
            )
        )
    if course.phase != "created" and set(head.names) != set(ledger.seats):
        raise DoesNotHold(Text.of("The head of the file names other seats than the records."))
    if (head.open is not None) != (course.phase == "open"):
        raise DoesNotHold(Text.of("The head of the file and its records disagree on whether a turn is open."))
    if head.open is None:
        return
    posted, awaited = head.open.posted, head.open.awaited
    asked = replay.asked() if replay is not None else None
    if (
        (head.open.turn, head.open.version) != course.turn
        or not {*posted, *awaited} <= set(ledger.seats)
        or len({*posted, *awaited}) != len(posted) + len(awaited)
        or (asked is not None and ({*posted, *awaited} != set(asked[0]) or {*asked[1]} & {*awaited}))
    ):
        raise DoesNotHold(Text.of("What the head of the file says of the open turn does not fit the records."))


def still_closed(ledger: Ledger, replay: Replay | None) -> list[Text]:
    """What is still secret, in sentences."""
    last = ledger.records[-1]
    if isinstance(last, Ended):
        return []
    told: list[Text] = []
    if ledger.course.phase == "open":
        told.append(Text.of("Turn {number} takes orders; nothing of it is public yet.", number=str(_number(ledger))))
    if isinstance(last, Closed):
        told.append(
            Text.of(
                "Turn {number} is closed: its orders are bound by their seals and open with its result.",
                number=str(_number(ledger)),
            )
        )
    later = sum("game" in opened.closed for result in ledger.resolved.values() for opened in result.sets.values())
    if later := later - len(ledger.late):
        told.append(
            Text.n(
                "{count} set of orders has a part that opens when the game ends.",
                "{count} sets of orders have a part that opens when the game ends.",
                later,
            )
        )
    if ledger.counts.sets:
        told.append(Text.of("That nobody could choose the salts of the seals can be checked when the game is over."))
    if replay is not None and replay.setup_unknown:
        told.append(
            Text.of("Something was drawn in secret at the set-up: the game can be played again when it is over.")
        )
    elif replay is not None and replay.unknown:
        first, last_one = replay.unknown[0][0], replay.unknown[-1][0]
        told.append(
            Text.of(
                "Turns {first} to {last}, as far as they rest on something secret, can be played again when the game "
                "is over.",
                first=str(first),
                last=str(last_one),
            )
        )
    return told


def _number(ledger: Ledger) -> int:
    return ledger.course.turn[0]
