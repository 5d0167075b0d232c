"""What everybody has in a game of Finans, and what it is worth: from the printed tables (finans.toml as plain data)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from rulesets.finans.state import FinansState

DATA = tomllib.loads((Path(__file__).parents[1] / "rulesets" / "finans" / "finans.toml").read_text(encoding="utf-8"))
LOTS: dict[str, dict[str, Any]] = {row["key"]: row for row in DATA["property"]}
SHARES: dict[str, dict[str, Any]] = {row["key"]: row for row in DATA["share"]}
GROUP = {key: row["group"] for key, row in (LOTS | SHARES).items()}
PAPERS = {name: [key for key, group in GROUP.items() if group == name] for name in set(GROUP.values())}


@dataclass
class Books:
    """Who owns what, and where the pieces stand."""

    cash: dict[str, int]
    square: dict[str, int]
    missing: dict[str, int]
    loans: dict[str, int]
    bonds: dict[str, set[int]]
    tips: dict[str, list[str]]
    cars: set[str]
    from_jail: set[str]
    bankrupt: set[str]
    owner: dict[str, str | None]
    built: set[str]
    mortgaged: set[str]
    face_up: str | None

    @classmethod
    def of(cls, state: FinansState) -> Self:
        players = state.players.items()
        return cls(
            cash={seat: sheet.cash for seat, sheet in players},
            square={seat: sheet.square for seat, sheet in players},
            missing={seat: sheet.missing for seat, sheet in players},
            loans={seat: sheet.loans for seat, sheet in players},
            bonds={seat: set(sheet.bonds) for seat, sheet in players},
            tips={seat: sorted(sheet.tips) for seat, sheet in players},
            cars={seat for seat, sheet in players if sheet.car},
            from_jail={seat for seat, sheet in players if sheet.from_jail},
            bankrupt={seat for seat, sheet in players if sheet.bankrupt},
            owner={key: lot.owner for key, lot in state.properties.items()} | state.shares,
            built={key for key, lot in state.properties.items() if lot.built},
            mortgaged={key for key, lot in state.properties.items() if lot.mortgaged},
            face_up=state.face_up,
        )

    def compare(self, other: Books) -> None:
        """Both say the same of what everybody has and where everybody stands."""
        for name in (field.name for field in fields(Books)):
            assert getattr(self, name) == getattr(other, name), name

    def holder(self, group: str) -> str | None:
        """Who owns the complete group."""
        owners = {self.owner[paper] for paper in PAPERS[group]}
        return owners.pop() if len(owners) == 1 else None

    def cost(self, thing: str) -> int:
        """The cost value: a building at the card's price."""
        if thing in SHARES:
            return int(SHARES[thing]["nominal"])
        return int(LOTS[thing]["price"] + LOTS[thing]["building"] * (thing in self.built))

    def lots(self, seat: str) -> list[str]:
        return [key for key in LOTS if self.owner[key] == seat]

    def shares(self, seat: str, groups: Iterable[str]) -> list[str]:
        return [key for key in SHARES if self.owner[key] == seat and GROUP[key] in groups]

    def dividends(self, seat: str, groups: Iterable[str]) -> int:
        return sum(SHARES[key]["dividend"] for key in self.shares(seat, groups))

    def tax(self, seat: str, card: str) -> int:
        match card:
            case "N15":
                return sum(5_000 if key in self.built else 2_000 for key in self.lots(seat))
            case "N16":
                return max(0, self.cash[seat] - 200_000) // 10_000 * 1_000
            case "N17":
                return 10_000 * (seat in self.cars)
        assert card == "N19"
        free = [key for key in self.shares(seat, PAPERS) if self.holder(GROUP[key]) is None]
        return sum(self.cost(key) for key in free) // 10

    def wealth(self, seat: str) -> int:
        """A27: cash, what the Bank would pay for everything less what redemption would cost, the car, less loans."""
        total = self.cash[seat] + 25_000 * (seat in self.cars) - 50_000 * self.loans[seat]
        total += sum(SHARES[key]["repurchase"] for key in self.shares(seat, PAPERS))
        for key in self.lots(seat):
            built = "_built" if key in self.built else ""
            owed = LOTS[key][f"mortgage{built}"] * 11 // 10 if key in self.mortgaged else 0
            total += max(0, LOTS[key][f"repurchase{built}"] - owed)
        return int(total)
