"""What people call things: titles of groups, properties, squares and cards, and what each card says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from judge.core.orders import Choice
from judge.core.text import Listing, Text, Value
from rulesets.finans.box import BOX, CAR, GROUPS, PROPERTIES, SHARE_SORTS, SHARES, SQUARES

GROUP_TITLES: Mapping[str, Text] = {
    "crafts": Text.of("Crafts House"),
    "service": Text.of("Service Company"),
    "business": Text.of("Business Centre"),
    "trust": Text.of("Financial Trust"),
    "technics": Text.of("Technics Enterprise"),
    "chemistry": Text.of("Chemistry Corporation"),
    "industry": Text.of("Industrial Group"),
}

PROPERTY_TITLES: Mapping[str, Text] = {
    "cobbler": Text.of("Cobbler's Workshop"),
    "joiner": Text.of("Joiner's Workshop"),
    "tailor": Text.of("Tailor's Workshop"),
    "laundry": Text.of("Laundry"),
    "barber": Text.of("Barber Shop"),
    "travel": Text.of("Travel Bureau"),
    "bookshop": Text.of("Bookshop"),
    "grocery": Text.of("Grocery Shop"),
    "furniture": Text.of("Furniture Store"),
    "insurance": Text.of("Insurance Office"),
    "brokerage": Text.of("Brokerage Office"),
    "radio": Text.of("Radio Works"),
    "instruments": Text.of("Instrument Works"),
    "computers": Text.of("Computer Works"),
    "paint": Text.of("Paint Factory"),
    "soap": Text.of("Soap Factory"),
    "plastics": Text.of("Plastics Factory"),
    "sawmill": Text.of("Saw Mill"),
    "steel": Text.of("Steel Works"),
    "shipyard": Text.of("Shipyard"),
}

_SHORT: Mapping[str, Text] = {
    "crafts": Text.of("Crafts"),
    "service": Text.of("Service"),
    "business": Text.of("Business"),
    "trust": Text.of("Trust"),
    "technics": Text.of("Technics"),
    "chemistry": Text.of("Chemistry"),
    "industry": Text.of("Industry"),
}

SQUARE_TITLES: Mapping[str, Text] = {
    "bank_exit": Text.of("Bank Exit"),
    "market_tip": Text.of("Market Tip"),
    "share_dividends": Text.of("Share dividends from the Bank"),
    "financial_news": Text.of("Financial News"),
    "branch": Text.of("Branch of the Bank"),
    "construction": Text.of("Construction Co."),
    "jail": Text.of("Jail"),
    "bank_entrance": Text.of("Bank Entrance"),
    "banking_hall": Text.of("Banking Hall"),
    "go_to_jail": Text.of("Go directly to Jail"),
    "pay_dividends": Text.of("Pay dividends to shareholders"),
    "repay_loan": Text.of("Pay back one loan"),
    "bonds_small_draw": Text.of("Bond counter and Small Sweepstakes"),
    "bonds": Text.of("Bond counter"),
}

NEWS_TITLES: Mapping[str, Text] = {
    "N01": Text.of("Good Times"),
    "N02": Text.of("Bad Times"),
    "N03": Text.of("The Big Bond Sweepstakes"),
    "N04": Text.of("The Big Bond Sweepstakes"),
    "N05": Text.of("Builders cut their prices"),
    "N06": Text.of("Building stop"),
    "N07": Text.of("Petrol shortage"),
    "N08": Text.of("Tight credit"),
    "N09": Text.of("Dividend ceiling"),
    "N10": Text.of("Strike in heavy industry"),
    "N11": Text.of("Record year on the exchange"),
    "N12": Text.of("Shops do well"),
    "N13": Text.of("Offices do well"),
    "N14": Text.of("Factories do well"),
    "N15": Text.of("Property tax"),
    "N16": Text.of("Wealth tax"),
    "N17": Text.of("Road tax"),
    "N18": Text.of("Thrift premium"),
    "N19": Text.of("Fall in share prices"),
    "N20": Text.of("Break-up order"),
    "N21": Text.of("Amnesty"),
}

NEWS_WORDS: Mapping[str, Text] = {
    "N01": Text.of("Entrance bonus doubled (10,000 a pip); landing on square 46 lets every player buy a bond."),
    "N02": Text.of("Entrance bonus counts only the lower die (5,000 a pip)."),
    "N03": Text.of("Drawer may buy one bond, then each other player in turn; then the Big draw."),
    "N04": Text.of("Drawer may buy one bond, then each other player in turn; then the Big draw."),
    "N05": Text.of("Buildings and industries cost half, rounded up to 1,000."),
    "N06": Text.of("Nobody may build, not even with a building permit."),
    "N07": Text.of("Cars give no second die."),
    "N08": Text.of("No new loans; interest on square 1 is 10,000 a loan."),
    "N09": Text.of("Dividends paid by players fall to 10 per cent."),
    "N10": Text.of("No rent on the six industry squares."),
    "N11": Text.of("Bank pays dividends on every share."),
    "N12": Text.of("Bank pays dividends in Crafts House, Service Company and Business Centre."),
    "N13": Text.of("Bank pays dividends in Financial Trust and Technics Enterprise."),
    "N14": Text.of("Bank pays dividends in Chemistry Corporation and Industrial Group."),
    "N15": Text.of("2,000 for each bare property, 5,000 for each built-on one."),
    "N16": Text.of("10 per cent of cash above 200,000, rounded down to 1,000."),
    "N17": Text.of("Each car owner pays 10,000."),
    "N18": Text.of("Each player without a loan gets 10,000."),
    "N19": Text.of("Each player pays 10 per cent of the nominal value of his shares outside complete groups."),
    "N20": Text.of(
        "Whoever holds the most shares (ties: all of them) sells his cheapest share outside complete "
        "groups to the Bank at cost."
    ),
    "N21": Text.of("All missed turns still to come are cancelled."),
}

TIP_TITLES: Mapping[str, Text] = {
    "permit": Text.of("Building permit"),
    "news": Text.of("Breaking news"),
    "dividends": Text.of("Dividends"),
    "pay_dividends": Text.of("Shareholders' day"),
    "best_group": Text.of("Best group"),
    "gift10": Text.of("Gift"),
    "gift20": Text.of("Gift"),
    "gift40": Text.of("Gift"),
    "fine10": Text.of("Fine"),
    "repairs": Text.of("Repairs"),
    "garage": Text.of("Garage"),
    "birthday": Text.of("Birthday"),
    "banquet": Text.of("Banquet"),
    "to_branch": Text.of("To the Branch"),
    "to_builders": Text.of("To the builders"),
    "to_bank": Text.of("To the Bank"),
    "arrest": Text.of("Arrest"),
    "jail_pass": Text.of("Jail pass"),
    "waiver": Text.of("Interest waiver"),
    "offer_share": Text.of("Offer of a share"),
    "offer_lot": Text.of("Offer of a property"),
    "raid_share": Text.of("Forced sale of a share"),
    "raid_lot": Text.of("Forced sale of a property"),
    "swap_share": Text.of("Swap of shares"),
}
"""What people call the tips; the cards themselves say only what to do."""

TIP_WORDS: Mapping[str, Text] = {
    "permit": Text.of("Keep. Before your throw, on any square, you may build as if at the Construction Co."),
    "news": Text.of("Draw a Financial News card."),
    "dividends": Text.of("Bank pays dividends on all your shares."),
    "pay_dividends": Text.of("Act as on square 41."),
    "best_group": Text.of("Bank pays dividends in your one best-paying group."),
    "gift10": Text.of("Bank pays you 10,000."),
    "gift20": Text.of("Bank pays you 20,000."),
    "gift40": Text.of("Bank pays you 40,000."),
    "fine10": Text.of("Pay 10,000 to the Bank."),
    "repairs": Text.of("Pay 5,000 for each built-on property you own."),
    "garage": Text.of("Pay 10,000 if you own a car."),
    "birthday": Text.of("Each opponent pays you 5,000."),
    "banquet": Text.of("Pay each opponent 5,000."),
    "to_branch": Text.of("Go forward to square 11 if you stand before it; otherwise nothing happens."),
    "to_builders": Text.of(
        "Go forward to the next Construction Co. without passing square 34 or 1; if that is not "
        "possible, nothing happens."
    ),
    "to_bank": Text.of("Go to the Bank Entrance and throw for the bonus; inside the Bank take 15,000 instead."),
    "arrest": Text.of("Go to square 24 and throw for missed turns."),
    "jail_pass": Text.of("Keep. Cancels one visit to jail, then return it."),
    "waiver": Text.of("Keep. Pays your interest on square 1 once, then return it."),
    "offer_share": Text.of("You may at once buy one share from the Bank, wherever you stand."),
    "offer_lot": Text.of("You may at once buy one property from the Bank, wherever you stand."),
    "raid_share": Text.of("You may buy one share from an opponent at cost; he must sell. Not from a complete group."),
    "raid_lot": Text.of(
        "You may buy one unmortgaged property (with any building) from an opponent at 120 per cent of "
        "cost; he must sell. Not from a complete group."
    ),
    "swap_share": Text.of(
        "You may swap one of your shares for an opponent's share of the same nominal value; neither may "
        "belong to a complete group."
    ),
}


def share_title(key: str) -> Text:
    """A share, or a sort of shares, as "Technics 75"."""
    share = SHARES[key] if key in SHARES else SHARE_SORTS[key][0]
    return Text.of("{group} {thousands}", group=_SHORT[share.group], thousands=share.nominal // 1000)


def title(thing: str) -> Text:
    """Whatever can be bought, sold or named."""
    if thing == CAR:
        return Text.of("car")
    if thing in PROPERTIES:
        return PROPERTY_TITLES[thing]
    return GROUP_TITLES[thing] if thing in GROUPS else share_title(thing)


def titles(things: Iterable[str]) -> Listing:
    """Things in a row, shares that are alike together."""
    alike = Counter(SHARES[thing].sort if thing in SHARES else thing for thing in things)
    return Listing([several(count, title(thing)) for thing, count in alike.items()])


def several(count: int, thing: Text) -> Text:
    return thing if count == 1 else Text.of("{count} × {thing}", count=count, thing=thing)


def square_words(number: int) -> dict[str, Value]:
    """A square's name and number, for sentences about it."""
    square = SQUARES[number]
    return {
        "name": PROPERTY_TITLES[square.property] if square.property else SQUARE_TITLES[square.kind],
        "number": number,
    }


