// The guide's buttons. Each chooses a gesture on the order sheet, and shows whether the gesture is
// chosen.

const buttons = [...document.querySelectorAll("[data-choose]")];

function choiceOf(button) {
  return document.querySelector(`.gestures input[name="${button.dataset.choose}"][value="${button.value}"]`);
}

function showChosen() {
  for (const button of buttons) button.ariaPressed = String(Boolean(choiceOf(button)?.checked));
}

for (const button of buttons) button.addEventListener("click", () => choiceOf(button)?.click());
document.querySelector("[data-order-sheet]")?.addEventListener("change", showChosen);
showChosen();
