"""The pictures of RULES.md: the board in the middle of a game, and the rulebook's board meeting as a sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.core.dice import Dice
from judge.core.picture import Box, Caption, Paint, Path, Picture, Shape
from judge.core.text import Money, Player, Text
from rulesets.finans.names import GROUP_TITLES, PROPERTY_TITLES, share_title
from rulesets.finans.roundtrip import round_trip
from rulesets.finans.state import FinansOptions, FinansState, FinansView, setup
from rulesets.finans.viewing import view

ANNA, BEN, CEM = "Anna", "Ben", "Cem"
WIDTH, HEIGHT = 372, 318


def _position() -> FinansView:
    """Anna stands in the Bank and owns the Crafts House; Ben has built, Cem has mortgaged; times are good."""
    state = setup((ANNA, BEN, CEM), FinansOptions(), Dice(b"the pictures of the rules"))
    data = state.model_dump(mode="json") | {"first": ANNA, "face_up": "N01", "round": 31}
    data["players"][ANNA] |= {"square": 36, "cash": 231000}
    data["players"][BEN] |= {"square": 12, "cash": 84500, "car": True, "loans": 1}
    data["players"][CEM] |= {"square": 24, "cash": 47000, "missing": 2}
    owners = {
        ANNA: ("cobbler", "joiner", "tailor", "furniture", "grocery"),
        BEN: ("bookshop", "steel", "shipyard"),
        CEM: ("radio", "insurance"),
    }
    for seat, keys in owners.items():
        for key in keys:
            data["properties"][key]["owner"] = seat
    for key in ("cobbler", "tailor", "bookshop", "steel"):
        data["properties"][key]["built"] = True
    data["properties"]["radio"]["mortgaged"] = True
    data["shares"] |= {"crafts_1": ANNA, "crafts_2": ANNA, "crafts_3": ANNA, "business_1": ANNA}
    data["shares"] |= {"business_2": BEN, "business_3": CEM}
    return view(FinansState.model_validate(data), None)


def _meeting() -> Picture:
    """Anna's meeting of the Business Centre: what she puts up, and where it goes (rulebook, "Board Meetings")."""
    shapes: list[Shape] = [
        Caption(
            x=WIDTH / 2,
            y=18,
            text=Text.of("{who}: board meeting of {group}", who=Player(ANNA), group=GROUP_TITLES["business"]),
            size=13,
            bold=True,
            room=WIDTH - 8,
        ),
        *_row(32, "seat2", Player(BEN), Text.of("{name} (built on)", name=PROPERTY_TITLES["bookshop"]), 40_000),
        *_row(58, "seat2", Player(BEN), share_title("business_2"), 50_000),
        *_row(84, "seat3", Player(CEM), share_title("business_3"), 50_000),
        *_sum(125, Text.of("These papers cost"), 140_000),
        *_sum(143, Text.of("The fee that Anna chooses"), 80_000),
        Path(points=((10, 150), (WIDTH - 10, 150)), edge="line"),
        *_outcome(10, Text.of("8 or less: success"), "good"),
        *_gets(10, 188, "seat2", Player(BEN), _two(90_000, 25_000)),
        *_gets(10, 212, "seat3", Player(CEM), _two(50_000, 25_000)),
        *_gets(10, 236, "quiet", Text.of("Bank"), 30_000),
        *_gets(10, 260, "seat1", Player(ANNA), Text.of("the papers")),
        Caption(x=18, y=302, text=Text.of("Complete: double rents."), size=11, anchor="start"),
        *_outcome(192, Text.of("9 or more: failure"), "bad"),
        *_gets(192, 188, "quiet", Text.of("Bank"), 80_000),
        *_gets(192, 212, "seat1", Player(ANNA), Text.of("{amount} back", amount=140_000)),
        Caption(x=200, y=302, text=Text.of("Nothing changes hands."), size=11, anchor="start"),
    ]
    return Picture(
        title=Text.of("A board meeting"),
        width=WIDTH,
        height=HEIGHT,
        shapes=tuple(shapes),
        alt=Text.of(
            "{papers} for the papers and a fee of {fee}: with 8 or less the sellers get their price and share the fee "
            "with the Bank, with 9 or more the Bank keeps the fee.",
            papers=Money(140_000),
            fee=Money(80_000),
        ),
    )


def _row(y: float, paint: Paint, who: Player, paper: Text, cost: int) -> Iterator[Shape]:
    """A paper of an opponent, and what it costs."""
    yield Box(x=10, y=y, width=WIDTH - 20, height=22, paint="tint3", round=3)
    yield Box(x=14, y=y + 3, width=40, height=16, paint=paint, edge="none", round=3)
    yield Caption(x=34, y=y + 15, text=who, size=11, paint="on seat", bold=True, room=38)
    yield Caption(x=64, y=y + 15, text=paper, size=12, anchor="start", room=200)
    yield Caption(x=WIDTH - 16, y=y + 15, text=cost, size=12, anchor="end")


def _sum(y: float, words: Text, amount: int) -> Iterator[Shape]:
    yield Caption(x=64, y=y, text=words, size=12, anchor="start", room=220)
    yield Caption(x=WIDTH - 16, y=y, text=amount, size=12, anchor="end", bold=True)


def _outcome(x: float, words: Text, paint: Paint) -> Iterator[Shape]:
    """The frame of what follows from the throw."""
    yield Box(x=x, y=158, width=170, height=152, edge=paint, round=4)
    yield Caption(x=x + 85, y=177, text=words, size=12, bold=True, room=168)


def _gets(x: float, y: float, paint: Paint, who: Player | Text, what: Text | int) -> Iterator[Shape]:
    yield Box(x=x + 8, y=y, width=52, height=18, paint=paint, edge="none", round=3)
    yield Caption(x=x + 34, y=y + 13, text=who, size=11, paint="on seat", bold=True, room=50)
    yield Caption(x=x + 66, y=y + 13, text=what, size=11.5, anchor="start", room=102)


def _two(price: int, fee: int) -> Text:
    return Text.of("{price} + {fee}", price=price, fee=fee)


PICTURES: Mapping[str, Picture] = {"board": round_trip(_position()), "meeting": _meeting()}
