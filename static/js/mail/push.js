// Turns notifications on this device on and off. The browser asks for permission only when the user
// presses the button. The site stores which devices have notifications, and the page lists them.

const section = document.querySelector("[data-push]");
const state = section.querySelector("[data-push-state]");
const buttons = section.querySelector("[data-push-buttons]");
const on = section.querySelector("[data-push-on]");
const off = section.querySelector("[data-push-off]");
const key = section.dataset.push;

const UNABLE = "This browser cannot show notifications.";
const DENIED = "You have blocked notifications from this site. "
  + "You can change that in the browser’s settings for the site.";
const FAILED = "The browser could not turn on notifications. Its push service may be unreachable.";

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

let deviceAtHand = null; // this device's line in the list

async function show() {
  const subscription = await current();
  const digest = subscription ? await sha256(subscription.endpoint) : "";
  deviceAtHand = digest ? section.querySelector(`[data-device="${digest}"]`) : null;
  const isOn = Boolean(deviceAtHand) && isOurs(subscription);
  deviceAtHand?.querySelector("[data-this-device]").removeAttribute("hidden");
  const isDenied = !isOn && Notification.permission === "denied";
  state.textContent = isDenied ? DENIED : isOn ? "Notifications are on for this device." : "";
  buttons.hidden = isDenied;
  on.hidden = isOn;
  off.hidden = !isOn;
}

/** Returns this browser's subscription, even if the site has deleted it. */
async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration?.pushManager.getSubscription();
}

async function switchOn() {
  on.disabled = true;
  state.textContent = "Your browser is asking for permission.";
  try {
    if (await Notification.requestPermission() !== "granted") {
      await show();
      return;
    }
    state.textContent = "Turning on notifications …";
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

/** Returns whether the subscription uses the site's current key. */
function isOurs(subscription) {
  const theirs = subscription.options?.applicationServerKey;
  if (!theirs) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(theirs)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** Submits a form with a normal page load, so that the next page can show errors. */
function tellSite(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const form = section.querySelector("[data-push-form]");
  for (const [name, value] of Object.entries({ endpoint, ...keys })) {
    const field = form.querySelector(`[name="${name}"]`);
    if (field) field.value = value;
  }
  form.requestSubmit();
}

/** Removes this browser's subscription, then lets the site delete its data. */
async function forgetHere(event) {
  const form = event.target;
  if (!deviceAtHand?.contains(form)) return;
  event.preventDefault();
  try {
    const subscription = await current();
    await subscription?.unsubscribe();
  } finally {
    form.submit(); // the site does not send anything to a deleted device
  }
}

async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
