// The tally sheet does its sums while it is filled in.
//
// The page carries what the judge knows about this turn (#ask, JSON): the limits, minimums and totals of the rules, with
// the judge's own sentences in the reader's language.  Nothing is asked of the server; the judge checks again anyway.

"use strict";

(() => {
  const data = document.getElementById("ask");
  if (!data) return;
  const ask = JSON.parse(data.textContent);
  const form = document.getElementById("orders");
  const format = new Intl.NumberFormat(document.documentElement.lang);
  const said = (value) => format.format(value).replace("-", "\u2212");

  const input = (key) => form.elements.namedItem(key);
  const typed = (key) => {
    const field = input(key);
    return field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : (field?.value ?? "").trim();
  };
  const number = (text) => (/^[+]?\d+$/.test(text) ? Number(text) : null);
  const money = (amount) => (amount < 0 ? ask.below : ask.money).replace("{amount}", said(Math.abs(amount)));
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (gap, name) => {
    const value = values[name];
    return value === undefined ? gap : typeof value === "number" ? said(value) : value;
  });

  /** Every row of the form: its kind, what it is about, and the whole numbers in it (null where none stands). */
  function rows() {
    return ask.kinds.flatMap((kind) => kind.rows.map((row) => {
      const values = { ...row.values };
      for (const name of kind.fields) {
        const text = typed(`${row.key}.${name}`);
        values[name] = kind.numbers.includes(name) ? number(text) : text;
      }
      const used = kind.fields.length
        ? kind.fields.some((name) => ![null, "", false].includes(values[name]))
        : typed(`${row.key}.given`);
      return { ...row, kind, values, used, subject: kind.subject.map((name) => values[name]).join(" ") };
    }));
  }

  /** Whether a limit looks at rows of this kind: of one that it names, with all the fields that it counts. */
  function concerns({ of, kinds, by }, kind) {
    const has = (name) => kind.fields.includes(name) || kind.subject.includes(name);
    return (!kinds || kinds.includes(kind.kind)) && [...of, ...(by ? [by] : [])].every(has);
  }

  /** How much a row counts in a limit or total. */
  function weightOf({ weights, by }, { values, subject }) {
    return weights ? (weights[by ? values[by] : subject] ?? 0) : 1;
  }

  /** The sum of weight × fields over all rows; a row with a gap counts 0. */
  function sum(counted, all) {
    const { of } = counted;
    let total = 0;
    for (const row of all) {
      const { values, used, kind } = row;
      if (!used || !concerns(counted, kind)) continue;
      const weight = weightOf(counted, row);
      total += of.reduce((product, name) => product * (values[name] ?? 0), weight);
    }
    return total;
  }

  function least(minimum, values) {
    const more = Object.entries(minimum.per).reduce((extra, [name, rate]) => extra + rate * (values[name] ?? 0), 0);
    return Math.max(minimum.floor, minimum.base + more);
  }

  /** How much more the row may take under the limits that count one of its numbers alone; null if none does. */
  function room(row, all) {
    const rooms = ask.limits.flatMap((limit) => {
      const weight = concerns(limit, row.kind) ? weightOf(limit, row) : 0;
      const counts = !limit.warning && limit.of.length === 1 && row.kind.numbers.includes(limit.of[0]) && weight > 0;
      return counts ? [Math.max(0, Math.floor((limit.at_most - sum(limit, all)) / weight))] : [];
    });
    return rooms.length ? Math.min(...rooms) : null;
  }

  /** The order line as it would stand in a post, or nothing while the row has a gap. */
  function line({ kind, values, used }) {
    const isFilled = (name) => ![null, "", false, undefined].includes(values[name]);
    if (!used || !kind.required.every(isFilled)) return null;
    const written = (name) => kind.written[name]?.[values[name]] ?? values[name] ?? "";
    const group = (whole, inner) => { // left out, unless every field in it is filled
      const names = [...inner.matchAll(/\{(\w+)/g)].map((gap) => gap[1]);
      return names.length && names.every(isFilled) ? inner : "";
    };
    return kind.line
      .replace(/\[([^[\]]*)\]/g, group)
      .replace(/\{(\w+)=([^}|]*)[^}]*\}/g, (flag, name, words) => (values[name] ? words : ""))
      .replace(/\{(\w+)\}/g, (gap, name) => written(name))
      .replace(/ {2,}/g, " ").trim();
  }

  function say(place, sentences) {
    if (!place) return;
    const text = sentences.join("\n");
    if (place.textContent !== text) place.textContent = text; // a screen reader is told of real changes only
  }

  function update() {
    const all = rows();
    const wrong = [];
    const careful = [];
    for (const limit of ask.limits) {
      const counted = sum(limit, all);
      if (counted > limit.at_most) {
        (limit.warning ? careful : wrong).push(fill(limit.says, { counted, over: counted - limit.at_most }));
      }
    }
    for (const row of all) {
      const found = [];
      const free = room(row, all);
      say(document.getElementById(`${row.key}.room`), free === null ? [] : [fill(ask.room, { room: free })]);
      for (const minimum of ask.minimums.filter(({ subject }) => subject === row.subject)) {
        const needed = least(minimum, row.values);
        const given = row.values[minimum.field];
        say(document.getElementById(`${row.key}.${minimum.field}.least`), [fill(ask.least, { least: needed })]);
        if (row.used && given !== null && given !== undefined && given < needed) {
          found.push(fill(minimum.says, { ...row.values, least: needed }));
        }
      }
      wrong.push(...found);
    }
    for (const total of ask.totals) {
      const value = total.start + total.sign * sum(total, all);
      say(document.getElementById(total.id), [total.money ? money(value) : said(value)]);
    }
    say(document.getElementById("wrong"), wrong);
    say(document.getElementById("careful"), careful);
    const lines = all.map(line).filter(Boolean);
    document.getElementById("as-text").value = lines.length ? lines.join("\n") : ask.pass;
  }

  for (const place of document.querySelectorAll("[data-live]")) place.hidden = false;
  form.addEventListener("input", update);
  update();
})();
