// Generates the wizard's `chance`: each seal contains random bytes from this browser, which the
// site could not foresee when it committed to the seed of the dice.
//
// The bytes are drawn once for each form, that is, for a turn and the seal that the form replaces.
// If the site rejects the orders, the next attempt uses the same bytes. Otherwise the site, which
// can compute the draws that a seal leads to, could reject seals until it likes the draws.

const drawn = new Map(); // for browsers without session storage

document.addEventListener("submit", ({ target }) => {
  const field = target.querySelector("input[name=chance]");
  if (field && !isEntered(field.value)) field.value = chanceOf(target);
}, true);

/** Returns whether the wizard has entered bytes of their own. */
function isEntered(value) {
  return /^[0-9a-f]{32}$/.test(value) && ![...drawn.values()].includes(value);
}

/** Returns this form's bytes in hexadecimal: the same ones even after a reload in this tab. */
function chanceOf(form) {
  const { turn, form_seal } = form.elements;
  const key = `chance ${form.action} ${turn.value} ${form_seal.value}`;
  const known = drawn.get(key) ?? kept(key);
  const chance = known ?? newChance();
  drawn.set(key, chance);
  if (known === null) keep(key, chance);
  return chance;
}

function newChance() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function kept(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // the browser does not allow storage
  }
}

function keep(key, chance) {
  try {
    sessionStorage.setItem(key, chance);
  } catch {
    // without storage, the bytes are lost when the page is closed or reloaded
  }
}
