"""Valid orders of any kind, made from what its fields and the position allow: for tests over all rulesets."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from judge.core.orders import Ask, Order

MOST = 10**9
"""Where a number has no upper bound of its own."""


def orders_for(ask: Ask) -> st.SearchStrategy[Order]:
    """One order of any kind that is asked, within the bounds of its fields and the choices of the position."""
    return st.one_of([_orders_of(kind, ask) for kind in ask.kinds])


def _orders_of(kind: type[Order], ask: Ask) -> st.SearchStrategy[Order]:
    fields = {
        name: _values(info.annotation, info, kind, name, ask)
        for name, info in kind.model_fields.items()
        if name != "kind"
    }
    return st.fixed_dictionaries(fields).map(lambda values: _order(kind, values)).filter(bool)


def _order(kind: type[Order], values: dict[str, Any]) -> Any:
    """The order, or None where the fields do not go together."""
    try:
        return kind(**values)
    except ValidationError:
        return None


def _values(annotation: Any, info: FieldInfo, kind: type[Order], name: str, ask: Ask) -> st.SearchStrategy[Any]:
    choices = ask.choices_for(kind, name)
    origin = get_origin(annotation)
    if origin is Annotated:
        return _values(get_args(annotation)[0], info, kind, name, ask)
    if origin in (Union, UnionType):
        inner = next(part for part in get_args(annotation) if part is not NoneType)
        return st.none() | _values(inner, info, kind, name, ask)
    if origin is tuple:
        items = _values(get_args(annotation)[0], info, kind, name, ask)
        least = _bound(info, "min_length", 0)
        return st.lists(items, min_size=least, max_size=_bound(info, "max_length", least + 3)).map(tuple)
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        least = max(_bound(info, "ge", 0), _bound(info, "gt", -1) + 1)
        return st.integers(least, min(_bound(info, "le", MOST), _bound(info, "lt", MOST + 1) - 1))
    if choices is not None:
        return st.sampled_from([choice.value for choice in choices])
    if origin is Literal:
        return st.sampled_from(get_args(annotation))
    raise TypeError(f"no orders can be made up for {kind.__name__}.{name}")


def _bound(info: FieldInfo, rule: str, otherwise: int) -> int:
    return next((getattr(found, rule) for found in info.metadata if hasattr(found, rule)), otherwise)
