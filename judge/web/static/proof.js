// Checks the export of a game in the reader's own browser, by the judge's page "Seals, byte for byte" alone.
//
// Nothing is sent and no library is needed: what is checked here is SHA-256, HMAC and Ed25519 as WebCrypto offers them
// (https or localhost).  It checks everything but the rules of the game: those are replayed by `judge verify`.
//
//     const { flaw, counts, closed } = await check(bytes);   flaw: null, or the first thing that does not hold

import {
  Flaw, canonical, chanceContext, demand, digest, fromBase64url, hex, partSeal, same, setSeal, sha256, stream, thrown, unhex,
  utf8, wrongSalt,
} from "./hashes.js";

// Shapes: every object has exactly the fields that are named

const HEX = /^[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isText = (value) => typeof value === "string";
const isHash = (value) => isText(value) && HEX.test(value);
const isTime = (value) => isText(value) && TIME.test(value);
const isSeat = (value) => isText(value) && /^[1-9]\d*$/.test(value);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isNumber = (value) => Number.isSafeInteger(value);
const isPositive = (value) => isNumber(value) && value >= 1;
const isCount = (value) => isPositive(value) && value < 2 ** 32; // numbers that go into dice as four bytes
const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
const mapOf = (key, test) => (value) => isObject(value) && Object.entries(value).every(([name, one]) => key(name) && test(one));
const oneOf = (...words) => (value) => words.includes(value);
const maybe = (test) => (value) => value === null || test(value);
const fields = (tests) => (value) =>
  isObject(value) && same(Object.keys(value).sort(), Object.keys(tests).sort()) &&
  Object.entries(tests).every(([name, test]) => test(value[name]));

const isThrow = (value) =>
  fields({ throw: oneOf("roll"), sides: isPositive, threw: isPositive })(value) ||
  fields({ throw: oneOf("lots"), order: listOf(isNumber) })(value);
const isChance = fields({ chain: isCount, link: isCount, secret: isHash, throws: listOf(isThrow) });
const isAnchors = fields({ chain: isCount, length: isCount, public: isHash, hidden: isHash });
const isPart = fields({ salt: isHash, lines: listOf(fields({ salt: isHash, order: isObject })) });
const opens = oneOf("turn", "game");
const turn = { turn: isCount, version: isCount };
const HOW = ["posted", "standing", "forced", "missed"];

const RECORDS = {
  created: {
    game: isText, ruleset: isText, ruleset_version: isNumber, options: isObject, anchors: isAnchors, keys: listOf(isText),
    joined: maybe(fields({ ...turn, state: isObject })),
  },
  started: { seats: mapOf(isSeat, isHash), chance: isChance, state: isObject, anchors: maybe(isAnchors) },
  closed: {
    ...turn, opened: isTime, deadline: maybe(isTime), why: oneOf("complete", "deadline", "host", "forced"),
    seats: mapOf(isSeat, fields({ how: oneOf(...HOW), commitment: maybe(isHash) })),
    decisions: listOf(isText), void: listOf(isSeat), keys: listOf(isText),
  },
  resolved: {
    ...turn, sets: mapOf(isSeat, fields({ parts: mapOf(opens, isPart), closed: mapOf(opens, isHash) })),
    filled: mapOf(isSeat, listOf(isObject)), chance: isChance, events: listOf(isObject), state: isObject,
    anchors: maybe(isAnchors),
  },
  rewound: {
    ...turn, why: isText, undone: listOf(fields({ ...turn, opened: listOf(isSeat), told: listOf(isSeat) })),
    kept: listOf(isSeat), anchors: maybe(isAnchors),
  },
  ended: {
    hidden: mapOf(isSeat, isHash), sets: listOf(fields({ ...turn, seat: isSeat, part: isPart })),
    standings: listOf((value) => Array.isArray(value) && value.length === 2 && isSeat(value[0]) && isNumber(value[1])),
  },
};

const isExport = fields({
  gamejudge: oneOf(1), game: isText, title: isText, ruleset: isText, ruleset_version: isNumber, language: isText,
  status: oneOf("open", "running", "over", "aside"), names: mapOf(isSeat, isText), keys: listOf(isObject),
  records: listOf(fields({ hash: isHash, record: isObject })), hash: isHash,
  open: maybe(fields({
    ...turn, opened: isTime, deadline: maybe(isTime), posted: listOf(isSeat), awaited: listOf(isSeat),
  })),
});

/** Numbers are whole and small enough for everybody, but for those in the game's options. */
function wholeNumbers(value) {
  if (typeof value === "number") return isNumber(value);
  return !isObject(value) && !Array.isArray(value) ? true : Object.values(value).every(wholeNumbers);
}

// The record, entry by entry

const placed = ({ turn, version }) => `${turn}.${version}`;

class Reader {
  constructor(file) {
    this.file = file;
    this.chains = [];
    this.opened = {}; // turn → how often it has been opened
    this.next = null; // the turn that takes orders
    this.closing = null; // the record of the turn that has closed and not resolved
    this.results = new Map(); // "turn.version" → {record, chain, number of its record}
    this.inForce = []; // results that were not taken back
    this.last = null;
    this.counts = { records: 0, seals: 0, lines: 0, links: 0, throws: 0, hidden: 0, salts: 0 };
  }

  async read(record, number) {
    this.at = { record: number, ...("turn" in record ? { turn: record.turn, version: record.version } : {}) };
    this.need(Object.hasOwn(RECORDS, record.record), "shape");
    const shape = fields({ ...RECORDS[record.record], record: isText, at: isTime });
    this.need(shape(record) && wholeNumbers({ ...record, options: null }), "shape");
    this.need(this.follows(record.record), "order");
    await this[record.record](record);
    this.last = record.record;
    this.counts.records += 1;
  }

  need(holds, what, more = {}) {
    demand(holds, what, { ...this.at, ...more });
  }

  follows(kind) {
    if (this.last === null) return kind === "created";
    if (kind === "started") return this.last === "created" && !this.joined;
    if (kind === "closed") return this.next !== null && this.closing === null;
    if (kind === "resolved") return this.closing !== null;
    if (kind === "ended") return this.last === "resolved";
    return kind === "rewound" && this.inForce.length > 0;
  }

  open(turn, version = (this.opened[turn] ?? 0) + 1) {
    this.opened[turn] = version;
    this.next = { turn, version };
  }

  begin(anchors) {
    this.need(anchors !== null && anchors.chain === this.chains.length + 1, "anchors");
    this.chains.push({ ...anchors, used: 0, secret: anchors.public });
  }

  async created(record) {
    for (const name of ["game", "ruleset", "ruleset_version"]) this.need(record[name] === this.file[name], "head");
    this.need(this.known(record.keys), "keys");
    this.begin(record.anchors);
    this.joined = record.joined;
    if (record.joined) {
      this.seats = Object.keys(this.file.names).sort((one, other) => one - other);
      this.open(record.joined.turn, record.joined.version);
    }
  }

  async started(record) {
    this.seats = Object.keys(record.seats).sort((one, other) => one - other);
    this.need(same(Object.keys(this.file.names).sort(), Object.keys(record.seats).sort()), "seats");
    await this.chance(record, 0, 1, this.seats.map((seat) => record.seats[seat]));
    this.open(1);
  }

  async closed(record) {
    this.need(same(this.next, { turn: record.turn, version: record.version }), "order");
    this.need(this.known(record.keys), "keys");
    for (const [seat, { how, commitment }] of Object.entries(record.seats)) {
      this.need(this.seats.includes(seat), "seats", { seat });
      this.need(["posted", "standing"].includes(how) === (commitment !== null), "how", { seat });
    }
    this.need(record.void.every((seat) => this.seats.includes(seat)), "seats");
    this.closing = record;
    this.next = null;
  }

  async resolved(record) {
    const closing = this.closing;
    this.need(record.turn === closing.turn && record.version === closing.version, "order");
    const asked = Object.entries(closing.seats);
    const sealed = asked.filter(([, { commitment }]) => commitment !== null);
    this.need(same(sealed.map(([seat]) => seat).sort(), Object.keys(record.sets).sort()), "sets");
    this.need(asked.length - sealed.length === Object.keys(record.filled).length, "sets");
    this.need(Object.keys(record.filled).every((seat) => closing.seats[seat]?.commitment === null), "sets");
    for (const [seat, { commitment }] of sealed) await this.set(record, seat, commitment);
    await this.chance(record, record.turn, record.version, this.seats.map((seat) => closing.seats[seat]?.commitment ?? null));
    const result = { record, closing, chain: record.chance.chain };
    this.kept(result);
    this.results.set(placed(record), result);
    this.inForce.push(result);
    this.closing = null;
    this.open(record.turn + 1);
  }

  async set(record, seat, commitment) {
    const { parts, closed } = record.sets[seat];
    const shapely = Object.keys(parts).every((name) => name === "turn") && Object.keys(closed).every((name) => name === "game");
    this.need(shapely, "sets", { seat });
    const seals = { ...closed };
    if (parts.turn) seals.turn = await partSeal(parts.turn);
    const place = { game: this.file.game, turn: record.turn, version: record.version, seat };
    this.need(await setSeal(place, seals) === commitment, "seal", { seat });
    this.counts.seals += 1;
    this.counts.lines += parts.turn?.lines.length ?? 0;
  }

  /** Seats whose orders were to count again gave the same ones, unless they have lost them since. */
  kept({ record, closing }) {
    for (const seat of this.again?.seats ?? []) {
      this.need(seat in this.results.get(this.again.undone).record.sets, "kept", { seat });
      const before = this.results.get(this.again.undone).record.sets[seat]?.parts.turn;
      const now = record.sets[seat]?.parts.turn;
      const orders = (part) => (part ?? { lines: [] }).lines.map((line) => line.order);
      this.need(closing.void.includes(seat) || (closing.seats[seat]?.how === "posted" && same(orders(before), orders(now))), "kept", { seat });
    }
    this.again = null;
  }

  async chance(record, number, version, contributions) {
    const { chain, link, secret, throws } = record.chance;
    const current = this.chains.at(-1);
    this.need(chain === current.chain && link === current.used + 1 && link <= current.length, "link");
    this.need(await sha256(unhex(secret)) === current.secret, "link");
    current.used = link;
    current.secret = secret;
    const below = await stream("public", secret, chanceContext(this.file.game, number, version, link, contributions));
    for (const [index, one] of throws.entries()) {
      this.need(same(one, await thrown(one, below)), "throw", { throw: index + 1 });
    }
    this.counts.links += 1;
    this.counts.throws += throws.length;
    if (current.used === current.length) this.begin(record.anchors);
    else this.need(record.anchors === null, "anchors");
  }

  async rewound(record) {
    const undone = this.inForce.filter((result) => result.record.turn >= record.turn);
    const seen = new Map(record.undone.map((one) => [placed(one), one]));
    this.need(undone.some((result) => result.record.turn === record.turn), "undone");
    this.need(same(undone.map((result) => placed(result.record)), record.undone.map(placed)), "undone");
    for (const { record: result } of undone) {
      this.need(same(Object.keys(result.sets).sort(), [...seen.get(placed(result)).opened].sort()), "undone");
    }
    const first = undone.find((result) => result.record.turn === record.turn);
    this.inForce = this.inForce.filter((result) => result.record.turn < record.turn);
    this.closing = null;
    this.open(record.turn);
    this.need(this.next.version === record.version, "order");
    this.again = { seats: record.kept, undone: placed(first.record) };
    if (this.last === "ended") this.begin(record.anchors);
    else this.need(record.anchors === null, "anchors");
  }

  async ended(record) {
    this.need(same(Object.keys(record.hidden).sort(), this.chains.map(({ chain }) => String(chain)).sort()), "hidden");
    for (const { chain, hidden } of this.chains) {
      this.need(await sha256(unhex(record.hidden[chain])) === hidden, "hidden");
    }
    this.counts.hidden = this.chains.length;
    const late = new Map(record.sets.map((one) => [`${placed(one)}.${one.seat}`, one.part]));
    this.need(late.size === record.sets.length, "late");
    this.counts.salts = 0;
    for (const [name, { record: result, chain }] of this.results) {
      for (const [seat, { parts, closed }] of Object.entries(result.sets)) {
        const at = { turn: result.turn, version: result.version, seat };
        const part = late.get(`${name}.${seat}`);
        this.need(Boolean(part) === Boolean(closed.game), "late", at);
        late.delete(`${name}.${seat}`);
        if (part) this.need(await partSeal(part) === closed.game, "seal", at);
        for (const [opened, one] of Object.entries({ ...parts, ...(part ? { game: part } : {}) })) {
          const line = await wrongSalt(record.hidden[chain], { game: this.file.game, ...at }, opened, one);
          this.need(line === null, "salt", { ...at, ...(line ? { line } : {}) });
          this.counts.salts += one.lines.length + 1;
        }
      }
    }
    this.need(late.size === 0, "late");
    this.next = null;
  }

  known(thumbprints) {
    return thumbprints.every((kid) => this.file.keys.some((key) => key.kid === kid));
  }

  /** What the file says of now must go with its last record. */
  finish() {
    const { status, open } = this.file;
    this.at = {};
    this.need((status === "over") === (this.last === "ended"), "now");
    this.need((status === "open") === (this.last === "created" && !this.joined), "now");
    this.need(this.next ? open && open.turn === this.next.turn && open.version === this.next.version : open === null, "now");
    this.need(!open || !open.posted.some((seat) => open.awaited.includes(seat)), "now");
  }

  /** What nobody can check yet. */
  stillClosed() {
    const ended = this.last === "ended";
    const games = [...this.results.values()].flatMap(({ record }) => Object.values(record.sets)).filter(({ closed }) => closed.game);
    return {
      open: this.next,
      closing: this.closing && { turn: this.closing.turn, version: this.closing.version },
      game: ended ? 0 : games.length,
      hidden: ended ? 0 : this.chains.length,
    };
  }
}

async function checkKeys(keys) {
  for (const key of keys) {
    demand(key.kty === "OKP" && key.crv === "Ed25519" && isText(key.x), "keys");
    const made = await sha256(utf8(canonical({ crv: key.crv, kty: key.kty, x: key.x })));
    demand(hex(fromBase64url(key.kid)) === made, "keys");
  }
}

/** Reads an export and checks all of it.  `told(done, all)` hears of every record; nothing is thrown for a bad file. */
export async function check(data, told = async () => {}) {
  const found = { flaw: null, counts: {}, closed: null, file: null };
  let reader = null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    const file = JSON.parse(text);
    demand(`${canonical(file)}\n` === text, "not canonical");
    demand(isExport(file) && wholeNumbers({ ...file, records: [] }), "shape");
    const { hash, ...content } = file;
    demand(await digest(content) === hash, "file hash");
    demand(file.records.length > 0, "no record");
    found.file = file;
    await checkKeys(file.keys);
    reader = new Reader(file);
    let before = new Uint8Array(32);
    for (const [index, { hash: own, record }] of file.records.entries()) {
      const at = { record: index + 1, turn: record.turn, version: record.version };
      demand(await sha256(before, utf8(canonical(record))) === own, "record hash", at);
      await reader.read(record, index + 1);
      before = unhex(own);
      await told(index + 1, file.records.length);
    }
    reader.finish();
    found.closed = reader.stillClosed();
  } catch (error) {
    found.flaw = error instanceof Flaw ? error : new Flaw(error instanceof SyntaxError || !reader ? "not canonical" : "shape", reader?.at);
  }
  found.counts = reader?.counts ?? {};
  return found;
}

