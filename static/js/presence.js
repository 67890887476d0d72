// Being there together: the page learns soon that somebody has sealed, spoken or moved the duel on,
// says so, and shows it. What stands in its parts is always the server's: they are fetched anew.
// Nothing that somebody has typed is ever replaced.

import { ask } from "./asking.js";
import { keep, kept } from "./keeping.js";
import { chime } from "./sound.js";

const SEATED = [[0, 3], [180, 15], [900, 60]];
const WATCHING = [[0, 6], [120, 15], [600, 60]];
const AFTERWARDS = [[0, 10], [120, 30], [600, 60]];
const ELSEWHERE = [[0, 30], [300, 60]];
const MOMENT = ["status", "turn", "stage", "asked"]; // what the whole page depends on
const NEWS = "presence:news";
const MOVED = "presence:moved";
const TYPED = "presence:typed";

const place = document.querySelector("[data-presence]");
const address = place?.dataset.presence ?? document.body.dataset.waiting;
const page = place?.dataset.page ?? location.pathname + location.search;
const mine = place?.dataset.seat ?? "";
const names = JSON.parse(place?.dataset.names ?? "{}");

let felt = place ? JSON.parse(place.dataset.felt) : {};
let hasTyped = false;
let hasMoved = false;

const is = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// What is heard and read

export function announce(words) {
  const line = document.querySelector("[data-announce]");
  if (!line || !words) return;
  line.textContent = "";
  setTimeout(() => { line.textContent = words; }, 100); // or the same words twice are said once
}

function count(waiting) {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting ? `(${waiting}) ${title}` : title;
}

function showWhoIsHere(here) {
  for (const sign of document.querySelectorAll("[data-here]")) {
    sign.hidden = !here.includes(sign.dataset.here);
  }
}

// What has been typed

document.addEventListener("input", noteTyping, true);
document.addEventListener("change", noteTyping, true);

function noteTyping(event) {
  const form = event.target.form;
  if (form?.method === "post" && !form.matches("[data-say], [data-reading]")) hasTyped = true;
}

// Words to be said with the turn are worth keeping when the turn is another one.
function keepText() {
  keep(TYPED, document.querySelector('textarea[name="say"]')?.value ?? "");
}

function restoreText() {
  const typed = kept(TYPED);
  const field = document.querySelector('textarea[name="say"]');
  if (!typed || !field || field.value) return;
  field.value = typed;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function isBusy() {
  const words = document.querySelector("[data-say] textarea");
  return hasTyped || Boolean(words?.value) || Boolean(document.querySelector("dialog[open]"));
}

// What has changed

function seat(value, code) {
  return value.seats?.find(([each]) => each === code) ?? [code, true, "", false, null, false];
}

function seatNews(before, now) {
  return (now.seats ?? []).flatMap(([code, , , , sealedAt, offersDraw]) => {
    const [, , , , wasSealedAt, offeredDraw] = seat(before, code);
    if (code === mine) return [];
    if (sealedAt && !wasSealedAt) return [`${names[code]} has sealed.`];
    if (!sealedAt && wasSealedAt) return [`${names[code]} has taken the seal back.`];
    return offersDraw && !offeredDraw ? [`${names[code]} offers a draw.`] : [];
  });
}

function hasBecomeMyTurn(before, now) {
  return mine !== "" && seat(now, mine)[3] && !seat(before, mine)[3];
}

function whatMoved(before, now) {
  if (now.status === "over" || now.status === "annulled") return "The duel is over.";
  if (before.status === "gathering") {
    return now.status === "running" ? "The duel has begun." : "The challenge stands no more.";
  }
  if (before.turn !== now.turn) return "The turn has been played.";
  return "The gestures are revealed.";
}

async function fresh() {
  const answer = await fetch(page, { cache: "no-store" });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function replaceParts(other) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = other.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!next || next.isEqualNode(part)) continue;
    const stops = [...part.querySelectorAll("a, button")];
    const focused = stops.indexOf(document.activeElement);
    part.replaceWith(document.adoptNode(next));
    if (focused >= 0) (next.querySelectorAll("a, button")[focused] ?? next).focus?.();
    window.htmx?.process(next);
  }
}

function newWords(last) {
  const lines = [...document.querySelectorAll(".talk-run:not(.mine) [data-speech]")];
  return lines.filter((line) => Number(line.dataset.speech) > last).map((line) => {
    line.classList.add("fresh");
    const speaker = line.closest(".talk-run").querySelector(".seat-name").textContent;
    return `${speaker} says: ${line.querySelector("p").textContent}`;
  });
}

// The whole page is another one now: it is loaded anew, or offered where something was typed.
function moveOn(before, now) {
  const words = whatMoved(before, now);
  const moment = `${page} ${MOMENT.map((key) => now[key]).join(" ")}`;
  const hasBeenLoadedForIt = kept(MOVED) === moment;
  hasMoved = true;
  if (isBusy() || hasBeenLoadedForIt) {
    const notice = place.querySelector("[data-notice]");
    notice.querySelector("[data-moved]").textContent = words;
    notice.hidden = false;
    notice.querySelector("[data-typed]").hidden = !isBusy();
    announce(notice.querySelector("p").innerText);
    return;
  }
  keep(NEWS, words);
  keep(MOVED, moment); // once: a page that comes out the same is not loaded again and again
  setTimeout(load, document.documentElement.dataset.sound === "on" ? 1_000 : 0);
}

function load() {
  if (location.pathname === page) location.reload();
  else location.assign(page);
}

async function feel(now) {
  const before = felt;
  count(now.waiting ?? 0);
  showWhoIsHere(now.here ?? []);
  if (now.waiting > before.waiting && !place) {
    chime();
    announce("A duel waits for you.");
  }
  if (hasMoved) return false;
  if (place && MOMENT.some((key) => now[key] !== before[key])) {
    felt = now;
    if (hasBecomeMyTurn(before, now)) chime();
    moveOn(before, now);
    return true;
  }
  const seats = !is(before.seats, now.seats);
  const hasChanged = seats || before.said !== now.said || (!place && before.waiting !== now.waiting);
  if (!hasChanged || (!place && before.waiting === undefined)) {
    felt = now;
    return false;
  }
  const last = lastShown();
  if (document.querySelector("[data-live]")) replaceParts(await fresh());
  felt = now;
  showWhoIsHere(now.here ?? []);
  const said = newWords(last);
  document.dispatchEvent(new CustomEvent("words"));
  if (said.length || hasBecomeMyTurn(before, now)) chime();
  announce([...seatNews(before, now), ...said].join(" "));
  return true;
}

function lastShown() {
  return Number(document.querySelector("[data-said]")?.dataset.said ?? 0);
}

function failing(isFailing) {
  const line = document.querySelector("[data-failing]");
  if (line && line.hidden === isFailing) line.hidden = !isFailing;
}

function pauses() {
  if (!place) return ELSEWHERE;
  if (felt.status === "over" || felt.status === "annulled") return AFTERWARDS;
  return mine ? SEATED : WATCHING;
}

if (address) {
  ask(address, pauses(), feel, failing);
  announce(kept(NEWS));
  restoreText();
  place?.querySelector("[data-notice] a")?.addEventListener("click", keepText);
}
