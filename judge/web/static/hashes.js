// Bytes, hashes, seals and throws as the judge's page "Seals, byte for byte" says: SHA-256 and HMAC by WebCrypto, which
// browsers offer on https and localhost only.

/** What does not hold: `what` names the sentence, `at` the record (from 1), turn, version, seat, line or throw. */
export class Flaw extends Error {
  constructor(what, at = {}) {
    super(what);
    this.what = what;
    this.at = at;
  }
}

export function demand(holds, what, at) {
  if (!holds) throw new Flaw(what, at);
}

// Bytes, hashes, canonical JSON

export const utf8 = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const same = (one, other) => canonical(one) === canonical(other);

export function fromBase64url(text) {
  demand(typeof text === "string" && /^[\w-]*$/.test(text), "shape");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

export async function sha256(...parts) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts))));
}

export async function hmac(secret, message) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

/** A value as RFC 8785 writes it: keys sorted by UTF-16 units, no blanks, numbers and strings as JavaScript has them. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  const readable = typeof value === "number" ? Number.isFinite(value) : !/\p{Surrogate}/u.test(String(value));
  demand(readable, "not canonical");
  return JSON.stringify(value);
}

export const digest = (value) => sha256(utf8(canonical(value)));

// Seals and chance

export const setSeal = (place, parts) => digest({ ...place, parts });

export async function partSeal({ salt, lines }) {
  const seals = [];
  for (const line of lines) seals.push(await sha256(unhex(line.salt), utf8(canonical(line.order))));
  return sha256(unhex(salt), utf8(canonical(seals)));
}

/** The number of the first line whose salt is not the one that the hidden secret gives, 0 for the part's; else null. */
export async function wrongSalt(hidden, place, part, { salt, lines }) {
  const key = await hmac(unhex(hidden), utf8("salts"));
  const made = async (about) => hex(await hmac(key, utf8(canonical({ ...place, part, ...about }))));
  for (const [index, line] of lines.entries()) {
    if (await made({ line: index + 1, order: line.order }) !== line.salt) return index + 1;
  }
  return await made({ orders: lines.map((line) => line.order) }) === salt ? null : 0;
}

function bigEndian(value, length) {
  const made = new Uint8Array(length);
  for (let place = length - 1, rest = BigInt(value); place >= 0; place -= 1, rest >>= 8n) made[place] = Number(rest & 255n);
  return made;
}

/** What ties chance to one resolution; a contribution is a hash, or null for 32 zero bytes. */
export function chanceContext(game, number, version, link, contributions) {
  const mixed = contributions.map((one) => (one === null ? new Uint8Array(32) : unhex(one)));
  return joined(utf8(game), new Uint8Array(1), ...[number, version, link].map((one) => bigEndian(one, 4)), ...mixed);
}

/** A source of fair whole numbers: `below(6)` gives 0 to 5. */
export async function stream(name, secret, context) {
  const key = await hmac(unhex(secret), joined(utf8(name), context));
  const words = [];
  let block = 0;
  return async function below(bound) {
    const most = 2n ** 64n - (2n ** 64n % BigInt(bound));
    for (;;) {
      if (!words.length) {
        const view = new DataView((await hmac(key, bigEndian(block, 8))).buffer);
        block += 1;
        for (const place of [0, 8, 16, 24]) words.push(view.getBigUint64(place));
      }
      const word = words.shift();
      if (word < most) return Number(word % BigInt(bound));
    }
  };
}

/** What a throw on record ought to have shown. */
export async function thrown(one, below) {
  if (one.throw === "roll") return { ...one, threw: 1 + await below(one.sides) };
  const left = one.order.map((_, place) => place);
  const order = [];
  while (left.length) order.push(...left.splice(await below(left.length), 1));
  return { ...one, order };
}
