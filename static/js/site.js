// Small improvements; every page works without them.

import "./reading.js";
import "./countdown.js";
import "./local_time.js";
import "./zone.js";
import "./rule_notes.js";

document.documentElement.dataset.script = "on";

// Keep lists open or closed as the reader left them.
for (const details of document.querySelectorAll("details[data-remember]")) {
  const key = `open:${details.dataset.remember}`;
  try {
    if (localStorage.getItem(key) !== null) details.open = localStorage.getItem(key) === "yes";
    details.addEventListener("toggle", () => localStorage.setItem(key, details.open ? "yes" : "no"));
  } catch {
    break; // no storage
  }
}
