// Keys that do something: a registry, who acts on which key where, and a list of them all.
//
//   shortcut("F", "sheet", "fingers, with this hand", (event) => …)
//
// key          as `event.key` says it, or several in an array; a letter in either case
// scope        "page", or what the nearest `data-keys="…"` around the focus says
// description  for the list that `?` opens; "" for a key that is another's second name
// run          what it does; `false` says that the key was not meant. Without `run` the browser
//              does it already and the key is only listed
//
// Where nothing has the focus that does something itself, the keys of the order sheet act too.
// Nothing acts while a field has the focus that takes text, nor with a modifier, nor where the
// reader has turned shortcuts off (`<html data-shortcuts="off">`).

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

const ACTS = "a, button, summary, label, input, [contenteditable], dialog, [data-keys]";

// Where the focus is: the innermost scope first, the whole page last.
function scopesAround(element) {
  const found = [];
  for (let at = element.closest?.("[data-keys]"); at; at = at.parentElement?.closest("[data-keys]")) {
    found.push(at.dataset.keys);
  }
  if (!element.closest?.(ACTS) && !document.querySelector("dialog:modal")) found.push("sheet");
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
  const off = element("p", "They can be turned off in your settings.");
  off.className = "help";
  opened("Keys", ...parts, off).classList.add("keys");
}

shortcut("?", "page", "list these keys", listKeys);

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-list-keys]")) listKeys();
});
