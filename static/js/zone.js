// Sends the browser's time zone to the site if the reader has not chosen one. The site stores it,
// so one request is enough.

const REFUSED = "zone:refused";

const form = document.querySelector("form[data-reading]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (form && zone && document.documentElement.dataset.zone === "" && !isRefused()) send();

async function send() {
  const said = new FormData();
  said.set("csrfmiddlewaretoken", new FormData(form).get("csrfmiddlewaretoken"));
  said.set("guessed_zone", zone);
  said.set("quiet", "1");
  try {
    const answer = await fetch(form.action, { method: "POST", body: said, keepalive: true });
    if (!answer.ok) sessionStorage.setItem(REFUSED, zone);
  } catch {
    // no response or no storage: the next page tries again
  }
}

/** Returns whether the site has rejected this time zone. */
function isRefused() {
  try {
    return sessionStorage.getItem(REFUSED) === zone;
  } catch {
    return false;
  }
}
