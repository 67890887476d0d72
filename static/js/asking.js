// Asks an address again and again: often while something happens, seldom while nothing does, once
// in a while when nobody looks, at once when somebody looks again. An unchanged answer is a 304.

const HIDDEN = { soon: 60, late: 300, lateAfter: 3600 };
const LONGEST_PAUSE = 60;
const PATIENCE = 20_000; // milliseconds
const GONE = [403, 404, 410];

/** `pauses`: from so many quiet seconds on, wait so many; `told(value)`, `failing(isFailing)`. */
export function ask(address, pauses, told, failing) {
  let etag = "";
  let failures = 0;
  let isAsking = false;
  let timer = 0;
  let quietSince = Date.now();
  let hiddenSince = 0;

  function pause() {
    const quiet = (Date.now() - quietSince) / 1000;
    let seconds = pauses.findLast(([from]) => quiet >= from)[1];
    if (document.hidden) {
      const late = (Date.now() - hiddenSince) / 1000 > HIDDEN.lateAfter;
      seconds = late ? HIDDEN.late : HIDDEN.soon;
    }
    if (failures) seconds = Math.max(seconds, Math.min(LONGEST_PAUSE, 3 * 2 ** failures));
    return seconds * (0.85 + Math.random() * 0.3); // not all pages at the same instant
  }

  async function askOnce() {
    const isAway = document.hidden || pause() > LONGEST_PAUSE / 2;
    const answer = await fetch(isAway ? `${address}?away` : address, {
      cache: "no-store",
      headers: etag ? { "If-None-Match": etag } : {},
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.status === 200) {
      const value = await answer.json();
      if (await told(value)) quietSince = Date.now();
      etag = answer.headers.get("ETag") ?? ""; // not before: what could not be shown is asked again
    } else if (GONE.includes(answer.status)) {
      return false;
    } else if (answer.status !== 304) {
      throw new Error(`answered ${answer.status}`);
    }
    return true;
  }

  async function again() {
    if (isAsking) return;
    isAsking = true;
    clearTimeout(timer);
    let goesOn = true;
    try {
      goesOn = await askOnce();
      failures = 0;
    } catch {
      failures += 1;
    }
    isAsking = false;
    failing(failures > 1);
    if (goesOn) timer = setTimeout(again, pause() * 1000);
  }

  function stir() {
    const wasSlow = Date.now() - quietSince > 60_000;
    quietSince = Date.now();
    if (wasSlow) again();
  }

  document.addEventListener("visibilitychange", () => {
    hiddenSince = Date.now();
    if (!document.hidden) {
      quietSince = Date.now();
      again();
    }
  });
  document.addEventListener("pointerdown", stir, { passive: true });
  document.addEventListener("keydown", stir, { passive: true });
  window.addEventListener("online", again);
  window.addEventListener("pageshow", (event) => event.persisted && again());
  again();
}
