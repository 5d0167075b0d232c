"""What a connector makes of a forum's answers: a real server on loopback that answers as forums do on bad days."""

from __future__ import annotations

import gzip
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from threading import Event

import httpx
import pytest

from judge.forum import AuthExpired, Changed, ForumError, Refused, Retry
from judge.forum.browser import Page
from judge.forum.http import Http, Limits, Missing, Unanswered, checked
from tests.odd_forum import NOON, Answer, OddForum, odd_forum

FIVE_PAST = "Mon, 07 Sep 2026 12:05:00 GMT"
SHORT = Limits(timeout=0.3, whole=1, retry=7, body=100_000)


@pytest.fixture
def odd() -> Iterator[OddForum]:
    with odd_forum() as odd:
        yield odd


@pytest.fixture
def http(odd: OddForum) -> Iterator[Http]:
    with closing(Http(odd.url, limits=SHORT)) as http:
        yield http


def told(act: Callable[[], object]) -> ForumError:
    with pytest.raises(ForumError) as error:
        act()
    return error.value


def test_the_forum_learns_who_asks(odd: OddForum) -> None:
    odd.answers["/"] = Answer()
    with closing(Http(odd.url, address="https://judge.example.org")) as http:
        http.get("/")
    agent = odd.asked[0][2]["User-Agent"]
    assert agent.startswith("gamejudge/")
    assert agent.endswith(" (+https://judge.example.org)")


def test_a_forum_that_is_not_there_is_tried_later_and_nothing_was_sent() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    with closing(Http(f"http://127.0.0.1:{port}", limits=SHORT)) as http:
        for act in (lambda: http.get("/"), lambda: http.send("/", json={})):
            error = told(act)
            assert isinstance(error, Retry)
            assert error.after == SHORT.retry


def test_wait_times_of_the_forum_are_honoured(odd: OddForum, http: Http) -> None:
    """T247."""
    waits = [
        (Answer(429, {"Retry-After": "39"}), 39),
        (Answer(503, {"Retry-After": FIVE_PAST}), 300),
        (Answer(429), SHORT.retry),
        (Answer(429, {"Retry-After": "9" * 30}), 24 * 3600),
        (Answer(429, {"Retry-After": "0"}), 1),
        (Answer(429, {"Retry-After": "soon"}), SHORT.retry),
    ]
    for answer, wait in waits:
        odd.answers["/"] = answer
        for act in (lambda: http.get("/"), lambda: http.send("/", data={"a": "b"})):
            error = told(act)
            assert isinstance(error, Retry)
            assert error.after == wait


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_failed_reading_is_tried_later_and_a_failed_writing_is_looked_for(
    odd: OddForum, http: Http, status: int
) -> None:
    """T304: whoever wrote learns that it may stand there; nothing is sent twice."""
    odd.answers["/"] = Answer(status)
    assert isinstance(told(lambda: http.get("/")), Retry)
    assert isinstance(told(lambda: http.send("/", json={})), Unanswered)
    assert odd.paths() == ["GET /", "POST /"]


def test_a_lost_answer_leaves_a_writing_unanswered(odd: OddForum, http: Http) -> None:
    """T304: the forum hangs up, or says nothing for too long, or says half."""
    silence = Event()

    def nothing(_: BaseHTTPRequestHandler) -> Answer:
        silence.wait(5)
        return Answer(0)

    odd.answers |= {
        "/hangs-up": Answer(0),
        "/silent": nothing,
        "/half": Answer(headers={"Content-Length": "1000"}),
        "/broken": Answer(headers={"Content-Encoding": "gzip"}),
    }
    for path in odd.answers:
        assert isinstance(told(lambda path=path: http.get(path)), Retry)
        assert isinstance(told(lambda path=path: http.send(path, json={})), Unanswered)
    silence.set()
    assert odd.paths() == [f"{method} {path}" for path in odd.answers for method in ("GET", "POST")]


