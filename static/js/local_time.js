// Until the site knows the reader's time zone, pages show times in UTC. This script converts them
// to local time, in the same format as duels/wording/moments.py.

const TOLD = /^(?<day>\d{1,2} [A-Z][a-z]+(?<year> \d{4})?)?(?:, )?(?:(?<time>\d\d:\d\d)(?<second>:\d\d)? UTC)?$/;
const LANGUAGES = ["en-GB", "en-US", "en-AU", "en-CA", "en-IN", "en-ZA"]; // with different zone names

/** Returns the local time of `moment` as text, with those parts that `words` has in UTC. */
export function localWords(words, moment) {
  const told = TOLD.exec(words)?.groups;
  if (!told || !(told.time || told.year)) return words;
  const day = told.day && dayWords(moment, Boolean(told.year));
  const time = told.time && `${timeWords(moment, Boolean(told.second))} ${zoneLabel(moment)}`;
  return [day, time].filter(Boolean).join(", ");
}

function dayWords(moment, withYear) {
  const month = moment.toLocaleString("en-GB", { month: "long" });
  return `${moment.getDate()} ${month}${withYear ? ` ${moment.getFullYear()}` : ""}`;
}

function timeWords(moment, withSecond) {
  const parts = [moment.getHours(), moment.getMinutes(), ...(withSecond ? [moment.getSeconds()] : [])];
  return parts.map(twoDigits).join(":");
}

/** Returns the zone's name: "CET", or "UTC+05:45" if the browser has no name for it. */
function zoneLabel(moment) {
  for (const language of LANGUAGES) {
    const parts = new Intl.DateTimeFormat(language, { timeZoneName: "short" }).formatToParts(moment);
    const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  const ahead = -moment.getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  return `UTC${ahead < 0 ? "\u2212" : "+"}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

function twoDigits(number) {
  return String(number).padStart(2, "0");
}

function tell() {
  for (const place of document.querySelectorAll("time[datetime]")) {
    const moment = new Date(place.dateTime);
    const words = Number.isNaN(moment.getTime()) ? "" : localWords(place.textContent, moment);
    if (words && words !== place.textContent) place.textContent = words;
  }
}

if (document.documentElement.dataset.zone === "") {
  document.addEventListener("htmx:oobAfterSwap", tell); // parts of the page have been replaced
  document.addEventListener("htmx:afterSwap", tell);
  tell();
}
