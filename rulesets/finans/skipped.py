"""Why a line was skipped, in few words: what a whole wish list has in common is said once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.text import Listing, Text, Value
from rulesets.finans.table import reasons

_TOO_DEAR = "{thing} costs {price}, and there are {cash}."
_TOO_LITTLE_LEFT = "{thing} costs {price}, and of {cash} then less than {keep} would be left."
_SOLD = "The Bank has no {thing}."


def shortened(why: Text) -> Text:
    """The reasons of a line; those that differ in the thing alone are one."""
    told = list(_one_by_one(why))
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
    values["things"] = Listing([reason.values["thing"] for reason in group])
    if first.text == _TOO_DEAR:
        return Text.of("{things} cost more than {cash} each.", **values)
    if first.text == _TOO_LITTLE_LEFT:
        return Text.of("{things} would leave less than {keep} of {cash}.", **values)
    return Text.of("The Bank has no {things}.", **values)
