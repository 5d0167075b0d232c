"""What a letter says, in every markup, and in posts that are short enough for a forum."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session

from judge.core.report import Report
from judge.core.text import Text
from judge.forum import Refused, Rendered
from judge.forum.tables import with_tables_in_code
from judge.language import Voice
from judge.render import render
from judge.service.parts import LONGEST_NUMBER, TooLongError, in_parts
from judge.store import unseal
from judge.store.tables import LetterRow


def rendered(report: Report, voice: Voice, footer: str = "") -> Rendered:
    """A letter in every markup.  The footer's key is what a retry looks for."""
    posted = _posted(report, voice, footer)
    return replace(
        posted,
        html=render(report, "html", voice).rstrip() + (f"\n<p>{footer}</p>\n" if footer else "\n"),
        text=render(report, "txt", voice).rstrip() + _below(footer),
        report=report.model_dump(mode="json"),
    )


def letter_report(session: Session, letter: LetterRow) -> Report:
    """What stands in a letter; a letter to a seat is opened for its reader."""
    body = letter.body if letter.sealed_body is None else unseal(session, letter.sealed_body)
    return Report.model_validate(body)


def size(report: Report, voice: Voice, footer: str) -> int:
    """How long a post with this report is by the strictest count: bytes, with two for a line's end.

    No connector posts HTML; of what they do post the longest counts.
    """
    text = _posted(report, voice, footer)
    return max(
        len(body.replace("\n", "\r\n").encode()) for body in (text.markdown, text.bbcode, with_tables_in_code(text))
    )


def _posted(report: Report, voice: Voice, footer: str) -> Rendered:
    """What a connector may post."""
    return Rendered(
        title=voice.say(report.title),
        markdown=render(report, "md", voice).rstrip() + _below(footer),
        bbcode=render(report, "bbcode", voice).rstrip() + _below(footer),
        html="",
        text="",
    )


def _below(footer: str) -> str:
    return f"\n\n{footer}\n" if footer else "\n"


def footer_of(key: str) -> str:
    """What stands below a post, for people to see and for a retry to find."""
    return f"gamejudge {key}"


def posts_of(session: Session, letter: LetterRow, voice: Voice, limit: int | None) -> list[Report]:
    """The letter in posts that are short enough; those that were fixed at the first try stay as they are."""
    fixed = letter.parts if letter.sealed_parts is None else unseal(session, letter.sealed_parts)
    if fixed is not None:
        return [Report.model_validate(part) for part in fixed]
    whole = letter_report(session, letter)
    if limit is None:
        return [whole]
    footer = footer_of(f"{letter.key}#{LONGEST_NUMBER}/{LONGEST_NUMBER}")
    try:
        return in_parts(whole, voice, lambda report: size(report, voice, footer), limit)
    except TooLongError as too_long:
        raise Refused(
            Text.of("A post there may have {limit} characters: too few for this letter.", limit=limit)
        ) from too_long
