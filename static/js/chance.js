// The wizard's own chance: each seal contains random bytes from this browser, which the site could
// not foresee when it committed to the seed of the dice.

document.addEventListener("submit", ({ target }) => {
  const field = target.querySelector("input[name=chance]");
  if (!field) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}, true);
