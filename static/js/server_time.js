// Provides the time on the server's clock, in case this browser's clock is wrong.

const TOLERATED = 30_000; // milliseconds; the network can cause smaller differences

let ahead = 0;

/** Returns the server's time, in milliseconds since 1970. */
export function siteTime() {
  return Date.now() + ahead;
}

/** Compares the clocks by the time of a response. Fires `sitetime` if the difference changes. */
export function noteTime(answer) {
  const sent = Date.parse(answer.headers.get("Date") ?? "");
  if (Number.isNaN(sent)) return;
  const differs = sent - Date.now();
  const before = ahead;
  ahead = Math.abs(differs) > TOLERATED ? differs : 0;
  if (Math.abs(ahead - before) > TOLERATED) document.dispatchEvent(new CustomEvent("sitetime"));
}
