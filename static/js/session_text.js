// Text for the next page of this window. Where a browser stores nothing, nothing is stored.

export function storeText(key, text) {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // no storage
  }
}

export function storedText(key) {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** What was stored, which is not any more. */
export function takeText(key) {
  const text = storedText(key);
  storeText(key, "");
  return text;
}
