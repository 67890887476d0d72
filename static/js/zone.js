// Sends the browser's time zone to the site if the reader has not chosen one. Later pages know the
// zone, so it is sent only once.

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
    // the site did not respond, or there is no storage: the next page will try again
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
