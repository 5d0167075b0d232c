"""The commodity market told a second time, from the rulebook alone, to check the ruleset against.

Plain sums over plain data: a set of orders is `{letter: (units, price)}`, and nothing is shared with the ruleset.
Whether goods can be made is found by trying every way to fill the production chart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Orders = dict[str, tuple[int, int]]
Certificates = dict[str, int]

GRADES, GOODS = "XFS", "ABC"
OPENING = {"X": 40, "F": 30, "S": 20, "A": 140, "B": 115, "C": 90}
CASH = {2: 900, 3: 600, 4: 450, 5: 350, 6: 300}
CAP = {2: 18, 3: 12, 4: 9, 5: 7, 6: 6}
CHART = {"A": {"X": 2, "F": 1, "S": 0}, "B": {"X": 1, "F": 1, "S": 1}, "C": {"X": 0, "F": 1, "S": 2}}


@dataclass
class Sheet:
    """A player's tally sheet."""

    cash: int
    stock: Certificates = field(default_factory=lambda: {"X": 0, "F": 0, "S": 0})
    debt: int = 0


@dataclass
class Market:
    """A game: hand in sets that it does not refuse, and call `turn` for buying and selling alternately."""

    seats: list[str]
    months: int = 12
    loans: bool = False
    partial_purchase: bool = False
    partial_sale: bool = False
    strict: bool = False
    month: int = 1
    phase: str = "buy"

    def __post_init__(self) -> None:
        self.prices = dict(OPENING)
        self.players = {seat: Sheet(CASH[len(self.seats)]) for seat in self.seats}

    def awaited(self) -> list[str]:
        """Everybody buys; only those sell who can make a unit of something."""
        if self.phase == "buy":
            return list(self.seats)
        if self.phase == "over":
            return []
        return [seat for seat in self.seats if any(used(self.players[seat].stock, {good: (1, 1)}) for good in GOODS)]

    def lowest_bid(self, grade: str, units: int) -> int:
        """What the grade would cost if only these units of it were ordered."""
        return max(1, self.prices[grade] + units - 10)

    def refuses(self, seat: str, orders: Orders) -> bool:
        if self.phase == "buy":
            units = [number for number, _ in orders.values()]
            return (
                sum(units) > CAP[len(self.seats)]
                or (len(self.seats) == 2 and max(units, default=0) > 12)
                or any(price < self.lowest_bid(grade, number) for grade, (number, price) in orders.items())
            )
        if seat not in self.awaited():
            return bool(orders)
        return not self.strict and used(self.players[seat].stock, orders) is None

    def turn(self, orders: dict[str, Orders]) -> None:
        if self.phase == "buy":
            self._buy(orders)
            self.phase = "sell"
            return
        self._sell(orders)
        if self.month < self.months:
            self.month += 1
            self.phase = "buy"
        else:
            self._end()
            self.phase = "over"

    def _buy(self, orders: dict[str, Orders]) -> None:
        for grade in GRADES:
            ordered = sum(its[grade][0] for its in orders.values() if grade in its)
            self.prices[grade] = max(1, self.prices[grade] + ordered - 10)
        for seat, its in orders.items():
            sheet = self.players[seat]
            bought: Certificates = {}
            bill = 0
            for grade, (units, bid) in its.items():
                short = max(0, self.prices[grade] - bid)
                if short and not self.partial_purchase:
                    continue
                bought[grade] = max(0, units - short)
                bill += bought[grade] * bid
            if bill > sheet.cash:
                if not self.loans:
                    continue
                while sheet.cash < bill:
                    sheet.cash += 100
                    sheet.debt += 100
            sheet.cash -= bill
            for grade, units in bought.items():
                sheet.stock[grade] += units

    def _sell(self, orders: dict[str, Orders]) -> None:
        honest = {seat: its for seat, its in orders.items() if used(self.players[seat].stock, its) is not None}
        for good in GOODS:
            offered = sum(its[good][0] for its in honest.values() if good in its)
            self.prices[good] = max(1, self.prices[good] + 11 - 2 * offered)
        for seat, its in honest.items():
            sheet = self.players[seat]
            sold: Orders = {}
            for good, (units, ask) in its.items():
                over = max(0, ask - self.prices[good])
                if over and not self.partial_sale:
                    continue
                lost = (over + 1) // 2
                sold[good] = (max(0, units - lost), ask)
            sheet.cash += sum(units * ask for units, ask in sold.values())
            gone = used(sheet.stock, sold)
            assert gone is not None
            for grade, units in gone.items():
                sheet.stock[grade] -= units

    def _end(self) -> None:
        for sheet in self.players.values():
            sheet.cash += sum(units * self.prices[grade] for grade, units in sheet.stock.items())
            sheet.stock = {"X": 0, "F": 0, "S": 0}
            sheet.cash -= sheet.debt // 100 * 125
            sheet.debt = 0

    def public(self) -> dict[str, object]:
        """The position as the public JSON format prescribes it."""
        return {
            "month": self.month,
            "phase": self.phase,
            "prices": dict(self.prices),
            "players": {
                seat: {"cash": sheet.cash, "stock": dict(sheet.stock), "debt": sheet.debt}
                for seat, sheet in self.players.items()
            },
        }

    def standings(self) -> list[list[object]]:
        """Profits, most first, ties in seat order; nothing before the end."""
        if self.phase != "over":
            return []
        profits = [(seat, sheet.cash - CASH[len(self.seats)]) for seat, sheet in self.players.items()]
        return [[seat, profit] for seat, profit in sorted(profits, key=lambda entry: -entry[1])]


def used(stock: Certificates, orders: Orders) -> Certificates | None:
    """The certificates that these goods take, with as few substitutions as possible; None if they cannot be made."""
    need = {grade: sum(units * CHART[good][grade] for good, (units, _) in orders.items()) for grade in GRADES}
    if sum(need.values()) > sum(stock.values()):
        return None
    best = None
    for x_for_f in range(need["F"] + 1):
        for f_for_s in range(need["S"] + 1):
            way = {"X": need["X"] + x_for_f, "F": need["F"] - x_for_f + f_for_s, "S": need["S"] - f_for_s}
            if all(way[grade] <= stock[grade] for grade in GRADES):
                substitutions = x_for_f + f_for_s
                if best is None or substitutions < best[0]:
                    best = (substitutions, way)
    return best[1] if best else None
