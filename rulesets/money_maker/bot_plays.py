"""The action cards of a bot: what it plays in its own turn, and what waits for its moment."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.dice import Dice
from judge.core.orders import Order
from rulesets.money_maker.outlook import Outlook
from rulesets.money_maker.plays import (
    Keep,
    Play,
    PlayAudit,
    PlayCalm,
    PlayClearing,
    PlayFire,
    PlayFleet,
    PlayGrace,
    PlayLedger,
    PlayNight,
    PlayRaise,
    PlayReroll,
    PlayRumour,
    PlayShopping,
    PlayWind,
)
from rulesets.money_maker.tables import ACTION, COLOURS, COMPANIES


def own_plays(outlook: Outlook, dice: Dice) -> Iterator[Play]:
    """The cards in hand that help now, before goods are made and sold."""
    for name in dict.fromkeys(outlook.vault.actions):
        yield from _own_play(outlook, name, dice)


def _own_play(outlook: Outlook, name: str, dice: Dice) -> Iterator[Play]:
    bank, markets = outlook.bank, outlook.view.markets
    match next(key for key, action in ACTION.items() if action.name == name):
        case "fire" if outlook.late:  # dearer goods make its companies dearer
            yield PlayFire(colour=max(COLOURS, key=outlook.asked))
        case "fleet" if not outlook.late:  # with the cheapest places taken, its own goods bring more
            yield PlayFleet(
                colour=max(COLOURS, key=lambda colour: (outlook.vault.goods[colour], -markets[colour].selling_price))
            )
        case "night" if makers := [card for card in bank.cards if COMPANIES[card].mode == "produce"]:
            yield PlayNight(card=max(makers, key=lambda card: COMPANIES[card].out_n))
        case "ledger" if not outlook.covered and len(bank.board) > 1:
            amount = min(ACTION["ledger"].amount, (bank.board[outlook.heaviest] - bank.board[outlook.lightest]) // 2)
            if amount:
                yield PlayLedger(
                    amount=amount, away=outlook.sector(outlook.heaviest), to=outlook.sector(outlook.lightest)
                )
        case "clearing" if held := {other: bank.claims[other] for other in outlook.others if bank.claims[other]}:
            yield PlayClearing(bank=max(held, key=held.__getitem__))
        case "shopping" if outlook.late:
            yield PlayShopping()
        case "audit":
            yield PlayAudit(bank=outlook.others[dice.roll(len(outlook.others)) - 1])


def triggers(outlook: Outlook) -> Iterator[Order]:
    """Cards that wait; those that would do harm now are kept back, since a line of an earlier turn still stands."""
    held, bank = outlook.vault.actions, outlook.bank
    wanted: dict[str, Order] = {"grace": PlayGrace(), "raise": PlayRaise()}
    if outlook.covered:
        if bank.board[outlook.heaviest] >= outlook.need > 0:
            wanted["rumour"] = PlayRumour(steps=1)
    else:
        wanted |= {"calm": PlayCalm(steps=1), "reroll": PlayReroll(face="blue")}
        if len(bank.board) > 1:
            heavy, light = outlook.sector(outlook.heaviest), outlook.sector(outlook.lightest)
            wanted["wind"] = PlayWind(to=light, away=heavy, run=True)
    for key, action in ACTION.items():
        if action.name in held and action.when != "own_turn":
            yield wanted.get(key, Keep(action=action.name))
