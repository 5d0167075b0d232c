"""Letters: what the judge publishes in a thread, or tells one seat.

A letter is written into the outbox in the same commit as what it is about, under a key that no second letter can have.
It is sent afterwards, as often as it takes, and looked for in the thread before every further try: at least once
becomes once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from judge.core.record import RECORD, Closed, Created, Ended, How, Record, Resolved, Rewound, Seen, Started
from judge.core.report import Block, Heading, Line, Report, Table, parted
from judge.core.ruleset import Event, State
from judge.core.text import Listing, Moment, Player, Span, Text
from judge.service import corrections
from judge.service.deadlines import RULES, in_words
from judge.service.places import account_of
from judge.service.position import Position
from judge.store import queries, seal, unseal
from judge.store.tables import GameRow, LetterRow, RecordRow, TurnRow

THREAD = "thread"


# Writing


def write_letter(
    session: Session,
    now: datetime,
    game: GameRow,
    kind: str,
    report: Report,
    recipient: str = THREAD,
    turn: TurnRow | None = None,
) -> bool:
    """Puts a letter into the outbox; False if it has been written before."""
    key = letter_key(game.id, kind, recipient, turn)
    body = report.model_dump(mode="json")
    letter = LetterRow(
        key=key,
        game_id=game.id,
        kind=kind,
        recipient=recipient,
        number=None if turn is None else turn.number,
        created=now,
        status="waiting",
        body=body if recipient == THREAD else None,
        sealed_body=None if recipient == THREAD else seal(session, body),
    )
    try:
        with session.begin_nested():
            session.add(letter)
    except IntegrityError:
        return False
    return True


def write_opening(session: Session, now: datetime, where: Position) -> None:
    """The first post of a game: who plays, by which rules, how to post."""
    game = where.game
    seats = queries.seats(session, game.id)
    blocks: list[Block] = [
        Line(text=where.ruleset.about),
        Line(text=Text.of("At the table: {players}.", players=Listing([Player(row.seat) for row in seats]))),
        Line(text=in_words(RULES.validate_python(game.deadline_rule), game.zone)),
        *_how_to_order(session, game),
        *where.ruleset.show(where.ruleset.view(where.state, None)),
        *what_next(where),
        *_proof(queries.records(session, game.id)),
    ]
    write_letter(
        session,
        now,
        game,
        "opening",
        Report(title=Text.of("{game} begins", game=game.title), blocks=tuple(blocks)),
        turn=where.turn,
    )


def write_closing(session: Session, now: datetime, game: GameRow, turn: TurnRow, record: RecordRow) -> None:
    """The seals of the orders that count, before anything is opened."""
    closed = Closed.model_validate_json(record.body)
    table = Table(
        title=Text.of("Sealed orders"),
        head=(Text.of("Player"), Text.of("Orders"), Text.of("Seal")),
        rows=tuple((Player(seat), _HOW[entry.how], entry.commitment or "–") for seat, entry in closed.seats.items()),
    )
    report = Report(
        title=Text.of("{game}: turn {number} is closed", game=game.title, number=turn.number),
        blocks=(
            Line(
                text=Text.of("No more orders are taken. Each seal fixes what its player ordered; nothing is open yet.")
            ),
            table,
            *_proof([record]),
        ),
    )
    write_letter(session, now, game, "closing", report, turn=turn)


def write_rewound(session: Session, now: datetime, where: Position, record: Rewound, row: RecordRow) -> None:
    """What was taken back and why, who has seen what, and what is open now."""
    what = Text.of("The host took back turn {number} and what followed: {why}", number=record.turn, why=record.why)
    undone = [
        turn
        for seen in record.undone
        if (turn := queries.turn(session, where.game.id, seen.turn, seen.version)) is not None
    ]
    blocks: list[Block] = [
        Line(text=what),
        *[Line(text=seen_by(seen)) for seen in record.undone],
        *corrections.where_it_stands(session, undone),
    ]
    if record.kept:
        kept = Listing([Player(seat) for seat in record.kept])
        blocks.append(Line(text=Text.of("These orders count again as they were: {players}.", players=kept)))
    blocks += [
        *where.ruleset.show(where.ruleset.view(where.state, None)),
        *what_next(where),
        *_proof([row]),
    ]
    title = Text.of("{game}: turn {number} is taken back", game=where.game.title, number=record.turn)
    write_letter(session, now, where.game, "rewound", Report(title=title, blocks=tuple(blocks)), turn=where.turn)


def seen_by(seen: Seen) -> Text:
    """What became known through a result that counts no more."""
    text = Text.of("Turn {number} (version {version}) counts no more.", number=seen.turn, version=seen.version)
    if seen.opened:
        players = Listing([Player(seat) for seat in seen.opened])
        text = Text.of("{before} Everybody has seen the orders of: {players}.", before=text, players=players)
    if seen.told:
        players = Listing([Player(seat) for seat in seen.told])
        text = Text.of("{before} Told something of their own were: {players}.", before=text, players=players)
    return text


def write_results(session: Session, now: datetime, last: TurnRow, outlook: Sequence[Block]) -> None:
    """One letter about a turn and those before it that were not told yet, and one for each seat that learned something.

    `outlook` is what follows the results: who is asked next, or the final standings.
    """
    game = session.get_one(GameRow, last.game_id)
    results = untold(session, last)
    blocks: list[Block] = []
    private: dict[str, list[Block]] = {}
    for turn in results:
        replaced = queries.result_replaced(session, game.id, turn.number, turn.version)
        if len(results) > 1:
            blocks.append(Heading(text=Text.of("Turn {number}", number=turn.number)))
        happened, stands = parted(Report.model_validate(turn.report).blocks)
        blocks += happened
        if replaced is not None:
            blocks += corrections.where_it_stands(session, [replaced])
        blocks += stands if turn is results[-1] else ()
        told = {} if turn.sealed_private is None else unseal(session, turn.sealed_private)
        for seat, report in told.items():
            private.setdefault(seat, []).extend(Report.model_validate(report).blocks)
    blocks += [*_changed_late(session, game), *outlook, *_proof(_records_of(session, results))]
    title = Text.of("{game}: turn {number}", game=game.title, number=last.number)
    if len(results) > 1:
        first = results[0].number
        title = Text.of("{game}: turns {first} to {last}", game=game.title, first=first, last=last.number)
    write_letter(session, now, game, "result", Report(title=title, blocks=tuple(blocks)), turn=last)
    for seat in sorted(private):
        report = Report(title=title, blocks=tuple(private[seat]))
        write_letter(session, now, game, "told", report, recipient=seat, turn=last)


def _changed_late(session: Session, game: GameRow) -> Iterator[Block]:
    """Whose posts were changed after a close, since the last result was told: what counted still counts."""
    told = [letter.created for letter in queries.letters(session, game.id, THREAD) if letter.kind == "result"]
    seat_of = {row.author_id: row.seat for row in queries.seats(session, game.id) if row.author_id is not None}
    for sight in queries.changed_late(session, game.id, max(told, default=None)):
        if sight.author_id in seat_of:
            yield Line(
                text=Text.of(
                    "{player} changed or deleted a post with orders after the close: what it said before counts.",
                    player=Player(seat_of[sight.author_id]),
                )
            )


def untold(session: Session, last: TurnRow) -> list[TurnRow]:
    """A result, and before it those that it ran on from and that no letter has told."""
    run = [last]
    while run[0].ran_on:
        before = queries.result_before(session, last.game_id, run[0].number)
        if before is None or queries.letter(session, letter_key(last.game_id, "result", turn=before)) is not None:
            break
        run.insert(0, before)
    return run


def letter_that_opened(session: Session, turn: TurnRow) -> LetterRow | None:
    """The post by which players learned that a turn is open; None if it ran on or the letter was never written."""
    game_id, before = turn.game_id, queries.result_before(session, turn.game_id, turn.number)
    keys = [letter_key(game_id, kind, turn=turn) for kind in ("rewound", "opening")]
    if before is not None:
        keys.append(letter_key(game_id, "result", turn=before))
    found = (queries.letter(session, key) for key in keys)
    return next((letter for letter in found if letter is not None), None)


def write_reminder(session: Session, now: datetime, where: Position, step: int, people: Sequence[str]) -> bool:
    """Reminds those who have not posted, `step` hours before the deadline; once a step."""
    game, turn = where.game, where.turn
    if turn.deadline is None:
        return False
    text = Text.of(
        "The judge still waits for {players}. The turn closes {deadline}, in {left}.",
        players=Listing([Player(seat) for seat in people]),
        deadline=Moment(turn.deadline),
        left=Span.of(turn.deadline - now),
    )
    title = Text.of("{game}: turn {number} closes soon", game=game.title, number=turn.number)
    return write_letter(
        session, now, game, reminder_kind(step), Report(title=title, blocks=(Line(text=text),)), turn=turn
    )


def reminder_kind(step: int) -> str:
    return f"reminder-{step}h"


def write_notice(session: Session, now: datetime, game: GameRow, text: Text) -> None:
    """Tells the thread what the host did (a new deadline, a pause, a new player)."""
    # letters to seats are not counted, since the key stands in the post; those of older judges were
    number = len(queries.letters(session, game.id, THREAD))
    while queries.letter(session, letter_key(game.id, f"notice-{number}")) is not None:
        number += 1
    title = Text.of("{game}: a notice", game=game.title)
    write_letter(session, now, game, f"notice-{number}", Report(title=title, blocks=(Line(text=text),)))


def letter_key(game_id: str, kind: str, recipient: str = THREAD, turn: TurnRow | None = None) -> str:
    """What no second letter can have, and what stands in the post."""
    place = "-" if turn is None else f"{turn.number}.{turn.version}"
    return f"{game_id}/{place}/{kind}/{recipient}"


# What stands in them


_HOW: dict[How, Text] = {
    "posted": Text.of("posted"),
    "standing": Text.of("standing"),
    "forced": Text.of("forced"),
    "missed": Text.of("absent"),
}


def _records_of(session: Session, results: Sequence[TurnRow]) -> list[RecordRow]:
    """The records of these results, and of the end of the game if they ended it."""
    found = [queries.record_of(session, turn, "resolved") for turn in results]
    last = queries.last_record(session, results[-1].game_id)
    if last is not None and last.kind == "ended":
        found.append(last)
    return [record for record in found if record is not None]


def _proof(records: Sequence[RecordRow]) -> list[Block]:
    """The hashes and secrets by which everybody can check what was published (see judge/core/SEALING.md)."""
    blocks: list[Block] = [Heading(text=Text.of("Proof"))]
    for row in records:
        record = RECORD.validate_json(row.body)
        blocks += [Line(text=text, item=True) for text in _told(record, row.hash)]
    return blocks


def _told(record: Record, record_hash: str) -> Iterator[Text]:
    match record:
        case Resolved():
            yield Text.of("Record of turn {number}: {hash}", number=record.turn, hash=record_hash)
            yield Text.of("Chance of turn {number}: {secret}", number=record.turn, secret=record.chance.secret)
        case Closed():
            yield Text.of("Record of the seals of turn {number}: {hash}", number=record.turn, hash=record_hash)
        case Rewound():
            yield Text.of("Record of what was taken back: {hash}", hash=record_hash)
        case Ended():
            yield Text.of("Last record of the game: {hash}", hash=record_hash)
            for hidden in record.hidden.values():
                yield Text.of("Secret of all hidden draws: {secret}", secret=hidden)
        case Created():
            yield Text.of("Record of the rules: {hash}", hash=record_hash)
        case Started():
            yield Text.of("Record of the beginning: {hash}", hash=record_hash)
    if not isinstance(record, Closed | Ended) and record.anchors is not None:
        yield Text.of("Anchor of all throws: {hash}", hash=record.anchors.public)
        yield Text.of("Anchor of all hidden draws: {hash}", hash=record.anchors.hidden)


def turn_report(where: Position, state: State, seat: str | None, events: Sequence[Event]) -> Report:
    """A resolved turn for one reader: the ruleset's own report, and who was absent."""
    view = where.ruleset.view(state, seat)
    happened, stands = parted(where.ruleset.report(view, events))
    absent = _without_orders(where.turn) if seat is None else ()
    title = Text.of("Turn {number}", number=where.turn.number)
    return Report(title=title, blocks=(*happened, *absent, *stands))


