"""phpBB 3.3 with its style prosilver: HTML forms and BBCode.  Tried against the documented shape only.

What is surprising: a form is refused in the second in which it was given out, it comes back unsent when somebody has
posted meanwhile, a page past the end shows the last one, and an author's edit of the last post leaves no sign.  What is
held says so on a page that leads on by itself.  The judge's account must read English there, since what the forum says
about waiting is known in English alone, and private messages are known by a mark in their subjects.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from bs4.element import Tag

from judge.core.text import Text
from judge.forum import Caps, Changed, Post
from judge.forum.forms import connector
from judge.forum.http import CATEGORY, PASSWORD, PATIENCE, URL, USER
from judge.forum.profile import Form, Login, Mailbox, Pager, Profile, Quoting, Spot, found, number_shown

SETTINGS = (URL, CATEGORY, USER, PASSWORD, *PATIENCE)
"""What a place on this forum needs: its address, where topics are opened, and the judge's account."""

MEMBER = re.compile(r"[?&]u=(\d+)")
START = re.compile(r"[?&]start=(\d+)")
QUOTED = re.compile(r"\s*\[quote(?:=\"[^\"]*\"|[^\]\"])*\]\n?(.*?)\n?\[/quote\]\s*", re.DOTALL)
FORM = "form#postform"


def read(card: Tag, spot: Spot) -> Post:
    body = card.select_one("div.content")
    author = card.select_one(".postprofile a.username, .postprofile a.username-coloured")
    name = author or card.select_one(".username, .username-coloured")
    if body is None or name is None:
        raise Changed(Text.of("{forum} shows a post without its author or text.", forum="phpBB"))
    date = card.select_one(".author time[datetime]")
    edited = card.select_one(".notice:not(.post_deleted_msg)")
    post_id = str(card["id"]).removeprefix("p")
    html = body.decode_contents()
    return Post(
        id=post_id,
        position=int(found(START, spot.page.url) or 0) + spot.index,
        author_id=found(MEMBER, str(author["href"])) if author else None,
        author_name=name.get_text(strip=True),
        text=html,
        markup="html",
        created=datetime.fromisoformat(str(date["datetime"])).astimezone(UTC) if date else None,
        revision=" ".join(edited.get_text(" ").split()) if edited else None,
        html=html,
        state="held" if card.select_one(".unapproved") else "deleted" if _deleted(card) else "visible",
        url=spot.below(f"/viewtopic.php?p={post_id}#p{post_id}"),
    )


def _deleted(card: Tag) -> bool:
    return card.select_one(".post-notice.deleted, .post_deleted_msg") is not None


def unquoted(text: str) -> str:
    """What stands within the quote that the forum puts around it."""
    match = QUOTED.fullmatch(text)
    return text if match is None else match[1]


PROFILE = Profile(
    name="phpBB",
    caps=Caps(raw=True, dm=True, edit=True, min_post_interval=15, max_length=60_000),
    markup="bbcode",
    login=Login(
        form=Form(page="/ucp.php?mode=login", form="form#login", more={"login": "Login"}),
        user="username",
        password="password",
        account='#username_logged_in a[href*="mode=viewprofile"]',
        guest='#nav-main a[href*="mode=login"]',
        home="/index.php",
    ),
    member_id=MEMBER,
    topic_id=re.compile(r"viewtopic\.php\?(?:.*&)?t=(\d+)"),
    topic_page="/viewtopic.php?t={topic}",
    topic_title="h2.topic-title > a",
    longest_title=120,
    own_topics="/viewforum.php?f={category}",
    own_topic_links='li.row:has(.topic-poster a:is([href$="u={me}"], [href*="u={me}&"])) a.topictitle',
    cards='div.post[id^="p"]',
    read=read,
    pager=Pager(
        links=".pagination li a",
        current=".pagination li.active",
        number=number_shown,
    ),
    open=Form(
        page="/posting.php?mode=post&f={category}",
        form=FORM,
        title="subject",
        text="message",
        more={"post": "Submit"},
        held=lambda landing: not landing.at_once,
    ),
    reply=Form(
        page="/posting.php?mode=reply&t={topic}",
        form=FORM,
        text="message",
        more={"post": "Submit"},
        held=lambda landing: not landing.at_once,
    ),
    edit=Form(page="/posting.php?mode=edit&p={post}", form=FORM, text="message", more={"post": "Submit"}),
    quoting=Quoting(Form(page="/posting.php?mode=quote&p={post}", form=FORM, text="message"), unquoted),
    private=Mailbox(
        inbox="/ucp.php?i=pm&folder=inbox",
        sent=("/ucp.php?i=pm&folder=outbox", "/ucp.php?i=pm&folder=sentbox"),
        link='a.topictitle[href*="mode=view"]',
        next=".pagination .next a",
        id=re.compile(r"[?&]p=(\d+)"),
        subject=120,
        author=".postprofile a.username, .postprofile a.username-coloured",
        receivers='p.author a[href*="mode=viewprofile"]',
        body=".postbody .content",
        quote=".quote-icon a, a[href*='action=quote']",
        quoting=Quoting(Form(page="", form=FORM, text="message"), unquoted),
        compose=Form(
            page="/ucp.php?i=pm&mode=compose",
            form=FORM,
            title="subject",
            text="message",
            more={"address_list[u][{member}]": "to", "post": "Submit"},
        ),
    ),
    complaint="p.error, div.error, #message p",
    hurry=re.compile(r"so soon after"),
    again=re.compile(r"form was invalid"),
    ripe=1.1,
)

forum = connector(PROFILE)
"""The connector."""
