// The time zone of whoever has chosen none: what the browser says of itself is sent. The pages that
// come after carry it, and it is not sent again.

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
    // the site does not answer, or nothing is stored: the next page tries again
  }
}

/** Whether the site does not know this time zone. */
function isRefused() {
  try {
    return sessionStorage.getItem(REFUSED) === zone;
  } catch {
    return false;
  }
}
