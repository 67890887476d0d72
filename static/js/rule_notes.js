// Shows a short version of a rule or a spell: in a dialog if the user follows a link to it, or next
// to the link while the pointer or the focus rests on a spell's name. If this fails, or if a
// modifier key is held down, the link works as usual.

import { element, opened } from "./dialogs.js";

const CITED = "a.rule-link, a.spell-link, .spell-dialog .spells-found a";
const SPELL = 'a.spell-link, a.rule-link[href*="#spell:"]';
const [REST, LEAVE] = [300, 200]; // milliseconds until a note opens or closes

const notes = new Map(); // by address

// Returns the address of the short version, or "" if the rule is on this page.
function addressOf(link) {
  const to = new URL(link.href);
  const isHere = to.pathname === location.pathname;
  return to.hash && to.origin === location.origin && !isHere ? `${to.pathname}rule/${to.hash.slice(1)}` : "";
}

async function load(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(`no rule: ${answer.status}`);
  const content = element("template");
  content.innerHTML = await answer.text();
  return content.content.querySelector(".rule-note");
}

async function noteOf(link) {
  const address = addressOf(link);
  if (!notes.has(address)) notes.set(address, await load(address));
  return notes.get(address).cloneNode(true);
}

async function show(link) {
  const note = await noteOf(link);
  // A rule that is cited in a note replaces the note, so that Escape closes both.
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
  if (target.matches?.(CITED) && addressOf(target)) target.ariaHasPopup = "dialog";
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(CITED);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && !event.button;
  if (!link || !isPlain || event.defaultPrevented || !addressOf(link)) return;
  event.preventDefault();
  // On a card, the first tap only chooses the gesture. The key I clicks the link without a pointer.
  const gesture = link.closest(".gesture-choice")?.querySelector("input:not(:checked)");
  if (gesture && event.detail) return gesture.click();
  turnTo(null);
  show(link).catch(() => location.assign(link.href));
});

const beside = Object.assign(element("div"), { id: "spell-note", className: "spell-note", role: "tooltip", popover: "auto" });
let named = null; // the link whose note is open or about to open
let timer = 0;

function turnTo(link, wait = 0) {
  clearTimeout(timer);
  if (link === named && link) return;
  timer = setTimeout(() => {
    named?.removeAttribute("aria-describedby");
    named = link;
    if (link) showBeside(link).catch(() => turnTo(null));
    else if (beside.isConnected) beside.hidePopover();
  }, wait);
}

async function showBeside(link) {
  const note = await noteOf(link);
  if (link !== named || !link.isConnected) return;
  note.querySelector(".buttons")?.remove();
  beside.replaceChildren(element("strong", note.dataset.title), note);
  (link.closest("dialog") ?? document.getElementById("content")).append(beside);
  beside.showPopover();
  const at = link.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = beside;
  const lastLeft = document.body.clientWidth - width - 8;
  const besideSheet = (link.closest("[data-order-sheet]")?.getBoundingClientRect().right ?? Infinity) + 4;
  let [top, left] = [at.bottom + 4, Math.max(8, Math.min(at.left, lastLeft))];
  if (besideSheet <= lastLeft) [top, left] = [Math.min(at.top, innerHeight - height - 4), besideSheet];
  else if (top + height + 4 >= innerHeight) top = at.top - height - 4;
  Object.assign(beside.style, { top: `${Math.max(4, top)}px`, left: `${left}px` });
  link.setAttribute("aria-describedby", beside.id);
}

// The Escape key and clicks elsewhere also close the note.
beside.addEventListener("toggle", ({ newState }) => newState === "closed" && turnTo(null));

if ("popover" in beside) {
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType !== "mouse") return;
    const link = target.closest?.(SPELL);
    if (link && addressOf(link)) turnTo(link, REST);
    else if (beside.contains(target)) clearTimeout(timer);
    else if (!named?.matches(":focus-visible")) turnTo(null, LEAVE);
  });
  document.addEventListener("focusin", ({ target }) => {
    const isSpell = target.matches(SPELL) && target.matches(":focus-visible") && addressOf(target);
    turnTo(isSpell ? target : null, isSpell ? REST : 0);
  });
}
