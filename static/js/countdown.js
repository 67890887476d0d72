// Counts down a wizard's time while the page is visible, with the same text as duels/wording/moments.py.
// Screen readers do not announce the countdown.

import { siteTime } from "./server_time.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SECONDS_COUNT = 10 * MINUTE; // with less time left, the countdown shows seconds
const JUST_BEGUN = MINUTE;

let timer = 0;

/** Returns the time left as text. Times are in milliseconds since 1970; `since` can be NaN. */
export function leftWords(due, now, since) {
  let left = due - now;
  if (left <= 0) return "the time is up";
  if (left >= HOUR && now - since < JUST_BEGUN) left = due - since;
  return `${spanWords(left)} left`;
}

function spanWords(span) {
  let [large, small] = [["day", DAY], ["hour", HOUR]];
  if (span < DAY) [large, small] = [["hour", HOUR], ["minute", MINUTE]];
  if (span < SECONDS_COUNT) [large, small] = [["minute", MINUTE], ["second", SECOND]];
  const counts = [[large[0], Math.floor(span / large[1])], [small[0], Math.floor((span % large[1]) / small[1])]];
  const told = counts.filter(([, count]) => count).map(([unit, count]) => counted(count, unit));
  return told.join(", ") || counted(0, small[0]);
}

function counted(count, unit) {
  return `${count}\u00a0${unit}${count === 1 ? "" : "s"}`;
}

function show() {
  clearTimeout(timer);
  if (document.hidden) return;
  const now = siteTime();
  let pause = MINUTE;
  for (const place of document.querySelectorAll("[data-due]")) {
    const due = Date.parse(place.dataset.due);
    const words = leftWords(due, now, Date.parse(place.dataset.since ?? ""));
    if (place.textContent !== words) place.textContent = words;
    place.classList.toggle("up", due <= now);
    pause = Math.min(pause, untilChange(due - now));
  }
  timer = setTimeout(show, pause);
}

/** Returns the maximum number of milliseconds until the countdown's text changes. */
function untilChange(left) {
  if (left <= 0) return MINUTE;
  const step = left <= SECONDS_COUNT ? SECOND : MINUTE;
  return (left % step) + 1;
}

document.addEventListener("visibilitychange", show);
document.addEventListener("htmx:oobAfterSwap", show); // parts of the page have been replaced
document.addEventListener("sitetime", show);
window.addEventListener("pageshow", show);
show();
