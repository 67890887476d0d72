// The message field: unsent text survives a reload, and Ctrl+Enter sends it.

import { storeText, storedText } from "../session_text.js";
import { postQuietly } from "../parts.js";
import { announce } from "../presence/presence.js";

const LONG_ENOUGH = 3_000; // milliseconds that messages must be visible
const key = `words-to-say:${location.pathname.split("/")[2]}`;

function words() {
  return document.querySelector("[data-say] textarea");
}

document.addEventListener("input", (event) => {
  if (event.target === words()) storeText(key, event.target.value);
});

document.addEventListener("keydown", (event) => {
  const isMeant = event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing;
  if (!isMeant || event.target !== words()) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

// Keep text that was typed while the previous message was being sent.
let sent = "";
let typed = "";

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-say]")) return;
  sent = words().value;
  storeText(key, "");
}, true);

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "talk") typed = words()?.value ?? "";
});

function restore(isRefused) {
  const more = !isRefused && typed.startsWith(sent) ? typed.slice(sent.length) : typed;
  if (words() && more) words().value = more;
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "talk") return;
  const fault = document.getElementById("talk-fault");
  restore(Boolean(fault));
  storeText(key, words()?.value ?? "");
  words()?.focus();
  if (!fault) announce("Message sent.");
  setTimeout(markRead, LONG_ENOUGH);
});

// Mark messages that arrive while the page is open as read once they have been visible for a while.
// Then the link to new messages is not needed either.

let read = Number(document.querySelector("[data-last-speech]")?.dataset.lastSpeech ?? 0);

function isInView() {
  const { top, bottom } = document.getElementById("live-talk").getBoundingClientRect();
  return top < 0 || bottom < innerHeight;
}

async function markRead() {
  const talk = document.querySelector("[data-read]");
  const last = talk?.querySelector("[data-last-speech]").dataset.lastSpeech ?? 0;
  const token = document.querySelector('[name="csrfmiddlewaretoken"]')?.value;
  if (!talk || document.hidden || !isInView()) return;
  talk.querySelector(".new-chat")?.remove();
  if (Number(last) <= read) return;
  const values = { speech: last, csrfmiddlewaretoken: token };
  if (await postQuietly(talk, talk.dataset.read, values)) read = Number(last);
}

for (const event of ["words", "visibilitychange", "scrollend"]) {
  document.addEventListener(event, () => setTimeout(markRead, LONG_ENOUGH));
}

if (words() && !words().value) words().value = storedText(key);
