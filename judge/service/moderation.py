"""What a host may do to a running game: each deed leaves a line that everybody can read.

A host cannot look at sealed orders; there is no such setting.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, update

from judge.core.orders import Problem
from judge.core.text import Moment, Player, Span, Text
from judge.envelope import find as find_blocks
from judge.forum import Markup
from judge.service import access, claiming, moving, publishing, table, turns
from judge.service.audit import done, note
from judge.service.intake import Source, hand_in_text
from judge.service.position import demand_here, find_game, find_seat, position, ruleset_of
from judge.service.receipts import Receipt
from judge.service.refusal import Refusal
from judge.store import queries, seal, wake
from judge.store.tables import GameRow, SubmissionRow, TurnRow

LONGEST_EXTENSION = timedelta(days=30)


def extend(session: Session, now: datetime, game_id: str, by: timedelta, request: str | None = None) -> datetime | None:
    """Moves the open turn's deadline; a turn without one gets one, counted from now.  Returns the new deadline.

    The same `request` asked again is carried out once.
    """
    game, turn = _open_turn(session, game_id)
    if done(session, request):
        return turn.deadline
    if not timedelta(minutes=1) <= by <= LONGEST_EXTENSION:
        raise Refusal(
            "invalid",
            Text.of(
                "A deadline can be moved by 1 minute to {most}; {given} was asked for.",
                most=Span.of(LONGEST_EXTENSION),
                given=Span.of(by),
            ),
            field="hours",
        )
    turn.deadline = (turn.deadline or now) + by
    session.add(turn)
    text = Text.of(
        "The host moved the deadline of turn {number} to {deadline}.",
        number=turn.number,
        deadline=Moment(turn.deadline),
    )
    _announce(session, now, game, text, request)
    return turn.deadline


def pause(session: Session, now: datetime, game_id: str) -> None:
    """Stops the clock: orders are still taken, but nothing resolves."""
    game = _running(session, game_id)
    if game.paused is not None:
        raise Refusal("conflict", Text.of("This game is paused already."))
    game.paused = now
    session.add(game)
    _announce(
        session,
        now,
        game,
        Text.of("The host paused the game. Orders are still taken; nothing resolves until it goes on."),
    )


def resume(session: Session, now: datetime, game_id: str) -> None:
    """Lets the clock run again: a deadline moves by as long as the pause was.  A game set aside is tried again.

    One that was packed for another judge and never arrived there goes on here.
    """
    game = find_game(session, game_id)
    if game.moved is not None:
        moving.stay(session, now, game)
        return
    if game.status == "aside":
        game.status, game.alarm = "running", None
    elif game.status != "running" or game.paused is None:
        raise Refusal("conflict", Text.of("This game is not paused."))
    turn = queries.latest_turn(session, game_id)
    if game.paused is not None and turn is not None and turn.deadline is not None and turn.status == "open":
        turn.deadline += now - max(game.paused, turn.opened)  # a turn may have been taken back during the pause
        session.add(turn)
    game.paused = None
    session.add(game)
    deadline = turn.deadline if turn is not None and turn.status == "open" else None
    if deadline is None:
        _announce(session, now, game, Text.of("The game goes on."))
    else:
        _announce(
            session, now, game, Text.of("The game goes on; the turn closes {deadline}.", deadline=Moment(deadline))
        )
    wake(session, game_id)


def force(session: Session, now: datetime, game_id: str, number: int) -> bool:
    """Closes turn `number` now; whoever has not posted plays the default orders.

    False if it has been resolved already: nothing is done twice.
    """
    game = _running(session, game_id)
    turn = queries.turn(session, game_id, number)
    if turn is None:
        raise Refusal("unknown", Text.of("This game has no turn {number}.", number=number))
    if turn.status != "open" or not turns.close(session, now, turn, "host"):
        return False
    note(session, now, game_id, Text.of("The host closed turn {number} before its time.", number=number))
    game.paused = None
    session.add(game)
    wake(session, game_id)
    return True


def decide(session: Session, now: datetime, game_id: str, words: str) -> None:
    """Gives the open turn a judge's order ("last round"), which the rules receive when it resolves."""
    game, turn = _open_turn(session, game_id)
    known = ruleset_of(session, game).judge_orders
    if words not in known:
        raise Refusal(
            "invalid",
            Text.of(
                "The host cannot decide “{words}” in this game; possible: {known}.",
                words=words,
                known=", ".join(known) or "–",
            ),
        )
    if words not in turn.decisions:
        turn.decisions = [*turn.decisions, words]
        session.add(turn)
        text = Text.of("The host decided for turn {number}: {words}.", number=turn.number, words=words)
        _announce(session, now, game, text)


def replace_player(session: Session, now: datetime, game_id: str, seat: str, name: str) -> str:
    """Gives the seat to somebody else: returns the token of the new personal link.

    The one who sat there loses it, and what he handed in for the open turn is void: the new player never sees it.
    """
    game = find_game(session, game_id)
    demand_here(game)
    if game.status == "over":
        raise Refusal("gone", Text.of("This game is over."))
    row = find_seat(session, game_id, seat)
    before = row.name or "–"
    table.rename(session, row, name)
    row.bot, row.author_id, row.author_name, row.taken = False, None, None, now
    session.add(row)
    token = _new_link(session, now, game_id, seat)
    _announce(session, now, game, Text.of("{player} takes the seat of {before}.", player=Player(seat), before=before))
    return token


