// The step before sealing, in a dialog, and the sheet's own answers: of several the newest counts.

import { opened, shortcut } from "./keys.js";

const SHEET = "[data-order-sheet]";
let changes = 0;

document.addEventListener("change", (event) => {
  if (event.target.closest(SHEET)) changes += 1;
}, true);

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  detail.requestConfig.changes = changes;
});

// An answer to what is not chosen any more would undo what is: the next answer is on its way.
document.addEventListener("htmx:beforeSwap", ({ detail, target }) => {
  const at = detail.requestConfig;
  if (target.closest?.(SHEET) || detail.elt?.closest?.(SHEET)) {
    if (at?.changes !== undefined && at.changes !== changes) detail.shouldSwap = false;
  }
});

// What was chosen before the page could listen, or what a browser has kept on the way back.
window.addEventListener("load", () => {
  const pair = document.querySelector("#sheet-rest")?.dataset.pair;
  const [left, right] = ["left", "right"].map((name) => document.querySelector(`${SHEET} [name="${name}"]:checked`));
  if (!pair || !left || !right || left.value + right.value === pair) return;
  left.dispatchEvent(new Event("change", { bubbles: true }));
});

// Nor is the text swapped in which somebody has begun to write meanwhile.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const text = detail.target.querySelector?.("textarea[name=text]");
  const before = detail.target.querySelector?.("input[name=text_before]");
  const plain = (value) => value.replaceAll("\r\n", "\n").trimEnd();
  if (text && before && plain(text.value) !== plain(before.value)) detail.shouldSwap = false;
});

// The page's own step, where the dialog cannot be had.
function withoutDialog(form) {
  const look = Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: "look" });
  form.append(look);
  form.submit();
}

function parsed(html) {
  return [...new DOMParser().parseFromString(html, "text/html").body.childNodes];
}

async function ask(form) {
  if (document.querySelector("dialog:modal")) return;
  const body = new FormData(form);
  body.set("part", "summary");
  let answer, html;
  try {
    answer = await fetch(form.dataset.sheet, { method: "POST", body });
    html = await answer.text();
  } catch {
    return withoutDialog(form);
  }
  if (document.querySelector("dialog:modal")) return; // asked for twice: one answer will do
  if (answer.status === 409) {
    form.querySelector("#sheet-notice").replaceChildren(...parsed(html));
    return;
  }
  if (!answer.ok || answer.redirected) return withoutDialog(form);
  show(html);
}

function show(html) {
  const dialog = opened("Seal these orders?", ...parsed(html));
  dialog.classList.add("seal-dialog");
  dialog.addEventListener("click", ({ target }) => target.closest("[data-close]") && dialog.close());
  // Who keeps Enter down has asked for the summary, and not for what comes after it.
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  });
}

function isGrave(form) {
  return form.querySelector("#sealing")?.hasAttribute("data-grave");
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (!form.matches(SHEET)) return;
  const isFirst = button?.value === "seal" && !button.closest("dialog") && isGrave(form);
  if (button?.value === "look" || isFirst) {
    event.preventDefault();
    ask(form);
  }
});

shortcut("Enter", "sheet", "what you are about to seal; Enter again seals it");
