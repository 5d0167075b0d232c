"""Verifying in a real browser: the page's own script, written from SEALING.md alone, against games and against lies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from judge.core.seal import ZERO, SealedPart, canonical, digest, record_hash, set_commitment
from judge.core.seal import OrdersPlace as Place
from judge.registry import rulesets
from judge.service import keys, moderation, rewinding, turns
from judge.service.export import export_bytes
from tests.at_the_table import NAMES, TestTable
from tests.site import claim, game, serving
from tests.toy_ruleset import ruleset as lots

NewPage = Callable[..., Page]
Export = dict[str, Any]
HOLDS = "Everything that can be checked here holds."


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestTable]:
    games = [*rulesets().values(), lots]
    with serving(tmp_path_factory.mktemp("site"), games) as running:
        yield running


@pytest.fixture(scope="module")
def market(table: TestTable) -> str:
    """A market of two months that bots have played to its end."""
    table.open(("bot", "bot", "bot"), options={"months": 2})
    until_over(table)
    return table.game_id


@pytest.fixture(scope="module")
def auction(table: TestTable) -> str:
    """Lots to the end: dice, hidden cards, guesses that open at the end, a standing bid, and a turn taken back."""
    table.open(("Anna", "Ben", "Cem"), ruleset="lots", options={"rounds": 3, "purse": 9})
    play_lots(table)
    table.do(rewinding.rewind, table.game_id, 1, "Ben's bid was misread.", ("2",))
    until_over(table)
    return table.game_id


def play_lots(table: TestTable) -> None:
    """One turn, by those that it waits for."""
    where = table.position()
    with table.judge.store.read() as session:
        waiting = turns.waiting_for(session, where)
    for seat in waiting:
        bids = {"1": "bid 3\nguess blue", "2": "bid 3", "3": "always 2"}
        table.order(seat, "paint blue" if where.state.phase == "paint" else bids[seat])
    wait_for(table, lambda: table.turn().number != where.turn.number)


def until_over(table: TestTable) -> None:
    for _ in range(100):
        if table.turn().status == "over":
            return
        before = table.turn().number
        if any(seat.isdecimal() for seat in table.tokens):
            play_lots(table)
        else:
            wait_for(table, lambda before=before: table.turn().number != before)
    raise AssertionError("the game does not end")


def wait_for(table: TestTable, happened: Callable[[], bool]) -> None:
    for _ in range(200):
        table.look()
        if happened():
            return
    raise AssertionError("the turn does not resolve")


def export(table: TestTable, game_id: str) -> Export:
    with table.judge.store.read() as session:
        content: Export = json.loads(export_bytes(session, game_id))
    return content


def resealed(content: Export) -> bytes:
    """A changed export whose hashes have all been made anew, as somebody would who wants it believed."""
    before = ZERO
    for entry in content["records"]:
        entry["hash"] = record_hash(before, entry["record"])
        before = bytes.fromhex(entry["hash"])
    content["hash"] = digest({name: value for name, value in content.items() if name != "hash"})
    return canonical(content) + b"\n"


def check(page: Page, table: TestTable, game_id: str, pasted: str = "", lie: bytes | None = None) -> Locator:
    """Presses the button; `lie` is what the site hands out instead of the truth."""
    if lie is not None:

        def answer(route: Route) -> None:
            route.fulfill(body=lie, content_type="application/json")

        page.route("**/export.json", answer)
    page.goto(f"{table.judge.settings.address}/games/{game_id}/verify")
    page.locator("#given").fill(pasted)
    page.get_by_role("button", name="Check now").click()
    expect(page.locator("#found .note").first).to_be_visible()
    return page.locator("#found")


def test_a_finished_market_holds(table: TestTable, market: str, new_page: NewPage) -> None:
    """T323"""
    found = check(new_page(), table, market)
    expect(found.locator(".note")).to_have_text(HOLDS)
    records = len(export(table, market)["records"])
    expect(found).to_contain_text(f"Records, each with the hash of those before it: {records}")
    expect(found).to_contain_text("Hidden secrets against their anchors: 1")
    expect(found).to_contain_text("Not checked here: whether the results follow from the rules")
    expect(found).not_to_contain_text("Still closed")


def test_dice_late_guesses_and_a_turn_taken_back_hold(table: TestTable, auction: str, new_page: NewPage) -> None:
    """T323, T039: throws by the public stream, parts that open at the end, salts, both versions of a turn."""
    records = [entry["record"] for entry in export(table, auction)["records"]]
    kinds = [record["record"] for record in records]
    assert "rewound" in kinds
    assert records[-1]["sets"]
    assert any(record["chance"]["throws"] for record in records if record["record"] == "resolved")
    found = check(new_page(), table, auction)
    expect(found.locator(".note")).to_have_text(HOLDS)
    expect(found).to_contain_text("Throws:")
    expect(found).to_contain_text("Salts:")


def test_a_running_game_says_what_is_still_closed(table: TestTable, new_page: NewPage) -> None:
    table.open(("Anna", "Ben", "Cem"), ruleset="lots")
    play_lots(table)
    found = check(new_page(), table, table.game_id)
    expect(found.locator(".note")).to_have_text(HOLDS)
    expect(found).to_contain_text("the orders of turn 2, which is open")
    expect(found).to_contain_text("orders that open when the game ends (sets: 3)")
    expect(found).to_contain_text("the secret of hidden draws and salts")


def record(content: Export, kind: str, number: int = 0) -> Any:
    return [entry["record"] for entry in content["records"] if entry["record"]["record"] == kind][number]


def change_an_order(content: Export) -> str:
    record(content, "resolved")["sets"]["2"]["parts"]["turn"]["lines"][0]["order"]["amount"] = 2
    return "turn 1, Ben: The orders do not fit their seal."


def swap_a_seal(content: Export) -> str:
    """Another order under a seal of its own, the seal at the close swapped to match: dice or salt give it away."""
    resolved, closed = record(content, "resolved"), record(content, "closed")
    part = resolved["sets"]["2"]["parts"]["turn"]
    part["lines"][0]["order"]["amount"] = 1
    place = Place(game=content["game"], turn=1, version=1, seat="2")
    seals = {"turn": SealedPart.model_validate(part).commitment, **resolved["sets"]["2"]["closed"]}
    closed["seats"]["2"]["commitment"] = set_commitment(place, seals)  # type: ignore[arg-type]
    return "does not follow from"


def choose_a_salt(content: Export) -> str:
    """A seal made with a salt of one's own choice, in a turn without dice."""
    number = next(
        place
        for place, entry in enumerate(content["records"])
        if entry["record"]["record"] == "resolved"
        and not entry["record"]["chance"]["throws"]
        and list(entry["record"]["sets"]) != []
    )
    resolved, closed = content["records"][number]["record"], content["records"][number - 1]["record"]
    seat, opened = next(iter(resolved["sets"].items()))
    opened["parts"]["turn"]["salt"] = "ab" * 32
    seals = {"turn": SealedPart.model_validate(opened["parts"]["turn"]).commitment, **opened["closed"]}
    place = Place(game=content["game"], turn=resolved["turn"], version=resolved["version"], seat=seat)
    closed["seats"][seat]["commitment"] = set_commitment(place, seals)
    return "The salt does not follow from the hidden secret."


