"""A bot among bankers: its standing tariffs, and what it offers and accepts when a bank is short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from judge.core.orders import Order
from judge.core.ruleset import Seat
from rulesets.money_maker.exchanges import Accept, Done, Offer
from rulesets.money_maker.outlook import Outlook
from rulesets.money_maker.standing import Borrow, Lend
from rulesets.money_maker.state import Item, OpenOffer
from rulesets.money_maker.tables import COLOURS, COMPANIES, PRISON

PRICE = 2
"""Credit of a short bank that it wants, and first offers, for a gold."""

PATIENCE = 2
"""Rounds of a rescue window after which a short bot gives up."""

MARGIN = 1.2
"""What it gets must be worth so many times what it gives."""

ACTION_WORTH = 5


def tariffs(outlook: Outlook) -> Iterator[Order]:
    """It lends what its own debts do not need, and borrows the dearer, the deeper it would fall."""
    spare = outlook.vault.gold - outlook.exposure(outlook.heaviest)
    yield Lend(most=max(0, spare), gold=1, credit=PRICE)
    yield Borrow(credit=borrowing_price(outlook))


def borrowing_price(outlook: Outlook) -> int:
    """Credit that it gives for a gold when it is short: the deeper it would fall, the more."""
    return {PRISON: 8, 1: 5}.get(outlook.bank.rating, 3)


def negotiate(outlook: Outlook) -> Iterator[Order]:
    """A short bank offers more from round to round and takes what saves it; a solvent one takes fair offers."""
    run = outlook.view.run
    if run is None:
        return
    if outlook.seat not in run.short:
        yield from answer_offers(outlook)
        return
    accepted = list(answer_offers(outlook))
    yield from accepted[:1]
    if not accepted and run.rounds >= PATIENCE:
        yield Done()
    elif not accepted:
        due = run.due[outlook.seat]
        for other in run.solvent:
            credit = min((PRICE + 1 + run.rounds) * due, outlook.unissued)
            if credit:
                yield Offer(bank=other, give_n=credit, give="credit", get_n=due, get="gold")


def answer_offers(outlook: Outlook) -> Iterator[Accept]:
    """Offers to it that give clearly more than they take; a bank that helps keeps the gold for its own debts."""
    gold = outlook.vault.gold - (0 if outlook.short else outlook.exposure(outlook.heaviest))
    for offer in outlook.view.offers:
        asked = _of(offer.get, "gold")
        if offer.taker == outlook.seat and asked <= gold and _has(outlook, offer.get) and _fair(outlook, offer):
            gold -= asked
            yield Accept(number=offer.number)


def _fair(outlook: Outlook, offer: OpenOffer) -> bool:
    """What it gets is worth a good deal more than what it gives; or saves it from its fall, at its price for that."""
    got = sum(item.count * _worth(outlook, item.what, offer.maker) for item in offer.give)
    given = sum(item.count * _worth(outlook, item.what, outlook.seat) for item in offer.get)
    run = outlook.view.run
    if run is not None and outlook.short and _of(offer.give, "gold") >= run.due[outlook.seat]:
        return given <= got * borrowing_price(outlook)
    return got >= given * MARGIN


def _worth(outlook: Outlook, what: str, giver: Seat) -> float:
    """What one of a thing is worth to the bank, in gold; credit of a short bank less than that of a solvent one."""
    issuer = giver if what == "credit" else what.removeprefix("credit of ")
    if what == "gold" or issuer == outlook.seat:
        return 1
    if issuer in outlook.view.banks:
        run = outlook.view.run
        return 0.6 if run is not None and issuer in run.short else 0.8
    if what in COMPANIES:
        return outlook.worth(what)
    return next((outlook.good[colour] for colour in COLOURS if colour == what), ACTION_WORTH)


def _has(outlook: Outlook, items: Iterable[Item]) -> bool:
    """Whether it has all that an offer asks for."""
    held: Counter[str] = Counter([*outlook.bank.cards, *outlook.vault.actions])
    held.update({"gold": outlook.vault.gold, "credit": outlook.unissued, f"credit of {outlook.seat}": outlook.unissued})
    held.update({f"credit of {issuer}": count for issuer, count in outlook.bank.claims.items()})
    held.update(dict(outlook.vault.goods.items()))
    return all(_of(items, item.what) <= held[item.what] for item in items)


def _of(items: Iterable[Item], what: str) -> int:
    return sum(item.count for item in items if item.what == what)
