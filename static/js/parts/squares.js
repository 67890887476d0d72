// Gives each square of the history a tooltip with the text for screen readers.

document.addEventListener("pointerover", (event) => {
  const shown = event.target.closest?.(".history td > b, .history .cast-name");
  if (!shown || shown.title) return;
  const words = shown.matches("b") ? shown.querySelector("i") : shown.lastElementChild;
  shown.title = words.textContent.replaceAll("\u00ad", "").trim(); // remove soft hyphens
});
