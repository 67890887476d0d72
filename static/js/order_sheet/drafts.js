// Saves a draft shortly after the last change, and shows whether it was saved.

const SHEET = "[data-order-sheet]";
const PAUSE = 1200;
const AGAIN = 15000;
const NO_ORDERS = ["csrfmiddlewaretoken", "seen", "text", "text_before", "form_seal", "form_key"];
const savedContents = new WeakMap(); // the contents that the site has stored, by form
let timer;
let isHandedIn = false;

function sheet() {
  return document.querySelector(SHEET);
}

// Returns the form's contents as JSON, without empty fields.
function contentsOf(form) {
  const data = new FormData(form);
  for (const name of NO_ORDERS) data.delete(name);
  return JSON.stringify([...data].filter(([, value]) => value !== ""));
}

// Returns the contents that the site sent, without choices that the user made before this script
// ran.
function contentsFromSite(form) {
  if (form.dataset.unsaved !== undefined) return "";
  const sent = form.cloneNode(true);
  sent.reset();
  return contentsOf(sent);
}

function showState(form, text, isKept) {
  const state = form.querySelector("[data-draft-state]");
  const button = form.querySelector("[data-save-draft]");
  state.setAttribute("role", isKept ? "status" : "alert");
  state.setAttribute("aria-live", isKept ? "off" : "assertive");
  state.textContent = text;
  state.classList.toggle("failed", !isKept);
  button.toggleAttribute("data-without-script", isKept);
}

async function save() {
  clearTimeout(timer);
  const form = sheet();
  if (!form || isHandedIn) return;
  const now = contentsOf(form);
  if (now === savedContents.get(form)) return;
  try {
    const body = new FormData(form);
    const answer = await fetch(form.dataset.draft, { method: "POST", body, keepalive: true });
    if (answer.redirected) return showState(form, "Draft not saved: you are signed out. Press the seal button: after you sign in, the site offers you these choices again.", false);
    const isSentence = answer.headers.get("Content-Type")?.startsWith("text/plain");
    const text = isSentence ? await answer.text() : "Draft not saved: the site rejected it.";
    if (answer.ok) savedContents.set(form, now);
    showState(form, text, answer.ok);
  } catch {
    showState(form, "Draft not saved yet: the site is not responding. Trying again.", false);
    timer = setTimeout(save, AGAIN);
  }
}

function saveLater({ target }) {
  if (!target.closest(SHEET) || target.name === "text") return;
  isHandedIn = false;
  clearTimeout(timer);
  timer = setTimeout(save, PAUSE);
}

function begin() {
  const form = sheet();
  if (!form || savedContents.has(form)) return;
  savedContents.set(form, contentsFromSite(form));
  if (contentsOf(form) !== savedContents.get(form)) timer = setTimeout(save, PAUSE);
}

document.addEventListener("change", saveLater);
document.addEventListener("input", saveLater);
document.addEventListener("focusin", begin); // htmx may load a sheet after this script has run
document.addEventListener("visibilitychange", () => document.hidden && save());
window.addEventListener("pagehide", save);
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || !event.target.action.endsWith("/orders")) return;
  isHandedIn = true;
  clearTimeout(timer);
});
begin();
