// Shows the order sheet's choices immediately in the player's own row of the history, in the same
// way as the page shows a saved draft.

import { written, writtenAtSite } from "./drafts.js";

const SHEET = "[data-order-sheet]";
const known = new WeakMap(); // contents and squares of each form, as the site sent them
let touched;

function squares() {
  return [...document.querySelectorAll(".history tr.now td.mine")];
}

function begin() {
  const form = document.querySelector(SHEET);
  if (!form || known.has(form)) return;
  known.set(form, { sent: writtenAtSite(form), squares: squares().map(({ className, innerHTML }) => ({ className, innerHTML })) });
}

function draw(square, choice) {
  const face = choice.parentElement.querySelector(".gesture-face");
  const { value } = choice;
  const said = document.createElement("i");
  const letter = document.createElement("b");
  const state = Object.assign(document.createElement("span"), { className: "own-state", textContent: "drafted" });
  state.setAttribute("aria-hidden", "true");
  said.textContent = ` ${face.querySelector("small").textContent}, drafted`;
  if (value === "-") said.prepend(value);
  else letter.append(value);
  letter.append(said);
  square.className = `${[...face.classList].find((each) => each.startsWith("sign-"))} mine drafted`;
  square.replaceChildren(letter, state);
}

// The sheet's hands and the row's squares are in the same order: left and right, set by set.
function follow() {
  const form = document.querySelector(SHEET);
  if (!form || form !== touched || !known.has(form)) return;
  const { sent, squares: came } = known.get(form);
  const isSent = written(form) === sent;
  const hands = [...form.querySelectorAll("[data-hand-choice]")];
  squares().forEach((square, number) => {
    const choice = hands[number]?.querySelector("input:checked");
    if (isSent && came[number]) Object.assign(square, came[number]);
    else if (choice) draw(square, choice);
  });
}

document.addEventListener("focusin", begin); // finds a sheet that was loaded after this script ran
document.addEventListener("change", ({ target }) => {
  const form = target.closest(SHEET);
  if (!form || target.name === "text") return;
  touched = form;
  follow();
});
document.addEventListener("htmx:afterSettle", follow); // the sheet or the history was replaced
begin();
