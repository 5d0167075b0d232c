"""Commodity markets made up by chance, as playthroughs with what the oracle expects of each turn.

Players order sensibly, or at an edge of the rules: caps, lowest bids, their last dollar, one unit more than can be
made, prices that buy or sell a part.  They write as people do, in either language, change their minds and miss
deadlines.  Some games start in the middle, with full hands or with prices near the floor.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.market_oracle import CAP, GOODS, GRADES, Market, Orders, used

NAMES = ["Anna", "Ben", "Cem", "Dora", "Jörg", "Frau Öz", "O'Neil", "X", "A", "Ann", "Émile", "Ben 2"]
TITLES = {"X": "X-Fine", "F": "Fine", "S": "Standard", "A": "A", "B": "B", "C": "C"}
OTHER_TITLES = {
    "X": ["Titanium", "Seide"],
    "F": ["Steel", "Stahl"],
    "S": ["Iron", "Eisen"],
    "A": ["Sword+2", "Großes Schwert"],
    "B": ["Sword+1", "Langschwert"],
    "C": ["Sword", "Dolch"],
}
SHAPES = [
    "{letter}:{units} zu {price}",
    "{letter}: {units} @ {price}",
    "{small} {units} at ${price}",
    "{units} {title} for {price}",
    "{units}x {letter} zu je {price}",
    "{letter}={units}/{price}",
    "{title}: {units} Stück zu {price}",
    "{title}: {units} at {price}",
    "{units} {title} für {price} $",
]
CHAT = ["Viel Glück!", "good luck everybody", "Mal sehen, was dabei herauskommt.", "let's see"]
PASSES = ["pass", "passe", "Pass!", "Passe."]
UNREADABLE = ["{letter}: drei zu 40", "{letter}:3", "{letter}: 3 zu 1.000", "{letter}: 3 zu 40,5", "{letter}: 3 zu -4"]


@dataclass
class Turn:
    """What the public record must say."""

    number: int
    refused: dict[str, int]
    state: dict[str, object]


@dataclass
class Story:
    """A playthrough while it is written; `refused` are how many posts each seat had refused in the turn."""

    chance: Random
    seats: list[str]
    market: Market
    titles: dict[str, str]
    text: list[str]
    turns: list[Turn] = field(default_factory=list)
    sets: dict[str, Orders | None] = field(default_factory=dict)
    """What counts so far in the turn."""

    def write(self, turns: int) -> None:
        """So many turns, and a selling after them that nobody has to post for."""
        number = 0
        while self.market.phase != "over" and (number < turns or not self.market.awaited()):
            number += 1
            awaited = self.market.awaited()
            written = bool(awaited) or self.chance.random() < 0.5
            if written:
                self.text += ["", f"== {number}"]
            refused: dict[str, int] = {}
            sets = self._posts(awaited, refused)
            self.market.turn(sets)
            self.turns.append(Turn(number, refused, self.market.public()))
            if written and self.chance.random() < 0.2:
                self.text.append(self.chance.choice(["look", f"look {self.seats[0]}"]))

    def _posts(self, awaited: list[str], refused: dict[str, int]) -> dict[str, Orders]:
        """Posts of the turn, those of different players mixed; the sets that count are returned."""
        sets = self.sets = dict.fromkeys(awaited)
        missed: set[str] = set()
        again = [seat for seat in awaited if self.chance.random() < 0.4]
        curious = [] if not awaited else [seat for seat in self.seats if self.chance.random() < 0.1]
        for seat in self._mixed([*awaited, *again, *again[:1], *curious]):
            if self.chance.random() < 0.05 and seat in awaited:
                self.text.append(f"({seat}: no orders)")
                sets[seat] = None
                missed.add(seat)
            elif self.chance.random() < 0.04 and seat in awaited:
                self.text.append(f"{seat}> {self.chance.choice(['withdraw', 'zurückziehen'])}")
                sets[seat] = None
            else:
                orders = self._post(seat)
                if orders is None or self.market.refuses(seat, orders):
                    refused[seat] = refused.get(seat, 0) + 1
                elif seat in awaited:
                    sets[seat] = orders
                    missed.discard(seat)
        for seat in awaited:
            if sets[seat] is None and seat not in missed:
                self.text.append(f"({seat}: no orders)")
        return {seat: orders or {} for seat, orders in sets.items()}

    def _mixed(self, seats: list[str]) -> list[str]:
        self.chance.shuffle(seats)
        return seats

    def _post(self, seat: str) -> Orders | None:
        """Writes a post; what it orders, or None if it cannot be read."""
        letters = GRADES if self.market.phase == "buy" else GOODS
        orders = self._bids(seat) if self.market.phase == "buy" else self._offers(seat)
        lines = [self._line(letter, units, price) for letter, (units, price) in orders.items()]
        self.chance.shuffle(lines)
        readable = self.chance.random() > 0.05
        if not readable:
            lines.insert(0, self.chance.choice(UNREADABLE).format(letter=self.chance.choice(letters)))
        elif not orders:
            lines = [self.chance.choice(PASSES)]
        elif self.chance.random() < 0.1:
            letter = next(iter(orders))
            lines.insert(0, self._line(letter, 1, 1))
        if self.chance.random() < 0.3:
            lines = [self.chance.choice([", ", "; "]).join(lines)]
        if self.chance.random() < 0.15:
            lines.insert(self.chance.randint(0, len(lines)), self.chance.choice(CHAT))
        indent = self.chance.choice(["", "  ", "\t"])
        self.text += [f"{indent}{seat}> {lines[0]}", *(f"{indent}    > {line}" for line in lines[1:])]
        return orders if readable else None

    def _line(self, letter: str, units: int, price: int) -> str:
        shape = self.chance.choice(SHAPES)
        title = self.chance.choice([self.titles[letter], self.titles[letter].lower(), letter])
        return shape.format(letter=letter, small=letter.lower(), title=title, units=units, price=price)

    def _posted(self, letter: str, but: str) -> int:
        """Units of it in the posts of the others so far: whoever posts late can nearly know the price."""
        return sum(orders[letter][0] for seat, orders in self.sets.items() if seat != but and letter in (orders or {}))

    def _bids(self, seat: str) -> Orders:
        chance, market, cash = self.chance, self.market, self.market.players[seat].cash
        cap = CAP[len(self.seats)]
        total = chance.choice([cap] * 5 + [chance.randint(1, cap)] * 5 + [cap + 1, 3 * cap])
        grades = chance.sample(GRADES, chance.randint(1, 3))
        orders: Orders = {}
        for place, grade in enumerate(grades, 1):
            units = total if place == len(grades) else chance.randint(0, total)
            units = min(units, 12) if len(self.seats) == 2 and chance.random() < 0.8 else units
            total -= units
            if units:
                lowest = market.lowest_bid(grade, units)
                coming = market.prices[grade] + self._posted(grade, but=seat) + units - 10
                near = coming + chance.choice([chance.randint(-4, 2), chance.randint(0, 9), 15])
                edges = [lowest, lowest - 1, lowest + 1, cash // units, cash // units + 1, (cash + 100) // units, 999]
                price = max(near, lowest) if chance.random() < 0.85 else chance.choice(edges)
                orders[grade] = (units, max(1, price))
        if chance.random() < 0.08:
            return {chance.choice(GRADES): (1, max(1, cash + chance.choice([0, 1, 100, 101])))}
        return orders

    def _offers(self, seat: str) -> Orders:
        chance, stock = self.chance, self.market.players[seat].stock
        units = dict.fromkeys(GOODS, 0)
        for _ in range(chance.choice([1, 3, 30, 30])):
            good = chance.choice(GOODS)
            units[good] += 1
            if used(stock, {name: (number, 1) for name, number in units.items()}) is None:
                units[good] -= 1
        if chance.random() < 0.1:
            units[chance.choice(GOODS)] += chance.choice([1, 2, 20])
        orders: Orders = {}
        for good, number in units.items():
            if number:
                coming = self.market.prices[good] + 11 - 2 * (self._posted(good, but=seat) + number)
                price = coming + chance.choice([0, chance.randint(-8, 1), chance.randint(1, 6), 200])
                orders[good] = (number, max(1, price))
        return orders if chance.random() > 0.05 else {}


def story(chance: Random, most_months: int) -> tuple[str, Story]:
    """A playthrough as text, and what must come of it.  Some games stop before their end."""
    seats = chance.sample(NAMES, chance.randint(2, 6))
    months = chance.randint(1, most_months)
    flags = {name: chance.random() < 0.5 for name in ("loans", "partial_purchase", "partial_sale", "strict")}
    titles = {
        letter: chance.choice(OTHER_TITLES[letter]) if chance.random() < 0.3 else title
        for letter, title in TITLES.items()
    }
    options: list[str] = [f"months={months}"] if months != 12 or chance.random() < 0.5 else []
    options += [f"{name}={str(flag).lower()}" for name, flag in flags.items() if flag or chance.random() < 0.5]
    options += [f"name_{letter}={title}" for letter, title in titles.items() if title != TITLES[letter]]
    chance.shuffle(options)
    head = ["game commodity-market", "seats " + ", ".join(seats), f"language {chance.choice(['de', 'en'])}"]
    head += ["options " + ", ".join(options)] if options else []
    market = Market(seats, months, **flags)
    if chance.random() < 0.5:
        head.append("given " + json.dumps(_middle(chance, market)))
    made = Story(chance, seats, market, titles, ["Made up by chance.", "", *head])
    made.write(2 * months if chance.random() < 0.5 else chance.randint(1, 2 * months))
    return "\n".join(made.text) + "\n", made


def _middle(chance: Random, market: Market) -> dict[str, object]:
    """Puts the market into the middle of a game, and returns the position for the head."""
    market.month = chance.randint(1, market.months)
    market.phase = chance.choice(["buy", "sell", "sell"])
    low = chance.random() < 0.3
    for letter in market.prices:
        market.prices[letter] = chance.randint(1, 12 if low else 60 if letter in GRADES else 200)
    for sheet in market.players.values():
        sheet.cash = chance.choice([sheet.cash, chance.randint(0, 2000)])
        sheet.debt = 100 * chance.randint(0, 4) if market.loans else 0
        sheet.stock = {grade: chance.choice([0, chance.randint(0, 4), chance.randint(0, 36)]) for grade in GRADES}
    return market.public()


def expected(made: Story) -> dict[str, Any]:
    """What the JSON says apart from events and the wording of problems."""
    turns = [{"number": turn.number, "refused": turn.refused, "state": turn.state} for turn in made.turns]
    over = made.market.phase == "over"
    return {"seats": made.seats, "turns": turns, "over": over, "standings": made.market.standings()}
