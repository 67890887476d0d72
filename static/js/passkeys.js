// Enables the passkey button once it works. Shows an error if the browser or the connection fails,
// or if the user cancels.

const WORDS = {
  NotAllowedError: "No passkey was used: the request was cancelled or took too long.",
  InvalidStateError: "You already have a passkey on this device.",
  OperationError: "Your device is already asking for a passkey. Answer it there.",
  SecurityError: "Passkeys do not work at this address.",
  TypeError: "This site did not respond. Try again.",
  Error: "This site did not respond. Try again.",
};
const OTHERWISE = "This browser could not use a passkey.";

const button = document.querySelector("[data-passkey]");
const fault = document.querySelector("[data-passkey-fault]");

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  fault.textContent = (window.PublicKeyCredential && WORDS[event.detail.exception.name]) || OTHERWISE;
  fault.hidden = false;
});

// From now on, allauth handles the button. Earlier, a click would have had no effect, or would have
// submitted the form without a passkey.
document.addEventListener("DOMContentLoaded", () => {
  if (!window.allauth?.webauthn) return;
  document.querySelector("[data-passkey-loading]").hidden = true;
  button.disabled = false;
  button.addEventListener("click", () => (fault.hidden = true));
  button.form.addEventListener("submit", (event) => event.preventDefault()); // allauth submits it
});
