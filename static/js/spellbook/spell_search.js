// Opens the spellbook's search in a dialog next to a duel, with `/` or with its link. On the
// spellbook's own page, `/` focuses the search. The server searches, through htmx.

import { opened } from "../dialogs.js";
import { shortcut } from "../keys.js";

/** Load the spellbook's styles when the dialog is first opened, because few players open it. */
function addStyle(address) {
  if (!address || document.querySelector(`link[href="${address}"]`)) return;
  const style = document.createElement("link");
  Object.assign(style, { rel: "stylesheet", href: address });
  document.head.append(style);
}

function openSearch() {
  const search = document.querySelector("[data-spell-dialog]");
  const field = document.querySelector("[data-book-search] [name=q]");
  field?.focus();
  if (!search) return Boolean(field);
  addStyle(document.querySelector("a[data-spell-search]")?.dataset.style);
  const content = document.importNode(search.content, true);
  content.querySelector("[name=q]").autofocus = true;
  const dialog = opened("Find a spell", content);
  dialog.classList.add("spell-dialog");
  window.htmx.process(dialog);
}

shortcut("/", "page", "find a spell", openSearch);

document.addEventListener("click", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button;
  if (isPlain && event.target.closest?.("a[data-spell-search]")) {
    event.preventDefault();
    openSearch();
  }
});

// Submit the form with a normal page load, so that the browser shows the problem.
document.addEventListener("htmx:sendError", ({ detail }) => {
  if (detail.elt.matches("[data-book-search]") && !detail.elt.closest("dialog")) detail.elt.submit();
});
