// Submits the form that marks news as read once the page has been visible for a while.

import { postQuietly } from "../parts.js";

const LONG_ENOUGH = 3_000; // milliseconds that the page must be visible

const form = document.querySelector("[data-mark-read]");
let timer = 0;

function watch() {
  clearTimeout(timer);
  if (form && document.visibilityState === "visible") timer = setTimeout(send, LONG_ENOUGH);
}

async function send() {
  if (!(await postQuietly(form, form.action))) return; // try again when the page is visible again
  document.removeEventListener("visibilitychange", watch);
}

document.addEventListener("visibilitychange", watch);
watch();

// Keep showing all rows of the history, or all lines of reports, if the reader has chosen this.

const BOXES = ["all-rows", "more-lines"];

try {
  for (const name of BOXES.filter((each) => localStorage.getItem(each))) {
    for (const box of document.querySelectorAll(`.${name} input`)) box.checked = true;
  }
  document.addEventListener("change", ({ target }) => {
    const name = BOXES.find((each) => target.closest(`.${each}`));
    if (name) localStorage.setItem(name, target.checked ? "yes" : "");
  });
} catch {
  // no storage
}

// Hide the link to the latest report once the reader has seen the report and scrolled on.

const link = document.querySelector(".played");
const report = document.getElementById("news");
let hasBeenSeen = false;

if (link && report) {
  new IntersectionObserver(([{ isIntersecting }], observer) => {
    if (!isIntersecting && hasBeenSeen) {
      link.hidden = true;
      observer.disconnect();
    }
    hasBeenSeen ||= isIntersecting;
  }, { threshold: 0 }).observe(report);
}
