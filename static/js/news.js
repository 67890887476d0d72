// News that has stood before somebody's eyes for a while is read: the form that says so is sent.

import { postQuietly } from "./parts.js";

const LONG_ENOUGH = 3_000; // milliseconds in which the page is to be seen

const form = document.querySelector("[data-mark-read]");
let timer = 0;

function watch() {
  clearTimeout(timer);
  if (form && document.visibilityState === "visible") timer = setTimeout(send, LONG_ENOUGH);
}

async function send() {
  if (!(await postQuietly(form, form.action))) return; // the next time it is looked at
  document.removeEventListener("visibilitychange", watch);
}

document.addEventListener("visibilitychange", watch);
watch();

// That a turn has been played is said until its report has been looked at, and left again.

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