def test_endless_answers_are_cut_off(odd: OddForum, http: Http) -> None:
    odd.answers |= {
        "/long": Answer(body=b"x" * 200_000),
        "/packed": Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(b"x" * 200_000)),
        "/fits": Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(b"x" * 90_000)),
    }
    for path in ("/long", "/packed"):
        assert isinstance(told(lambda path=path: http.get(path)), Changed)
        assert isinstance(told(lambda path=path: http.send(path)), Unanswered)
    assert http.get("/fits").text == "x" * 90_000


def test_a_refusal_is_a_refusal(odd: OddForum, http: Http) -> None:
    odd.answers |= {"/400": Answer(400), "/403": Answer(403), "/410": Answer(410), "/401": Answer(401)}
    assert type(told(lambda: http.send("/400"))) is Refused
    assert type(told(lambda: http.get("/403"))) is Refused
    assert type(told(lambda: http.get("/410"))) is Missing
    assert type(told(lambda: http.get("/nothing"))) is Missing
    assert type(told(lambda: http.get("/401"))) is AuthExpired


def test_a_connector_says_what_its_forum_means(odd: OddForum) -> None:
    odd.answers |= {"/a": Answer(200, body=b"you must log in"), "/b": Answer(403, body=b"not so fast")}

    def meaning(answer: httpx.Response) -> ForumError | None:
        if answer.text == "you must log in":
            return AuthExpired(answer.text)
        return Retry(answer.text, 3) if answer.text == "not so fast" else None

    with closing(Http(odd.url, meaning=meaning)) as http:
        assert isinstance(told(lambda: http.get("/a")), AuthExpired)
        assert isinstance(told(lambda: http.send("/b")), Retry)


def test_whose_session_ended_logs_in_once_and_goes_on(odd: OddForum, http: Http) -> None:
    def page(request: BaseHTTPRequestHandler) -> Answer:
        return Answer(200) if "session=new" in request.headers.get("Cookie", "") else Answer(401)

    odd.answers |= {"/page": page, "/login": Answer(302, {"Set-Cookie": "session=new; HttpOnly", "Location": "/"})}
    assert http.signed_in(lambda: http.get("/page").text, lambda: http.send("/login")) == "fine"
    assert odd.paths() == ["GET /page", "POST /login", "GET /page"]
    odd.answers["/login"] = Answer(200)
    http.forget()
    odd.asked.clear()
    with pytest.raises(AuthExpired):
        http.signed_in(lambda: http.get("/page"), lambda: http.send("/login"))
    assert odd.paths() == ["GET /page", "POST /login", "GET /page"]


def test_redirects_are_followed_on_the_forums_host_alone(odd: OddForum, http: Http) -> None:
    odd.answers |= {
        "/old": Answer(301, {"Location": "new?page=2"}),
        "/new?page=2": Answer(body=b"page 2"),
        "/away": Answer(302, {"Location": "http://localhost:1/"}),
        "/loop": Answer(302, {"Location": "/loop"}),
        "/reply": Answer(302, {"Location": "/new?page=2"}),
    }
    assert http.get("/old").text == "page 2"
    assert isinstance(told(lambda: http.get("/away")), Refused)
    assert isinstance(told(lambda: http.get("/loop")), Changed)
    odd.asked.clear()
    answer = http.send("/reply", data={"message": "once"})
    assert (answer.status_code, answer.headers["location"]) == (302, "/new?page=2")
    assert odd.paths() == ["POST /reply"]


def test_addresses_lie_below_the_forums_own(odd: OddForum) -> None:
    with closing(Http("http://forum.example.org/board/")) as http:
        assert str(http.url("/topic/1")) == "http://forum.example.org/board/topic/1"
        assert str(http.url("topic/1?page=2")) == "http://forum.example.org/board/topic/1?page=2"
        assert str(http.url("/board/topic/1")) == "http://forum.example.org/board/topic/1"
        assert str(http.url("http://forum.example.org/board/x")) == "http://forum.example.org/board/x"
        assert str(http.url("https://forum.example.org/board/x")) == "https://forum.example.org/board/x"
        for elsewhere in ("http://example.org/", "http://forum.example.org:81/", "ftp://forum.example.org/"):
            with pytest.raises(Refused):
                http.url(elsewhere)
    for odd_one in ("forum.example.org", "ftp://forum.example.org", "https://judge:secret@forum.example.org", ""):
        with pytest.raises(Refused) as refused:
            Http(odd_one)
        assert "secret" not in str(refused.value)


