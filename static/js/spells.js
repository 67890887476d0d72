// The spellbook beside the duel: a search in a dialog, by `/` or by its link.

import { opened, shortcut } from "./keys.js";

const PAUSE = 120;
let asked;

function link() {
  return document.querySelector("a[data-spell-search]");
}

async function find(address, words, found) {
  asked?.abort();
  asked = new AbortController();
  const query = new URLSearchParams({ q: words, part: "list" });
  try {
    const answer = await fetch(`${address}?${query}`, { signal: asked.signal, headers: { "HX-Request": "true" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const list = page.querySelector("[data-spell-list]") ?? page.querySelector("table.book");
    found.replaceChildren(list ?? "The spellbook does not open just now.");
  } catch (error) {
    if (error.name !== "AbortError") found.replaceChildren("The spellbook does not answer just now.");
  }
}

function field(address, found) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  let timer;
  Object.assign(input, { type: "text", inputMode: "search", id: "spell-words", autocomplete: "off", spellcheck: false });
  input.autofocus = true;
  Object.assign(label, { htmlFor: input.id, textContent: "A name, gestures such as SWW, or what it does" });
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => find(address, input.value, found), PAUSE);
  });
  const box = document.createElement("div");
  box.className = "field";
  box.append(label, input);
  return box;
}

/** The book's own look is fetched with its first opening: most readers know their spells. */
function dress(at) {
  if (!at.dataset.style || document.querySelector(`link[href="${at.dataset.style}"]`)) return;
  const look = document.createElement("link");
  Object.assign(look, { rel: "stylesheet", href: at.dataset.style });
  document.head.append(look);
}

function openBook() {
  const at = link();
  if (!at) return false;
  dress(at);
  const found = document.createElement("div");
  found.className = "spells-found book-frame";
  found.tabIndex = 0;
  found.setAttribute("role", "region");
  found.setAttribute("aria-label", "Spells");
  found.setAttribute("aria-live", "polite");
  opened("Find a spell", field(at.href, found), found).classList.add("spell-dialog");
  find(at.href, "", found);
}

shortcut("/", "page", "find a spell", openBook);

document.addEventListener("click", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button;
  if (isPlain && event.target.closest?.("a[data-spell-search]")) {
    event.preventDefault();
    openBook();
  }
});
