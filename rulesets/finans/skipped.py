"""Why a line was skipped, in few words: what a whole wish list has in common is said once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from judge.core.ruleset import Event
from judge.core.text import Listing, Text, Value
from rulesets.finans.events import Skipped
from rulesets.finans.table import reasons

MOST_NAMED = 3
"""So many things are named again; more of them are counted."""

_TOO_DEAR = "{thing} costs {price}, and there are {cash}."
_TOO_LITTLE_LEFT = "{thing} costs {price}, and of {cash} then less than {keep} would be left."
_SOLD = "The Bank has no {thing}."


def skipped(events: Iterable[Event]) -> Iterator[tuple[Text, Text]]:
    """Each line that was skipped, and why; a line that names several things may have been skipped for each of them."""
    lines: dict[str, list[Skipped]] = {}
    for event in events:
        if isinstance(event, Skipped):
            lines.setdefault(event.deed.model_dump_json(), []).append(event)
    for told in lines.values():
        yield told[0].deed, shortened([event.why for event in told])


def shortened(whys: Iterable[Text]) -> Text:
    """The reasons of a line; those that differ in the thing alone are one."""
    told = [reason for why in whys for reason in _one_by_one(why)]
    alike: dict[tuple[str, str], list[Text]] = {}
    for reason in told:
        alike.setdefault((reason.text, str([reason.values.get(name) for name in ("cash", "keep")])), []).append(reason)
    return reasons([_together(group, alone=len(alike) == 1) for group in alike.values()])


def _one_by_one(why: Text) -> Iterator[Text]:
    """Reasons in a row (see `reasons`), each for itself."""
    before, last = why.values.get("reason"), why.values.get("another")
    if isinstance(before, Text) and isinstance(last, Text):
        yield from _one_by_one(before)
        yield last
    else:
        yield why


def _together(group: Sequence[Text], alone: bool) -> Text:
    """One sentence for reasons of a sort; `alone` if there is no other, so that nothing need be named again."""
    first = group[0]
    if len(group) == 1 or first.text not in (_TOO_DEAR, _TOO_LITTLE_LEFT, _SOLD):
        return reasons(group)
    values: dict[str, Value] = {name: first.values[name] for name in ("cash", "keep") if name in first.values}
    if alone and first.text == _TOO_DEAR:
        return Text.of("All of it costs more than {cash}.", **values)
    if alone and first.text == _TOO_LITTLE_LEFT:
        return Text.of("Of {cash} less than {keep} would be left.", **values)
    if alone:
        return Text.of("The Bank has none of it.")
    if len(group) > MOST_NAMED:
        return _counted(first.text, len(group), values)
    values["things"] = Listing([reason.values["thing"] for reason in group])
    if first.text == _TOO_DEAR:
        return Text.of("{things} cost more than {cash} each.", **values)
    if first.text == _TOO_LITTLE_LEFT:
        return Text.of("{things} would leave less than {keep} of {cash}.", **values)
    return Text.of("The Bank has no {things}.", **values)


def _counted(sort: str, count: int, values: dict[str, Value]) -> Text:
    if sort == _TOO_DEAR:
        return Text.of("{count} of them cost more than {cash} each.", count=count, **values)
    if sort == _TOO_LITTLE_LEFT:
        return Text.of("{count} of them would leave less than {keep} of {cash}.", count=count, **values)
    return Text.of("{count} of them the Bank has no more.", count=count)
