// Opens a short version of a cited rule, or of a spell found next to a duel, in a dialog that links
// to the whole text. If that fails, or if a modifier key is held down, the link opens as usual.

import { element, opened } from "./dialogs.js";

const CITED = "a.rule-link, .spell-dialog .spells-found a";

// Returns the address of the short version; "" for a rule on this page.
function noteOf(link) {
  const to = new URL(link.href);
  const isHere = to.pathname === location.pathname;
  return to.hash && to.origin === location.origin && !isHere ? `${to.pathname}rule/${to.hash.slice(1)}` : "";
}

async function show(link) {
  const answer = await fetch(noteOf(link), { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(`no rule: ${answer.status}`);
  const content = element("template");
  content.innerHTML = await answer.text();
  const note = content.content.querySelector(".rule-note");
  // A rule that a note cites replaces the note, so that one Escape closes both.
  const before = link.closest("dialog.rule-dialog");
  const whole = note.querySelector(".buttons a");
  if (before) {
    before.querySelector("h2").textContent = note.dataset.title;
    before.querySelector(".rule-note").replaceWith(note);
    whole.focus();
    return;
  }
  opened(note.dataset.title, note).classList.add("rule-dialog");
}

document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.(CITED) && noteOf(target)) target.ariaHasPopup = "dialog";
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(CITED);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && !event.button;
  if (!link || !isPlain || event.defaultPrevented || !noteOf(link)) return;
  event.preventDefault();
  show(link).catch(() => location.assign(link.href));
});
