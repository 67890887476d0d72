// Shows changes soon after they happen: a seal, a message, or a new turn. The changed parts always
// come from the server. Text that the user has typed is never replaced.

import { storedText, storeText, takeText } from "../session_text.js";
import { replaceParts } from "../parts.js";
import { startPolling } from "./polling.js";
import { chime } from "./sound.js";

// Pairs: a number of seconds without news, and the seconds between polls from then on. While two
// wizards have the page open, each sees the other's actions within five seconds, however long they
// think.
const TOGETHER = [[0, 3], [60, 4], [3600, 15]];
const SEATED = [[0, 3], [60, 4], [300, 15], [900, 60]];
const WATCHING = [[0, 6], [120, 15], [600, 60]];
const AFTERWARDS = [[0, 10], [120, 30], [600, 60]];
const ELSEWHERE = [[0, 30], [300, 60]];
const WHOLE_PAGE = ["status", "turn", "stage", "asked", "last_act"]; // changes that reload the page
// Parts that are wrong once the turn has been played, if the page is not reloaded then.
const OUTDATED = "#live-seals, #live-receipt, #live-sealed, #live-due, #live-waiting";
const NEWS = "presence:news";
const LEADS = "presence:leads";
const MOVED = "presence:moved";
const TYPED = "presence:typed";

const place = document.querySelector("[data-presence]");
const address = place?.dataset.presence ?? document.body.dataset.waiting;
const page = place?.dataset.page ?? location.pathname + location.search;
const mine = place?.dataset.seat ?? "";
const names = JSON.parse(place?.dataset.names ?? "{}");

let state = JSON.parse(document.querySelector("[data-state]")?.dataset.state ?? "{}");
let here = []; // other wizards in the duel who have its page open
let hasTyped = false;
let hasTypedMessage = false; // since the page was loaded, so that sealed messages do not count
let hasMoved = false;

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// Announcements and presence

export function announce(words) {
  const line = document.querySelector("[data-announce]");
  if (!line || !words) return;
  line.textContent = "";
  setTimeout(() => { line.textContent = words; }, 100); // otherwise repeated text is not announced
}

function count(waiting) {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting ? `(${waiting}) ${title}` : title;
}

function showWhoIsHere() {
  for (const sign of document.querySelectorAll("[data-here]")) {
    sign.hidden = !here.includes(sign.dataset.here);
  }
}

function showSpectators(number = 0) {
  const line = document.querySelector("[data-spectators]");
  if (line) line.textContent = number ? `· ${number} watching` : "";
}

// Typed text

document.addEventListener("input", noteTyping, true);
document.addEventListener("change", noteTyping, true);

function noteTyping(event) {
  const form = event.target.form;
  if (form?.method === "post" && !form.matches("[data-say], [data-reading]")) hasTyped = true;
  if (event.target.name === "say") hasTypedMessage = true;
}

// Store an unsealed message that was typed with this turn's orders, for the next turn's sheet.
function storeTyped() {
  if (hasTypedMessage) storeText(TYPED, document.querySelector('textarea[name="say"]')?.value ?? "");
}

