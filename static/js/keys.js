// Keyboard shortcuts: a registry, a listener, and a dialog that lists them all.
//
//   shortcut("F", "sheet", "fingers, with this hand", (event) => …)
//
// key          an `event.key`, or an array of several; letters match in upper and lower case
// scope        "page", or the value of the nearest `data-keys="…"` around the focus
// description  for the list that `?` opens; "" for a second key with the same effect
// run          the action; it returns `false` to leave the key to the next shortcut or the browser.
//              Without `run`, the browser handles the key, and the dialog only lists it
//
// The order sheet's keys also work while the focus is on an element that does not use keys, such as
// a link in a report. Shortcuts do not work in a text field, with a modifier key, or if the reader
// has turned them off (`<html data-shortcuts="off">`).

import { element, opened } from "./dialogs.js";

const rows = [];
const HEADINGS = {
  page: "Anywhere on the page",
  sheet: "In the order sheet",
  grid: "In the history",
};
const NAMES = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space",
};
const TAKES_TEXT = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range], [type=button], [type=submit])";
const ARROWS = /^(Arrow|Home$|End$|Page)/;

export function shortcut(key, scope, description, run) {
  rows.push({ keys: [key].flat(), scope, description, run });
}

export function areOff() {
  return document.documentElement.dataset.shortcuts === "off";
}

const TAKES_KEYS = "input:not([type=checkbox]), [contenteditable], dialog, [data-keys], :is(.site-head, .site-foot) *";

// Returns the scopes around the focus, the innermost first and the whole page last.
function scopesAround(element) {
  const found = [];
  for (let at = element.closest?.("[data-keys]"); at; at = at.parentElement?.closest("[data-keys]")) {
    found.push(at.dataset.keys);
  }
  if (!element.closest?.(TAKES_KEYS) && !document.querySelector("dialog:modal")) found.push("sheet");
  return [...found, "page"];
}

function isTaken(event) {
  const at = event.target;
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (at.matches?.(TAKES_TEXT)) return true;
  return ARROWS.test(event.key) && at.matches?.("input[type=range], summary");
}

function meant(row, event) {
  return row.run && row.keys.some((key) => key.toLowerCase() === event.key.toLowerCase());
}

document.addEventListener("keydown", (event) => {
  if (areOff() || isTaken(event)) return;
  const isModal = document.querySelector("dialog:modal");
  if (isModal && !isModal.contains(event.target)) return;
  for (const scope of scopesAround(event.target)) {
    if (scope === "page" && isModal) return;
    for (const row of rows) {
      if (row.scope === scope && meant(row, event) && row.run(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  }
});

// The list

function listed(scope) {
  const list = element("dl");
  for (const row of rows.filter((each) => each.scope === scope && each.description)) {
    const names = element("dt");
    for (const key of row.keys) names.append(element("kbd", NAMES[key] ?? key), " ");
    list.append(names, element("dd", row.description));
  }
  return list;
}

export function listKeys() {
  const scopes = [...new Set(rows.filter((row) => row.description).map((row) => row.scope))];
  const parts = scopes.flatMap((scope) => [element("h3", HEADINGS[scope] ?? scope), listed(scope)]);
  const hasSettings = document.querySelector('.site-nav a[href="/settings/"]');
  const off = hasSettings ? element("p", "You can turn these keys off in your settings.") : switchHere();
  off.className = "help";
  const dialog = opened("Keys", ...parts, off);
  dialog.classList.add("keys");
  dialog.querySelector(".dialog-close").focus(); // to open at the top
}

// Readers without an account turn the keys off and on with a button in this list.
function switchHere() {
  const button = element("button");
  const say = () => { button.textContent = areOff() ? "Turn these keys on" : "Turn these keys off"; };
  button.type = "button";
  button.addEventListener("click", () => {
    const form = document.querySelector("form[data-reading]");
    const chosen = Object.assign(element("button"), { name: "shortcuts", value: areOff() ? "on" : "off", hidden: true });
    form.append(chosen);
    form.requestSubmit(chosen);
    chosen.remove();
    say();
  });
  say();
  const line = element("p");
  line.append(button);
  return line;
}

shortcut("?", "page", "show this list", listKeys);

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-list-keys]")) listKeys();
});
