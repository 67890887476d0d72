// What a square of the history shows in words, for a pointer that rests on it: the page says it once.

document.addEventListener("pointerover", (event) => {
  const shown = event.target.closest?.(".history td > b, .history .cast-name");
  if (!shown || shown.title) return;
  shown.title = (shown.matches("b") ? shown.querySelector("i") : shown.lastElementChild).textContent.trim();
});
