"""Makes seals.json from SEALING.md alone, without the judge's code: `python tests/vectors/make_seals.py`.

A second reckoning, in nothing but the standard library.  `canonical` is enough for the texts and numbers used here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

HIDDEN = hashlib.sha256(b"vectors: hidden").digest()
SECRET = hashlib.sha256(b"vectors: link").digest()
SEED = hashlib.sha256(b"vectors: seed").digest()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def sealed_set() -> dict[str, Any]:
    place = {"game": "vectors", "turn": 7, "version": 2, "seat": "3"}
    orders: dict[str, list[dict[str, Any]]] = {
        "turn": [
            {"kind": "bid", "grade": "X", "units": 3, "price": 42},
            {"kind": "note", "text": "Grüße, „Anna“ \u2028 \U0001f3b2\n", "list": [1, None, True]},
        ],
        "game": [],
    }
    key = mac(HIDDEN, b"salts")
    parts: dict[str, Any] = {}
    lines: dict[str, list[str]] = {}
    for part, given in orders.items():
        salts = [
            mac(key, canonical({**place, "part": part, "line": line, "order": order}))
            for line, order in enumerate(given, 1)
        ]
        salt = mac(key, canonical({**place, "part": part, "orders": given}))
        lines[part] = [sha(salt_, canonical(order)) for salt_, order in zip(salts, given, strict=True)]
        parts[part] = {
            "salt": salt.hex(),
            "lines": [{"salt": salt_.hex(), "order": order} for salt_, order in zip(salts, given, strict=True)],
        }
    roots = {part: sha(bytes.fromhex(parts[part]["salt"]), canonical(lines[part])) for part in orders}
    return {
        "hidden": HIDDEN.hex(),
        "place": place,
        "orders": orders,
        "parts": parts,
        "lines": lines,
        "part_commitments": roots,
        "commitment": sha(canonical({**place, "parts": roots})),
    }


def chain(length: int) -> dict[str, Any]:
    links = [SEED]
    for _ in range(length):
        links.append(hashlib.sha256(links[-1]).digest())
    return {"seed": SEED.hex(), "length": length, "links": [link.hex() for link in reversed(links)]}


class Words:
    """A stream of 64-bit words, and the numbers made of them."""

    def __init__(self, key: bytes) -> None:
        self.key, self.block, self.words = key, 0, []  # type: tuple[bytes, int, list[int]]

    def below(self, bound: int) -> int:
        while True:
            if not self.words:
                block = mac(self.key, self.block.to_bytes(8, "big"))
                self.block += 1
                self.words = [int.from_bytes(block[start : start + 8], "big") for start in (0, 8, 16, 24)]
            word = self.words.pop(0)
            if word < 2**64 - 2**64 % bound:
                return word % bound

    def order(self, count: int) -> list[int]:
        rest = list(range(count))
        return [rest.pop(self.below(len(rest))) for _ in range(count)]


def throws() -> dict[str, Any]:
    contributions = [hashlib.sha256(b"vectors: set").digest(), bytes(32), hashlib.sha256(b"Anna").digest()]
    context = b"vectors\0" + b"".join(number.to_bytes(4, "big") for number in (7, 2, 9)) + b"".join(contributions)
    public = Words(mac(SECRET, b"public" + context))
    hidden = Words(mac(HIDDEN, b"hidden" + context))
    made: list[dict[str, Any]] = []
    for sides in (6, 6, 2, 20, 100, 1, 2**53 - 1, 3 * 2**51):
        made.append({"throw": "roll", "sides": sides, "threw": 1 + public.below(sides)})
    for count in (5, 0, 1, 12):
        made.append({"throw": "lots", "order": public.order(count)})
    return {
        "game": "vectors",
        "turn": 7,
        "version": 2,
        "link": 9,
        "contributions": [one.hex() for one in contributions],
        "context": context.hex(),
        "secret": SECRET.hex(),
        "hidden": HIDDEN.hex(),
        "public": made,
        "shuffled": hidden.order(20),
        "picked_of": 7,
        "picked": [hidden.below(7) for _ in range(6)],
    }


def records() -> list[dict[str, Any]]:
    previous, made = bytes(32), []
    for record in ({"record": "first", "at": "2026-03-02T12:00:00Z"}, {"record": "second", "names": ["Anna", "Ben"]}):
        previous = hashlib.sha256(previous + canonical(record)).digest()
        made.append({"record": record, "hash": previous.hex()})
    return made


def vectors() -> dict[str, Any]:
    texts = [
        '{"b":1,"a":[true,false,null]}',
        '{"é":"\\u00fc\\n\\u0001\\"\\\\/","Z":-9007199254740991}',
        '{"a":{},"":[]}',
    ]
    return {
        "canonical": [{"json": text, "utf8": canonical(json.loads(text)).hex()} for text in texts],
        "set": sealed_set(),
        "chain": chain(5),
        "throws": throws(),
        "names": {name: sha(name.encode()) for name in ("Anna", "Jürgen", "李")},
        "records": records(),
    }


if __name__ == "__main__":
    written = json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"
    (Path(__file__).parent / "vectors" / "seals.json").write_text(written, encoding="utf-8")
