// Chooses gestures with the keyboard. Letters choose a gesture for the focused hand, and the left
// and right arrows move between hands. The browser itself handles the up and down arrows, which
// step through a hand's gestures. If no hand has the focus, letters apply to the first hand that is
// free and visible.

import { shortcut } from "../keys.js";

const GESTURES = [
  ["F", "fingers"], ["P", "palm"], ["S", "snap"], ["W", "wave"], ["D", "digit"], ["C", "clap"],
  [[">", "<", "."], "stab"], [["-", "0"], "nothing"],
];

const SHEET = '[data-keys="sheet"]';

function hands() {
  return [...document.querySelectorAll("[data-order-sheet] [data-hand-choice]")];
}

function handOf(element) {
  return element.closest("[data-hand-choice]");
}

// Returns the focused hand, or else the first hand with a choice of gestures.
function current(element) {
  return handOf(element) ?? hands().find((hand) => !hand.dataset.forced) ?? hands()[0];
}

function say(text) {
  document.querySelector("#sheet-said").textContent = text;
}

function unfold(hand) {
  const fold = hand.closest("details:not([open])");
  if (fold) fold.open = true;
}

function choose(hand, letter) {
  unfold(hand);
  const choice = [...hand.querySelectorAll("input")].find((input) => input.value === letter);
  if (choice.disabled) {
    const why = hand.querySelector(".hand-note")?.textContent ?? "";
    say(`${letter} is not allowed. ${why}`);
    focus(hand);
    return;
  }
  choice.focus();
  if (!choice.checked) choice.click();
}

function focus(hand) {
  unfold(hand);
  (hand.querySelector("input:checked") ?? hand.querySelector("input:enabled"))?.focus();
}

// At the largest text size, a phone shows one hand above the other: scroll to the next one.
document.addEventListener("change", ({ target }) => {
  const hand = handOf(target);
  const next = hand && hands()[hands().indexOf(hand) + 1];
  if (!next || !matchMedia("(pointer: coarse)").matches) return;
  if (next.getBoundingClientRect().top >= hand.getBoundingClientRect().bottom) next.scrollIntoView();
});

for (const [keys, name] of GESTURES) {
  const [letter] = [keys].flat();
  shortcut(keys, "sheet", `${name}, with the selected hand`, ({ target }) => {
    const hand = current(target);
    if (!hand || (!target.closest(SHEET) && hand.closest("details:not([open])"))) return false;
    choose(hand, letter);
  });
}

function step(by) {
  return ({ target }) => {
    const all = hands();
    const here = all.indexOf(handOf(target));
    if (!all.length || (here < 0 && !target.matches(SHEET))) return false;
    focus(here < 0 ? current(target) : all[Math.min(Math.max(here + by, 0), all.length - 1)]);
  };
}

shortcut("I", "sheet", "what the spell on the selected gesture does", ({ target }) => {
  const gesture = target.closest(".gesture-choice") ?? current(target)?.querySelector(".gesture-choice:has(:checked)");
  const spell = gesture?.querySelector("a.spell-link");
  if (!spell) return false;
  spell.click();
});

shortcut("ArrowLeft", "sheet", "select the left hand", step(-1));
shortcut("ArrowRight", "sheet", "select the right hand", step(1));
shortcut(["ArrowUp", "ArrowDown"], "sheet", "previous or next gesture of this hand");
