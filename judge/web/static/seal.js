// Seals orders in the browser, so that they can be posted where everybody reads them.
//
// The result is a JWE (RFC 7516) to the judge's public key, made of what WebCrypto offers: ECDH on P-256, one round of
// SHA-256 for the key (RFC 7518, 4.6), AES-GCM.  The page carries the judge's key and says which turn and seat the
// orders are for (#envelope, JSON); what they are is known to the script of the form (`orderSheet`).  Nothing is sent: the
// block is shown, and the player posts it himself.

"use strict";

(() => {
  const data = document.getElementById("envelope");
  if (!data) return;
  const { key, game, turn, version, seat, padded_to: step, most_bytes: most, line_length: width } = JSON.parse(data.textContent);
  const ask = JSON.parse(document.getElementById("ask").textContent);
  const sheet = document.getElementById("orders");
  const text = document.getElementById("text");
  const said = document.getElementById("seal-said");
  const shown = document.getElementById("sealed");
  const block = document.getElementById("sealed-block");

  // Bytes

  const utf8 = (string) => new TextEncoder().encode(string);
  const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const number = (value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);

  function base64url(bytes) {
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  /** RFC 4648, without padding. */
  function base32(bytes) {
    const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
    return bits.replace(/.{1,5}/g, (five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(five.padEnd(5, "0"), 2)]);
  }

  // The envelope

  /** The key for the content out of the shared secret: Concat KDF for A256GCM, without party info. */
  async function contentKey(secret) {
    const algorithm = utf8("A256GCM");
    const input = joined(number(1), secret, number(algorithm.length), algorithm, number(0), number(0), number(256));
    const digest = await crypto.subtle.digest("SHA-256", input);
    return crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt"]);
  }

  /** A compact JWE that only the judge's private key opens. */
  async function encrypted(plain) {
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const judge = await crypto.subtle.importKey("jwk", { kty: key.kty, crv: key.crv, x: key.x, y: key.y }, curve, false, []);
    const own = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", own.publicKey);
    const secret = await crypto.subtle.deriveBits({ name: "ECDH", public: judge }, own.privateKey, 256);
    const header = { alg: "ECDH-ES", enc: "A256GCM", kid: key.kid, epk: { kty, crv, x, y } };
    const authenticated = base64url(utf8(JSON.stringify(header)));
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const options = { name: "AES-GCM", iv, additionalData: utf8(authenticated) };
    const sealed = new Uint8Array(await crypto.subtle.encrypt(options, await contentKey(new Uint8Array(secret)), plain));
    return [authenticated, "", base64url(iv), base64url(sealed.slice(0, -16)), base64url(sealed.slice(-16))].join(".");
  }

  /** The block for a post; blanks hide how much is ordered. */
  async function seal(content) {
    const plain = utf8(JSON.stringify({ game, turn, version, seat, ...content }));
    if (plain.length > most) return null;
    const blanks = new Uint8Array((step - (plain.length % step)) % step).fill(32);
    const letters = base32(utf8(await encrypted(joined(plain, blanks))));
    return ["[sealed]", ...letters.match(new RegExp(`.{1,${width}}`, "g")), "[/sealed]"].join("\n");
  }

  // The page

  function say(sentence) {
    said.textContent = said.dataset[sentence];
  }

  async function show(content, sentence) {
    const sealed = await seal(content);
    block.value = sealed ?? "";
    shown.hidden = sealed === null;
    say(sealed === null ? "long" : sentence);
    if (sealed !== null) block.select();
  }

  function forget() {
    shown.hidden = true;
    block.value = said.textContent = "";
  }

  function sealSheet() {
    forget();
    const orders = orderSheet.orders();
    if (document.getElementById("wrong").textContent) return say("wrong");
    if (orderSheet.lacking()) return say("lacking");
    return show({ orders }, orders.length ? "done" : "pass");
  }

  function sealText() {
    forget();
    return text.value.trim() ? show({ text: text.value }, "done") : say("empty");
  }

  /** The command for `judge seal` with what is filled in, quoted for a shell. */
  function command() {
    const lines = (document.getElementById("as-text").value || ask.pass).split("\n");
    const quoted = lines.map((line) => `'${line.replaceAll("'", "'\\''")}'`);
    document.getElementById("seal-command").value = `${said.dataset.command} ${quoted.join(" ")}`;
  }

  if (window.isSecureContext) {
    document.getElementById("seal-here").hidden = false;
    document.getElementById("seal-elsewhere").hidden = true;
    document.getElementById("seal-sheet").addEventListener("click", sealSheet);
    document.getElementById("seal-text").addEventListener("click", sealText);
    for (const changed of [sheet, text]) changed.addEventListener("input", forget);
  } else {
    document.getElementById("seal-no-script").hidden = true;
    document.getElementById("seal-insecure").hidden = false;
    sheet.addEventListener("input", command);
    command();
  }
})();
