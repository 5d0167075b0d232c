"""The law of Finans: every crown, paper, bond, loan and card is accounted for, as the events tell.

Written from the rulebook and the printed tables (finans.toml as plain data), not from the ruleset's own sums.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

from rulesets.finans import events as told
from rulesets.finans import payments as pay
from rulesets.finans.state import FinansState
from tests.games import Turn

DATA = tomllib.loads((Path(__file__).parents[1] / "rulesets" / "finans" / "finans.toml").read_text(encoding="utf-8"))
LOTS = {row["key"]: row for row in DATA["property"]}
SHARES = {row["key"]: row for row in DATA["share"]}
TIPS = Counter({row["id"]: row["copies"] for row in DATA["tip"]})
NEWS = Counter(row["id"] for row in DATA["news"])


def finans(turn: Turn) -> None:
    before, after = turn.before, turn.after
    assert isinstance(before, FinansState)
    assert isinstance(after, FinansState)
    assert_papers_are_there_once(after)
    assert_money_moves_as_told(turn, before, after)
    assert_papers_move_as_told(turn, before, after)
    assert_bank_prices(turn)


def assert_papers_are_there_once(state: FinansState) -> None:
    """20 properties, 20 shares, 12 bonds, 6 loans, 21 news, 42 tips: each is in one place."""
    assert set(state.properties) == set(LOTS)
    assert set(state.shares) == set(SHARES)
    out = {seat for seat, sheet in state.players.items() if sheet.bankrupt}
    owners = [lot.owner for lot in state.properties.values()] + list(state.shares.values())
    assert not out & set(owners)
    for lot in state.properties.values():
        assert lot.owner is not None or not (lot.built or lot.mortgaged)
    bonds = [number for sheet in state.players.values() for number in sheet.bonds]
    assert len(set(bonds)) == len(bonds)
    assert set(bonds) <= set(range(1, 13))
    assert sum(sheet.loans for sheet in state.players.values()) <= 6
    assert all(0 <= sheet.loans <= 3 and sheet.cash >= 0 for sheet in state.players.values())
    kept = [card for sheet in state.players.values() for card in sheet.tips]
    assert Counter([*state.tips, *kept]) == TIPS
    assert Counter([*state.news, *filter(None, [state.face_up])]) == NEWS
    for seat in out:
        assert state.players[seat].model_dump(include={"cash", "loans", "car", "bonds", "tips"}) == {
            "cash": 0,
            "loans": 0,
            "car": False,
            "bonds": [],
            "tips": [],
        }


def assert_money_moves_as_told(turn: Turn, before: FinansState, after: FinansState) -> None:
    cash = {seat: sheet.cash for seat, sheet in before.players.items()}
    for event in turn.events:
        if isinstance(event, pay.Payment):
            assert event.amount >= 0
            assert event.payer != event.payee
            if event.payer is not None:
                cash[event.payer] -= event.amount
                assert cash[event.payer] >= 0
            if event.payee is not None:
                cash[event.payee] += event.amount
    assert cash == {seat: sheet.cash for seat, sheet in after.players.items()}


def assert_papers_move_as_told(turn: Turn, before: FinansState, after: FinansState) -> None:
    owner = {key: lot.owner for key, lot in before.properties.items()} | before.shares
    built = {key for key, lot in before.properties.items() if lot.built}
    mortgaged = {key for key, lot in before.properties.items() if lot.mortgaged}
    loans = {seat: sheet.loans for seat, sheet in before.players.items()}
    cars = {seat for seat, sheet in before.players.items() if sheet.car}
    bonds = {seat: set(sheet.bonds) for seat, sheet in before.players.items()}
    for event in turn.events:
        match event:
            case pay.Bought(payer=seat, thing="car"):
                assert seat not in cars
                cars.add(str(seat))
            case pay.SoldBack(payee=seat, thing="car"):
                cars.remove(str(seat))
            case pay.Bought(payer=seat, thing=thing):
                assert owner[thing] is None
                owner[thing] = seat
            case pay.SoldBack(payee=seat, thing=thing) | pay.ForcedSale(payee=seat, thing=thing):
                assert owner[thing] == seat
                assert thing not in mortgaged
                owner[thing] = None
                built.discard(thing)
            case (
                pay.TakenOver(payer=buyer, payee=seller, thing=thing)
                | pay.Raided(payer=buyer, payee=seller, thing=thing)
            ):
                assert owner[thing] == seller
                owner[thing] = buyer
            case told.Swapped(seat=seat, other=other, gave=gave, got=got):
                assert (owner[gave], owner[got]) == (seat, other)
                assert SHARES[gave]["nominal"] == SHARES[got]["nominal"]
                owner[gave], owner[got] = other, seat
            case pay.Built(payer=seat, property=key):
                assert owner[key] == seat
                assert key not in built | mortgaged
                built.add(key)
            case pay.Mortgaged(payee=seat, property=key):
                assert owner[key] == seat
                assert key not in mortgaged
                mortgaged.add(key)
            case pay.Redeemed(payer=seat, property=key):
                assert owner[key] == seat
                mortgaged.remove(key)
            case pay.LoanTaken(payee=str(seat)):
                loans[seat] += 1
            case pay.LoanRepaid(payer=str(seat)):
                loans[seat] -= 1
            case pay.BondBought(payer=str(seat), number=number):
                assert not any(number in held for held in bonds.values())
                bonds[seat].add(number)
            case pay.PrizeWon(payee=str(seat), number=number):
                bonds[seat].remove(number)
            case told.BondReturned(seat=seat, number=number):
                bonds[seat].remove(number)
            case told.WentBankrupt(seat=seat):
                mine = {thing for thing, who in owner.items() if who == seat}
                owner |= dict.fromkeys(mine)
                built -= mine
                mortgaged -= mine
                loans[seat] = 0
                cars.discard(seat)
            case pay.RentPaid(property=key):
                assert key not in mortgaged
    assert owner == {key: lot.owner for key, lot in after.properties.items()} | after.shares
    assert built == {key for key, lot in after.properties.items() if lot.built}
    assert mortgaged == {key for key, lot in after.properties.items() if lot.mortgaged}
    assert loans == {seat: sheet.loans for seat, sheet in after.players.items()}
    assert cars == {seat for seat, sheet in after.players.items() if sheet.car}
    assert bonds == {seat: set(sheet.bonds) for seat, sheet in after.players.items()}


def assert_bank_prices(turn: Turn) -> None:
    """What the Bank takes and gives is what is printed."""
    for event in turn.events:
        match event:
            case pay.Bought(thing=thing, amount=amount):
                price = (
                    50_000 if thing == "car" else LOTS[thing]["price"] if thing in LOTS else SHARES[thing]["nominal"]
                )
                assert amount == price
            case pay.SoldBack(thing="car", amount=amount):
                assert amount == 25_000
            case pay.SoldBack(thing=thing, amount=amount, built=built):
                row = LOTS.get(thing) or SHARES[thing]
                assert amount == row["repurchase_built" if built else "repurchase"]
            case pay.LoanTaken(amount=amount) | pay.LoanRepaid(amount=amount):
                assert amount == 50_000
            case pay.BondBought(amount=amount):
                assert amount == 500
            case pay.Mortgaged(property=key, amount=amount):
                assert amount in (LOTS[key]["mortgage"], LOTS[key]["mortgage_built"])
            case pay.Redeemed(property=key, amount=amount):
                assert amount * 10 in (LOTS[key]["mortgage"] * 11, LOTS[key]["mortgage_built"] * 11)
            case pay.RentPaid(property=key, amount=amount, doubled=doubled):
                once = amount // 2 if doubled else amount
                assert once in (LOTS[key]["rent_lot"], LOTS[key]["rent_built"])
