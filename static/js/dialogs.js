// Dialogs for other scripts to open.

let made = 0;

export function element(tag, text = "") {
  const created = document.createElement(tag);
  created.textContent = text;
  return created;
}

// Opens and returns a dialog. Escape, its button or a click outside closes it.
export function opened(title, ...content) {
  const dialog = element("dialog");
  const heading = element("h2", title);
  const close = element("button", "Close");
  made += 1;
  heading.id = `dialog-title-${made}`;
  close.type = "button";
  close.className = "plain dialog-close";
  close.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.append(heading, ...content, close);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