/** Whether a text that holds hashes (a post of the judge) agrees with an export: which of them are hashes of records. */
export function hashesOf(text, file) {
  const given = [...new Set(text.toLowerCase().match(/\b[0-9a-f]{64}\b/g) ?? [])];
  const everything = canonical(file);
  const records = file.records.flatMap(({ hash }, index) => (given.includes(hash) ? [index + 1] : []));
  return { given, records, strange: given.filter((one) => !everything.includes(one)) };
}

/** A receipt (compact JWS) against an export: its claims and what it is worth; a Flaw if it is not genuine. */
export async function checkReceipt(jws, file) {
  const [head, body, signature] = jws.split(".");
  const claims = JSON.parse(new TextDecoder().decode(fromBase64url(body)));
  const { alg, kid } = JSON.parse(new TextDecoder().decode(fromBase64url(head)));
  const key = file.keys.find((one) => one.kid === kid);
  const named = file.records.some(({ record }) => record.keys?.includes(kid));
  demand(alg === "Ed25519" && key && (named || !closing(claims, file)), "receipt key"); // the closing names its turn's keys
  demand(claims.receipt === 1 && claims.game === file.game, "receipt game");
  const imported = await crypto.subtle.importKey("jwk", { kty: key.kty, crv: key.crv, x: key.x }, "Ed25519", false, ["verify"]);
  demand(await crypto.subtle.verify("Ed25519", imported, fromBase64url(signature), utf8(`${head}.${body}`)), "receipt signature");
  if (claims.set) {
    const parts = {};
    for (const [name, part] of Object.entries(claims.set.parts)) parts[name] = await partSeal(part);
    const { turn: number, version, seat } = claims;
    demand(same(claims.set.place, { game: file.game, turn: number, version, seat }), "receipt seal");
    demand(await setSeal(claims.set.place, parts) === claims.commitment, "receipt seal");
  }
  return { claims, worth: receiptWorth(claims, file) };
}

const sameTurn = (one, other) => one?.turn === other.turn && one.version === other.version;

/** The record that published the seals of a receipt's turn, if it has closed. */
const closing = (claims, file) =>
  file.records.map(({ record }) => record).find((record) => record.record === "closed" && sameTurn(record, claims));

/** What a genuine receipt proves, as the name of a sentence. */
function receiptWorth(claims, file) {
  const { seat, outcome, commitment } = claims;
  if (outcome === "refused") return "receipt of nothing";
  const closed = closing(claims, file);
  if (!closed) return sameTurn(file.open, claims) ? "receipt before the close" : "receipt never closed";
  const entry = closed.seats[seat];
  const published = entry?.how === "posted" ? entry.commitment : null;
  if (published === commitment) return outcome === "withdrawn" ? "receipt withdrawn" : "receipt holds";
  return closed.void.includes(seat) ? "receipt void" : "receipt broken";
}
