"""PunkwebBB: HTML forms and BBCode.  Tried with 0.5.

What is surprising: ids tell no order, the opening text belongs to the thread and is no post (it has the thread's id
here), a page past the end shows the last one again, and a refused text is answered with 500.  There is no editing that
shows, no hiding, holding or writing in private.
Settings: `url` (with the path below which the forum is), `user`, `password`, `category` (the end of the subcategory's
address, for new threads).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from bs4.element import Tag

from judge.core.text import Text
from judge.forum import Caps, Changed, Post, Setting
from judge.forum.forms import connector
from judge.forum.http import PASSWORD, PATIENCE, URL, USER
from judge.forum.profile import Form, Login, Pager, Profile, Spot, found, number_in_address

CATEGORY = Setting(
    "category",
    Text.of("the end of the address of the subcategory where games get their threads, such as games"),
    optional=True,
)
SETTINGS = (URL, CATEGORY, USER, PASSWORD, *PATIENCE)
"""What a place on this forum needs: its address, where threads are opened, and the judge's account."""

UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
MEMBER = re.compile(r"/members/(\d+)/")
THREAD = re.compile(rf"/thread/({UUID.pattern})/")


def read(card: Tag, spot: Spot) -> Post:
    author = card.select_one(".thread__user__username a")
    body = card.select_one(".thread__content")
    date = card.select_one(".thread__date time[datetime]")
    number = found(MEMBER, str(author["href"])) if author else None
    if author is None or body is None or number is None:
        raise Changed(Text.of("{forum} shows a post without its author or text.", forum="PunkwebBB"))
    place = card.select_one("a.thread__index")
    thread = found(THREAD, spot.page.url)
    html = body.decode_contents().strip()
    return Post(
        id=str(card["id"]).removeprefix("post-") if place else thread or "",
        position=int(place.get_text().strip().lstrip("#")) if place else 0,
        author_id=number,
        author_name=author.get_text(strip=True),
        text=html,
        markup="html",
        created=datetime.fromisoformat(str(date["datetime"])).astimezone(UTC) if date else None,
        html=html,
        url=spot.page.address(place) if place else spot.below(f"/thread/{thread}/"),
    )


PROFILE = Profile(
    name="PunkwebBB",
    caps=Caps(raw=True, edit=True),
    markup="bbcode",
    login=Login(
        form=Form(page="/login/", form='form:has(input[type="password"])'),
        user="username",
        password="password",
        account='a.nav__upper__link[href*="/members/"]',
        guest='a.nav__upper__link[href$="/login/"]',
    ),
    member_id=MEMBER,
    id=UUID,
    topic_id=THREAD,
    topic_page="/thread/{topic}/",
    topic_title="h1",
    longest_title=255,
    own_topics="/members/{me}/",
    own_topic_links=".profile__thread__title a",
    cards=".pw-card:has(.thread__content)",
    read=read,
    pager=Pager(
        links="a.pw-pagination-link",
        current=".pw-pagination-item.active",
        number=number_in_address,
    ),
    open=Form(
        page="/subcategory/{category}/create-thread/",
        form='form[action$="/create-thread/"]',
        title="title",
        text="content",
    ),
    reply=Form(page="/thread/{topic}/", form='form[action$="/create-post/"]', text="content"),
    edit=Form(page="/post/{post}/update/", form="form.pw-form", text="content"),
    edit_opening=Form(page="/thread/{topic}/update/", form="form.pw-form", text="content"),
    complaint='.errorlist li, .pw-card-header:-soup-contains("Thread closed") + .pw-card-content',
)

forum = connector(PROFILE)
"""The connector."""
