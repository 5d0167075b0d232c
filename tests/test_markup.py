"""What counts as typed by the author of a post, in Markdown, BBCode and HTML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.notation import LINE_END
from judge.forum import Markup
from judge.forum.markup import typed_text

ORDER = "X:3 zu 40"


def typed(source: str, markup: Markup, *, code: bool = True, spoilers: bool = True) -> list[str]:
    """The typed lines that are not empty, without the blanks around them."""
    lines = typed_text(source, markup, code=code, spoilers=spoilers).split("\n")
    return [line.strip(" |") for line in lines if line.strip(" |")]


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("bbcode", '[quote="Ben"]X:3 zu 40[/quote]'),
        ("bbcode", "[quote]X:3 zu 40[/quote]"),
        ("bbcode", "[QUOTE=Ben;1234]\nX:3 zu 40\n[/QUOTE]"),
        ("bbcode", '[quote="a]b" post_id=3 time=1]X:3 zu 40[/quote]'),
        ("bbcode", "[quote][quote]X:3 zu 40[/quote]F:3 zu 30[/quote]"),
        ("bbcode", "[quote=Ben]X:3 zu 40\nand the end was forgotten"),
        ("markdown", "> X:3 zu 40"),
        ("markdown", "  > > X:3 zu 40"),
        ("markdown", '[quote="Ben, post:1, topic:2"]\nX:3 zu 40\n```\nX:3 zu 40\n```\n[/quote]'),
        ("markdown", "<blockquote>X:3 zu 40</blockquote>"),
        ("html", "<blockquote><cite>Ben</cite><p>X:3 zu 40</p></blockquote>"),
        ("html", '<div class="quote-heading">Ben:</div><div class="bbcode_quote quote">X:3 zu 40</div>'),
        ("html", '<aside class="quote no-group"><p>X:3 zu 40</p></aside>'),
        ("html", "<blockquote><div><blockquote>a</blockquote>X:3 zu 40"),
    ],
)
def test_what_is_quoted_was_not_typed(markup: Markup, source: str) -> None:
    """T202"""
    assert typed(source, markup) == []


def test_lines_after_a_quote_are_typed_even_where_the_forum_draws_them_into_it() -> None:
    """T202: Markdown's lazy continuation."""
    assert typed("> A Quo T\nX:3 zu 40", "markdown") == [ORDER]
    assert typed("> ```\nX:3 zu 40", "markdown") == [ORDER]


def test_the_line_above_a_quote_is_the_forums_and_the_same_words_elsewhere_are_not() -> None:
    """T202: as NodeBB's button writes it."""
    for said in ("@Ben said in [Month 1](/post/3):", "@Ben [schrieb](https://forum.example.org/post/3):"):
        assert typed(f"{said}\n> X:9 zu 99\n\nX:3 zu 40", "markdown") == [ORDER]
        assert len(typed(f"{said}\nX:3 zu 40", "markdown")) == 2


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("bbcode", "[code]X:3 zu 40[/code]"),
        ("bbcode", "[CODE=text]\nX:3 zu 40\n[/code]"),
        ("markdown", "```\nX:3 zu 40\n```"),
        ("markdown", "~~~ text\nX:3 zu 40\n~~~"),
        ("markdown", "```\nX:3 zu 40"),
        ("markdown", "`X:3 zu 40`"),
        ("markdown", "``X:3 zu 40``"),
        ("html", "<pre><code>X:3 zu 40\n</code></pre>"),
        ("html", "<code>X:3 zu 40</code>"),
    ],
)
def test_code_counts_unless_the_game_says_otherwise(markup: Markup, source: str) -> None:
    """T206"""
    assert typed(source, markup) == [ORDER]
    assert typed(source, markup, code=False) == []


