// The time by the site's clock, if this browser's clock differs.

const TOLERATED = 30_000; // milliseconds; smaller differences can be delays of the network

let ahead = 0;

/** Returns milliseconds since 1970. */
export function siteTime() {
  return Date.now() + ahead;
}

/** Compares clocks with the time of a new response. Fires `sitetime` after a change. */
export function noteTime(answer) {
  const sent = Date.parse(answer.headers.get("Date") ?? "");
  if (Number.isNaN(sent)) return;
  const differs = sent - Date.now();
  const before = ahead;
  ahead = Math.abs(differs) > TOLERATED ? differs : 0;
  if (Math.abs(ahead - before) > TOLERATED) document.dispatchEvent(new CustomEvent("sitetime"));
}