function restoreTyped() {
  const typed = takeText(TYPED);
  const field = document.querySelector('textarea[name="say"]');
  if (!typed || !field || field.value) return;
  field.value = typed;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function hasUnsentText() {
  return hasTyped || Boolean(document.querySelector("[data-say] textarea")?.value);
}

function isBusy() {
  return hasUnsentText() || Boolean(document.querySelector("dialog[open]"));
}

// Changes

const NO_SEAT = {
  awaited: false, sealed_at: null, offers_draw: false, asks_pause: false, vacation_until: null,
};

// Parts of the page to update when one of these values changes.
const SMALL_CHANGES = ["last_speech", "is_paused", "is_halted", "rematch"];

function seatOf(value, code) {
  return value.seats?.find((seat) => seat.code === code) ?? NO_SEAT;
}

function seatNews(before, now) {
  return (now.seats ?? []).filter(({ code }) => code !== mine).flatMap((seat) => {
    const was = seatOf(before, seat.code);
    const name = names[seat.code];
    if (seat.sealed_at && !was.sealed_at) return [`${name} has sealed.`];
    if (!seat.sealed_at && was.sealed_at) return [`${name} has unsealed.`];
    if (seat.asks_pause && !was.asks_pause) {
      return [now.is_paused ? `${name} asks to resume.` : `${name} asks for a pause.`];
    }
    if (seat.vacation_until && !was.vacation_until) return [`${name} is on vacation.`];
    if (!seat.vacation_until && was.vacation_until) return [`${name} is back from vacation.`];
    return seat.offers_draw && !was.offers_draw ? [`${name} offers a draw.`] : [];
  });
}

function hasBecomeMyTurn(before, now) {
  return mine !== "" && seatOf(now, mine).awaited && !seatOf(before, mine).awaited;
}

function changeWords(before, now) {
  if (before.is_halted !== now.is_halted) return now.is_halted ? "The duel is paused." : "The duel has resumed.";
  if (before.last_act !== now.last_act) return "A referee has taken action.";
  if (now.status === "over" || now.status === "annulled") return "The duel is over.";
  if (before.status === "gathering") {
    return now.status === "running" ? "The duel has begun." : "The challenge is no longer open.";
  }
  if (before.turn !== now.turn) return "The turn has been played.";
  return "The gestures are revealed.";
}

function newLines(last) {
  const lines = [...document.querySelectorAll(".talk-run:not(.mine) [data-speech]")];
  return lines.filter((line) => Number(line.dataset.speech) > last).map((line) => {
    line.classList.add("fresh");
    const speaker = line.closest(".talk-run").querySelector(".seat-name").textContent;
    return `${speaker} says: ${line.querySelector("p").textContent}`;
  });
}

// If the whole page has changed, reload it. If the user has typed something, offer to reload it
// instead; if a dialog is open, reload it when the dialog closes.
function showOtherPage(before, now) {
  const words = changeWords(before, now);
  const loadedFor = `${page} ${WHOLE_PAGE.map((key) => now[key]).join(" ")}`;
  const hasBeenLoadedForIt = takeText(MOVED) === loadedFor;
  hasMoved = true;

  function reload() {
    storeNews(before, now, words);
    storeText(MOVED, loadedFor); // do not reload again and again if the new page looks the same
    load();
  }

  if (!isBusy() && !hasBeenLoadedForIt) {
    setTimeout(reload, document.documentElement.dataset.sound === "on" ? 1_000 : 0);
    return;
  }
  for (const part of document.querySelectorAll(OUTDATED)) part.remove();
  const notice = place.querySelector("[data-notice]");
  notice.querySelector("[data-moved]").textContent = words;
  notice.hidden = false;
  notice.querySelector("[data-typed]").hidden = !hasUnsentText();
  announce(notice.querySelector("p").innerText);
  notice.querySelector("a").addEventListener("click", () => storeNews(before, now, words));
  if (!hasBeenLoadedForIt) document.addEventListener("close", () => isBusy() || reload(), true);
}

// Loading a page marks its news as read, so wait until it is visible.
function load() {
  if (document.hidden) return document.addEventListener("visibilitychange", load, { once: true });
  if (location.pathname !== page) return location.assign(page);
  if (storedText(LEADS)) {
    history.replaceState(history.state, "", page + location.search); // a form's address cannot be reloaded
    history.scrollRestoration = "manual";
  }
  location.reload();
}

// Store the news for the reloaded page, which presents it as it does to the wizard who sealed last.
function storeNews(before, now, words) {
  storeText(NEWS, words);
  const hasPlayed = before.turn !== now.turn || before.stage !== now.stage;
  storeText(LEADS, mine && hasPlayed ? "yes" : "");
}

const GRAVE_NEWS = ["wounded", "died", "won", "drawn"].map((code) => `[data-line="${code}"] > span`).join();

function newestReport() {
  return [...document.querySelectorAll("#news [data-told]")].at(-1);
}

// Returns the most serious events of the newest turn as text, without citations of rules.
function seriousNews() {
  const lines = newestReport()?.querySelectorAll(GRAVE_NEWS) ?? [];
  return [...lines].map((line) => {
    const words = [...line.childNodes].filter((node) => !node.matches?.(".rule-link"));
    return words.map((node) => node.textContent).join("").trim();
  });
}

function showStoredNews() {
  const news = takeText(NEWS);
  const leads = takeText(LEADS);
  const comes = ["#outcome", `#${newestReport()?.id}`].includes(location.hash);
  announce([news, ...(leads || comes ? seriousNews() : [])].filter(Boolean).join(" "));
  if (!leads) return;
  const place = document.querySelector("#questions, #outcome") ?? newestReport();
  place?.focus({ preventScroll: true });
  place?.scrollIntoView();
  window.addEventListener("load", () => setTimeout(() => { history.scrollRestoration = "auto"; }));
}

/** Shows the response to a poll. Returns whether it contains news. */
async function applyUpdate({ people, spectators, ...now }) {
  const before = state;
  document.querySelector("[data-people]")?.replaceChildren(people);
  const hasCome = (now.here ?? []).some((code) => !here.includes(code));
  here = now.here ?? [];
  count(now.waiting ?? 0);
  showWhoIsHere();
  showSpectators(spectators);
  if (now.waiting > before.waiting && !place) {
    chime();
    announce("It is your turn in a duel.");
  }
  if (hasMoved) return false;
  if (place && WHOLE_PAGE.some((key) => now[key] !== before[key])) {
    state = now;
    if (hasBecomeMyTurn(before, now)) chime();
    showOtherPage(before, now);
    return true;
  }
  const hasChanged = place
    ? !isSame(before.seats, now.seats) || SMALL_CHANGES.some((key) => now[key] !== before[key])
    : before.waiting !== undefined && !isSame(before, now);
  if (hasChanged && window.htmx) await showParts(before, now);
  else if (hasChanged && now.waiting !== before.waiting) await showNextDuel();
  state = now;
  return hasChanged || hasCome;
}

async function showParts(before, now) {
  const last = lastShown();
  await replaceLiveParts();
  if (document.hidden) document.addEventListener("visibilitychange", markSeen, { once: true });
  showWhoIsHere();
  const lines = newLines(last);
  document.dispatchEvent(new CustomEvent("words"));
  if (lines.length || hasBecomeMyTurn(before, now)) chime();
  const rematch = before.rematch !== now.rematch ? document.querySelector("[data-rematch]")?.textContent ?? "" : "";
  announce([...seatNews(before, now), ...lines, rematch].filter(Boolean).join(" "));
}

function replaceLiveParts() {
  return replaceParts(page, [...document.querySelectorAll("[data-live]")].map((part) => part.id));
}

// Parts fetched while the page was hidden do not mark their news as read, so fetch them again.
function markSeen() {
  replaceLiveParts().then(showWhoIsHere, () => {}); // the next poll shows that the site does not respond
}

// Pages without lists do not load htmx.
async function showNextDuel() {
  const text = await (await fetch(page)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live-next");
  if (fresh) document.getElementById("live-next").replaceWith(fresh);
}

function lastShown() {
  return Number(document.querySelector("[data-last-speech]")?.dataset.lastSpeech ?? 0);
}

function showFailing(isFailing) {
  const line = document.querySelector("[data-failing]");
  if (line && line.hidden === isFailing) line.hidden = !isFailing;
}

function intervals() {
  if (!place) return ELSEWHERE;
  if (state.status === "over" || state.status === "annulled") return AFTERWARDS;
  if (!mine) return WATCHING;
  return here.length ? TOGETHER : SEATED;
}

if (address) {
  startPolling(address, { intervals, applyUpdate, showFailing });
  showStoredNews();
  restoreTyped();
  place?.querySelector("[data-notice] a")?.addEventListener("click", storeTyped);
}
