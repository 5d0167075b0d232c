"""A game of the commodity market from its opening to its end, in the topic of a real forum, by the judge's own clock.

Four users claim their seats and order as people do there.  Then a stranger reads the topic back, and what he sees is
compared with what the judge keeps: the order of posts, one result a turn, all numbers and names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from bs4 import BeautifulSoup
from sqlmodel import Session

from judge.envelope import Content, seal
from judge.forum import Place, Post
from judge.registry import forums, ruleset
from judge.service import keys
from judge.service.letters import posts_of, rendered
from judge.service.publishing import THREAD
from judge.service.voices import game_voice
from judge.store import queries
from judge.store.tables import GameRow
from judge.verification import verify
from tests.at_the_forum import ForumTable, at_the_forum
from tests.at_the_table import NAMES
from tests.forging import exported, told
from tests.forums import start
from tests.test_delivery_numbers import JOINER, numbers

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"
MONTHS = {"misago": 2, "spirit": 1, "punkweb": 1}


@pytest.fixture(scope="module")
def club(forum_name: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForumTable]:
    """After a whole game."""
    with start(forum_name) as live, at_the_forum(forum_name, tmp_path_factory.mktemp("judge"), live) as club:
        club.open(options={"months": MONTHS[forum_name]})
        buy_in_month_one(club)
        sell_in_month_one(club)
        if MONTHS[forum_name] > 1:
            play_month_two(club)
        club.look()
        yield club


def envelope(club: ForumTable, seat: str, text: str) -> str:
    """What a player's own page, or `judge seal`, makes of his orders."""
    with club.table.judge.store.read() as session:
        key = keys.envelope_key(session)
    content = Content(game=club.table.game_id, turn=club.table.turn().number, version=1, seat=seat, text=text)
    return seal(key, content)


def private(club: ForumTable, who: str, text: str) -> None:
    """An order for the judge's eyes alone; where a forum has no private messages, as a sealed block."""
    if "message" in club.live.acts.lacks:
        club.post(who, envelope(club, str(NAMES.index(who) + 1), text))
    else:
        club.live.acts.message(who, "Judge", "My orders", text)


def buy_in_month_one(club: ForumTable) -> None:
    first = club.post("Anna", "Guten Abend! Ich biete:\n\nX:4 zu 42\nF:2 zu 30")
    club.live.acts.quote("Ben", club.topic, first, "Too dear for me.\n\nX:2 at 43\nF:3 at 30\nS:4 at 25")
    hasty = club.post("Cem", "F:2 zu 38")
    club.look()
    assert club.lines(ANNA) == ["X:4 at 42", "F:2 at 30"]
    assert club.lines(BEN) == ["X:2 at 43", "F:3 at 30", "S:4 at 25"], "a quote is not what he ordered"
    assert club.lines(CEM) == ["F:2 at 38"]
    club.edit("Cem", hasty, "F:2 zu 28\nS:4 zu 25")
    club.look()
    assert club.lines(CEM) == ["F:2 at 28", "S:4 at 25"]
    assert club.table.turn().number == 1, "Dora is still waited for"
    private(club, "Dora", "S:1 at 21")
    club.look()
    assert club.table.turn(1).status == "resolved", "nobody is waited for any more"
    slip = club.receipts(DORA, turn=1)[0]
    assert (slip.outcome, slip.public) == ("counting", False)


def sell_in_month_one(club: ForumTable) -> None:
    club.post("Anna", envelope(club, ANNA, "A:2 at 141"))
    club.post("Ben", "B:2 at 118")
    club.look()
    assert club.lines(BEN) == ["B:2 at 118"]
    assert not club.receipts(ANNA, turn=2)[0].public
    club.post("Ben", "Ich nehme das zurück, billiger:\n\nB:2 zu 117")
    club.look()
    assert club.lines(BEN) == ["B:2 at 117"], "the correction in the later post counts"
    club.post("Cem", "**C: 2 Stück zu 100**")
    club.look()
    assert club.table.turn(2).status == "resolved"


def play_month_two(club: ForumTable) -> None:
    club.post("Anna", "X:2 zu 45\nF:1 zu 35")
    club.post("Ben", "S:2 @ 30\n1 Fine for 35")
    club.post("Cem", "passe")
    private(club, "Dora", "passe")
    club.look()
    assert club.table.turn(3).status == "resolved"
    club.post("Ben", "C:1 at 80")
    club.post("Cem", "passe")
    private(club, "Anna", "A:1 zu 100")
    club.look()


