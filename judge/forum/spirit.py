"""Spirit: HTML forms and Markdown.  Tried with 0.14.

What is surprising: it takes a post or topic equal to one's last for the same sent twice, and answers as if it were new.
Told what to go by, it goes by the letter's key.  A topic's address loses the page on its way to the one with the title
in it, events of a topic are cards like posts, and a post holds 3,000 characters.
Settings: `url`, `user`, `password`, `category` (its number, for new topics), and `zone`, the time zone that the judge's
account has there (UTC unless told).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from bs4.element import Tag

from judge.core.text import Text
from judge.forum import Caps, Changed, Post, Revision
from judge.forum.browser import Browser
from judge.forum.forms import connector
from judge.forum.http import CATEGORY, PASSWORD, PATIENCE, URL, USER, ZONE, Missing
from judge.forum.profile import Form, Login, Pager, PrivateTopics, Profile, Quoting, Spot, found, number_in_address

SETTINGS = (URL, CATEGORY, USER, PASSWORD, ZONE, *PATIENCE)
"""What a place on this forum needs: its address, where topics are opened, and the judge's account."""

MEMBER = re.compile(r"/user/(?:topics/)?(\d+)/")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MOMENT = re.compile(r"([A-Za-z]{3})[a-z]*\.? (\d+), (\d{4}), (?:(\d+)(?::(\d+))? ([ap])\.m\.|(noon|midnight))")
NEXT_PAGE = ".paginator__button a:has(.fa-chevron-right)"


def moment(text: str, zone: tzinfo) -> datetime | None:
    """A time as Spirit says it in English, `Nov. 29, 2026, 8:01 p.m.`; None for any other."""
    match = MOMENT.search(text)
    if match is None or match[1].lower() not in MONTHS:
        return None
    hour = {"noon": 12, "midnight": 0}[match[7]] if match[7] else int(match[4]) % 12 + 12 * (match[6] == "p")
    month, minute = MONTHS.index(match[1].lower()) + 1, int(match[5] or 0)
    return datetime(int(match[3]), month, int(match[2]), hour, minute, tzinfo=zone).astimezone(UTC)


def read(card: Tag, spot: Spot) -> Post | None:
    author = card.select_one('a.comment__info__username__link, .comments_list__item__info a[href*="/user/"]')
    number = found(MEMBER, str(author["href"])) if author else None
    if author is None or number is None:
        raise Changed(Text.of("{forum} shows a post without its author or text.", forum="Spirit"))
    hidden = card.select_one(".comments_list__item__badge .fa-trash-o") is not None
    if not hidden and card.select_one(".comments_list__item__badge"):
        return None
    body = card.select_one(".js-comment-text, .comments_list__item__comment")
    date = card.select_one(".comment__info__date li[title], .comments_list__item__info span[title]")
    edits = card.select_one('a[href*="/comment/history/"]')
    html = body.decode_contents() if body else ""
    post_id = str(card["data-pk"])
    return Post(
        id=post_id,
        position=int(str(card["data-number"])),
        author_id=number,
        author_name=author.get_text(strip=True),
        text=html,
        markup="html",
        created=moment(str(date["title"]), spot.zone) if date else None,
        revision=edits.get_text(strip=True) if edits else "0",
        html=html,
        state="hidden" if hidden else "visible",
        url=spot.below(f"/comment/{post_id}/find/"),
    )


def history(browser: Browser, post_id: str, zone: tzinfo) -> list[Revision] | None:
    """Spirit keeps what stood there after each edit, as HTML, and the first text; only the minute is told."""
    texts, times = list[str](), list[datetime | None]()
    path: str | None = f"/comment/history/{post_id}/"
    while path is not None:
        try:
            page = browser.open(path)
        except Missing:  # that of a hidden post
            return None
        for version in page.all(".comments_list__comment"):
            body, date = version.select_one(".js-comment-text"), version.select_one(".comment__info__date li[title]")
            texts.append(body.decode_contents() if body else "")
            times.append(moment(str(date["title"]), zone) if date else None)
        onward = page.first(NEXT_PAGE)
        path = None if onward is None else page.address(onward)
    until = [time for time in times[1:] if time is not None]
    if len(until) != len(times[1:]):
        return None
    return [Revision(time, text, "html") for text, time in zip(texts, until, strict=False)]


def unquoted(text: str) -> str:
    """What stands behind `> ` below the line that names the author."""
    lines = text.rstrip().split("\n")[1:]
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)


PROFILE = Profile(
    name="Spirit",
    caps=Caps(
        raw=True,
        history=True,
        dm=True,
        edit=True,
        min_post_interval=10,
        max_length=3_000,
        precision=timedelta(minutes=1),
    ),
    markup="markdown",
    login=Login(
        form=Form(page="/user/login/", form='form:has(input[type="password"])'),
        user="username",
        password="password",
        account='.header__tab__nav a.menu_list__link[href*="/user/"]',
        guest=".header__login",
    ),
    member_id=MEMBER,
    topic_id=re.compile(r"/topic/(\d+)/"),
    topic_page="/topic/{topic}/",
    topic_title="h1.headline",
    longest_title=255,
    own_topics="/user/topics/{me}/",
    own_topic_links="a.topic__link",
    cards=".js-comment",
    read=read,
    pager=Pager(
        links=".paginator__button a",
        current=".paginator__pages",
        number=number_in_address,
    ),
    open=Form(
        page="/topic/publish/",
        form="form.js-reply",
        title="title",
        text="comment",
        more={"category": "{category}", "topic_hash": "{token}"},
    ),
    reply=Form(
        page="/comment/{topic}/publish/", form="form.js-reply", text="comment", more={"comment_hash": "{token}"}
    ),
    edit=Form(page="/comment/{post}/update/", form="form.js-reply", text="comment"),
    quoting=Quoting(
        Form(page="/comment/{topic}/publish/{post}/quote/", form="form.js-reply", text="comment"), unquoted
    ),
    private=PrivateTopics(
        listed="/topic/private/",
        link="a.topic__link",
        topic="/topic/private/{topic}/",
        next=NEXT_PAGE,
        row=".layout__topics__topic",
        signs=".topic__comments, .topic__date",
        id=re.compile(r"/topic/private/(\d+)/"),
        people="a.menu_list__participant__user",
        open=Form(
            page="/topic/private/publish/{member}/",
            form="form.js-reply",
            title="title",
            text="comment",
            more={"topic_hash": "{token}"},
        ),
    ),
    history=history,
    complaint=".errorlist li, .messages_error li",
    hurry=re.compile(r"Too many submissions, wait (\d+ ?[sm])"),
)

forum = connector(PROFILE)
"""The connector."""
