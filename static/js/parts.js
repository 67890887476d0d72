// Loads parts of pages and sends values, through htmx.

/**
 * Replaces the elements with these ids with those from the page at `address`. Returns how many of
 * them that page contains. `source` sends the request. With `title`, the title is replaced, too.
 * `beforeSwap()` is called when the response has arrived.
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
    const headers = document.hidden ? { "X-Page-Hidden": "yes" } : {}; // so that no news is marked as read
    await window.htmx.ajax("GET", address, { source, target: source, swap, selectOOB, headers });
  } finally {
    document.removeEventListener("htmx:beforeSwap", look);
    document.removeEventListener("htmx:oobBeforeSwap", note);
  }
  if (status !== 200) throw new Error(`answered ${status}`);
  return found;
}

/** Posts these values from `source` without changing the page. Returns whether this succeeded. */
export async function postQuietly(source, address, values) {
  let isTaken = false;
  const note = ({ detail }) => {
    if (detail.requestConfig.elt === source) isTaken = detail.successful;
  };
  source.addEventListener("htmx:afterRequest", note);
  try {
    await window.htmx.ajax("POST", address, { source, target: source, swap: "none", values: { ...values, quietly: "yes" } });
  } catch {
    isTaken = false; // the site did not respond
  } finally {
    source.removeEventListener("htmx:afterRequest", note);
  }
  return isTaken;
}

// Do not replace parts that have not changed, and keep the focus.

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
