"""Producing and trading with companies, and the guild bonus (rulebook, "Producing Goods")."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.events import NotProduced, Output, Produced, Traded
from rulesets.money_maker.orders import ALL, NOTHING, Produce, Trade
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import COLOURS, COMPANIES, SETUP, Card, Colour, Investment


def guild_bonus(state: TableState, seat: Seat, company: Investment) -> int:
    """Two or more cards of one guild: each of them gives one good more."""
    members = sum(COMPANIES[card].guild == company.guild for card in state.banks[seat].cards)
    return SETUP.guild_bonus if members >= SETUP.guild_bonus_from else 0


def produce(state: TableState, seat: Seat, line: Produce) -> Iterator[Event]:
    """The companies that the line names, each once a turn."""
    if line.card == NOTHING:
        return
    bank, done = state.banks[seat], state.facts.produced
    if line.card != ALL and (line.card not in bank.cards or line.card in done):
        yield NotProduced(only=seat, card=line.card, reason="not owned" if line.card not in bank.cards else "done")
        return
    wanted = bank.cards if line.card == ALL else [line.card]
    outputs = [
        make(state, seat, COMPANIES[card]) for card in wanted if card not in done and COMPANIES[card].mode == "produce"
    ]
    done += [output.card for output in outputs]
    if outputs:
        yield Produced(seat=seat, outputs=tuple(outputs))


def make(state: TableState, seat: Seat, company: Investment) -> Output:
    """One company's goods, free from the Natural Reserve, as far as it has them (B20)."""
    colour: Colour = "production" if company.out == "production" else "consumer"
    bonus = guild_bonus(state, seat, company)
    return _take(state, seat, company.name, colour, company.out_n + bonus, bonus)


def _take(state: TableState, seat: Seat, card: Card, colour: Colour, count: int, bonus: int) -> Output:
    market = state.markets[colour]
    some = min(count, market.reserve)
    market.reserve -= some
    state.banks[seat].goods[colour] += some
    return Output(card=card, colour=colour, count=some, bonus=bonus, wanted=count)


def trade(state: TableState, seat: Seat, line: Trade, again: bool = False) -> Iterator[Event]:
    """A trading card: exactly its number of goods in, as many of the other colour out, one more by the bonus (B21)."""
    company = COMPANIES[line.card]
    bank, done = state.banks[seat], state.facts.produced
    given: Colour = next(colour for colour in COLOURS if colour != line.into)
    if line.card not in bank.cards or company.mode != "trade":
        yield NotProduced(only=seat, card=line.card, reason="not owned")
    elif line.card in done and not again:
        yield NotProduced(only=seat, card=line.card, reason="done")
    elif bank.goods[given] < company.out_n:
        yield NotProduced(only=seat, card=line.card, reason="goods", needed=company.out_n, held=bank.goods[given])
    else:
        if not again:
            done.append(line.card)
        bank.goods[given] -= company.out_n
        state.markets[given].reserve += company.out_n
        bonus = guild_bonus(state, seat, company)
        output = _take(state, seat, line.card, line.into, company.out_n + bonus, bonus)
        yield Traded(seat=seat, given=given, count=company.out_n, output=output)
