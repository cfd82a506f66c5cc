// Comfort only: every page works without this file.
"use strict";

// After an action replaced the page's content, tell it to whoever listens rather than looks.
document.addEventListener("htmx:afterSwap", (event) => {
  document.getElementById("trouble").hidden = true;
  const refused = document.querySelector('#item [aria-invalid="true"]');
  const place = refused || document.getElementById("notice");
  if (place && event.detail.target.id === "item") place.focus();
  nameApproval();
});

// What the button approves is named while the text is typed; the server names it the same way.
function nameApproval() {
  const text = document.getElementById("text");
  const button = document.getElementById("approve");
  if (!text || !button) return;
  const saved = text.dataset.saved ?? text.defaultValue;
  button.textContent = text.value === saved ? button.dataset.saved : button.dataset.changed;
}
document.addEventListener("input", (event) => {
  if (event.target.id === "text") nameApproval();
});
nameApproval();

// An action that never arrived, or that failed over there, must not look as if it had worked.
for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(name, () => {
    document.getElementById("trouble").hidden = false;
  });
}

// A jump to a claim that lies in a closed part opens that part.
function reveal() {
  const place = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  const closed = place && place.closest("details:not([open])");
  if (closed) {
    closed.open = true;
    place.scrollIntoView();
  }
}
window.addEventListener("hashchange", reveal);
reveal();
