"""What each reader may see: the public table, and the reader's own vault; all vaults once the game is over."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from judge.core.ruleset import Seat, View
from rulesets.money_maker.auction import opening_price
from rulesets.money_maker.markets import buying_price, selling_price
from rulesets.money_maker.scoring import in_sight, standings
from rulesets.money_maker.state import OpenOffer, Phase, TableOptions, TableState
from rulesets.money_maker.tables import CIRCLE, Card, Colour, Sector, ring_of


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BankView(_Part):
    """A bank as everybody sees it; `board` is its credit on each of the `blocks` of its ring, rating 0 the prison."""

    rating: int
    blocks: list[list[Sector]]
    board: list[int]
    credit_on_board: int
    credit_to_others: int
    claims: dict[Seat, int]
    cards: list[Card]
    bankrupt: bool


class MarketView(_Part):
    """Goods at each price from 1 to 8, the Natural Reserve, and what the next buyer pays and the next seller gets."""

    slots: list[int]
    reserve: int
    buying_price: int
    selling_price: int


class VaultView(_Part):
    """What only its owner sees."""

    gold: int
    goods: dict[Colour, int]
    actions: list[Card]


class RunView(_Part):
    """A bank run in its rescue window: what is still due, and who is short."""

    number: int
    sectors: list[Sector]
    due: dict[Seat, int]
    solvent: list[Seat]
    short: list[Seat]
    done: list[Seat]
    rounds: int


class TableView(View):
    """Everything but `vault` is public; `vaults` and `scores` are open once the game is over."""

    phase: Phase
    turn: int
    round: int
    active: Seat
    start: Seat
    runs: int
    meter: int
    meter_length: int
    slot: str | None
    reserve: int
    markets: dict[Colour, MarketView]
    row: list[Card]
    opening_prices: dict[Card, int]
    forecast: list[Card]
    pile: int
    action_pile: int
    action_discard: list[Card]
    sectors: list[Sector]
    banks: dict[Seat, BankView]
    offers: list[OpenOffer]
    run: RunView | None
    ending: str | None
    winners: list[Seat]
    scores: dict[Seat, int] | None
    vaults: dict[Seat, VaultView] | None
    vault: VaultView | None

    # Excluded from the JSON: options are known to whoever opened the game, and the course of wealth is for the page.
    options: TableOptions = Field(exclude=True)
    worth: list[dict[Seat, int]] = Field(exclude=True)
    in_sight: list[dict[Seat, int]] = Field(exclude=True)
    """What everybody could see of it: at the end of each turn, and last of all now."""
    reader: Seat | None = Field(exclude=True)


def view(state: TableState, seat: Seat | None) -> TableView:
    """The table for one seat, or for everybody."""
    over = state.phase == "over"
    vaults = {
        owner: VaultView(gold=bank.gold, goods=dict(bank.goods), actions=list(bank.actions))
        for owner, bank in state.banks.items()
    }
    return TableView(
        phase=state.phase,
        turn=state.turn,
        round=state.round,
        active=state.active,
        start=state.start,
        runs=state.runs,
        meter=state.meter,
        meter_length=state.meter_length,
        slot=CIRCLE[state.runs - 1] if state.runs else None,
        reserve=state.reserve,
        markets={
            colour: MarketView(
                slots=list(market.slots),
                reserve=market.reserve,
                buying_price=buying_price(market),
                selling_price=selling_price(market, state.options.sell_to),
            )
            for colour, market in state.markets.items()
        },
        row=list(state.row),
        opening_prices={card: opening_price(state, card) for card in state.row},
        forecast=state.forecast(),
        pile=len(state.pile),
        action_pile=len(state.action_pile),
        action_discard=list(state.action_discard),
        sectors=list(state.facts.faces),
        banks={owner: _bank(state, owner) for owner in state.seats},
        offers=[offer.model_copy(deep=True) for offer in state.offers],
        run=_run(state),
        ending=state.ending,
        winners=list(state.winners),
        scores=dict(standings(state)) if over else None,
        vaults=vaults if over else None,
        vault=None if seat is None else vaults[seat],
        options=state.options,
        worth=[dict(entry) for entry in state.worth] if over else [],
        in_sight=[*(dict(entry) for entry in state.in_sight), in_sight(state)],
        reader=seat,
    )


def _bank(state: TableState, seat: Seat) -> BankView:
    bank = state.banks[seat]
    return BankView(
        rating=bank.rating,
        blocks=[list(block) for block in ring_of(bank.rating).blocks],
        board=list(bank.board),
        credit_on_board=bank.debt,
        credit_to_others=state.held_by_others(seat),
        claims=dict(bank.claims),
        cards=list(bank.cards),
        bankrupt=bank.bankrupt,
    )


def _run(state: TableState) -> RunView | None:
    run = state.run
    if run is None:
        return None
    return RunView(
        number=run.number,
        sectors=list(run.faces),
        due=dict(run.due),
        solvent=list(run.solvent),
        short=run.short,
        done=list(run.done),
        rounds=run.window,
    )