def test_what_has_not_changed_is_not_sent_again(odd: OddForum, http: Http) -> None:
    marks = {"If-None-Match": {"ETag": '"7"'}, "If-Modified-Since": {"Last-Modified": NOON}}
    for asked, given in marks.items():

        def page(request: BaseHTTPRequestHandler, asked: str = asked, given: dict[str, str] = given) -> Answer:
            known = request.headers.get(asked) in given.values()
            return Answer(304, {**given, "Date": FIVE_PAST}, b"") if known else Answer(200, given, b"page")

        odd.answers["/page"] = page
        http.forget()
        assert [http.get("/page").text for _ in range(2)] == ["page", "page"]
        assert asked in odd.asked[-1][2]
        assert http.served == datetime(2026, 9, 7, 12, 5, tzinfo=UTC)
        odd.answers["/page"] = Answer(body=b"another page")
        assert http.get("/page").text == "another page"
        assert http.get("/page").text == "another page"
        assert asked not in odd.asked[-1][2]


def test_the_forums_clock_is_kept(odd: OddForum, http: Http) -> None:
    assert http.served is None
    odd.answers["/"] = Answer()
    http.get("/")
    assert http.served == datetime(2026, 9, 7, 12, 0, tzinfo=UTC)
    odd.answers["/"] = Answer(headers={"Date": "yesterday"})
    http.get("/")
    assert http.served == datetime(2026, 9, 7, 12, 0, tzinfo=UTC)


def test_nothing_secret_reaches_a_log(odd: OddForum, http: Http, caplog: pytest.LogCaptureFixture) -> None:
    odd.answers["/login"] = Answer(200, {"Set-Cookie": "session=c00kie"}, b"b0dy")
    with caplog.at_level(logging.DEBUG):
        http.send("/login", data={"password": "passw0rd"})
        http.get("/login")
    assert http.cookie("session") == "c00kie"
    assert not [line for line in caplog.messages if "c00kie" in line or "passw0rd" in line or "b0dy" in line]


@pytest.mark.parametrize(
    "body",
    [
        "<p>3 Färberei für 40 €</p>".encode("cp1252"),
        "<p>3 Färberei für 40 €</p>".encode(),
        "<p>3 Färberei für 40 €</p>".encode("utf-8-sig"),
        "<p>3 Färberei ".encode() + "für 40 €</p>".encode("cp1252"),
    ],
    ids=["Windows", "UTF-8", "with a mark of its order", "of both"],
)
def test_umlauts_stay_whole_though_a_page_is_not_in_the_charset_that_it_names(
    odd: OddForum, http: Http, body: bytes
) -> None:
    """T256."""
    odd.answers["/"] = Answer(200, {"Content-Type": "text/html; charset=utf-8"}, body)
    page = Page.of(http.get("/"))
    assert page.source == "<p>3 Färberei für 40 €</p>"


def test_the_charset_of_a_page_is_heeded_where_it_is_another(odd: OddForum, http: Http) -> None:
    """T256."""
    odd.answers["/"] = Answer(200, {"Content-Type": "text/html; charset=iso-8859-15"}, "für 40 €".encode("iso-8859-15"))
    assert Page.of(http.get("/")).source == "für 40 €"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_umlauts_stay_whole_in_json(odd: OddForum, http: Http, encoding: str) -> None:
    """T256."""
    odd.answers["/"] = Answer(200, {"Content-Type": "application/json"}, '{"name": "Färberei"}'.encode(encoding))
    assert checked(dict[str, str], http.get("/")) == {"name": "Färberei"}
