"""Games of Get Rich Quick made up by chance, as playthroughs with what the oracle expects of each turn.

Players write in either language, ask for what they do not have, miss deadlines, rely on standing orders.  Many games
start close to a set, and many deals and bells are scripted, so that rounds end in every way there is.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from tests.bell_oracle import RICH, TAXMAN, VALUES, Bell, Exchange, Numbers, Said

NAMES = ["Anna", "Ben", "Cem", "Dora", "Jörg", "Frau Öz", "O'Neil", "X", "Émile", "Ben 2"]
GERMAN = {
    "Gold": "Gold",
    "Banking": "Banken",
    "Oil": "Öl",
    "Diamonds": "Diamanten",
    "Property": "Immobilien",
    "Shipping": "Schifffahrt",
    "Mining": "Minen",
    "Sport": "Sport",
    TAXMAN: "Steuermann",
    RICH: "Schnell reich",
}
SHORT = {TAXMAN: "Tax", RICH: "GRQ", "Diamonds": "Dia", "Oil": "oil", "Banking": "bank"}
RUN_ON = 3


@dataclass
class Turn:
    """What the public record must say."""

    number: int
    refused: set[str]
    state: dict[str, object]


@dataclass
class Story:
    """A playthrough while it is written."""

    chance: Random
    seats: list[str]
    game: Exchange
    secret: bytes
    text: list[str]
    turns: list[Turn] = field(default_factory=list)
    unposted: int = 0

    def write(self, turns: int) -> None:
        """So many turns, and then those in which nobody has to post, up to three with standing orders."""
        number = 1
        while not self.game.over and (number <= turns or self._goes_on()):
            self._turn(number, written=number <= turns)
            number += 1

    def numbers(self, turn: int, stream: str) -> Numbers:
        context = b"get-rich-quick" + turn.to_bytes(4, "big") + bytes(32 * len(self.seats))
        return Numbers(self.secret, stream, context)

    def deal(self, hidden: Numbers, script: list[str] | None) -> None:
        """The next hands: by the numbers, or as a pile in the script whose rest the numbers order."""
        left = self.game.deck()
        top: list[str] = []
        if script is not None:
            hands = close_hands(self.chance, self.game)
            dealer = self.game.after(self.game.dealer) if self.game.round else self.game.dealer
            top = laid_out(self.seats, dealer, hands)[: self.chance.choice([10, 200, 200])]
            script.append(f"pile deal: {', '.join(top)}")
        for card in top:
            left.remove(card)
        self.game.deal(top + [left[place] for place in hidden.order(len(left))])

    def _goes_on(self) -> bool:
        return not self.game.awaited() and (self.game.dealt_complete() or self.unposted < RUN_ON)

    def _turn(self, number: int, written: bool) -> None:
        script: list[str] = []
        refused: set[str] = set()
        forced = self.game.dealt_complete()
        awaited = self.game.awaited()
        posts = self._posts(awaited, script, refused) if written and not forced else {}
        if written and self.chance.random() < 0.03:
            self.game.last = True
            script.append("judge> last round")
        if awaited or posts:
            self.unposted = 0
        elif not forced:
            self.unposted += 1
        hidden = self.numbers(number, "hidden")
        bell = None
        ended = self.game.call_from_the_deal()
        if not ended:
            bell, going = self._ring(self.game.take(posts), self.numbers(number, "public"), script if written else None)
            ended = not going
        scripted = written and self.chance.random() < 0.7
        while ended and not self.game.over:
            self.deal(hidden, script if scripted else None)
            scripted = False
            ended = self.game.call_from_the_deal()
        if written:
            self.text += ["", f"== {number}", *script]
            if self.chance.random() < 0.1:
                self.text.append(f"look {self.chance.choice(self.seats)}")
        self.turns.append(Turn(number, refused, self.game.public(bell)))

    def _ring(self, lots: list[tuple[str, list[str]]], public: Numbers, script: list[str] | None) -> tuple[Bell, bool]:
        """The bell in the order of the numbers; of a scripted one only what the script leaves open."""
        left = list(range(len(lots)))
        front: list[int] = []
        if script is not None and lots and self.chance.random() < 0.3:
            front = self.chance.sample(left, self.chance.randint(1, len(left)))
            left = [place for place in left if place not in front]
            names = [f"{seat} {[other for other, _ in lots[:at]].count(seat) + 1}" for at, (seat, _) in enumerate(lots)]
            script.append(f"pile bell: {', '.join(names[place] for place in front)}")
        return self.game.ring(lots, front + [left[place] for place in public.order(len(left))])

    def _posts(self, awaited: list[str], script: list[str], refused: set[str]) -> dict[str, Said]:
        posts: dict[str, Said] = {}
        for seat in self.chance.sample(self.seats, len(self.seats)):
            while self.chance.random() < 0.1:
                self._post(seat, self._refused(seat), script)
                refused.add(seat)
            if self.chance.random() < (0.9 if seat in awaited else 0.3):
                said, words = self._valid(seat)
                self._post(seat, words, script)
                posts[seat] = said
            if seat in posts and self.chance.random() < 0.03:
                self._post(seat, [self.chance.choice(["withdraw", "zurückziehen"])], script)
                del posts[seat]
            if (seat in awaited and seat not in posts) or self.chance.random() < 0.02:
                script.append(f"({seat}: no orders)")
                posts.pop(seat, None)
        return posts

    def _post(self, seat: str, lines: list[str], script: list[str]) -> None:
        if len(lines) > 1 and not any("," in line for line in lines) and self.chance.random() < 0.3:
            lines = [", ".join(lines)]
        script += [f"{seat}> {lines[0]}", *(f"  > {line}" for line in lines[1:])]

    def _valid(self, seat: str) -> tuple[Said, list[str]]:
        if self.chance.random() < 0.05:
            return Said(lots=[]), [self.chance.choice(["pass", "passe"])]
        said, lines = Said(), []
        way = self.chance.random()
        if way < 0.6:
            said.lots = self._lots(seat) or None
            lines += [self._lot(lot) for lot in said.lots or []]
        if way > 0.5 or not lines:
            hand = self.game.hands[seat]
            most = self.game.most_held(seat)
            said.collect = most if self.chance.random() < 0.8 else self.chance.choice(self.game.in_play())
            lines.append(f"{self.chance.choice(['collect', 'sammle', 'Collect'])} {self._name(said.collect)}")
            if len(hand) == 10 and self.chance.random() < 0.1:
                lines.pop()
                said.collect = None
        chance_to_hold = 0.4 if len(self.game.hands[seat]) == 10 else 0.05
        if self.chance.random() < chance_to_hold or not lines:
            said.hold = seat not in self.game.holding or self.chance.random() < 0.3
            words = ["hold", "halte"] if said.hold else ["call", "rufe", "Call!"]
            lines.append(self.chance.choice(words))
        return said, lines

    def _lots(self, seat: str) -> list[list[str]]:
        """Up to three lots of the hand; mostly of what is not collected."""
        held = Counter(self.game.hands[seat])
        most = self.game.most_held(seat)
        lots = []
        for _ in range(self.chance.randint(1, 3)):
            kinds = [name for name in VALUES if held[name] and (name != most or self.chance.random() < 0.15)]
            lot = []
            if kinds:
                name = self.chance.choice(kinds)
                lot = [name] * self.chance.randint(1, min(held[name], self.chance.choice([1, 2, 9])))
            lot += [wild for wild in (TAXMAN, RICH) if held[wild] and self.chance.random() < 0.3]
            if lot:
                held -= Counter(lot)
                lots.append(lot)
        return lots

    def _refused(self, seat: str) -> list[str]:
        """What cannot be: cards not there, a card in two lots, a fourth lot, two wishes, names and numbers unread."""
        hand = self.game.hands[seat]
        name = self.chance.choice([card for card in hand if card in VALUES])
        lot = f"offer {hand.count(name)} {self._name(name)}"
        ways = [
            [f"offer {hand.count(name) + 1} {self._name(name)}"],
            [lot, f"biete 1 {self._name(name)}"],
            ["collect Gold", "sammle Öl"],
            ["hold", "call"],
            [f"offer 0 {self._name(name)}"],
            [f"offer {self._name(name)}"],
            ["collect Silver"],
        ]
        ways += [[f"offer 1 {self._name(name)} + {self._name(wild)}"] for wild in (TAXMAN, RICH) if wild not in hand]
        if TAXMAN in hand:
            ways.append([f"{lot} + Taxman", "biete Steuermann"])
        if len(self.seats) < 8:
            ways.append([f"collect {list(VALUES)[len(self.seats)]}"])
        if hand.count(name) >= 4:
            ways.append([f"offer 1 {name}"] * 4)
        return self.chance.choice(ways)

    def _lot(self, lot: list[str]) -> str:
        name = next((card for card in lot if card in VALUES), None)
        parts = [f"{lot.count(name)} {self._name(name)}"] if name else []
        parts += [self._name(card) for card in lot if card not in VALUES]
        link = self.chance.choice([" + ", " + ", "+"])
        return f"{self.chance.choice(['offer', 'biete', 'Offer:'])} {link.join(parts)}"

    def _name(self, card: str) -> str:
        return self.chance.choice([card, GERMAN[card], SHORT.get(card, card)])


def close_hands(chance: Random, game: Exchange) -> list[list[str]]:
    """Hands in the order of dealing, everybody near a set of his own; now and then nobody is short of anything."""
    size = len(game.seats)
    names = chance.sample(game.in_play(), size)
    hands = [[name] * 9 for name in names]
    wilds = [TAXMAN, RICH] if chance.random() < 0.5 else [RICH, TAXMAN]
    for hand, wild in zip(hands, wilds, strict=False):
        hand.append(wild)
    for _ in range(chance.choice([0, 1, 3, 5, 10, 20])):
        one, other = chance.sample(hands, 2)
        at, to = chance.randrange(len(one)), chance.randrange(len(other))
        one[at], other[to] = other[to], one[at]
    return hands


def laid_out(seats: list[str], dealer: str, hands: list[list[str]]) -> list[str]:
    """The deck that deals these hands, the first of them to the player after the dealer."""
    assert dealer in seats
    return [hand[at] for at in range(10) for hand in hands if at < len(hand)]


def story(chance: Random) -> tuple[str, list[Turn], Exchange]:
    """A script, what is expected of its turns, and the game at its end."""
    seats = chance.sample(NAMES, chance.randint(3, 8))
    goal, rounds = chance.choice([0, 1, 200, 300]), chance.choice([0, 0, 1, 3])
    options = ([f"goal={goal}"] if goal else []) + ([f"rounds={rounds}"] if rounds else [])
    secret = chance.randbytes(32) if chance.random() < 0.5 else bytes(32)
    head = ["Bells made up by chance.", "", "game get-rich-quick", f"seats {', '.join(seats)}"]
    head += [f"options {', '.join(options)}"] * bool(options) + [f"language {chance.choice(['en', 'de'])}"]
    head += [f"secret {secret.hex()}"] * any(secret)
    game = Exchange(seats, seats[0], goal or 500, rounds)
    told = Story(chance, seats, game, secret, head)
    way = chance.random()
    opening: list[str] = []
    if way < 0.4:
        game.dealer = chance.choice(seats)
        opening.append(f"dice {seats.index(game.dealer) + 1}")
    else:
        game.dealer = seats[told.numbers(0, "public").below(len(seats))]
    told.deal(told.numbers(0, "hidden"), opening if way < 0.6 else None)
    if way > 0.75:
        head.append(f"given {json.dumps(middle(chance, game), ensure_ascii=False)}")
    if opening:
        head += ["", "== 0", *opening]
        told.turns.append(Turn(0, set(), game.public(None)))
    told.write(chance.choice([3, 10, 40]))
    return "\n".join(told.text) + "\n", told.turns, game


def middle(chance: Random, game: Exchange) -> dict[str, object]:
    """A position in the middle of a game, laid into the oracle, as `given`."""
    start = game.seats.index(game.after(game.dealer))
    for place, hand in enumerate(close_hands(chance, game)):
        game.hands[game.seats[(start + place) % len(game.seats)]] = hand
    for seat in game.seats:
        game.scores[seat] = 5 * chance.randint(-10, 30)
    game.scores = {seat: min(score, game.goal - 1) for seat, score in game.scores.items()}
    game.round, game.bell = chance.choice([1, game.rounds or 7, 4]), chance.choice([0, 1, 5])
    game.holding = {seat for seat in game.seats if chance.random() < 0.3} if game.bell else set()
    return {
        "dealer": game.dealer,
        "hands": game.hands,
        "scores": game.scores,
        "round": game.round,
        "bell": game.bell + 1,
        "holding": {seat: seat in game.holding for seat in game.seats},
    }
