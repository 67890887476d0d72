// A word kept for the next page of this window. Where a browser keeps nothing, nothing is kept.

export function keep(key, words) {
  try {
    if (words) sessionStorage.setItem(key, words);
    else sessionStorage.removeItem(key);
  } catch {
    return false;
  }
  return true;
}

/** What was kept; `still`: it stays so. */
export function kept(key, still = false) {
  try {
    const words = sessionStorage.getItem(key) ?? "";
    if (!still) sessionStorage.removeItem(key);
    return words;
  } catch {
    return "";
  }
}
