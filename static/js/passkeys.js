// Says what has become of a passkey where the browser, or its owner, would have none of it.

const WORDS = {
  NotAllowedError: "No passkey was used: it was cancelled, or took too long.",
  InvalidStateError: "This device has a passkey of yours already.",
  SecurityError: "Passkeys do not work at this address.",
};
const OTHERWISE = "This browser could not use a passkey.";

document.addEventListener("allauth.error", (event) => {
  const fault = document.querySelector("[data-passkey-fault]");
  if (!fault) return;
  event.preventDefault();
  fault.textContent = WORDS[event.detail.exception.name] || OTHERWISE;
  fault.hidden = false;
});
