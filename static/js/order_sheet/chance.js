// Fills in the field `chance`. Each seal contains random bytes from this browser, which the site
// could not foresee when it committed to the seed of the dice.
//
// The bytes are generated once for each turn and each seal that a form replaces. If the site
// rejects the orders, the next attempt uses the same bytes. Otherwise the site could reject seals
// until it liked the dice, because it can compute the dice from a seal.

const drawn = new Map(); // for browsers without session storage

document.addEventListener("submit", ({ target }) => {
  const field = target.querySelector("input[name=chance]");
  if (field && !isEntered(field.value)) field.value = chanceOf(target);
}, true);

/** Returns whether the player has entered bytes of their own. */
function isEntered(value) {
  return /^[0-9a-f]{32}$/.test(value) && ![...drawn.values()].includes(value);
}

/** Returns the bytes for this form in hexadecimal. A reload in this tab does not change them. */
function chanceOf(form) {
  const { turn, form_seal } = form.elements;
  const key = `chance ${form.action} ${turn.value} ${form_seal.value}`;
  const known = drawn.get(key) ?? loadChance(key);
  const chance = known ?? newChance();
  drawn.set(key, chance);
  if (known === null) storeChance(key, chance);
  return chance;
}

function newChance() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function loadChance(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // the browser does not allow storage
  }
}

function storeChance(key, chance) {
  try {
    sessionStorage.setItem(key, chance);
  } catch {
    // without storage, the bytes are lost when the page is closed or reloaded
  }
}
