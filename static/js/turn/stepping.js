// Moves between the turns of a duel without reloading the page: with links, a slider, and keys in
// the history.
//
// A step to another turn replaces the parts of the page that show the turn (`data-step-part`). On
// pages without such parts, such as the duel's page, a step opens the page of the other turn.

import { shortcut } from "../keys.js";
import { replaceParts } from "../parts.js";
import { storeText, takeText } from "../session_text.js";
import "../parts/squares.js";

const PATIENCE = 120; // milliseconds that the slider must rest before its turn is loaded
const FRAME = ".history-frame";
const RETURN = "stepping";
const BAR = "stepping-bar";

const stepper = document.querySelector("[data-stepper]") ?? document;
const slider = stepper.querySelector("[data-step-slider]");
const parts = [...stepper.querySelectorAll("[data-step-part]")];
const status = stepper.querySelector("[data-step-status]");

let steps = 0; // number of steps taken, to ignore late responses to earlier steps

// Targets of steps. Look up the bar every time, because the duel's page may have replaced it.

function bar() {
  return stepper.querySelector("[data-stepping]");
}

function link(name) {
  return bar()?.querySelector(`[data-step="${name}"]`);
}

function addressOf(turn) {
  const seen = bar().querySelector("[data-step-seen]")?.value;
  const address = new URL(`${turn}/`, new URL(bar().dataset.turns, location.href));
  if (seen) address.searchParams.set("seen", seen);
  return address.href;
}

function isTurn(address) {
  const turns = new URL(bar().dataset.turns, location.href);
  const { origin, pathname } = new URL(address, location.href);
  return origin === turns.origin && pathname.startsWith(turns.pathname) && /^\d+\/$/.test(pathname.slice(turns.pathname.length));
}

function say(words) {
  if (status) status.textContent = words;
}

function step(name) {
  const address = link(name)?.getAttribute("href");
  if (address) go(address);
  else say(["first", "before"].includes(name) ? "This is the first turn." : "This is the last turn.");
}

// Going there

function leave(address) {
  if (stepper.querySelector(FRAME)?.contains(document.activeElement)) storeText(RETURN, "yes");
  location.assign(address);
}

async function go(address, entry = "push") {
  if (!parts.length) return leave(address);
  const mine = (steps += 1);
  let restore = () => {};
  let found = 0;
  try {
    found = await replaceParts(address, [...parts.map((part) => part.id), BAR], {
      source: stepper,
      title: true,
      beforeSwap: () => { restore = remembered(); },
    });
  } catch {
    // let the browser show the error
  }
  if (mine !== steps) return;
  if (!found) return location.assign(address);
  if (entry === "push") history.pushState(null, "", address);
  if (entry === "replace") history.replaceState(null, "", address);
  restore();
  say(stepper.querySelector("[data-announced]")?.dataset.announced ?? "");
  document.dispatchEvent(new CustomEvent("stepped"));
}

// Showing it

/** Returns a function that restores the opened sections, the scroll position and the focus. */
function remembered() {
  const focus = focused();
  const remember = [...stepper.querySelectorAll("details[data-remember]")];
  const wasOpen = new Map(remember.map((each) => [each.dataset.remember, each.open]));
  const scrolled = stepper.querySelector(FRAME)?.scrollLeft ?? 0;
  return () => {
    for (const each of stepper.querySelectorAll("details[data-remember]")) {
      if (wasOpen.has(each.dataset.remember)) each.open = wasOpen.get(each.dataset.remember);
    }
    const frame = stepper.querySelector(FRAME);
    if (frame) frame.scrollLeft = scrolled;
    focus()?.focus({ preventScroll: true });
  };
}

// Update the bar without replacing it, because the slider may be in use.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.target.id !== BAR || !parts.length) return;
  detail.shouldSwap = false;
  showBar(detail.fragment.firstElementChild);
});

// Returns a function that finds the focused element again after it has been replaced.
function focused() {
  const at = document.activeElement;
  if (at?.closest?.("#step-viewpoints")) return () => stepper.querySelector("#step-viewpoints [aria-current]");
  if (at?.closest?.(FRAME)) return () => stepper.querySelector(FRAME);
  return () => null;
}

function showBar(next) {
  bar().dataset.turns = next.dataset.turns;
  for (const each of bar().querySelectorAll("[data-step]")) {
    const other = next.querySelector(`[data-step="${each.dataset.step}"]`);
    for (const name of ["href", "role", "aria-disabled"]) {
      const value = other.getAttribute(name);
      if (value === null) each.removeAttribute(name);
      else each.setAttribute(name, value);
    }
    each.tabIndex = other.hasAttribute("href") ? 0 : -1; // a disabled step can keep the focus
  }
  if (slider) showSlider(next);
}

function showSlider(next) {
  const other = next.querySelector("[data-step-slider]");
  const form = bar().querySelector("[data-step-form]");
  form.setAttribute("action", next.dataset.turns);
  form.querySelector("[data-step-seen]")?.remove();
  const seen = next.querySelector("[data-step-seen]");
  if (seen) form.append(document.importNode(seen));
  if (waiting) return; // the reader is still moving the slider
  slider.max = other.max;
  slider.value = other.getAttribute("value");
  slider.setAttribute("aria-valuetext", other.getAttribute("aria-valuetext"));
  bar().querySelector("[data-step-count]").textContent = next.querySelector("[data-step-count]").textContent;
}

// The slider. Each movement adds only one entry to the browser's history

let waiting = 0;
let way = "push";

function slide() {
  clearTimeout(waiting);
  waiting = 0;
  go(addressOf(slider.value), way);
  way = "replace";
}

slider?.addEventListener("input", () => {
  const words = `${slider.value} of ${slider.max}`;
  bar().querySelector("[data-step-count]").textContent = words;
  slider.setAttribute("aria-valuetext", words);
  clearTimeout(waiting);
  waiting = setTimeout(slide, PATIENCE);
});

slider?.addEventListener("change", () => {
  if (waiting) slide();
  way = "push";
});

bar()?.querySelector("[data-step-form]")?.addEventListener("submit", (event) => {
  event.preventDefault();
  go(addressOf(slider.value));
});

// Links

stepper.addEventListener("click", (event) => {
  const at = event.target.closest?.("a[href]");
  if (!bar() || !at || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const leads = isTurn(at.href) || at.closest("#step-viewpoints");
  if (!parts.length || !leads) return;
  event.preventDefault();
  go(at.href);
});

if (parts.length) window.addEventListener("popstate", () => go(location.href, "as it is"));

// Keys. With Shift, they scroll a wide history

function sideways(event, distance) {
  event.target.closest?.(FRAME)?.scrollBy({ left: distance });
}

const more = "; with Shift, scroll a wide grid";
shortcut("ArrowLeft", "grid", `previous turn${more}`, (event) => event.shiftKey ? sideways(event, -80) : step("before"));
shortcut("ArrowRight", "grid", `next turn${more}`, (event) => event.shiftKey ? sideways(event, 80) : step("after"));
shortcut("Home", "grid", "the first turn", () => step("first"));
shortcut("End", "grid", "the last turn", () => step("last"));

// On the pages of turns, the arrows also work before anything has the focus.
for (const [key, name] of [["ArrowLeft", "before"], ["ArrowRight", "after"]]) {
  shortcut(key, "page", "", ({ target }) => parts.length && target.matches("body, main") ? step(name) : false);
}

if (takeText(RETURN)) stepper.querySelector(FRAME)?.focus({ preventScroll: true });
