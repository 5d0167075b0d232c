"""Sealed blocks in posts: whoever reads the thread sees letters, and the judge reads orders.

If a post holds a block, only the block counts.  It must have been sealed for the seat that posts it, and for this game
and turn: one that somebody else copied is refused, and the answer tells neither whose it is nor what stands in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from judge.core.notation import Reading
from judge.core.order_json import parse_orders
from judge.core.orders import Problem, latest
from judge.core.text import Text
from judge.envelope import Block, Content, EnvelopeError, find, open_block
from judge.service import keys
from judge.service.position import Position

Read = Callable[[Position, str, str], Reading]
"""Reads lines as a seat's orders: `intake.read_lines`."""


@dataclass(frozen=True)
class SealedReading(Reading):
    """What stood in a block, so that nobody but the judge could read it.

    `lines` are those of the post around it: the lines of the block count as orders, whatever stands in them.
    """


def read_sealed(session: Session, where: Position, seat: str, typed: str, read: Read) -> SealedReading | None:
    """What the typed lines of a post hold under seal; None if there is no block in them."""
    blocks = find(typed)
    if not blocks:
        return None
    beside = read(where, seat, _without(typed, blocks))
    last = blocks[-1]
    inside = _opened(session, where, seat, last, read)
    problems = list(inside.problems)
    first_line = _line_of(typed, last.start)
    if len(blocks) > 1:
        text = Text.of("This post holds several sealed blocks: the last one counts.")
        problems.append(Problem(text, line=first_line, warning=True))
    if beside.intent is not None or beside.problems:
        text = Text.of("Of this post only the sealed block counts, and none of the order lines beside it.")
        problems.append(Problem(text, line=first_line, warning=True))
    covered = {
        number for block in blocks for number in range(_line_of(typed, block.start), _line_of(typed, block.end - 1) + 1)
    }
    lines = tuple(replace(line, verdict="order") if line.number in covered else line for line in beside.lines)
    return SealedReading(inside.intent or "orders", inside.orders, lines, tuple(problems))


def _opened(session: Session, where: Position, seat: str, block: Block, read: Read) -> Reading:
    try:
        content = open_block(block, keys.private_keys(session, "enc"))
    except EnvelopeError as error:
        return _refused(error.text)
    if (why_not := _not_meant_for(where, seat, content)) is not None:
        return _refused(why_not)
    if content.text is not None:
        reading = read(where, seat, content.text)
        if reading.intent is None and not reading.problems:
            return _refused(Text.of("The sealed text holds no order; seal “pass” if you want none."))
        return replace(reading, lines=())
    orders, problems = parse_orders(content.orders, where.ask(seat) or next(iter(where.asks.values())))
    return Reading("orders", tuple(latest(orders)), (), tuple(problems))


def _not_meant_for(where: Position, seat: str, content: Content) -> Text | None:
    """Why the envelope is not taken here; a stranger's tells nothing about itself."""
    turn = where.turn
    if content.game != where.game.id:
        return Text.of("This block was sealed for another game: it counts for nothing here.")
    if content.seat != seat:
        return Text.of("This block was not sealed for your seat: a block counts only when its own player posts it.")
    if content.turn != turn.number:
        return Text.of(
            "This block was sealed for turn {made_for}, and turn {number} is open now: seal your orders anew.",
            made_for=content.turn,
            number=turn.number,
        )
    if content.version != turn.version:
        return Text.of(
            "Turn {number} was taken back and opened again since this block was sealed: seal your orders anew.",
            number=turn.number,
        )
    return None


def _refused(why: Text) -> Reading:
    return Reading("orders", (), (), (Problem(why),))


def _without(text: str, blocks: Sequence[Block]) -> str:
    """The text with its blocks emptied; every line keeps its number."""
    pieces, end = [], 0
    for block in blocks:
        pieces += [text[end : block.start], "\n" * text.count("\n", block.start, block.end)]
        end = block.end
    return "".join((*pieces, text[end:]))


def _line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
