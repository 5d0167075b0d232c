"""Why a line was skipped, in few words: what a whole wish list has in common is said once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from judge.core.ruleset import Event
from judge.core.text import Listing, Text, Value
from rulesets.finans.events import Skipped

MOST_NAMED = 3
"""So many things are named again; more of them are counted."""

_TOO_DEAR = "There are only {cash}, and {thing} costs {price}."
_TOO_LITTLE_LEFT = "Of {cash} less than {keep} would be left: {thing} costs {price}."
_SOLD = "The Bank has no {thing}."


def skipped(events: Iterable[Event]) -> Iterator[tuple[Text, Text]]:
    """Each line that was skipped, and why; a line that names several things may have been skipped for each of them."""
    lines: dict[str, list[Skipped]] = {}
    for event in events:
        if isinstance(event, Skipped):
            lines.setdefault(event.deed.model_dump_json(), []).append(event)
    for told in lines.values():
        yield briefly(told[0].deed), shortened([event.whys for event in told])


def briefly(deed: Text) -> Text:
    """A line by the first things that it names, since a wish list may name all that the Bank has."""
    values = dict(deed.values)
    words, things = values.get("deed"), values.get("things")
    if isinstance(words, Text):
        values["deed"] = briefly(words)
    if isinstance(things, Listing) and len(things.items) > MOST_NAMED + 1:
        more = Text.of("{count} more", count=len(things.items) - MOST_NAMED)
        values["things"] = Listing([*things.items[:MOST_NAMED], more])
    return deed.model_copy(update={"values": values})


def shortened(whys: Sequence[Sequence[Text]]) -> Text:
    """The reasons of a line, as often as it was skipped; those that differ in the thing alone are one.

    Several reasons at once are those of a wish list of which nothing was to be had: if they are alike, they need not
    name it again.  One after the other they are about single things, beside which others may have been done.
    """
    alike: dict[tuple[str, str], list[Text]] = {}
    for reason in _by_what_is_kept([reason for at_once in whys for reason in at_once]):
        alike.setdefault((reason.text, str([reason.values.get(name) for name in ("cash", "keep")])), []).append(reason)
    return Text.joined([_together(group, alone=len(alike) == len(whys) == 1) for group in alike.values()])


def _by_what_is_kept(whys: Sequence[Text]) -> Iterator[Text]:
    """What costs more than there is leaves less than is to be kept as well: beside such reasons it is one of them."""
    keep = next((why.values["keep"] for why in whys if why.text == _TOO_LITTLE_LEFT), None)
    for why in whys:
        if why.text == _TOO_DEAR and keep is not None:
            yield why.model_copy(update={"text": _TOO_LITTLE_LEFT, "values": {**why.values, "keep": keep}})
        else:
            yield why


def _together(group: Sequence[Text], alone: bool) -> Text:
    """One sentence for reasons of a sort; `alone` if there is no other, so that nothing need be named again."""
    first = group[0]
    if len(group) == 1 or first.text not in (_TOO_DEAR, _TOO_LITTLE_LEFT, _SOLD):
        return Text.joined(group)
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
        return Text.of("Each of these costs more than {cash}: {things}.", **values)
    if first.text == _TOO_LITTLE_LEFT:
        return Text.of("Of {cash} each of these would leave less than {keep}: {things}.", **values)
    return Text.of("The Bank has no {things}.", **values)


def _counted(sort: str, count: int, values: dict[str, Value]) -> Text:
    if sort == _TOO_DEAR:
        return Text.of("{count} of them cost more than {cash} each.", count=count, **values)
    if sort == _TOO_LITTLE_LEFT:
        return Text.of("{count} of them would leave less than {keep} of {cash}.", count=count, **values)
    return Text.of("{count} of them the Bank has no more.", count=count)
