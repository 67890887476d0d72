// Passes text on to the next page in this tab, if the browser allows session storage.

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

/** Returns the stored text and deletes it. */
export function takeText(key) {
  const text = storedText(key);
  storeText(key, "");
  return text;
}