def load_the_dice(content: Export) -> str:
    throw = record(content, "resolved")["chance"]["throws"][0]
    throw["threw"] = throw["threw"] % 6 + 1
    return "throw 1: The throw does not follow from the secret and the seals."


def use_another_secret(content: Export) -> str:
    record(content, "resolved", 1)["chance"]["secret"] = "00" * 32
    return "The secret is not the next link of the chain."


def hide_another_deck(content: Export) -> str:
    record(content, "ended")["hidden"]["1"] = "11" * 32
    return "The hidden secret does not fit its anchor."


def leave_a_turn_out(content: Export) -> str:
    del content["records"][2:4]
    return "Such a record cannot stand here."


def keep_a_guess_closed(content: Export) -> str:
    record(content, "ended")["sets"].pop()
    return "What was opened at the end is not what had stayed closed."


def change_a_guess(content: Export) -> str:
    guess = next(one for one in record(content, "ended")["sets"] if one["part"]["lines"])
    guess["part"]["lines"][0]["order"]["colour"] = "red"
    return "Anna: The orders do not fit their seal."


def deny_what_was_seen(content: Export) -> str:
    record(content, "rewound")["undone"][0]["opened"] = []
    return "The results named are not those that were taken back."


def change_an_order_that_was_to_stay(content: Export) -> str:
    record(content, "rewound")["kept"] = ["2"]
    record(content, "closed", 1)["seats"]["2"]["how"] = "missed"
    return "Ben: A seal is missing, or stands where none belongs."


