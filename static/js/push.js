// Notifications on the device at hand: its browser is asked when somebody presses the button, and
// never before. What is on is the site's to know; the list on the page says it.

const section = document.querySelector("[data-push]");
const state = section.querySelector("[data-push-state]");
const buttons = section.querySelector("[data-push-buttons]");
const on = section.querySelector("[data-push-on]");
const off = section.querySelector("[data-push-off]");
const key = section.dataset.push;

const UNABLE = "This browser cannot show notifications of a site.";
const DENIED = "You have told this browser to show no notifications of this site. "
  + "In its own settings for the site that can be changed.";
const FAILED = "The browser did not switch them on. Perhaps its push service cannot be reached.";

if (isAble()) start();
else state.textContent = UNABLE;

function isAble() {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

async function start() {
  on.addEventListener("click", switchOn);
  off.addEventListener("click", () => deviceAtHand?.querySelector("form").requestSubmit());
  for (const form of section.querySelectorAll("[data-devices] form")) {
    form.addEventListener("submit", forgetHere);
  }
  await show();
}

let deviceAtHand = null; // the list's line for this browser

async function show() {
  const subscription = await current();
  const digest = subscription ? await sha256(subscription.endpoint) : "";
  deviceAtHand = digest ? section.querySelector(`[data-device="${digest}"]`) : null;
  const isOn = Boolean(deviceAtHand) && isOurs(subscription);
  deviceAtHand?.querySelector("[data-this-device]").removeAttribute("hidden");
  const isDenied = !isOn && Notification.permission === "denied";
  state.textContent = isDenied ? DENIED : isOn ? "They are on for this device." : "";
  buttons.hidden = isDenied;
  on.hidden = isOn;
  off.hidden = !isOn;
}

/** What this browser has switched on at the site, be it still known there or not. */
async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

async function switchOn() {
  on.disabled = true;
  state.textContent = "The browser asks you whether it may.";
  try {
    if (await Notification.requestPermission() !== "granted") {
      await show();
      return;
    }
    state.textContent = "The browser is switching them on …";
    await tellSite(await subscribed());
  } catch (error) {
    state.textContent = `${FAILED} (${error.name})`;
  } finally {
    on.disabled = false;
  }
}

async function subscribed() {
  await navigator.serviceWorker.register(section.dataset.worker, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  if (old && !isOurs(old)) await old.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Whether it is for the key that the site has now. */
function isOurs(subscription) {
  const theirs = subscription.options?.applicationServerKey;
  if (!theirs) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(theirs)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** By a form, so that what is wrong is said on a page. */
function tellSite(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const form = section.querySelector("[data-push-form]");
  for (const [name, value] of Object.entries({ endpoint, ...keys })) {
    const field = form.querySelector(`[name="${name}"]`);
    if (field) field.value = value;
  }
  form.requestSubmit();
}

/** The device at hand forgets as well, before the site does. */
async function forgetHere(event) {
  const form = event.target;
  if (!deviceAtHand?.contains(form)) return;
  event.preventDefault();
  try {
    const subscription = await current();
    await subscription?.unsubscribe();
  } finally {
    form.submit(); // what the site has forgotten is sent nothing
  }
}

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
