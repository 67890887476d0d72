// What time it is by the site's clock, as far as this browser's differs from it.

const TOLERATED = 30_000; // milliseconds: less may be the way of an answer

let ahead = 0;

/** Milliseconds since 1970. */
export function siteTime() {
  return Date.now() + ahead;
}

/** Looks at when the site sent this answer, which has just come; `sitetime` tells of a change. */
export function noteTime(answer) {
  const sent = Date.parse(answer.headers.get("Date") ?? "");
  if (Number.isNaN(sent)) return;
  const differs = sent - Date.now();
  const before = ahead;
  ahead = Math.abs(differs) > TOLERATED ? differs : 0;
  if (Math.abs(ahead - before) > TOLERATED) document.dispatchEvent(new CustomEvent("sitetime"));
}
