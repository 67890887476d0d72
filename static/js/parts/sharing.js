// Copies or shares the address of a page. Without this script, readers can copy the address from a
// field.

const offered = (share) => {
  share.querySelector("[data-share-copy]").hidden = !navigator.clipboard;
  share.querySelector("[data-share-send]").hidden = !navigator.share;
};

// Prepare collapsed parts when they are opened, and all others now.
document.querySelectorAll("[data-share]:not(details)").forEach(offered);

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.(":not(details) > .share-line > [data-share-address]")) event.target.select();
});

document.addEventListener("toggle", (event) => {
  const share = event.target;
  if (!share.matches?.("[data-share]") || !share.open) return;
  offered(share);
  share.querySelector("[data-share-address]").select();
}, true);

function closeOthers(except) {
  for (const share of document.querySelectorAll("details[data-share][open]")) share.open = share === except;
}

document.addEventListener("keydown", (event) => {
  const share = event.target.closest?.("details[data-share][open]");
  if (event.key !== "Escape" || !share) return;
  closeOthers(null);
  share.querySelector("summary").focus();
});

document.addEventListener("click", async (event) => {
  closeOthers(event.target.closest?.("[data-share]"));
  const button = event.target.closest?.("[data-share-copy], [data-share-send]");
  if (!button) return;
  const share = button.closest("[data-share]");
  const field = share.querySelector("[data-share-address]");
  const status = share.querySelector("[data-share-status]");
  try {
    if (button.matches("[data-share-send]")) {
      await navigator.share({ title: share.dataset.share || document.title, url: field.value });
      return;
    }
    await navigator.clipboard.writeText(field.value);
    status.textContent = "Address copied.";
  } catch (error) {
    if (error.name === "AbortError") return; // the reader has cancelled
    field.select();
    status.textContent = "The address was not copied or sent. It is selected; copy it yourself.";
  }
});
