// Shows notifications, and opens a duel when its notification is clicked. The script does not store
// any pages, so that players never see an outdated turn. This script is served from the root of the
// site (duels/screens/web_app/views.py).

const ICON = "/static/img/icon-192.png";
const BADGE = "/static/img/icon-badge-96.png";
const KEY = "/settings/push-key";
const SUBSCRIBE = "/settings/push-on";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => event.waitUntil(show(readMessage(event.data))));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.address));
});

// If the push service gives this browser a new address, send it to the site.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** Returns the message, or a default one, because each push must show a notification. */
function readMessage(data) {
  try {
    const { title, body, address } = data.json();
    return { title: String(title), body: String(body), address: String(address) };
  } catch {
    return { title: "Spellcaster", body: "A duel may be waiting for you.", address: "/" };
  }
}

/** Shows a notification, which replaces the previous one about the same duel. */
function show({ title, body, address }) {
  return self.registration.showNotification(title, {
    body, icon: ICON, badge: BADGE, tag: address, renotify: true, data: { address },
  });
}

async function open(address) {
  const wanted = new URL(address, self.location.origin);
  if (wanted.origin !== self.location.origin) return undefined;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => new URL(url).pathname === wanted.pathname);
  return shown ? shown.focus() : self.clients.openWindow(wanted.href);
}

async function renew({ oldSubscription, newSubscription }) {
  const answer = await fetch(KEY);
  if (!answer.ok || answer.redirected) return; // signed out; the settings show "off"
  const { key, token } = await answer.json();
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = newSubscription ?? await self.registration.pushManager.subscribe(wanted);
  const { endpoint, keys } = subscription.toJSON();
  const said = new FormData();
  said.set("csrfmiddlewaretoken", token);
  said.set("endpoint", endpoint);
  said.set("p256dh", keys.p256dh);
  said.set("auth", keys.auth);
  said.set("replaces", oldSubscription?.endpoint ?? "");
  said.set("quietly", "1");
  await fetch(SUBSCRIBE, { method: "POST", body: said });
}
