// The line to say something: what was not said yet survives a reload, and Ctrl and Enter say it.

import { keep, kept } from "./keeping.js";
import { announce } from "./presence.js";

const key = `unsaid:${location.pathname.split("/")[2]}`;

function words() {
  return document.querySelector("[data-say] textarea");
}

document.addEventListener("input", (event) => {
  if (event.target === words()) keep(key, event.target.value);
});

document.addEventListener("keydown", (event) => {
  const isMeant = event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing;
  if (!isMeant || event.target !== words()) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-say]")) keep(key, "");
}, true);

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "talk") return;
  const fault = document.getElementById("talk-fault");
  keep(key, words()?.value ?? "");
  words()?.focus();
  if (!fault) announce("Your words are said.");
});

if (words() && !words().value) words().value = kept(key, true);
