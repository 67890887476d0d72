// Through htmx: parts of the page fetched anew, and values sent without a word.

/**
 * Takes parts out of another page of the site: replaces each of the elements with these ids by the
 * one that has its id at `address`, and answers how many that page has. `source`: where it is asked
 * from; `title`: that page's title comes too; `beforeSwap()`: called when the answer is there.
 */
export async function replaceParts(address, ids, { source = document.getElementById("content"), title = false, beforeSwap } = {}) {
  let status = 0;
  let found = 0;

  function look({ detail }) {
    if (detail.requestConfig.elt !== source) return;
    status = detail.xhr.status;
    if (status !== 200) detail.shouldSwap = false;
    else beforeSwap?.();
  }

  function note({ detail }) {
    if (ids.includes(detail.target.id)) found += 1;
  }

  document.addEventListener("htmx:beforeSwap", look);
  document.addEventListener("htmx:oobBeforeSwap", note);
  try {
    const swap = title ? "none" : "none ignoreTitle:true";
    const selectOOB = ids.map((id) => `#${id}`).join();
    await window.htmx.ajax("GET", address, { source, target: source, swap, selectOOB });
  } finally {
    document.removeEventListener("htmx:beforeSwap", look);
    document.removeEventListener("htmx:oobBeforeSwap", note);
  }
  if (status !== 200) throw new Error(`answered ${status}`);
  return found;
}

/** Sends these values from `source`, for which nothing is shown; answers whether they were taken. */
export async function postQuietly(source, address, values) {
  let isTaken = false;
  const note = ({ detail }) => {
    if (detail.requestConfig.elt === source) isTaken = detail.successful;
  };
  source.addEventListener("htmx:afterRequest", note);
  try {
    await window.htmx.ajax("POST", address, { source, target: source, swap: "none", values: { ...values, quietly: "yes" } });
  } catch {
    isTaken = false; // the site does not answer
  } finally {
    source.removeEventListener("htmx:afterRequest", note);
  }
  return isTaken;
}

// What has not changed stays as it is, and the focus stays where it was.

let focused = -1;
const stops = (part) => [...part.querySelectorAll("a, button")];

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.fragment.firstElementChild?.isEqualNode(detail.target)) detail.shouldSwap = false;
  focused = detail.shouldSwap ? stops(detail.target).indexOf(document.activeElement) : -1;
});

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  const part = document.getElementById(detail.target.id);
  if (focused >= 0 && part) (stops(part)[focused] ?? part).focus();
  focused = -1;
});
