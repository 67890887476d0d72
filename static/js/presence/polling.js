// Polls an address: often while changes are likely, less often the longer nothing happens, seldom
// while the page is hidden, and immediately when it is visible again. The server answers 304 if
// nothing has changed.

import { noteTime } from "../server_time.js";

const HIDDEN = { seconds: 60, lateSeconds: 300, lateAfter: 3600 };
const LONGEST_PAUSE = 60;
const COMPLETE_EVERY = 30_000; // milliseconds between polls that bypass the cache
const TIMEOUT = 20_000; // milliseconds
const SLOW = 5; // seconds
const GONE = [403, 404, 410];

/**
 * Returns the number of seconds to wait before the next poll. `intervals` are pairs: a number of
 * seconds without news, and the seconds to wait from then on. `hiddenSeconds` is how long the page
 * has been hidden, `failures` the number of failed polls in a row.
 */
export function pauseSeconds({ intervals, quietSeconds, hiddenSeconds = 0, failures = 0 }) {
  let seconds = intervals.findLast(([from]) => quietSeconds >= from)[1];
  if (hiddenSeconds) seconds = hiddenSeconds > HIDDEN.lateAfter ? HIDDEN.lateSeconds : HIDDEN.seconds;
  if (failures) seconds = Math.max(seconds, Math.min(LONGEST_PAUSE, 3 * 2 ** failures));
  return seconds;
}

/**
 * Polls `address` from now on. `intervals()` returns the current intervals. `applyUpdate(value)`
 * shows a new response and returns whether it contains news. `showFailing(isFailing)` shows or
 * hides a notice about failing polls.
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
      etag = answer.headers.get("ETag") ?? ""; // last, so that a failed update is requested again
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
    const jitter = 0.85 + Math.random() * 0.3; // keeps many pages from polling at the same moment
    if (goesOn) timer = setTimeout(poll, pause() * jitter * 1000);
  }

  // When the user becomes active, poll often again, and immediately if polls had become rare.
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
