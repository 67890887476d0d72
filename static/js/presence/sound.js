// Plays a quiet sound, generated here: two soft notes of a small bell. The sound is optional, and
// browsers allow it only after the user has touched the page.

const NOTES = [
  { hertz: 659.3, after: 0 },
  { hertz: 880, after: 0.14 },
];
const LOUDNESS = 0.05;
const SECONDS = 0.9;

let player = null;

function isWanted() {
  return document.documentElement.dataset.sound === "on";
}

function wake() {
  if (!isWanted()) return;
  player ??= new AudioContext();
  if (player.state === "suspended") player.resume().catch(() => {});
}

for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, wake, { capture: true, passive: true });
}

export function chime() {
  if (!isWanted() || player?.state !== "running") return;
  for (const { hertz, after } of NOTES) {
    const tone = new OscillatorNode(player, { frequency: hertz });
    const strength = new GainNode(player, { gain: 0 });
    const start = player.currentTime + after;
    strength.gain.setValueAtTime(0.0001, start);
    strength.gain.exponentialRampToValueAtTime(LOUDNESS, start + 0.02);
    strength.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
    tone.connect(strength).connect(player.destination);
    tone.start(start);
    tone.stop(start + SECONDS);
  }
}