def test_a_whole_game_is_played_on_a_forum(club: ForumTable, forum_name: str) -> None:
    """T323: from the claims of four seats to a result that everybody can check."""
    with club.table.judge.store.read() as session:
        assert session.get_one(GameRow, club.table.game_id).status == "over"
        letters = queries.letters(session, club.table.game_id)
        assert {letter.status for letter in letters if letter.recipient == THREAD} == {"sent"}
    verdict = verify(exported(club.table), ruleset)
    assert verdict.ok, told(verdict)
    assert verdict.counts.turns == 2 * MONTHS[forum_name]


def test_each_player_has_a_receipt_for_each_order_and_nobody_elses(club: ForumTable) -> None:
    """T200, T268: a private message where the forum has them; on the order page always."""
    for number, name in enumerate(NAMES, 1):
        slips = [slip for slip in club.receipts(str(number)) if slip.via in ("post", "message")]
        assert slips
        assert all(slip.outcome == "counting" and slip.written is not None for slip in slips)
        if "message" in club.live.acts.lacks:
            continue
        mail = "\n".join(club.live.acts.messages(name)).replace("\\", "").replace(JOINER, "")
        for slip in slips:
            assert slip.signed in mail
        others = [
            slip.signed for other in NAMES if other != name for slip in club.receipts(str(NAMES.index(other) + 1))
        ]
        assert not [signed for signed in others if signed in mail]


def seen_by_a_stranger(club: ForumTable) -> list[Post]:
    """The topic as somebody's account sees it who has nothing to do with the game."""
    account = club.live.accounts["Stranger"]
    settings = {
        "url": club.live.url,
        "user": account.name,
        "password": account.password,
        "category": club.live.category,
    }
    forum = forums()[club.live.name](Place("", club.topic, None, club.clock, settings))
    try:
        return list(forum.fetch_posts())
    finally:
        forum.close()


def shown(html: str) -> str:
    """A post as somebody reads it, without the line by which the judge finds it again."""
    words = " ".join(BeautifulSoup(html, "html.parser").get_text(" ").replace(JOINER, "").split())
    return words.rpartition("gamejudge ")[0]


def said(session: Session, game: GameRow) -> Mapping[str, tuple[str, str]]:
    """What the judge has to say in the thread: each post's id, what it belongs to, and the words."""
    voice, expected = game_voice(session, game), dict[str, tuple[str, str]]()
    for letter in queries.letters(session, game.id, THREAD):
        parts = posts_of(session, letter, voice, None)
        assert len(parts) == len(letter.post_ids), letter.key
        for post_id, part in zip(letter.post_ids, parts, strict=True):
            words = " ".join(rendered(part, voice).text.replace(JOINER, "").split())
            expected[post_id] = (f"{letter.kind} {letter.number}", words)
    return expected


def test_a_stranger_reads_the_topic_and_sees_what_the_judge_keeps(club: ForumTable, forum_name: str) -> None:
    """T300: the same numbers and names, in the same order, each letter once."""
    with club.table.judge.store.read() as session:
        expected = said(session, session.get_one(GameRow, club.table.game_id))
    judge = club.live.accounts["Judge"].id
    read = {post.id: shown(post.html or "") for post in seen_by_a_stranger(club) if post.author_id == judge}
    assert list(read)[-len(expected) + 1 :] == list(expected)[1:], "in the order in which they were written"
    assert len(read) == len(expected)
    for (what, words), text in zip(expected.values(), read.values(), strict=True):
        assert numbers(text) == numbers(words), what
        for name in NAMES:
            assert len(re.findall(rf"\b{name}\b", text)) == len(re.findall(rf"\b{name}\b", words)), (what, name)
    kinds = [what for what, _ in expected.values()]
    for turn in range(1, 2 * MONTHS[forum_name] + 1):
        assert f"result {turn}" in kinds
        assert kinds.index(f"closing {turn}") < kinds.index(f"result {turn}")


def test_what_was_sealed_stands_in_no_players_post(club: ForumTable) -> None:
    """T041, T268: only the judge's results tell it, when its turn is over."""
    accounts = {club.live.accounts[name].id for name in NAMES}
    typed = [post.html or "" for post in seen_by_a_stranger(club) if post.author_id in accounts]
    assert any("[sealed]" in html for html in typed)
    assert not [html for html in typed if re.search(r"S:1 |A:[12] ", html)]
