// The spellbook answers while one types. What answers to what, the site decides.

const PAUSE = 120; // milliseconds
const form = document.querySelector("[data-book-search]");
const book = document.querySelector("[data-book]");
const said = document.querySelector("[data-book-said]");
let timer;
let asked;

async function find() {
  asked?.abort();
  asked = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  if (!query.get("q").trim()) query.delete("q");
  const address = `${form.action.split("?")[0]}?${query}`;
  try {
    const answer = await fetch(`${address}&part=list`, { signal: asked.signal });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const list = page.querySelector("[data-spell-list]");
    if (!list) return;
    book.replaceChildren(list);
    said.textContent = list.querySelector("[data-found]")?.textContent ?? "The whole book.";
    history.replaceState(null, "", address);
  } catch (error) {
    if (error.name !== "AbortError") form.submit();
  }
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(find, PAUSE);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  find();
});
