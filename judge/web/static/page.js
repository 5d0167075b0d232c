// What every page does a little better with a script: the countdown, the copy buttons, the visitor's own time zone.
// All of it works without: the page says the time left when it was made, texts can be selected, the zone can be set.

"use strict";

const language = document.documentElement.lang;

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** "in 5 hours"; the largest unit of which at least one whole is left, so never "0 days". */
function timeLeft(until, now) {
  const seconds = Math.round((until - now) / 1000);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(language).format(Math.trunc(seconds / length), unit);
}

function countDown() {
  for (const place of document.querySelectorAll("[data-until]")) {
    const until = Date.parse(place.dataset.until);
    place.textContent = until > Date.now() ? timeLeft(until, Date.now()) : place.dataset.over;
  }
}

for (const place of document.querySelectorAll("[data-until]")) place.title = new Date(place.dataset.until).toLocaleString(language);
countDown();
setInterval(countDown, 15_000);

/** A button with data-copy="id" copies the text of that field and says so. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    const text = field.value ?? field.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      field.select?.(); // clipboards are only open to https and localhost
      document.execCommand("copy");
    }
    const said = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = said; }, 2500);
  });
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").some((cookie) => cookie.startsWith("zone="))) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