def _without_orders(turn: TurnRow) -> list[Block]:
    """Who ordered nothing, in a word each: absent, passed, forced."""
    blocks: list[Block] = []
    if turn.missed:
        missed = Listing([Player(seat) for seat in turn.missed])
        blocks.append(Line(text=Text.of("Absent, so the default orders were played: {players}.", players=missed)))
    if turn.passed:
        passed = Listing([Player(seat) for seat in turn.passed])
        blocks.append(Line(text=Text.of("Passed: {players}.", players=passed)))
    if turn.forced:
        forced = Listing([Player(seat) for seat in turn.forced])
        blocks.append(Line(text=Text.of("Forced, with nothing to decide: {players}.", players=forced)))
    if turn.why == "host":
        blocks.append(Line(text=Text.of("The host closed this turn before its time.")))
    return blocks


def what_next(where: Position) -> list[Block]:
    """Who is asked for what, and until when."""
    asked = [seat for seat, ask in where.asks.items() if ask.forced is None and not ask.optional]
    free = [seat for seat, ask in where.asks.items() if ask.forced is None and ask.optional]
    blocks: list[Block] = [Heading(text=Text.of("Turn {number} is open", number=where.turn.number))]
    prompts = {where.asks[seat].prompt.model_dump_json(): where.asks[seat].prompt for seat in asked}
    if len(prompts) == 1:
        blocks.append(Line(text=next(iter(prompts.values()))))
    blocks.append(Line(text=Text.of("Asked: {players}.", players=Listing([Player(seat) for seat in asked]))))
    if free:
        players = Listing([Player(seat) for seat in free])
        blocks.append(Line(text=Text.of("May order, and are not waited for: {players}.", players=players)))
    if where.turn.deadline is None:
        blocks.append(Line(text=Text.of("The turn resolves as soon as the last of them has posted.")))
    else:
        blocks.append(
            Line(
                text=Text.of(
                    "The turn resolves as soon as the last of them has posted, at the latest {deadline}.",
                    deadline=Moment(where.turn.deadline),
                )
            )
        )
    return blocks