def square_title(number: int) -> Text:
    """A square with its number, as people point at it."""
    return Text.of("{name} ({number})", **square_words(number))


@cache
def group_choices() -> tuple[Choice, ...]:
    return tuple(
        Choice(
            group.key,
            GROUP_TITLES[group.key],
            (group.short, group.german, group.german_short, f"{group.german}s", f"{group.german}es"),
            {"en": group.name, "de": group.german},
        )
        for group in BOX.group
    )


@cache
def property_choices() -> tuple[Choice, ...]:
    return tuple(
        Choice(lot.key, PROPERTY_TITLES[lot.key], (lot.german, *lot.also), {"en": lot.name, "de": lot.german})
        for lot in BOX.property
    )


@cache
def share_choices() -> tuple[Choice, ...]:
    """One for each sort: shares of one group and nominal value are alike."""
    found = []
    for sort, shares in SHARE_SORTS.items():
        group, nominal = GROUPS[shares[0].group], shares[0].nominal
        names = (group.short, group.german_short, group.name, group.german)
        also = tuple(f"{name} {value}" for name in names for value in (nominal // 1000, nominal))
        short, said = (group.short, group.german_short), ("{} share {}", "share {} {}", "Aktie {} {}")
        also += tuple(words.format(name, nominal // 1000) for words in said for name in short)
        written = {
            "en": f"{group.short} {nominal // 1000}",
            "de": f"{group.german_short} {nominal // 1000}",
        }
        found.append(Choice(sort, share_title(sort), also, written))
    return tuple(found)


@cache
def thing_choices() -> tuple[Choice, ...]:
    """All that the Bank sells and takes back: properties, shares and the car."""
    car = Choice(CAR, title(CAR), ("auto", "wagen", "a car", "ein Auto", "das Auto", "the car"), {"de": "Auto"})
    return (*property_choices(), *share_choices(), car)
