"""MyBB 1.8 with its default theme: HTML forms and its MyCode (BBCode).  Tried against the documented shape only.

What is surprising: what somebody posts soon after a post of his own is added to that post, so that one post may hold
several letters; success is a page that leads on by itself; the forum tells times in words and to the minute.  The
judge's account must read English there, dates must have the default form, and so that it finds a letter of its own that
is held, the forum must show members their own unapproved posts.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from bs4.element import Tag

from judge.core.text import Text
from judge.forum import Caps, Changed, Post
from judge.forum.browser import Landing
from judge.forum.forms import connector
from judge.forum.http import CATEGORY, PASSWORD, PATIENCE, URL, USER, ZONE
from judge.forum.profile import Form, Login, Mailbox, Pager, Profile, Quoting, Spot, found, number_shown

SETTINGS = (URL, CATEGORY, USER, PASSWORD, ZONE, *PATIENCE)
"""What a place on this forum needs: its address, where topics are opened, and the judge's account."""

MEMBER = re.compile(r"[?&]uid=(\d+)|/user-(\d+)\.html")
POST = re.compile(r"[?&]pid=\d+|-post-\d+\.html")
MOMENT = re.compile(r"(\d\d)-(\d\d)-(\d{4}),? +(\d\d):(\d\d) ([AP])M")
QUOTED = re.compile(r"\s*\[quote(?:=\"[^\"]*\"|=?'[^']*'|[^\]\"'])*\]\n?(.*?)\n?\[/quote\]\s*", re.DOTALL)
FORM = 'form[name="input"]'


def moment(date: Tag, zone: tzinfo) -> datetime | None:
    """A time as MyBB shows it unless told otherwise, `11-29-2026, 08:01 PM`; of a day in words the title says which."""
    words = "".join(
        str(part.get("title") or part.get_text()) if isinstance(part, Tag) else str(part) for part in date.children
    )
    match = MOMENT.search(" ".join(words.split()))
    if match is None:
        return None
    hour = int(match[4]) % 12 + 12 * (match[6] == "P")
    day = datetime(int(match[3]), int(match[1]), int(match[2]), hour, int(match[5]), tzinfo=zone)
    return day.astimezone(UTC)


def read(card: Tag, spot: Spot) -> Post:
    author = card.select_one(".author_information .largetext a, .deleted_post_author a")
    name = author or card.select_one(".author_information .largetext, .deleted_post_author")
    if name is None:
        raise Changed(Text.of("{forum} shows a post without its author or text.", forum="MyBB"))
    body, date = card.select_one(".post_body"), card.select_one(".post_date")
    place, edited = card.select_one(".post_head .float_right strong a"), card.select_one(".edited_post")
    classes = str(card.get("class", ""))
    deleted = "deleted_post" in classes
    post_id = str(card["id"]).removeprefix("post_")
    html = body.decode_contents().strip() if body else ""
    return Post(
        id=post_id,
        position=int(place.get_text(strip=True).lstrip("#").replace(",", "")) if place else spot.index,
        author_id=found(MEMBER, str(author["href"])) if author else None,
        author_name=name.get_text(strip=True),
        text=html,
        markup="html",
        created=moment(date, spot.zone) if date else None,
        revision=" ".join(edited.get_text(" ").split()) if edited else None,
        html=html,
        state="deleted" if deleted else "held" if "unapproved_post" in classes else "visible",
        url=spot.below(f"/showthread.php?pid={post_id}#pid{post_id}"),
    )


def unquoted(text: str) -> str:
    """What stands within the quote that the forum puts around it."""
    match = QUOTED.fullmatch(text)
    return text if match is None else match[1]


def held(landing: Landing) -> bool:
    """A reply leads to itself, or to its thread while nobody sees it."""
    return POST.search(landing.to) is None


PROFILE = Profile(
    name="MyBB",
    caps=Caps(
        raw=True,
        dm=True,
        edit=True,
        merges_posts=True,
        min_post_interval=60,
        max_length=65_535,
        precision=timedelta(minutes=1),
    ),
    markup="bbcode",
    login=Login(
        form=Form(page="/member.php?action=login", form='form:has(input[name="username"])', more={"submit": "Login"}),
        user="username",
        password="password",
        account='#panel .welcome a[href*="uid="], #panel .welcome a[href*="user-"]',
        guest='#panel .welcome a[href*="action=login"]',
        home="/index.php",
    ),
    member_id=MEMBER,
    topic_id=re.compile(r"[?&]tid=(\d+)|/thread-(\d+)"),
    topic_page="/showthread.php?tid={topic}",
    topic_title="td.thead > div:not(.float_right) > strong",
    longest_title=85,
    own_topics="/forumdisplay.php?fid={category}",
    own_topic_links='.inline_row:has(.author a:is([href$="uid={me}"], [href$="user-{me}.html"])) [id^="tid_"] a',
    cards='#posts .post[id^="post_"]',
    read=read,
    pager=Pager(
        links=".pagination a",
        current=".pagination_current",
        number=number_shown,
    ),
    open=Form(
        page="/newthread.php?fid={category}",
        form=FORM,
        title="subject",
        text="message",
        more={"submit": "Post Thread"},
        held=lambda landing: "forumdisplay" in landing.to or "/forum-" in landing.to,
    ),
    reply=Form(page="/newreply.php?tid={topic}", form=FORM, text="message", more={"submit": "Post Reply"}, held=held),
    edit=Form(page="/editpost.php?pid={post}", form=FORM, text="message", more={"submit": "Update Post"}),
    quoting=Quoting(Form(page="/newreply.php?tid={topic}&replyto={post}", form=FORM, text="message"), unquoted),
    private=Mailbox(
        inbox="/private.php",
        sent=("/private.php?fid=2",),
        link='td > a[class][href*="action=read"]',
        next="a.pagination_next",
        id=re.compile(r"[?&]pmid=(\d+)"),
        subject=85,
        author=".author_information .largetext a",
        receivers=".post_head a",
        body=".post_body",
        quote="a.postbit_reply_pm",
        quoting=Quoting(Form(page="", form=FORM, text="message"), unquoted),
        compose=Form(
            page="/private.php?action=send&uid={member}",
            form=FORM,
            title="subject",
            text="message",
            more={"submit": "Send Message", "options[savecopy]": "1"},
        ),
    ),
    complaint=".error li, .error p, tr:has(> td.thead > .smalltext > strong) + tr > td.trow1",
    hurry=re.compile(r"wait (\d+) more second"),
)

forum = connector(PROFILE)
"""The connector."""
