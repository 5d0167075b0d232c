"""A game's public letters as an Atom feed, in the game's language."""

from __future__ import annotations

import re
from datetime import datetime
from xml.etree import ElementTree

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from judge.service.letters import letter_report, rendered
from judge.service.position import find_game
from judge.service.publishing import THREAD
from judge.service.voices import game_voice
from judge.store import queries
from judge.web.request import judge_of

router = APIRouter(include_in_schema=False)

ATOM = "http://www.w3.org/2005/Atom"
MOST_ENTRIES = 30

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold, not even as a reference."""


@router.get("/games/{game_id}/feed.atom")
def feed(request: Request, game_id: str) -> Response:
    address = judge_of(request).settings.address
    with judge_of(request).store.read() as session:
        game = find_game(session, game_id)
        voice = game_voice(session, game)
        letters = list(queries.letters(session, game_id, THREAD))
        root = ElementTree.Element("feed", {"xmlns": ATOM, "xml:lang": game.language})
        home = f"{address}/games/{game_id}"
        _add(root, "title", game.title)
        _add(root, "id", home)
        _add(root, "updated", _stamp(letters[-1].created if letters else game.created))
        ElementTree.SubElement(root, "link", {"rel": "self", "href": f"{home}/feed.atom"})
        ElementTree.SubElement(root, "link", {"rel": "alternate", "href": home})
        ElementTree.SubElement(ElementTree.SubElement(root, "author"), "name").text = "Gamejudge"
        newest = list(enumerate(letters, 1))[-MOST_ENTRIES:]
        for place, letter in reversed(newest):
            text = rendered(letter_report(session, letter), voice)
            entry = ElementTree.SubElement(root, "entry")
            _add(entry, "title", text.title)
            _add(entry, "id", f"{home}#letter-{place}")
            _add(entry, "updated", _stamp(letter.created))
            page = f"{home}/turns/{letter.number}" if letter.kind == "result" else f"{home}/thread"
            ElementTree.SubElement(entry, "link", {"rel": "alternate", "href": page})
            _add(entry, "content", text.html, type="html")
    content = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(content, media_type="application/atom+xml", headers={"cache-control": "public, max-age=60"})


def _add(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, name, attributes).text = _NOT_XML.sub("", text)


def _stamp(moment: datetime) -> str:
    return moment.isoformat()