def add_a_number_that_is_not_whole(content: Export) -> str:
    record(content, "resolved")["state"]["round"] = 1.5
    return "This does not have the form that it must have."


LIES = [
    change_an_order,
    swap_a_seal,
    choose_a_salt,
    load_the_dice,
    use_another_secret,
    hide_another_deck,
    leave_a_turn_out,
    keep_a_guess_closed,
    change_a_guess,
    deny_what_was_seen,
    change_an_order_that_was_to_stay,
    add_a_number_that_is_not_whole,
]


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_with_hashes_that_fit_is_found(
    table: TestTable, auction: str, new_page: NewPage, lie: Callable[[Export], str]
) -> None:
    """T035"""
    content = export(table, auction)
    sentence = lie(content)
    found = check(new_page(), table, auction, lie=resealed(content))
    expect(found.locator(".note.wrong")).to_contain_text(sentence)
    expect(found).not_to_contain_text(HOLDS)


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_one_changed_byte_is_found(table: TestTable, market: str, new_page: NewPage, place: float) -> None:
    """T035"""
    data = bytearray(canonical(export(table, market)) + b"\n")
    data[int(len(data) * place)] ^= 1
    expect(check(new_page(), table, market, lie=bytes(data)).locator(".note.wrong")).to_contain_text(
        "This does not hold"
    )


def test_a_file_that_another_program_has_saved_is_not_taken(table: TestTable, market: str, new_page: NewPage) -> None:
    data = json.dumps(export(table, market), indent=1).encode()
    found = check(new_page(), table, market, lie=data)
    expect(found.locator(".note.wrong")).to_contain_text("not written as the judge writes it")


def test_an_old_post_shows_that_history_was_rewritten(table: TestTable, auction: str, new_page: NewPage) -> None:
    """The script does not know the rules: a false result holds in itself, and the posts of the judge give it away."""
    content = export(table, auction)
    result = next(entry for entry in content["records"] if entry["record"]["record"] == "resolved")
    post = f"Anna wins the lot for $3.\n* Record of turn 1: {result['hash']}\n"
    honest = check(new_page(), table, auction, pasted=post)
    expect(honest.locator(".note").nth(1)).to_contain_text("The hash that you pasted is that of record 4, turn 1")
    result["record"]["state"]["purses"]["1"] += 5
    found = check(new_page(), table, auction, pasted=post, lie=resealed(content))
    expect(found.locator(".note.good")).to_have_text(HOLDS)
    expect(found.locator(".note.wrong")).to_contain_text("stands nowhere in this game's record")


def test_a_receipt_is_checked_against_the_seals(table: TestTable, new_page: NewPage) -> None:
    """Signed by the judge, its seal published at the close; an earlier one and a forged one tell themselves."""
    table.open(NAMES)
    first = table.order("1", "X:3 at 42").signed
    table.do(keys.rotate)  # no record names the new key before the turn has closed
    page = new_page()
    claim(page, table, table.tokens["1"])
    table.order("1", "X:3 at 43")
    page.goto(game(table, "/orders"))
    page.get_by_text("The signed receipt, to keep").click()
    last = page.locator("#signed").input_value()
    assert last not in (first, "")
    expect(check(page, table, table.game_id, last)).to_contain_text("come back when it has closed")
    for seat in ("2", "3", "4"):
        table.order(seat, "pass")
    wait_for(table, lambda: table.turn().number == 2)
    expect(check(page, table, table.game_id, last)).to_contain_text("The receipt of Anna for turn 1 holds")
    expect(check(page, table, table.game_id, first).locator(".note.wrong")).to_contain_text("did not keep its word")
    head, body, signature = last.split(".")
    forged = f"{head}.{body}.{signature[:-6]}AAAAAA"
    expect(check(page, table, table.game_id, forged)).to_contain_text("The signature of the receipt does not hold.")
    expect(check(page, table, table.game_id, "hello")).to_contain_text("neither a whole hash")


