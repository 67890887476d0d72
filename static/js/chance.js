// The wizard's own chance: each seal contains random bytes from this browser, which the site could
// not foresee when it committed to the seed of the dice.
//
// They are drawn once for each form, that is for its turn and the seal that it replaces. If the site
// rejects the orders, the next attempt has the same bytes. Otherwise the site, which can compute the
// draws of a seal, could reject seals until the draws suit it.

const drawn = new Map(); // for browsers that keep nothing

document.addEventListener("submit", ({ target }) => {
  const field = target.querySelector("input[name=chance]");
  if (field && !isEntered(field.value)) field.value = chanceOf(target);
}, true);

/** Returns whether the wizard has entered bytes of their own. */
function isEntered(value) {
  return /^[0-9a-f]{32}$/.test(value) && ![...drawn.values()].includes(value);
}

/** Returns the bytes of this form in hexadecimal, also after a reload of the page in this tab. */
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
    // then the bytes last as long as the page
  }
}
