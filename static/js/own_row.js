// One's own row of the open turn in the history shows what is chosen on the sheet, as the page would
// show the draft that saves itself a moment later.

import { written, writtenAtSite } from "./drafts.js";

const SHEET = "[data-order-sheet]";
const known = new WeakMap(); // form: what stood in it and in its squares as the site sent them
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

// The hands of the sheet and the squares of the row stand in one order: left and right, set by set.
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

document.addEventListener("focusin", begin); // also of a sheet that has come since
document.addEventListener("change", ({ target }) => {
  const form = target.closest(SHEET);
  if (!form || target.name === "text") return;
  touched = form;
  follow();
});
document.addEventListener("htmx:afterSettle", follow); // of the sheet, or of the history
begin();
