// Shows the step before sealing in a dialog, and updates the sheet. Only the newest update counts.

import { opened } from "../dialogs.js";
import { shortcut } from "../keys.js";

const SHEET = "[data-order-sheet]";
let changes = 0;

document.addEventListener("change", (event) => {
  if (event.target.closest(SHEET)) changes += 1;
}, true);

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  detail.requestConfig.changes = changes;
});

// Ignore responses to outdated choices, because they would undo newer choices. Another response
// will follow.
document.addEventListener("htmx:beforeSwap", ({ detail, target }) => {
  const at = detail.requestConfig;
  if (target.closest?.(SHEET) || detail.elt?.closest?.(SHEET)) {
    if (at?.changes !== undefined && at.changes !== changes) detail.shouldSwap = false;
  }
});

// htmx reports aborted requests as errors, although a newer choice or the next page has replaced
// them on purpose. htmx passes each event to its logger before it reports `error`.
document.addEventListener("htmx:beforeSend", ({ detail: { xhr }, target }) => {
  if (!target.closest?.(SHEET)) return;
  const finish = xhr.onabort;
  xhr.onabort = () => {
    window.htmx.logger = (element, name, event) => delete event.error;
    finish();
    window.htmx.logger = null;
  };
});

// Update the sheet for choices made before this script ran, or restored by the browser.
window.addEventListener("load", () => {
  const pair = document.querySelector("#sheet-rest")?.dataset.pair;
  const hands = ["left", "right"].map((name) => document.querySelector(`${SHEET} [name="${name}"]:checked`));
  const restored = pair && hands.find((choice, number) => choice && choice.value !== pair[number]);
  restored?.dispatchEvent(new Event("change", { bubbles: true }));
});

// Do not replace text orders that the user is writing.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const text = detail.target.querySelector?.("textarea[name=text]");
  const before = detail.target.querySelector?.("input[name=text_before]");
  const plain = (value) => value.replaceAll("\r\n", "\n").trimEnd();
  if (text && before && plain(text.value) !== plain(before.value)) detail.shouldSwap = false;
});

// If the dialog fails, submit the form. The next page then shows the same step.
function withoutDialog(form) {
  const look = Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: "look" });
  form.append(look);
  form.submit();
}

let isAsking = false;

// If the orders are valid, htmx inserts the summary into a new element; otherwise it puts the
// errors into the sheet.
async function showSummary(form) {
  if (isAsking || document.querySelector("dialog:modal")) return;
  const summary = document.createElement("div");
  let outcome = "none";

  function place({ detail }) {
    if (detail.target !== summary) return;
    const { status, responseURL } = detail.xhr;
    const isSheet = new URL(responseURL).pathname === form.dataset.sheet;
    if (status === 409) outcome = "notice";
    else if (status !== 200 || !isSheet) outcome = "none";
    else outcome = detail.requestConfig.changes === changes ? "summary" : "overtaken";
    if (outcome === "notice") detail.target = form.querySelector("#sheet-notice");
    detail.shouldSwap = ["notice", "summary"].includes(outcome);
  }

  isAsking = true;
  summary.hidden = true;
  document.body.append(summary);
  document.addEventListener("htmx:beforeSwap", place);
  try {
    const values = { part: "summary" };
    await window.htmx.ajax("POST", form.dataset.sheet, { source: form, target: summary, swap: "innerHTML", values });
  } catch {
    outcome = "none";
  } finally {
    isAsking = false;
    document.removeEventListener("htmx:beforeSwap", place);
    summary.remove();
  }
  if (outcome === "none") withoutDialog(form);
  else if (outcome === "overtaken") showSummary(form);
  else if (outcome === "summary" && !document.querySelector("dialog:modal")) show(summary.childNodes);
}

function show(nodes) {
  const dialog = opened("Seal these orders?", ...nodes);
  dialog.classList.add("seal-dialog");
  dialog.addEventListener("click", ({ target }) => target.closest("[data-close]") && dialog.close());
  // If the Enter key opened this dialog and is still held down, it must not also seal.
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  });
}

// If the sheet does not show the effects of the latest gesture yet, let the server decide.
function asksFirst(form) {
  const asks = form.querySelector("#sealing")?.dataset.asks;
  const hasUnchosen = form.querySelector("[data-hand-choice]:not(:has(:checked))");
  const claps = form.querySelectorAll('.gestures :checked[value="C"]').length;
  if (asks !== "grave" && form.querySelector("[data-unwarned]")) return false; // already asked
  return asks === "grave" || (asks === "clap" && claps % 2 === 1) || (asks && hasUnchosen);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (!form.matches(SHEET)) return;
  const isFirst = button?.value === "seal" && !button.closest("dialog") && asksFirst(form);
  if (button?.value === "look" || isFirst) {
    event.preventDefault();
    showSummary(form);
  }
});

// When a control has the focus, the browser handles the key: a field presses the first button.
shortcut("Enter", "sheet", "preview your orders; press Enter again to seal them", ({ target }) => {
  if (target.closest(`a, button, summary, ${SHEET} input`)) return false;
  const form = document.querySelector(SHEET);
  if (!form?.checkVisibility()) return false;
  showSummary(form);
});