def new_link(session: Session, now: datetime, game_id: str, seat: str | None) -> str:
    """A new personal link for a seat (None: for the host).

    The old one is void, and so are the seat's unopened orders.
    """
    game = find_game(session, game_id)
    if seat is None:
        access.void_access(session, now, game_id, None)
        token = access.mint_link(session, now, game_id, None)
        note(session, now, game_id, Text.of("A new host's link was made; the old one is void."))
        return token
    demand_here(game)
    row = find_seat(session, game_id, seat)
    if row.bot:
        raise Refusal("conflict", Text.of("A bot plays this seat: replace it by a player instead."))
    if row.taken is None:
        raise Refusal(
            "conflict", Text.of("Nobody sits there yet: the seat is taken in the lobby, or named by the host.")
        )
    claiming.set_free(session, now, game_id, seat)
    token = _new_link(session, now, game_id, seat)
    note(
        session,
        now,
        game_id,
        Text.of("A new link was made for {player}; unopened orders of that seat are void.", player=Player(seat)),
    )
    return token


def bot_in_seat(session: Session, now: datetime, game_id: str, seat: str) -> None:
    """Lets a bot play the seat from now on; the player's unopened orders are void."""
    game = find_game(session, game_id)
    if game.status == "over":
        raise Refusal("gone", Text.of("This game is over."))
    _void_orders(session, now, game_id, seat)
    claiming.set_free(session, now, game_id, seat)
    table.fill_with_bot(session, now, game_id, seat)


def name_free_seat(session: Session, now: datetime, game_id: str, seat: str, name: str) -> str:
    """Reserves a free seat for somebody; returns the token of his personal link."""
    demand_here(find_game(session, game_id))
    row = find_seat(session, game_id, seat)
    if row.taken is not None:
        raise Refusal("conflict", Text.of("{player} sits there already.", player=Player(seat)))
    table.rename(session, row, name)
    row.taken = now
    session.add(row)
    note(session, now, game_id, Text.of("The host keeps a seat for {player}.", player=Player(seat)))
    return access.mint_link(session, now, game_id, seat)


def paste(
    session: Session,
    now: datetime,
    game_id: str,
    seat: str,
    text: str,
    markup: Markup,
    private: bool = False,
    request: str | None = None,
) -> Receipt:
    """Hands in a player's post from another forum; the player gets the receipt, and the record says who pasted.

    `private`: it came as a message, so that nobody else could read it.  What the host gets to see is the receipt, too,
    unless it could tell him something that he cannot know.
    """
    source = Source("paste", request=request, public=not private)
    slip = hand_in_text(session, now, game_id, seat, source, text, markup=markup)
    if slip.received == now:
        note_paste(session, now, game_id, seat)
    where = position(session, game_id)
    secret = bool(find_blocks(text)) or where.ruleset.view(where.state, seat) != where.ruleset.view(where.state, None)
    return _without_secrets(slip) if secret else slip


def _without_secrets(slip: Receipt) -> Receipt:
    """The bare outcome: what was in an envelope, or why a hand does not allow an order, is the player's to know."""
    reason = Problem(Text.of("The player reads on the order page why: it could tell you something that is secret."))
    return slip.model_copy(
        update={
            "problems": (reason,) if slip.outcome == "refused" else (),
            "orders": [],
            "understood": (),
            "counting": None,
            "sealed": None,
            "signed": "",
        }
    )


def note_paste(session: Session, now: datetime, game_id: str, seat: str) -> None:
    """Says that the host pasted a player's post."""
    note(session, now, game_id, Text.of("The host handed in a post of {player}.", player=Player(seat)))


def _new_link(session: Session, now: datetime, game_id: str, seat: str) -> str:
    access.void_access(session, now, game_id, seat)
    _void_orders(session, now, game_id, seat)
    return access.mint_link(session, now, game_id, seat)


def _void_orders(session: Session, now: datetime, game_id: str, seat: str) -> None:
    """What the seat handed in for the open turn counts no more, and neither do its standing orders.

    Whoever holds the seat next can read none of it: neither the receipts nor what was typed in posts.
    """
    turn = queries.latest_turn(session, game_id)
    if turn is not None and turn.status == "closed":  # what was fixed at the close still counts for who sat there
        raise Refusal(
            "conflict",
            Text.of(
                "Turn {number} is closed and has no result yet: let the game go on first, then change who sits there.",
                number=turn.number,
            ),
        )
    for post in queries.posts_of(session, game_id, f"seat:{seat}"):
        post.sealed_source = seal(session, post.text)
        session.add(post)
    if turn is None or turn.status != "open":
        return
    session.exec(
        update(SubmissionRow)
        .where(
            col(SubmissionRow.game_id) == game_id,
            col(SubmissionRow.number) == turn.number,
            col(SubmissionRow.version) == turn.version,
            col(SubmissionRow.seat) == seat,
        )
        .values(status="void")
    )
    if seat not in turn.void:
        turn.void = [*turn.void, seat]
    turn.kept = [other for other in turn.kept if other != seat]
    session.add(turn)
    standing = queries.standing(session, game_id).get(seat)
    if standing is not None:
        session.delete(standing)
    session.flush()
    turns.note_completeness(session, now, position(session, game_id))


def _running(session: Session, game_id: str) -> GameRow:
    game = find_game(session, game_id)
    if game.status == "aside":
        raise Refusal("conflict", Text.of("This game has been set aside: let it go on first."))
    if game.status != "running":
        raise Refusal("conflict", Text.of("This game is not running."))
    return game


def _open_turn(session: Session, game_id: str) -> tuple[GameRow, TurnRow]:
    game = _running(session, game_id)
    turn = queries.latest_turn(session, game_id)
    if turn is None or turn.status != "open":
        raise Refusal("conflict", Text.of("No turn is open now."))
    return game, turn


def _announce(session: Session, now: datetime, game: GameRow, text: Text, request: str | None = None) -> None:
    note(session, now, game.id, text, request)
    publishing.write_notice(session, now, game, text)
    wake(session, game.id)
