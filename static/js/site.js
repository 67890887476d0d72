// Small improvements; every page works without them.

import "./reading.js";
import "./countdown.js";
import "./local_time.js";
import "./zone.js";
import "./rule_notes.js";

document.documentElement.dataset.script = "on";

// A list whose first choice would submit the form again on the way back stays as the reader left it.
for (const details of document.querySelectorAll("details[data-remember]")) {
  const key = `open:${details.dataset.remember}`;
  try {
    if (localStorage.getItem(key) !== null) details.open = localStorage.getItem(key) === "yes";
    details.addEventListener("toggle", () => localStorage.setItem(key, details.open ? "yes" : "no"));
  } catch {
    break; // no storage: nothing is remembered
  }
}
