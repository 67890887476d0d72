// Polls an address: often while something may happen, seldom while nothing does, once in a while
// when nobody looks, at once when somebody looks again. An unchanged answer is a 304.

import { noteTime } from "./server_time.js";

const HIDDEN = { seconds: 60, lateSeconds: 300, lateAfter: 3600 };
const LONGEST_PAUSE = 60;
const COMPLETE_EVERY = 30_000; // milliseconds: then also what no cache knows is counted anew
const TIMEOUT = 20_000; // milliseconds
const SLOW = 5; // seconds
const GONE = [403, 404, 410];

/**
 * How long to wait with the next poll, in seconds. `intervals`: from so many quiet seconds on, wait
 * so many; `hiddenSeconds`: for how long nobody has seen the page; `failures`: polls without answer.
 */
export function pauseSeconds({ intervals, quietSeconds, hiddenSeconds = 0, failures = 0 }) {
  let seconds = intervals.findLast(([from]) => quietSeconds >= from)[1];
  if (hiddenSeconds) seconds = hiddenSeconds > HIDDEN.lateAfter ? HIDDEN.lateSeconds : HIDDEN.seconds;
  if (failures) seconds = Math.max(seconds, Math.min(LONGEST_PAUSE, 3 * 2 ** failures));
  return seconds;
}

/**
 * Polls `address` from now on. `intervals()`: those that hold just now; `applyUpdate(value)`: shows
 * a new answer, and says whether something has happened; `showFailing(isFailing)`.
 */
export function startPolling(address, { intervals, applyUpdate, showFailing }) {
  let etag = "";
  let failures = 0;
  let isPolling = false;
  let timer = 0;
  let quietSince = Date.now();
  let hiddenSince = document.hidden ? Date.now() : 0;
  let completeAt = 0;

  function quietSeconds() {
    return (Date.now() - quietSince) / 1000;
  }

  function pause() {
    return pauseSeconds({
      intervals: intervals(),
      quietSeconds: quietSeconds(),
      hiddenSeconds: hiddenSince && Math.max(1, (Date.now() - hiddenSince) / 1000),
      failures,
    });
  }

  function pollAddress() {
    const isAway = document.hidden || pause() > LONGEST_PAUSE / 2;
    const isComplete = Date.now() - completeAt > COMPLETE_EVERY;
    if (isComplete) completeAt = Date.now();
    const query = [isAway && "away", isComplete && "complete"].filter(Boolean).join("&");
    return query ? `${address}?${query}` : address;
  }

  async function pollOnce() {
    const answer = await fetch(pollAddress(), {
      cache: "no-store",
      headers: etag ? { "If-None-Match": etag } : {},
      signal: AbortSignal.timeout(TIMEOUT),
    });
    noteTime(answer);
    if (answer.status === 200) {
      if (await applyUpdate(await answer.json())) quietSince = Date.now();
      etag = answer.headers.get("ETag") ?? ""; // not before: what could not be shown is asked again
    } else if (GONE.includes(answer.status)) {
      return false;
    } else if (answer.status !== 304) {
      throw new Error(`answered ${answer.status}`);
    }
    return true;
  }

  async function poll() {
    if (isPolling) return;
    isPolling = true;
    clearTimeout(timer);
    let goesOn = true;
    try {
      goesOn = await pollOnce();
      failures = 0;
    } catch {
      failures += 1;
    }
    isPolling = false;
    showFailing(failures > 1);
    const jitter = 0.85 + Math.random() * 0.3; // not all pages at the same instant
    if (goesOn) timer = setTimeout(poll, pause() * jitter * 1000);
  }

  // Somebody is at the page: it polls often again, and at once if it has waited long.
  function resumePolling() {
    const wasSlow = pauseSeconds({ intervals: intervals(), quietSeconds: quietSeconds() }) > SLOW;
    quietSince = Date.now();
    if (wasSlow) poll();
  }

  document.addEventListener("visibilitychange", () => {
    hiddenSince = document.hidden ? Date.now() : 0;
    if (document.hidden) return;
    quietSince = Date.now();
    poll();
  });
  document.addEventListener("pointerdown", resumePolling, { passive: true });
  document.addEventListener("keydown", resumePolling, { passive: true });
  window.addEventListener("online", poll);
  window.addEventListener("pageshow", (event) => event.persisted && poll());
  poll();
}