def final_standings(standings: Sequence[tuple[str, int]]) -> list[Block]:
    """Places and points; equal points share a place."""
    points = [score for _, score in standings]
    rows = tuple((points.index(score) + 1, Player(seat), score) for seat, score in standings)
    return [
        Heading(text=Text.of("The game is over")),
        Table(
            title=Text.of("Final standings"),
            head=(Text.of("Place"), Text.of("Player"), Text.of("Points")),
            rows=rows,
        ),
    ]


def _how_to_order(session: Session, game: GameRow) -> Iterator[Line]:
    """By which doors orders come in; on a forum also how the judge learns who posts for whom."""
    if game.open_orders == "refuse":
        yield Line(
            text=Text.of(
                "Orders are sealed: hand them in on your order page, or post them in a block that you seal there. "
                "Plain orders in a post that everybody can read are refused."
            )
        )
    else:
        yield Line(text=Text.of("Hand in your orders on your order page, or as a post."))
    if account_of(session, game) is None:
        return
    yield Line(
        text=Text.of(
            "Before your first post counts, the judge must know that it is yours: your order page shows a word of its "
            "own for you. Post it in this topic once, or send it to the judge in a private message if this forum has "
            "them. From then on what this account of yours posts here is yours, whatever it is called."
        )
    )
    yield Line(
        text=Text.of(
            "Post orders below the judge's post that opens the turn. Until the turn closes you can edit them, delete "
            "them, or post others: what was written last counts. Each time you get a receipt that nobody else sees."
        )
    )
