// Applies colours, text size and other preferences immediately, while the site saves them.

const root = document.documentElement;
let lastSaved = Promise.resolve(); // save in order, so that the last of several quick choices wins

for (const form of document.querySelectorAll("form[data-reading]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = new FormData(form, event.submitter);
    typed.set("quiet", "1");
    for (const [name, value] of typed) if (isShown(name)) show(name, value);
    const saved = lastSaved.then(() => isSaved(form.action, typed));
    lastSaved = saved;
    if (await saved) announce(form);
    else giveUp(form, event.submitter);
  });
}

/** Returns whether the page's root element has this value of the preference. */
function isShown(name) {
  return ["scheme", "size", "points", "shortcuts", "sound"].includes(name);
}

function show(name, value) {
  root.dataset[name] = value;
  for (const button of document.querySelectorAll(`[data-reading] button[name="${name}"]`)) {
    button.setAttribute("aria-pressed", String(button.value === value));
  }
  for (const field of document.querySelectorAll(`[data-reading] select[name="${name}"]`)) {
    field.value = value;
  }
  if (name === "scheme") {
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.content = meta.dataset[value === "system" ? meta.dataset.system : value];
    }
  }
  root.dispatchEvent(new CustomEvent("reading", { detail: { name, value }, bubbles: true }));
}

async function isSaved(address, typed) {
  try {
    return (await fetch(address, { method: "POST", body: typed, keepalive: true })).ok;
  } catch {
    return false;
  }
}

function announce(form) {
  const said = form.querySelector("[data-reading-said]");
  if (said) said.textContent = "Saved.";
}

/** Submits the form with a normal page load, so that the next page shows the error. */
function giveUp(form, submitter) {
  const field = document.createElement("input");
  field.type = "hidden";
  if (submitter?.name) {
    field.name = submitter.name;
    field.value = submitter.value;
    form.append(field);
  }
  form.submit();
}
