"""What things are called: companies, guilds, action cards, sectors, colours and ratings, in texts and in orders.

German names stand in the data for orders, and in the catalogue for texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from judge.core.orders import Choice
from judge.core.ruleset import Seat
from judge.core.text import Listing, Player, Text
from rulesets.money_maker.tables import ACTIONS, COLOURS, COMPANIES, RATINGS, SECTORS, Card, Colour, Sector, Tint

TITLES: Mapping[str, Text] = {
    "Textile Producer": Text.of("Textile Producer"),
    "Sheep Farm": Text.of("Sheep Farm"),
    "Dye House": Text.of("Dye House"),
    "Spinning Room": Text.of("Spinning Room"),
    "Sail Loft": Text.of("Sail Loft"),
    "Cloth Hall": Text.of("Cloth Hall"),
    "Cellar Brewery": Text.of("Cellar Brewery"),
    "Hop Yard": Text.of("Hop Yard"),
    "Harbour Brewery": Text.of("Harbour Brewery"),
    "Cooperage": Text.of("Cooperage"),
    "Malt House": Text.of("Malt House"),
    "Beer Exchange": Text.of("Beer Exchange"),
    "Tile Painter": Text.of("Tile Painter"),
    "Brick Kiln": Text.of("Brick Kiln"),
    "Furniture Maker": Text.of("Furniture Maker"),
    "Timber Yard": Text.of("Timber Yard"),
    "Canal House Builder": Text.of("Canal House Builder"),
    "Timber Exchange": Text.of("Timber Exchange"),
    "Ship Chandler": Text.of("Ship Chandler"),
    "Rope Walk": Text.of("Rope Walk"),
    "Herring Fleet": Text.of("Herring Fleet"),
    "Wind Sawmill": Text.of("Wind Sawmill"),
    "Great Shipyard": Text.of("Great Shipyard"),
    "Freight Office": Text.of("Freight Office"),
    "Street Bakery": Text.of("Street Bakery"),
    "Flour Mill": Text.of("Flour Mill"),
    "Sugar Bakery": Text.of("Sugar Bakery"),
    "Grain Barge": Text.of("Grain Barge"),
    "Biscuit Works": Text.of("Biscuit Works"),
    "Grain Exchange": Text.of("Grain Exchange"),
    "Map Printer": Text.of("Map Printer"),
    "Paper Mill": Text.of("Paper Mill"),
    "Print Shop": Text.of("Print Shop"),
    "Type Foundry": Text.of("Type Foundry"),
    "Engraving Works": Text.of("Engraving Works"),
    "Book Fair": Text.of("Book Fair"),
    "Weavers": Text.of("Weavers"),
    "Brewers": Text.of("Brewers"),
    "Builders": Text.of("Builders"),
    "Shipwrights": Text.of("Shipwrights"),
    "Bakers": Text.of("Bakers"),
    "Printers": Text.of("Printers"),
    "Warehouse Fire": Text.of("Warehouse Fire"),
    "Fleet Home": Text.of("Fleet Home"),
    "Whispers at the Exchange": Text.of("Whispers at the Exchange"),
    "A Word from the Burgomaster": Text.of("A Word from the Burgomaster"),
    "Spilled Dice": Text.of("Spilled Dice"),
    "Turning Wind": Text.of("Turning Wind"),
    "Night Shift": Text.of("Night Shift"),
    "Quiet Ledger": Text.of("Quiet Ledger"),
    "Late Envelope": Text.of("Late Envelope"),
    "Clearing Day": Text.of("Clearing Day"),
    "Letter of Grace": Text.of("Letter of Grace"),
    "Kermis Fair": Text.of("Kermis Fair"),
    "Auditor's Visit": Text.of("Auditor's Visit"),
}

SECTOR_TITLES: Mapping[Sector, Text] = {
    "windmill": Text.of("windmill"),
    "ship": Text.of("ship"),
    "church": Text.of("church"),
    "fish": Text.of("fish"),
    "cheese": Text.of("cheese"),
    "bridge": Text.of("bridge"),
}

TINTS: Mapping[Tint, Text] = {"red": Text.of("red"), "green": Text.of("green"), "blue": Text.of("blue")}

_GOODS: Mapping[Colour, Text] = {"production": Text.of("production goods"), "consumer": Text.of("consumer goods")}
_MARKETS: Mapping[Colour, Text] = {
    "production": Text.of("production market"),
    "consumer": Text.of("consumer market"),
}
_SECTOR_NAMES: Mapping[Sector, tuple[str, ...]] = {
    "windmill": ("Windmühle", "Mühle"),
    "ship": ("Schiff",),
    "church": ("Kirche",),
    "fish": ("Fisch",),
    "cheese": ("Käse",),
    "bridge": ("Brücke",),
}
_COLOUR_NAMES: Mapping[Colour, tuple[str, ...]] = {
    "production": (
        "Produktionsgüter",
        "Produktion",
        "Produktionsgut",
        "Produktionsmarkt",
        "production goods",
        "production good",
        "production market",
        "red",
        "red goods",
        "rot",
        "rote",
    ),
    "consumer": (
        "Konsumgüter",
        "Konsum",
        "Konsumgut",
        "Konsummarkt",
        "consumer goods",
        "consumer good",
        "consumer market",
        "consumption",
        "green",
        "green goods",
        "grün",
        "grüne",
    ),
}


def goods(colour: Colour) -> Text:
    return _GOODS[colour]


def market_name(colour: Colour) -> Text:
    return _MARKETS[colour]


def amount_of(colour: Colour, count: int) -> Text:
    """ "1 production good", "3 consumer goods"."""
    if colour == "production":
        return Text.n("{count} production good", "{count} production goods", count)
    return Text.n("{count} consumer good", "{count} consumer goods", count)


def named(cards: Iterable[Card]) -> Listing:
    return Listing([TITLES[card] for card in cards])


def sectors_named(sectors: Iterable[Sector]) -> Listing:
    return Listing([SECTOR_TITLES[sector] for sector in sectors])


def players(seats: Iterable[Seat]) -> Listing:
    return Listing([Player(seat) for seat in seats])


def amounts(of_each: Mapping[Seat, int]) -> Listing:
    """ "Anna 12 and Ben 8"."""
    return Listing([Text.of("{who} {count}", who=Player(seat), count=count) for seat, count in of_each.items()])


def rating_name(rating: int) -> Text:
    """The numeral of a rating, or the prison."""
    return Text.of("{numeral}", numeral=RATINGS[rating - 1]) if rating else Text.of("Debtors' Prison")


@cache
def company_choice(name: Card) -> Choice:
    return Choice(name, TITLES[name], (COMPANIES[name].german,), {"de": COMPANIES[name].german})


def company_choices(names: Iterable[Card]) -> tuple[Choice, ...]:
    return tuple(company_choice(name) for name in dict.fromkeys(names))


@cache
def action_choice(name: Card) -> Choice:
    return Choice(name, TITLES[name], (ACTIONS[name].german,), {"de": ACTIONS[name].german})


@cache
def colour_choices() -> tuple[Choice, ...]:
    return tuple(
        Choice(colour, goods(colour), _COLOUR_NAMES[colour], {"de": _COLOUR_NAMES[colour][0]}) for colour in COLOURS
    )


@cache
def sector_choices() -> tuple[Choice, ...]:
    return tuple(
        Choice(sector, SECTOR_TITLES[sector], _SECTOR_NAMES[sector], {"de": _SECTOR_NAMES[sector][0]})
        for sector in SECTORS
    )


@cache
def tint_choices() -> tuple[Choice, ...]:
    german = {"red": ("rot", "rote"), "green": ("grün", "grüne"), "blue": ("blau", "blaue")}
    return tuple(Choice(tint, title, german[tint], {"de": german[tint][0]}) for tint, title in TINTS.items())


def known_things(seats: Sequence[Seat]) -> dict[str, tuple[Choice, ...]]:
    """All cards and banks of the game: who names one that he cannot choose now is told what he can."""
    companies = company_choices(COMPANIES)
    things = (*companies, *map(action_choice, ACTIONS))
    named_things = dict.fromkeys(("give", "give2", "get", "get2"), things)
    return {"card": companies, "bank": tuple(map(bank_choice, seats)), **named_things}


@lru_cache
def bank_choice(seat: Seat) -> Choice:
    return Choice(seat, Text.of("{who}", who=Player(seat)), written={"de": seat}, seat=seat)


@lru_cache
def credit_choice(issuer: Seat) -> Choice:
    return Choice(
        f"credit of {issuer}",
        Text.of("credit of {who}", who=Player(issuer)),
        (f"Kredit von {issuer}", f"{issuer} credit", f"{issuer}'s credit", f"of {issuer}'s credit"),
        {"de": f"Kredit von {issuer}"},
        seat=issuer,
    )