def test_nothing_in_code_is_markup() -> None:
    """T206"""
    assert typed("[code][s]X[/s] [b]Y[/b][/code]", "bbcode") == ["[s]X[/s] [b]Y[/b]"]
    assert typed("```\n~~X~~ **Y**\n```", "markdown") == ["~~X~~ **Y**"]
    assert typed("[quote]a[/quote][code]b", "bbcode") == ["b"]


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("bbcode", "[spoiler]X:3 zu 40[/spoiler]"),
        ("bbcode", '[spoiler="my move"]\nX:3 zu 40\n[/spoiler]'),
        ("bbcode", "[hide]X:3 zu 40[/hide]"),
        ("markdown", "[spoiler]X:3 zu 40[/spoiler]"),
        ("markdown", "<details><summary>Move</summary>X:3 zu 40</details>"),
        ("html", "<details><summary>Move</summary>X:3 zu 40</details>"),
        ("html", '<div class="bbcode_spoiler">X:3 zu 40</div>'),
        ("html", '<aside class="spoiler-block"><blockquote class="spoiler-body">X:3 zu 40</blockquote></aside>'),
    ],
)
def test_spoilers_count_unless_the_game_says_otherwise(markup: Markup, source: str) -> None:
    """T207"""
    assert typed(source, markup) == [ORDER]
    assert typed(source, markup, spoilers=False) == []


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("bbcode", "[s]X:3 zu 40[/s] X:4 zu 40"),
        ("bbcode", "[strike]X:3 zu 40[/strike]X:4 zu 40"),
        ("bbcode", "[DEL]X:3 zu 40[/DEL]\nX:4 zu 40"),
        ("bbcode", "[s][b]X:3[/b] zu\n40[/s]X:4 zu 40"),
        ("markdown", "~~X:3 zu 40~~ X:4 zu 40"),
        ("markdown", "~~X:3 zu 40\nF:3 zu 30~~ X:4 zu 40"),
        ("markdown", "<del>X:3 zu 40</del> X:4 zu 40"),
        ("markdown", "<s>X:3 zu 40</s> X:4 zu 40"),
        ("markdown", '<span style="text-decoration: line-through">X:3 <span>zu</span> 40</span> X:4 zu 40'),
        ("markdown", "[s]X:3 zu 40[/s] X:4 zu 40"),
        ("html", "<del>X:3 zu 40</del> X:4 zu 40"),
        ("html", "<s>X:3 zu 40</s> X:4 zu 40"),
        ("html", "<strike>X:3 zu 40</strike> X:4 zu 40"),
        ("html", '<span style="text-decoration:line-through">X:3 zu 40</span> X:4 zu 40'),
    ],
)
def test_struck_text_is_gone(markup: Markup, source: str) -> None:
    """T208, T210"""
    assert typed(source, markup) == ["X:4 zu 40"]


def test_numbers_never_grow_together_over_something_struck() -> None:
    """T208: neither as 1000 nor as 1 000."""
    assert typed("X:3 zu 1[s]2[/s]000", "bbcode") == ["X:3 zu 1  000"]
    assert typed("<p>X:3 zu 1<s>2</s>000</p>", "html") == ["X:3 zu 1  000"]


def test_striking_that_was_not_closed_stays_visible() -> None:
    """T210: forums show such a tag as it is, so it is left for the reader to stumble over."""
    assert typed("[s]X:3 zu 40", "bbcode") == ["[s]X:3 zu 40"]
    assert typed("~~X:3 zu 40\n\nF", "markdown") == ["~~X:3 zu 40", "F"]


@pytest.mark.parametrize(
    ("markup", "source"),
    [
        ("bbcode", "[b]X:3 zu 40[/b]"),
        ("bbcode", "[B][I]X:3[/I] zu [color=#ff0000]40[/color][/B]"),
        ("bbcode", "[list][*]X:3 zu 40[/list]"),
        ("bbcode", "[list=1]\n[*] X:3 zu 40\n[/list]"),
        ("bbcode", "[table][tr][td]X:3 zu 40[/td][/tr][/table]"),
        ("bbcode", "[url=https://example.org/]X:3[/url] zu 40"),
        ("markdown", "**X:3 zu 40**"),
        ("markdown", "_X:3_ zu __40__"),
        ("markdown", "<b>X:3 zu 40</b>"),
        ("markdown", "| X:3 zu 40 |"),
        ("markdown", "[X:3](https://example.org/) zu 40\\"),
        ("html", "<strong>X:3 zu 40</strong>"),
        ("html", "<p>X:3 zu <em>40</em></p>"),
        ("html", "<ul><li>X:3 zu 40</li></ul>"),
        ("html", "<table><tr><td>X:3 zu 40</td></tr></table>"),
        ("html", "<div>X:3\n zu 40<br></div>"),
    ],
)
def test_every_wrapper_is_undone(markup: Markup, source: str) -> None:
    """T211"""
    assert [" ".join(line.split()) for line in typed(source, markup)] == [ORDER]


def test_each_paragraph_item_and_line_break_is_a_line_of_its_own() -> None:
    """T211"""
    source = "<p>X:3 zu 40<br>F:3 zu 30</p><ol><li>S:3 zu 20</li><li>pass</li></ol>"
    assert typed(source, "html") == [ORDER, "F:3 zu 30", "S:3 zu 20", "pass"]


def test_a_smiley_that_became_a_picture_is_what_was_typed() -> None:
    """T213"""
    assert typed('B <img class="smilies" alt=":x" src="x.gif"> 3', "html") == ["B :x 3"]
    assert typed("B ![:x](x.gif) 3", "markdown") == ["B :x 3"]


