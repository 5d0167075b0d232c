// The tally sheet does its sums while it is filled in, and grows as it needs room.
//
// The page carries what the judge knows about this turn (#ask, JSON): the sheets, limits, minimums and totals of the
// rules, with the judge's own sentences in the reader's language.  Nothing is asked of the server; the judge checks
// again anyway.  `orderSheet.orders()` is what is filled in, for the script that seals it.

"use strict";

(() => {
  const data = document.getElementById("ask");
  if (!data) return;
  const ask = JSON.parse(data.textContent);
  ask.sheets = ask.sheets.map((sheet) => ({ required: [], subject: [], defaults: {}, written: {}, ...sheet })); // what is empty is left out
  const form = document.getElementById("orders");
  const format = new Intl.NumberFormat(document.documentElement.lang);
  const said = (value) => format.format(value).replace("-", "\u2212");
  const MOST_LINES = 60; // as many as the judge reads

  const money = (amount) => (amount < 0 ? ask.below : ask.money).replace("{amount}", said(Math.abs(amount)));
  const isFilled = (value) => ![null, "", false, undefined].includes(value);
  const isNumber = (value) => typeof value === "number";
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (gap, name) => {
    const value = values[name];
    return value === undefined ? gap : isNumber(value) ? said(value) : value;
  });

  // What is filled in

  function number(text) {
    const digits = text.replace("\u2212", "-");
    return /^[+-]?\d{1,15}$/.test(digits) ? Number(digits) : text;
  }

  /** What an input holds, as the judge reads it: a number, a text, true or false, a row; null for nothing. */
  function read(control, texts) {
    const filled = texts.map((text) => text.trim()).filter(Boolean);
    if (control === "switch") return filled.length > 0;
    if (!filled.length) return null;
    switch (control) {
      case "number": return number(filled[0]);
      case "row": return filled;
      case "numbers": return filled.flatMap((text) => text.split(/[\s,;+&/]+|\b(?:and|und)\b/i)).filter(Boolean).map(number);
      default: return filled[0];
    }
  }

  /** Every row of the form: its sheet, the values in it, what it is about, and whether anything stands in it. */
  function rows() {
    const sent = new FormData(form);
    return ask.sheets.flatMap((sheet) => sheet.rows.map((row) => {
      const typed = sheet.columns.map(([name, control]) => [name, read(control, sent.getAll(`${row.key}.${name}`))]);
      const used = typed.some(([, value]) => isFilled(value));
      const values = { ...row.values, ...Object.fromEntries(typed) };
      return { ...row, sheet, values, used, subject: sheet.subject.map((name) => values[name]).join(" ") };
    }));
  }

  function orders() {
    return rows().filter(({ used }) => used).map(({ sheet, values }) => {
      const { given, ...fields } = values;
      return { kind: sheet.kind, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) };
    });
  }

  /** Whether a row lacks something that its kind of order needs; the judge would refuse the whole set. */
  const lacking = () => rows().some(({ used, sheet, values }) => used && !sheet.required.every((name) => isFilled(values[name])));

  /** The lines of earlier turns that go on, as rows: all that nothing filled in ends. */
  function goingOn(used) {
    const isEndedBy = ({ ends }, { sheet, values }) => sheet.key in ends
      && Object.entries(ends[sheet.key]).every(([name, ending]) => ending.includes(values[name]));
    return ask.kept.filter((line) => !used.some((row) => isEndedBy(line, row))).map((line) => ({ ...line, sheet: line }));
  }

  globalThis.orderSheet = { orders, lacking };

  // Sums

  /** Whether lines of a sheet count: of a kind that is named, with the fields and values that are looked at. */
  function concerns({ kinds, by, where = {}, of = [] }, { sheet, values }) {
    const has = (name) => name in values;
    return (!kinds || kinds.includes(sheet.kind)) && (!by || has(by))
      && of.every((names) => names.some(has))
      && Object.entries(where).every(([name, value]) => name in values && values[name] === value);
  }

  /** The field as a number: what is typed, else what counts where nothing is. */
  function amount({ values, sheet }, names) {
    for (const name of names) {
      const value = values[name] ?? sheet.defaults[name];
      if (isNumber(value)) return value;
    }
    return 0;
  }

  /** How much a row weighs in a count: once, or by the values that it is about. */
  function weightsOf({ weights, by }, { values, subject }) {
    if (!weights) return [1];
    const about = by ? values[by] : subject;
    return (Array.isArray(about) ? about : [about]).map((value) => weights[value] ?? 0);
  }

  function climbed({ steps, by, of, up_to: upTo, kinds }, used) {
    const taken = {};
    let total = 0;
    for (const row of used.filter(({ sheet }) => kinds.includes(sheet.kind))) {
      const value = row.values[by];
      const highest = upTo ? amount(row, [upTo]) || Infinity : Infinity;
      for (let units = amount(row, [of]); units > 0; units -= 1) {
        const price = steps[value]?.[taken[value] ?? 0];
        if (price === undefined || price > highest) break;
        taken[value] = (taken[value] ?? 0) + 1;
        total += price;
      }
    }
    return total;
  }

  /** What the filled rows come to. */
  function sum(counted, used) {
    if (counted.steps) return climbed(counted, used);
    const { of = [], also = [], times = 1 } = counted;
    const shares = used.filter((row) => concerns(counted, row)).flatMap((row) => {
      const product = of.reduce((so, names) => so * amount(row, names), 1);
      return weightsOf(counted, row).map((weight) => weight * product);
    });
    const own = counted.dearest ? Math.max(0, ...shares) : shares.reduce((so, share) => so + share, 0);
    return times * also.reduce((so, more) => so + sum(more, used), own);
  }

  function valueOf(total, used) {
    const value = total.start + total.sign * sum(total, used);
    return Math.max(total.least ?? -Infinity, Math.min(total.most ?? Infinity, value));
  }

  function least(minimum, values) {
    const more = Object.entries(minimum.per).reduce((extra, [name, rate]) => extra + rate * (isNumber(values[name]) ? values[name] : 0), 0);
    return Math.max(minimum.floor, minimum.base + more);
  }

  /** How much more the row may take under the limits that count its first number alone; null if none does. */
  function room(row, used) {
    const [[first, control]] = row.sheet.columns;
    const rooms = ask.limits.flatMap((limit) => {
      const { of = [], also = [], times = 1 } = limit;
      const [weight] = concerns(limit, row) ? weightsOf(limit, row) : [0];
      const alone = of.length === 1 && of[0].join() === first && !also.length && !limit.dearest;
      const counts = !limit.warning && alone && control === "number" && weight > 0;
      return counts ? [Math.max(0, Math.floor((limit.at_most - sum(limit, used)) / (weight * times)))] : [];
    });
    return rooms.length ? Math.min(...rooms) : null;
  }

  /** What a post calls a value: as all sheets do, unless this one calls it otherwise. */
  function named(sheet, field, value) {
    const own = sheet.written[field];
    return (own && (own[value] ?? ask.written[value])) ?? value;
  }

  /** The order line as it would stand in a post, or nothing while the row has a gap. */
  function line({ sheet, values, used }) {
    if (!used || !sheet.required.every((name) => isFilled(values[name]))) return null;
    const written = (name) => [values[name] ?? sheet.defaults[name] ?? ""].flat().map((one) => named(sheet, name, one)).join(", ");
    const stands = (name) => isFilled(values[name] ?? sheet.defaults[name]);
    const group = (whole, inner) => { // left out, unless every field in it is filled
      const names = [...inner.matchAll(/\{(\w+)/g)].map((gap) => gap[1]);
      return names.length && names.every((name) => isFilled(values[name])) ? inner : "";
    };
    let text = ask.lines[sheet.kind];
    for (let before = ""; before !== text;) { // groups may stand in groups
      before = text;
      text = text.replace(/\[([^[\]]*)\]/g, group);
    }
    return text
      .replace(/\{(\w+)=([^}|]*)[^}]*\}/g, (flag, name, words) => (values[name] ? words : ""))
      .replace(/\{(\w+)\}/g, (gap, name) => (stands(name) ? written(name) : ""))
      .replace(/ {2,}/g, " ").trim();
  }

  // Room for more

  /** A row of lists shows one more than is chosen, and gets new ones. */
  function growRow(row) {
    const places = [...row.children];
    const chosen = places.findLastIndex((place) => place.querySelector("select").value);
    const most = Number(row.dataset.most || 40);
    if (chosen === places.length - 1 && places.length < most) {
      const place = places[chosen].cloneNode(true);
      const list = place.querySelector("select");
      list.id = `${list.name}.${places.length + 1}`;
      list.setAttribute("aria-label", `${form.querySelector(`label[for="${CSS.escape(list.name)}"]`).textContent} ${places.length + 1}`);
      list.value = "";
      row.append(place);
      places.push(place);
    }
    places.forEach((place, at) => { place.hidden = at > chosen + 1; });
  }

  /** A sheet of lines shows one more than is filled, and gets new ones. */
  function growLines(sheet, all) {
    const place = document.querySelector(`[data-grows="${CSS.escape(sheet.key)}"]`);
    if (!place) return;
    const used = all.filter((row) => row.sheet === sheet).findLastIndex((row) => row.used);
    if (used === sheet.rows.length - 1 && sheet.rows.length < MOST_LINES) addLine(sheet, place);
    [...place.children].forEach((one, at) => { one.hidden = at > used + 1; });
  }

  function addLine(sheet, place) {
    const before = `${sheet.key}.${sheet.rows.length - 1}.`;
    const key = `${sheet.key}.${sheet.rows.length}`;
    const fresh = place.lastElementChild.cloneNode(true);
    for (const told of fresh.querySelectorAll(".problem, .warning")) told.remove();
    for (const one of fresh.querySelectorAll("*")) {
      for (const { name, value } of [...one.attributes]) {
        if (value.startsWith(before)) one.setAttribute(name, value.replace(before, `${key}.`));
      }
      one.removeAttribute("aria-invalid");
      if (one.matches("select")) one.value = "";
      else if (one.type === "checkbox") one.checked = false;
      else if (one.matches("input")) one.value = "";
    }
    place.append(fresh);
    sheet.rows.push({ key, values: { ...sheet.rows[0].values } });
    for (const row of fresh.querySelectorAll(".ranked")) growRow(row);
  }

  // The page

  function say(place, sentences) {
    if (!place) return;
    const text = sentences.join("\n");
    if (place.textContent !== text) place.textContent = text; // a screen reader is told of real changes only
  }

  function update() {
    document.querySelectorAll("#orders .ranked").forEach(growRow);
    const before = rows();
    for (const sheet of ask.sheets) growLines(sheet, before);
    const all = rows();
    const filled = all.filter((row) => row.used);
    const used = [...filled, ...goingOn(filled)];
    const wrong = [];
    const careful = [];
    for (const limit of ask.limits) {
      const counted = sum(limit, used);
      if (counted > limit.at_most) {
        (limit.warning ? careful : wrong).push(fill(limit.says, { counted, over: counted - limit.at_most }));
      }
    }
    for (const row of all) {
      const free = room(row, used);
      say(document.getElementById(`${row.key}.room`), free === null ? [] : [fill(ask.room, { room: free })]);
      for (const minimum of ask.minimums.filter(({ subject }) => subject === row.subject)) {
        const needed = least(minimum, row.values);
        const given = row.values[minimum.field];
        say(document.getElementById(`${row.key}.${minimum.field}.least`), [fill(ask.least, { least: needed })]);
        if (row.used && isNumber(given) && given < needed) {
          wrong.push(fill(minimum.says, { ...row.values, least: needed }));
        }
      }
    }
    for (const total of ask.totals) {
      const value = valueOf(total, used);
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
