// The page "Verify": fetches the export of the game, has it checked (proof.js) and tells what was found.
//
// The sentences stand in the page (#words, JSON), so that they are in the reader's language.

"use strict";

(() => {
  const form = document.getElementById("verify");
  const words = JSON.parse(document.getElementById("words").textContent);
  const given = document.getElementById("given");
  const found = document.getElementById("found");
  const button = form.querySelector("button");
  const number = new Intl.NumberFormat(document.documentElement.lang);

  const say = (name, values = {}) => words[name].replace(/\{(\w+)\}/g, (gap, key) => {
    const value = values[key] ?? gap;
    return typeof value === "number" ? number.format(value) : value;
  });

  function element(name, { text = "", kind = "", inside = [] } = {}) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.textContent = text;
    made.append(...inside);
    return made;
  }

  /** What a genuine receipt can be worth beside nothing at all or a proof against the judge. */
  const PROVING = ["receipt holds", "receipt withdrawn", "receipt before the close"];

  const list = (items) => element("ul", { inside: items.map((text) => element("li", { text })) });
  const note = (kind, ...inside) => element("div", { kind: `note ${kind}`, inside });
  const paragraph = (text, kind = "") => element("p", { text, kind });

  /** Where it is, from the large to the small. */
  function place(at, names) {
    const parts = [];
    if (at.record) parts.push(say("record", { record: at.record }));
    if (at.turn) parts.push(say(at.version > 1 ? "turn and version" : "turn", at));
    if (at.seat) parts.push(names[at.seat] ?? at.seat);
    if (at.line) parts.push(say("line", { line: at.line }));
    if (at.throw) parts.push(say("throw number", { number: at.throw }));
    return parts.join(", ");
  }

  function flawed(flaw, names) {
    const where = place(flaw.at, names);
    return note("wrong", paragraph(say("does not hold")), paragraph((where ? `${where}: ` : "") + say(flaw.what), "problem"));
  }

  function stillClosed({ open, closing, game, hidden }) {
    const lines = [];
    if (open) lines.push(say("open turn", open));
    if (closing) lines.push(say("closing turn", closing));
    if (game) lines.push(say("late sets", { count: game }));
    if (hidden) lines.push(say("hidden secret"));
    return lines.length ? [paragraph(say("still closed")), list(lines)] : [];
  }

  /** What a pasted post, hash or receipt is worth against the file. */
  async function compare(text, file, { hashesOf, checkReceipt }) {
    const told = [];
    for (const [receipt] of text.matchAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g)) told.push(await receiptNote(receipt, file, checkReceipt));
    const { given: hashes, records, strange } = hashesOf(text.replace(/\beyJ[\w.-]+/g, ""), file);
    if (strange.length) told.push(note("wrong", paragraph(say("strange hash"), "problem"), paragraph(strange.join(" "), "hash")));
    else if (hashes.length && !records.length) told.push(note("care", paragraph(say("no record hash"))));
    for (const which of records) {
      const { record } = file.records[which - 1];
      told.push(note("good", paragraph(say("hash holds", { where: place({ record: which, turn: record.turn, version: record.version }, {}) }))));
    }
    return told.length ? told : [note("care", paragraph(say("nothing to compare")))];
  }

  async function receiptNote(receipt, file, checkReceipt) {
    try {
      const { claims, worth } = await checkReceipt(receipt, file);
      const told = say(worth, { turn: claims.turn, name: file.names[claims.seat] ?? claims.seat });
      if (worth === "receipt broken") return note("wrong", paragraph(told, "problem"));
      return note(PROVING.includes(worth) ? "good" : "care", paragraph(told));
    } catch (error) {
      if (error.name === "NotSupportedError") return note("care", paragraph(say("no signatures")));
      return note("wrong", paragraph(say(words[error.what] ? error.what : "no receipt"), "problem"));
    }
  }

  async function verify() {
    const answer = await fetch(form.dataset.export, { cache: "no-cache" });
    if (!answer.ok) throw new TypeError(String(answer.status));
    const data = new Uint8Array(await answer.arrayBuffer());
    const proof = await import(form.dataset.proof);
    const bar = element("progress");
    found.replaceChildren(paragraph(say("checking")), bar);
    const told = async (done, all) => {
      bar.max = all;
      bar.value = done;
      if (done % 20 === 0) await new Promise((later) => { setTimeout(later); }); // lets the page draw
    };
    const { flaw, counts, closed, file } = await proof.check(data, told);
    const names = file?.names ?? {};
    const parts = [flaw ? flawed(flaw, names) : note("good", paragraph(say("holds")))];
    if (file && given.value.trim()) parts.push(...await compare(given.value, file, proof));
    const counted = Object.entries(counts).filter(([, count]) => count).map(([name, count]) => say(`count ${name}`, { count }));
    if (counted.length) parts.push(paragraph(say(flaw ? "checked so far" : "checked")), list(counted));
    if (closed) parts.push(...stillClosed(closed));
    parts.push(element("p", { text: say("not the rules"), kind: "quiet" }));
    found.replaceChildren(...parts);
  }

  if (!globalThis.crypto?.subtle) {
    document.getElementById("cannot").hidden = false;
    return;
  }
  button.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await verify();
    } catch {
      found.replaceChildren(note("care", paragraph(say("no file"))));
    } finally {
      button.disabled = false;
    }
  });
})();
