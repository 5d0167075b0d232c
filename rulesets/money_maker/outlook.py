"""What a bot reckons before it orders: how long the game will last, what a company brings, what debts are safe.

Everything comes from the public table and from its own vault; what others have in theirs it can only guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from judge.core.ruleset import Seat
from rulesets.money_maker.markets import prices_of, sale_prices
from rulesets.money_maker.state import Market
from rulesets.money_maker.tables import (
    COLOURS,
    COMPANIES,
    PRISON,
    SETUP,
    TABLES,
    Card,
    Colour,
    Investment,
    Sector,
    ring_of,
)
from rulesets.money_maker.view import BankView, TableView, VaultView

STEPS_A_TURN = 0.5
"""How fast the chip moves on the meter, in games of bots."""

LEADING_SHARE = 1.6
"""Companies that the bank with most of them wins in a round."""

LATE_ROUNDS = 1.0
"""With so many rounds left or fewer, what counts is the score sheet."""


@dataclass(frozen=True)
class Outlook:
    """The game as one bank sees it."""

    view: TableView
    seat: Seat
    vault: VaultView

    @property
    def bank(self) -> BankView:
        return self.view.banks[self.seat]

    @property
    def others(self) -> list[Seat]:
        """The other banks that are not bankrupt."""
        return [seat for seat, bank in self.view.banks.items() if seat != self.seat and not bank.bankrupt]

    @cached_property
    def rounds_left(self) -> float:
        """Until the first ending that is in sight: ten cards, none left, or the last bank run."""
        view, alive = self.view, 1 + len(self.others)
        most = max(len(bank.cards) for bank in view.banks.values())
        runs = SETUP.end_bank_runs[view.options.length] - view.runs
        steps = runs * view.meter_length - view.meter
        return max(
            0.5,
            min(
                (SETUP.end_cards - most) / LEADING_SHARE,
                (view.pile + len(view.row)) / alive,
                steps / STEPS_A_TURN / alive,
            ),
        )

    @property
    def short(self) -> bool:
        """Whether it is a bank run's short bank."""
        return self.view.run is not None and self.seat in self.view.run.short

    @property
    def late(self) -> bool:
        return self.rounds_left <= LATE_ROUNDS

    @property
    def turns_to_run(self) -> float:
        """Own turns before the next bank run, on average."""
        return (self.view.meter_length - self.view.meter) / STEPS_A_TURN / (1 + len(self.others))

    # What goods and companies bring

    def prices(self, colour: Colour, count: int) -> list[int]:
        """What so many goods would bring now, one after the other."""
        return sale_prices(self._market(colour), count, self.view.options.sell_to)

    def opening(self, card: Card) -> int:
        """What the auction of a card would open at now."""
        company = COMPANIES[card]
        return sum(prices_of(self._market(company.ask), company.ask_n))

    def _market(self, colour: Colour) -> Market:
        seen = self.view.markets[colour]
        return Market(slots=seen.slots, reserve=seen.reserve)

    @cached_property
    def good(self) -> dict[Colour, float]:
        """What a good of each colour brings in the next turns: a good more than now, since markets empty."""
        return {colour: max(1.5, sum(self.prices(colour, 4)) / 4) for colour in COLOURS}

    def worth(self, card: Card) -> int:
        """A company's goods until the end, and its own value on the score sheet."""
        company = COMPANIES[card]
        price = self.view.markets[company.ask].buying_price
        return round(self._goods_a_turn(company) * self.rounds_left + company.ask_n * price)

    def _goods_a_turn(self, company: Investment) -> float:
        """Its output each turn in gold, with the guild bonus that it gets, and that it brings to a single relative."""
        kin = sum(COMPANIES[card].guild == company.guild for card in self.bank.cards if card != company.name)
        bonus = 2 if kin == 1 and company.name not in self.bank.cards else min(kin, 1)
        if company.mode == "trade":
            return company.out_n * abs(self.good["production"] - self.good["consumer"]) / 2 + bonus
        colour: Colour = "production" if company.out == "production" else "consumer"
        return (company.out_n + bonus) * self.good[colour]

    def asked(self, colour: Colour) -> int:
        """How many goods of a colour own companies ask for: so much does a price of 1 more add to the score sheet."""
        return sum(COMPANIES[card].ask_n for card in self.bank.cards if COMPANIES[card].ask == colour)

    @cached_property
    def leads(self) -> bool:
        """Whether its own bank is the richest, if the gold of the others is spread evenly over their vaults."""
        gold = TABLES.gold.total - self.view.reserve - self.vault.gold
        in_sight = self.view.in_sight[-1]
        own = in_sight[self.seat] + self.vault.gold + sum(self.vault.goods.values())
        return all(own >= in_sight[other] + gold / len(self.others) for other in self.others)

    # What debts are safe

    @property
    def need(self) -> int:
        """What must be paid at once for the next promotion; 0 if there is none."""
        rating = self.bank.rating
        return ring_of(rating + 1).need if PRISON < rating < len(TABLES.ring) else 0

    @cached_property
    def cover(self) -> int:
        """What could pay debts when the next bank run comes: gold, credit of others, and what is sold until then."""
        goods = sum(n * min(self.good[colour], 2) for colour, n in self.vault.goods.items())
        income = sum(self._goods_a_turn(COMPANIES[card]) for card in self.bank.cards)
        claims = sum(n for seat, n in self.bank.claims.items() if not self.view.banks[seat].bankrupt)
        return int(self.vault.gold + claims / 2 + goods / 2 + income * min(2.5, self.turns_to_run * 2 / 3))

    @property
    def dice(self) -> int:
        """Sector dice of the next bank run."""
        return 2 if self.view.runs + 1 >= SETUP.second_sector_die_from_run else 1

    def exposure(self, block: int) -> int:
        """The most that falls due if a run hits this block."""
        board = self.bank.board
        beside = sorted((board[at] for at in range(len(board)) if at != block), reverse=True)
        return board[block] + sum(beside[: self.dice - 1])

    @property
    def heaviest(self) -> int:
        return max(range(len(self.bank.board)), key=self.bank.board.__getitem__)

    @property
    def lightest(self) -> int:
        return min(range(len(self.bank.board)), key=self.bank.board.__getitem__)

    @property
    def covered(self) -> bool:
        """Whether gold alone would pay the worst run now."""
        return self.exposure(self.heaviest) <= self.vault.gold

    @property
    def block(self) -> int:
        """Where new credit goes: on the fullest block until paying it off promotes, else on the emptiest."""
        filling = self.bank.board[self.heaviest] < self.need <= self.cover
        return self.heaviest if filling else self.lightest

    def sector(self, block: int) -> Sector:
        return self.bank.blocks[block][0]

    @property
    def unissued(self) -> int:
        """Its own credit that is still in its hands."""
        due = 0 if self.view.run is None else self.view.run.due.get(self.seat, 0)
        return TABLES.credit.max_issued - self.bank.credit_on_board - self.bank.credit_to_others - due

    @property
    def budget(self) -> int:
        """What it can spend without owing more than it could pay."""
        return max(0, self.cover - self.exposure(self.block))

    def income(self) -> Iterator[tuple[Colour, int]]:
        """The goods that own companies make in a turn, by colour."""
        for colour in COLOURS:
            makers = [COMPANIES[card] for card in self.bank.cards if COMPANIES[card].out == colour]
            yield colour, sum(company.out_n for company in makers)
