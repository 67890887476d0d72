// The "Check record" button: checks a duel's record, from the site or from a file, in the browser.
// Without scripts the page shows the command that checks it.

for (const button of document.querySelectorAll("[data-check-record]")) {
  button.addEventListener("click", async () => {
    const answer = await fetch(button.dataset.checkRecord).catch(() => null);
    await show(button, answer?.ok ? await answer.text() : null);
  });
}

for (const field of document.querySelectorAll("[data-check-file]")) {
  // Let the user choose the same file again after it has changed.
  field.addEventListener("click", () => { field.value = ""; });
  field.addEventListener("change", async () => {
    if (field.files.length) await show(field, await field.files[0].text().catch(() => null));
  });
}

/** Shows the result next to the button or file field: what was checked, and the first error. */
async function show(near, text) {
  const result = near.closest("[data-record-check]").querySelector("[data-check-result]");
  result.replaceChildren(line("p", "Checking …"));
  near.disabled = true;
  try {
    result.replaceChildren(...(await report(text)));
    result.dataset.checkResult = result.querySelector("[data-wrong-at]") ? "wrong" : "holds";
  } finally {
    near.disabled = false;
  }
}

async function report(text) {
  if (text === null) return [wrong("The record could not be read. Try again, or check the file with the command.", "")];
  if (!window.crypto?.subtle) return [wrong("This browser cannot compute hashes on this page. Check the file with the command.", "")];
  const { check, Wrong, NOT_HERE } = await import("./record_check.js");
  try {
    const { lines, notCovered, chain } = await check(text);
    return [
      line("p", "The record passed every check in this browser.", "verdict"),
      list("Your browser computed these again and found them correct:", lines),
      line("p", `The chain ends with ${chain}.`, "chain-end"),
      list("Not checked here, only by the command:", NOT_HERE),
      list("Cannot be checked:", notCovered),
    ];
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return [
      wrong("The record is not correct. First error:", error.place),
      line("p", error.message, "wrong-line"),
    ];
  }
}

function wrong(text, place) {
  const paragraph = line("p", text, "verdict");
  paragraph.dataset.wrongAt = place;
  return paragraph;
}

function list(heading, lines) {
  const part = document.createElement("div");
  const items = document.createElement("ul");
  items.append(...lines.map((text) => line("li", text)));
  part.append(line("p", heading), items);
  return part;
}

function line(tag, text, name = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}