def test_a_receipt_that_fixes_nothing_does_not_accuse_the_judge(table: TestTable, new_page: NewPage) -> None:
    """Orders that were refused, withdrawn, lost with the seat, or handed in for a turn that was taken back."""
    table.open(NAMES)
    table.order("1", "X:3 at 42")
    refused = table.order("1", "X:9 at 42, F:9 at 30").signed
    lost = table.order("2", "X:3 at 42").signed
    table.order("4", "F:3 at 33")
    table.do(moderation.replace_player, table.game_id, "2", "Emil")
    table.order("3", "X:3 at 42")
    table.clock.forward(minutes=1)
    withdrawn = table.order("3", "withdraw").signed
    page = new_page()
    expect(check(page, table, table.game_id, withdrawn)).to_contain_text("come back when it has closed")
    table.do(moderation.force, table.game_id, 1)
    wait_for(table, lambda: table.turn().number == 2)
    dropped = table.order("1", "pass").signed
    table.do(rewinding.rewind, table.game_id, 1, "Emil's link was lost.")
    for receipt, worth in (
        (refused, "it refused what was handed in"),
        (lost, "became void while the turn was open"),
        (withdrawn, "The receipt of Cem for turn 1 holds: the set was withdrawn"),
        (dropped, "the turn was taken back before it closed"),
    ):
        found = check(page, table, table.game_id, receipt)
        expect(found).to_contain_text(worth)
        expect(found.locator(".note.wrong")).to_have_count(0)


KNOWN_ANSWERS = """async ({ canonical, set, chain, throws, names, records }) => {
  const js = await import("/static/hashes.js");
  const wrong = [];
  const demand = (what, given, wanted) => {
    if (JSON.stringify(given) !== JSON.stringify(wanted)) wrong.push([what, given, wanted]);
  };
  for (const { json, utf8 } of canonical) demand("canonical", js.hex(js.utf8(js.canonical(JSON.parse(json)))), utf8);
  for (const part of ["turn", "game"]) {
    demand("part", await js.partSeal(set.parts[part]), set.part_commitments[part]);
    demand("salts", await js.wrongSalt(set.hidden, set.place, part, set.parts[part]), null);
    const other = await js.wrongSalt(set.hidden, { ...set.place, seat: "1" }, part, set.parts[part]);
    demand("another's salts", other === null, false);
  }
  demand("set", await js.setSeal(set.place, set.part_commitments), set.commitment);
  for (const [number, link] of chain.links.slice(1).entries()) {
    demand("link", await js.sha256(js.unhex(link)), chain.links[number]);
  }
  const { game, turn, version, link, contributions, secret, hidden } = throws;
  const mixed = contributions.map((one) => (/^0*$/.test(one) ? null : one));
  const context = js.chanceContext(game, turn, version, link, mixed);
  demand("context", js.hex(context), throws.context);
  const open = await js.stream("public", secret, context);
  for (const one of throws.public) demand("throw", await js.thrown(one, open), one);
  const closed = await js.stream("hidden", hidden, context);
  const shuffled = await js.thrown({ throw: "lots", order: throws.shuffled }, closed);
  demand("shuffled", shuffled.order, throws.shuffled);
  for (const one of throws.picked) demand("picked", await closed(throws.picked_of), one);
  for (const [name, hash] of Object.entries(names)) demand("name", await js.sha256(js.utf8(name)), hash);
  let before = new Uint8Array(32);
  for (const { record, hash } of records) {
    demand("record", await js.sha256(before, js.utf8(js.canonical(record))), hash);
    before = js.unhex(hash);
  }
  return wrong;
}"""


def test_the_script_gives_the_known_answers(table: TestTable, new_page: NewPage) -> None:
    """T035, T323: tests/vectors/seals.json, which another program has reckoned from SEALING.md."""
    vectors = json.loads((Path(__file__).parent / "vectors" / "seals.json").read_text(encoding="utf-8"))
    page = new_page()
    page.goto(table.judge.settings.address)
    assert page.evaluate(KNOWN_ANSWERS, vectors) == []


def test_without_https_the_page_says_so(table: TestTable, market: str, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });")
    page.goto(f"{table.judge.settings.address}/games/{market}/verify")
    expect(page.locator("#cannot")).to_be_visible()
    expect(page.get_by_role("button", name="Check now")).to_be_hidden()


def test_the_script_speaks_german(table: TestTable, market: str, new_page: NewPage) -> None:
    page = new_page(locale="de-DE")
    page.goto(f"{table.judge.settings.address}/games/{market}/verify")
    page.get_by_role("button", name="Jetzt prüfen").click()
    expect(page.locator("#found .note.good")).to_have_text("Alles, was sich hier prüfen lässt, stimmt.")
