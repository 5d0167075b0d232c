"""What every installed game must keep to, tried on whole games of bots and of random legal orders.

Beside the installed games the toy of these tests plays along: it has all that a game may have, hidden things too.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.dice import Dice
from judge.core.notation import read, write
from judge.core.order_json import dump_orders, load_orders, parse_orders
from judge.core.orders import Problem, kind_of
from judge.core.report import Report
from judge.core.ruleset import AnyRuleset, Options, State, View, resolve_turn, visible
from judge.core.text import Listing, Text, Value
from judge.language import LANGUAGES, Voice
from judge.registry import rulesets
from judge.render import render
from tests.games import (
    Turn,
    bounds,
    by_chance,
    chance,
    played,
    random_orders,
    refusals,
    seats,
)
from tests.hidden import RESHUFFLED
from tests.laws import LAWS
from tests.toy_ruleset import ruleset as lots

RULESETS: list[AnyRuleset] = [*rulesets().values(), lots]
SHORT = 8
"""Turns of a game of random orders: enough to get everywhere."""

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
every_installed = pytest.mark.parametrize("ruleset", rulesets().values(), ids=lambda ruleset: ruleset.name)
seeds = st.integers(0, 1 << 32).map(str)


@st.composite
def options(draw: st.DrawFn, ruleset: AnyRuleset) -> Options:
    """Any options of the game, lengths on the short side; text fields stay as they are."""
    chosen: dict[str, Any] = {}
    for name, field in ruleset.Options.model_fields.items():
        if field.annotation is bool:
            chosen[name] = draw(st.booleans())
        elif field.annotation is int:
            low, high = bounds(field)
            chosen[name] = draw(st.integers(low, min(high, low + 5)))
    return ruleset.Options.model_validate(chosen)


def drawn_game(ruleset: AnyRuleset, data: st.DataObject, hidden: str | None = None) -> list[Turn]:
    """A game of any size with any options, by bots or by chance."""
    players = data.draw(st.sampled_from(list(ruleset.seats)))
    give = data.draw(st.sampled_from([None, by_chance(ruleset)]))
    return played(ruleset, players, data.draw(seeds), data.draw(options(ruleset)), give, hidden, most=SHORT)


def voice(ruleset: AnyRuleset, language: str) -> Voice:
    return Voice.of(ruleset, language)


@every_installed
def test_rules_can_be_read_in_every_language(ruleset: AnyRuleset) -> None:
    for name in ("RULES.md", *(f"RULES.{language}.md" for language in LANGUAGES if language != "en")):
        rules = (ruleset.folder / name).read_text(encoding="utf-8")
        assert rules.startswith("# ")
        for option in ruleset.Options.model_fields:
            mentioned = f"`{option}`" in rules or re.search(rf"`{re.escape(option[:-1])}\w`", rules)
            assert mentioned, f"{name} does not explain the option {option}"


@every_installed
def test_rules_document_the_public_state(ruleset: AnyRuleset) -> None:
    public = played(ruleset, ruleset.seats[0], "fields", most=1)[0].before
    rules = (ruleset.folder / "RULES.md").read_text(encoding="utf-8")
    for field in ruleset.view(public, None).model_dump(mode="json"):
        assert f'"{field}"' in rules or f"`{field}`" in rules, f"RULES.md does not explain {field}"


@every_installed
def test_every_option_and_order_has_labels(ruleset: AnyRuleset) -> None:
    assert set(ruleset.Options.labels) == set(ruleset.Options.model_fields)
    for kind in ruleset.orders:
        assert set(kind.labels) | {"kind"} >= set(kind.model_fields), kind.__name__
        assert set(kind.notation.write) >= set(LANGUAGES), kind.__name__


@every_ruleset
def test_every_game_has_its_law(ruleset: AnyRuleset) -> None:
    assert ruleset.name in LAWS, f"write the law of {ruleset.name} in tests/laws.py"


@every_ruleset
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_the_law_holds_in_every_turn(ruleset: AnyRuleset, data: st.DataObject) -> None:
    """T140."""
    for turn in drawn_game(ruleset, data):
        LAWS[ruleset.name](turn)


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_the_order_of_arrival_changes_nothing(ruleset: AnyRuleset, data: st.DataObject) -> None:
    """T141."""
    for number, turn in enumerate(drawn_game(ruleset, data), 1):
        shuffled = dict(data.draw(st.permutations(list(turn.orders.items()))))
        one = resolve_turn(ruleset, turn.before, turn.orders, chance("arrival", number))
        assert resolve_turn(ruleset, turn.before, shuffled, chance("arrival", number)) == one


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_a_game_goes_on_from_what_was_stored(ruleset: AnyRuleset, data: st.DataObject) -> None:
    """T143: positions, orders and events are JSON there and back, and the turn resolves alike from them."""
    for number, turn in enumerate(drawn_game(ruleset, data), 1):
        stored = ruleset.State.model_validate_json(turn.before.model_dump_json())
        assert stored == turn.before
        orders = {seat: load_orders(dump_orders(lines), ruleset.orders) for seat, lines in turn.orders.items()}
        assert orders == {seat: list(lines) for seat, lines in turn.orders.items()}
        after, events = resolve_turn(ruleset, stored, orders, chance("stored", number))
        assert (after, events) == resolve_turn(ruleset, turn.before, turn.orders, chance("stored", number))
        assert [type(event).model_validate_json(event.model_dump_json()) for event in events] == events


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_asking_and_resolving_leave_the_position_alone(ruleset: AnyRuleset, data: st.DataObject) -> None:
    for turn in drawn_game(ruleset, data):
        before = copy.deepcopy(turn.before)
        for seat, ask in ruleset.asks(turn.before).items():
            view = ruleset.view(turn.before, seat)
            seen = copy.deepcopy(view)
            if ask.forced is None:
                ruleset.bot(view, seat, ask, Dice(b"look"))
            list(ruleset.check(turn.before, seat, turn.orders[seat]))
            ruleset.show(view)
            assert view == seen
        resolve_turn(ruleset, turn.before, turn.orders, chance("again", 1))
        ruleset.standings(turn.before)
        assert turn.before == before


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_forced_and_default_orders_are_legal(ruleset: AnyRuleset, data: st.DataObject) -> None:
    for turn in drawn_game(ruleset, data):
        for seat, ask in ruleset.asks(turn.before).items():
            given_up = ruleset.default_orders(turn.before, seat) if ask.forced is None else ask.forced
            assert refusals(ruleset, turn.before, seat, ask, given_up) == []


@every_ruleset
def test_games_of_bots_are_legal_end_and_can_be_played_again(ruleset: AnyRuleset) -> None:
    for players in ruleset.seats:
        game = played(ruleset, players, "bots")
        assert ruleset.asks(game[-1].after) == {}
        for turn in game:
            for seat, ask in ruleset.asks(turn.before).items():
                assert refusals(ruleset, turn.before, seat, ask, turn.orders[seat]) == []
        assert {seat for seat, _ in ruleset.standings(game[-1].after)} == set(seats(ruleset, players))
        assert played(ruleset, players, "bots") == game


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_illegal_orders_are_refused_with_a_reason_in_words(ruleset: AnyRuleset, data: st.DataObject) -> None:
    """T144: whatever is handed in, each refusal says what is wrong; JSON of the wrong form names its field."""
    chooser = random.Random(data.draw(seeds))
    for turn in drawn_game(ruleset, data):
        for seat, ask in ruleset.asks(turn.before).items():
            if ask.forced is not None:
                continue
            wild = random_orders(ask, chooser, reckless=True)
            for problem in refusals(ruleset, turn.before, seat, ask, wild):
                assert complete(ruleset, problem.text)
            for line in dump_orders(wild):
                name = chooser.choice(sorted(line))
                wrong = [{**line, name: -7}, {**line, name: [[1]]}, {**line, "zz": 1}]
                if not may_be_left_out(ruleset, line, name):
                    wrong.append({**line, name: None})
                for nonsense in wrong:
                    found = [problem for problem in parse_orders([nonsense], ask)[1] if not problem.warning]
                    assert found, nonsense
                    assert all(complete(ruleset, problem.text) and problem.line == 1 for problem in found)
                    assert name == "kind" or found[0].field in (name, "zz")


def may_be_left_out(ruleset: AnyRuleset, line: dict[str, Any], name: str) -> bool:
    kind = next(kind for kind in ruleset.orders if kind_of(kind) == line["kind"])
    field = kind.model_fields[name]
    return not field.is_required() and field.default is None


def complete(ruleset: AnyRuleset, text: Text) -> bool:
    """Whether the sentence can be said in every language, every gap filled."""
    said = [voice(ruleset, language).say(text) for language in LANGUAGES]
    return all(sentence and not re.search(r"\{\w+\}", sentence) for sentence in said)


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_every_event_and_report_can_be_said_in_every_language(ruleset: AnyRuleset, data: st.DataObject) -> None:
    for turn in drawn_game(ruleset, data):
        for event in turn.events:
            assert complete(ruleset, event.tell())
        for reader in (None, *turn.orders):
            blocks = tuple(ruleset.report(ruleset.view(turn.after, reader), visible(turn.events, reader)))
            for language in LANGUAGES:
                said = render(Report(title=Text.of("Turn"), blocks=blocks), "txt", voice(ruleset, language))
                assert not re.search(r"\{\w+\}", said)


@every_installed
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_every_sentence_of_a_game_is_translated(ruleset: AnyRuleset, data: st.DataObject) -> None:
    catalogue = ruleset.folder / "locale" / "de" / "LC_MESSAGES" / "messages.po"
    with catalogue.open("rb") as source:
        translated = {message.id for message in read_po(source, locale="de") if message.string}
    for turn in drawn_game(ruleset, data):
        asks = ruleset.asks(turn.before).values()
        texts = [event.tell() for event in turn.events]
        texts += [ask.prompt for ask in asks] + [total.label for ask in asks for total in ask.totals]
        texts += [rule.says for ask in asks for rule in (*ask.limits, *ask.minimums)]
        texts += [ask.at_hand for ask in asks if ask.at_hand is not None]
        texts += [label for ask in asks for rows in ask.facts.values() for label, _ in rows]
        for text in texts:
            for part in parts(text):
                if re.search(r"[a-z]{2}", re.sub(r"\{\w+\}", "", part.text)):
                    assert ((part.text, part.plural) if part.plural else part.text) in translated


def parts(value: Value) -> Iterator[Text]:
    """The sentence and all sentences in its gaps."""
    if isinstance(value, Text):
        yield value
        for inner in value.values.values():
            yield from parts(inner)
    elif isinstance(value, Listing):
        for inner in value.items:
            yield from parts(inner)


@every_ruleset
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_what_is_written_is_read_again(ruleset: AnyRuleset, data: st.DataObject) -> None:
    """The writer of orders and their reader are inverses, in every language and position."""
    chooser = random.Random(data.draw(seeds))
    for turn in drawn_game(ruleset, data):
        for ask in ruleset.asks(turn.before).values():
            orders = random_orders(ask, chooser, reckless=True)
            for language in LANGUAGES:
                text = "\n".join(write(order, ask, language) for order in orders)
                reading = read(text, ask, language=language)
                assert [problem.text.text for problem in reading.problems] == []
                assert list(reading.orders) == orders


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_equal_views_give_equal_answers_whatever_is_hidden(ruleset: AnyRuleset, data: st.DataObject) -> None:
    """Two games that differ only in what nobody may see: as long as a reader sees the same, he is told the same."""
    players = data.draw(st.sampled_from(list(ruleset.seats)))
    seed, chosen = data.draw(seeds), data.draw(options(ruleset))
    one, other = (
        played(ruleset, players, seed, chosen, by_chance(ruleset), hidden, most=SHORT) for hidden in ("red", "blue")
    )
    for left, right in zip(one, other, strict=False):
        public = (ruleset.view(left.before, None), ruleset.view(right.before, None))
        if public[0] == public[1]:
            asked = ruleset.asks(left.before), ruleset.asks(right.before)
            assert list(asked[0]) == list(asked[1])
            assert [ask.forced for ask in asked[0].values()] == [ask.forced for ask in asked[1].values()]
        for reader in (None, *seats(ruleset, players)):
            assert_same_answers(ruleset, reader, left, right, random.Random(seed))
        if left.orders != right.orders:
            return


def assert_same_answers(
    ruleset: AnyRuleset, reader: str | None, left: Turn, right: Turn, chooser: random.Random
) -> None:
    before = ruleset.view(left.before, reader), ruleset.view(right.before, reader)
    if before[0] == before[1]:
        assert ruleset.show(before[0]) == ruleset.show(before[1])
        asks = ruleset.asks(left.before).get(reader or ""), ruleset.asks(right.before).get(reader or "")
        assert asks[0] == asks[1]
        if reader is not None and asks[0] is not None and asks[1] is not None:
            drawn = random_orders(asks[0], chooser, reckless=True)
            assert list_of(ruleset, left.before, reader, drawn) == list_of(ruleset, right.before, reader, drawn)
            if asks[0].forced is None:
                bots = [ruleset.bot(view, reader, asks[0], Dice(b"same")) for view in before]
                assert bots[0] == bots[1]
    told = visible(left.events, reader), visible(right.events, reader)
    after = ruleset.view(left.after, reader), ruleset.view(right.after, reader)
    if after[0] == after[1] and told[0] == told[1]:
        assert ruleset.report(after[0], told[0]) == ruleset.report(after[1], told[1])


@every_ruleset
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_what_others_hide_changes_nothing_for_a_reader(ruleset: AnyRuleset, data: st.DataObject) -> None:
    """The same position with other cards in other hands: view, form, checks and bot of a seat stay the same."""
    chooser = random.Random(data.draw(seeds))
    assert ruleset.name in RESHUFFLED, f"say in tests/hidden.py what {ruleset.name} hides"
    for turn in drawn_game(ruleset, data):
        for reader in (None, *ruleset.asks(turn.before)):
            state = turn.before
            other = RESHUFFLED[ruleset.name](state, reader, chooser)
            view = ruleset.view(state, reader)
            assert ruleset.view(other, reader) == view
            assert ruleset.show(ruleset.view(other, reader)) == ruleset.show(view)
            asks, others = ruleset.asks(state), ruleset.asks(other)
            assert [(seat, ask.forced) for seat, ask in asks.items()] == [
                (seat, ask.forced) for seat, ask in others.items()
            ]
            if reader is None:
                continue
            assert others[reader] == asks[reader]
            assert ruleset.default_orders(other, reader) == ruleset.default_orders(state, reader)
            drawn = random_orders(asks[reader], chooser, reckless=True)
            assert list_of(ruleset, other, reader, drawn) == list_of(ruleset, state, reader, drawn)
            if asks[reader].forced is None:
                assert ruleset.bot(view, reader, others[reader], Dice(b"same")) == ruleset.bot(
                    view, reader, asks[reader], Dice(b"same")
                )


def list_of(ruleset: AnyRuleset, state: State, seat: str, orders: Any) -> list[Problem]:
    return list(ruleset.check(state, seat, orders))


@every_ruleset
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_a_seat_sees_at_least_what_everybody_sees(ruleset: AnyRuleset, data: st.DataObject) -> None:
    for turn in drawn_game(ruleset, data):
        public = shown(ruleset.view(turn.after, None))
        for seat in turn.orders:
            own = shown(ruleset.view(turn.after, seat))
            assert {name: own[name] for name, value in public.items() if value is not None} == {
                name: value for name, value in public.items() if value is not None
            }


def shown(view: View) -> dict[str, Any]:
    return view.model_dump(mode="json")