def test_links_that_a_forum_made_are_their_text() -> None:
    """T218"""
    source = '<a href="http://1.in">1.in</a> <a href="http://2.Mo">2.Mo</a> <a href="http://A.to">A.to</a>'
    assert typed(source, "html") == ["1.in 2.Mo A.to"]
    assert typed("[1.in](http://1.in) <http://A.to>", "markdown") == ["1.in http://A.to"]
    assert typed("[url=http://2.Mo]2.Mo[/url]", "bbcode") == ["2.Mo"]


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u3000"])
def test_unusual_spaces_stay_and_hide_nothing(space: str) -> None:
    """T221"""
    line = f"{space}X:3{space}zu 40"
    for markup in ("markdown", "bbcode", "html"):
        assert "".join(typed_text(line, markup).split("\n")) == line
    assert typed("X:3&nbsp;zu&#8239;40 &lt;3", "html") == ["X:3\u00a0zu\u202f40 <3"]


@pytest.mark.parametrize("markup", ["markdown", "bbcode", "html"])
def test_what_follows_the_signature_line_is_no_post(markup: Markup) -> None:
    """T251"""
    newline = "<br>" if markup == "html" else "\n"
    assert typed(newline.join(("X:3 zu 40", "-- ", "X:9 zu 9")), markup) == [ORDER]
    assert typed('X:3 zu 40<div class="signature">X:9 zu 9</div>', "html") == [ORDER]


@pytest.mark.parametrize(
    "footer",
    [
        "Von meinem iPhone gesendet",
        "Sent from my iPhone",
        "Envoyé de mon iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Gesendet von meinem SM-G998B mit Tapatalk",
        "Diese Nachricht wurde von meinem Android-Mobiltelefon mit GMX Mail gesendet.",
        "Get Outlook for Android",
        "Sent via Tapatalk",
        "Am 12.10.2026 um 10:30 schrieb Ben:",
        "On Mon, 12 Oct 2026 at 10:30, Ben wrote:",
    ],
)
@pytest.mark.parametrize("markup", ["markdown", "bbcode", "html"])
def test_what_a_mail_program_adds_is_no_post(markup: Markup, footer: str) -> None:
    """T252"""
    newline = "<br>" if markup == "html" else "\n"
    assert typed(f"X:3 zu 40{newline}{footer}", markup) == [ORDER]


def test_sentences_about_sending_are_not_footers() -> None:
    assert typed("Ich habe meinen Zug gesendet", "markdown") == ["Ich habe meinen Zug gesendet"]


def test_a_mention_stays_as_text() -> None:
    """T265"""
    assert typed('<a href="/user/2-ben">@Ben</a> X:3 zu 40', "html") == ["@Ben X:3 zu 40"]
    assert typed("[user=2]@Ben[/user] X:3 zu 40", "bbcode") == ["@Ben X:3 zu 40"]


def test_orders_blocks_and_unknown_tags_stay() -> None:
    assert typed("[orders]\nX:3 zu 40\n[/orders] [1]", "bbcode") == ["[orders]", ORDER, "[/orders] [1]"]
    assert typed("[befehle]X:3 zu 40[/befehle]", "markdown") == ["[befehle]X:3 zu 40[/befehle]"]


def test_raised_numbers_do_not_become_digits() -> None:
    assert typed("X:1<sup>2</sup> zu 40", "html") == ["X:1^2 zu 40"]
    assert typed("X:1[sup]2[/sup] zu 40", "bbcode") == ["X:1^2 zu 40"]


def test_escaped_signs_are_signs() -> None:
    assert typed(r"1\. X\:3 \~~zu 40\~~", "markdown") == ["1. X:3 ~~zu 40~~"]


TAGS = """[quote] [/quote] [quote="a]b"] [s] [/s] [code] [/code] [spoiler] [/spoiler] [*] [td] [url=x] [img] ` ``` ~~ **
_ > \\ <del> </del> <blockquote> <p> </p> <br> <details> <!-- --> <![ <!DOCTYPE <span_style='line-through'> &nbsp; &#10;
-- X:3 zu 40 &#0; [a](b) <a <pre> </pre> <?xml"""
PIECES = st.sampled_from([*TAGS.replace("_s", " s").split(), "\n", "\n\n", "\r\n", "\r", " "])


@given(st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join), st.booleans(), st.booleans())
def test_any_text_has_its_lines_and_no_more(source: str, code: bool, spoilers: bool) -> None:
    lines = len(LINE_END.split(source))
    for markup in ("markdown", "bbcode"):
        assert len(typed_text(source, markup, code=code, spoilers=spoilers).split("\n")) == lines
    typed_text(source, "html", code=code, spoilers=spoilers)
