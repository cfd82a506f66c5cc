// Comfort only: every page works without this file.
"use strict";

// After an action replaced the page's content, tell it to whoever listens rather than looks.
document.addEventListener("htmx:afterSwap", (event) => {
  tellTrouble(null);
  const place = document.querySelector("#item [autofocus]") || document.getElementById("notice");
  if (event.detail.target.id === "item") {
    checked = typed;
    if (place) place.focus();
  }
});

// Every change in the form is counted, and a check remembers the count it set out with. An answer that was overtaken by
// more typing, or by an action, is dropped: a newer check brings what holds now.
let typed = 0;
let checked = 0;
const isCheck = (event) => event.detail.elt.closest("#desk") && event.detail.pathInfo.requestPath.endsWith("/check");
document.addEventListener("input", (event) => {
  if (!event.target.closest("#desk")) return;
  typed += 1;
  if (event.target.id === "text") nameApproval();
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (isCheck(event)) {
    event.detail.xhr.typed = typed;
  } else if (event.detail.elt.id === "desk") {
    typed += 1;
    holdStill(true);
  }
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt.id === "desk") holdStill(false);
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!isCheck(event)) return;
  if (event.detail.xhr.typed === typed) checked = typed;
  else event.detail.shouldSwap = false;
});

// While an action is on its way its answer will replace the editor, so nothing can be typed into the old one.
function holdStill(still) {
  const text = document.getElementById("text");
  if (text) text.readOnly = still;
}

// What a check brings replaces only what differs, and a part that somebody opened or closed stays so.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  for (const part of fragment.querySelectorAll("details[id]")) {
    const now = document.getElementById(part.id);
    if (now) part.open = now.open;
  }
  const arriving = fragment instanceof DocumentFragment ? fragment.firstElementChild : fragment;
  const same = arriving === fragment ? arriving.innerHTML === target.innerHTML : arriving.isEqualNode(target);
  if (same) event.detail.shouldSwap = false;
});

// What the button approves is named while the text is typed; the server names it the same way.
function nameApproval() {
  const text = document.getElementById("text");
  const button = document.getElementById("approve");
  if (!text || !button || button.classList.contains("held-up")) return;
  const saved = text.dataset.saved ?? text.defaultValue;
  button.textContent = text.value === saved ? button.dataset.saved : button.dataset.changed;
}
nameApproval();

// Approving what is known to be held up leads to the list of what stands in the way. A text that was not checked yet
// is sent: the server decides.
document.addEventListener("click", (event) => {
  const button = event.target.closest("#approve.held-up");
  if (!button || typed !== checked) return;
  event.preventDefault();
  event.stopPropagation();
  document.getElementById("blockers-title").focus();
}, true);

// Until when a decision can be undone is written in the page; the seconds left are counted beside it.
function countDown() {
  const form = document.querySelector("[data-until]");
  if (!form) return;
  const left = Math.ceil((Date.parse(form.dataset.until) - Date.now()) / 1000);
  form.querySelector(".countdown").textContent = left > 0 ? ` (${left} s left)` : " (over)";
}
setInterval(countDown, 500);
countDown();

// An action that never arrived, or that failed over there, must not look as if it had worked.
for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => {
    tellTrouble(event.detail.xhr.status === 401 ? "logged-out" : "trouble");
  });
}
function tellTrouble(which) {
  for (const id of ["trouble", "logged-out"]) document.getElementById(id).hidden = id !== which;
}

// A jump to a claim that lies in a closed part opens that part.
function reveal() {
  const place = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  const closed = place && (place.matches("details:not([open])") ? place : place.closest("details:not([open])"));
  if (closed) {
    closed.open = true;
    place.scrollIntoView();
  }
}
window.addEventListener("hashchange", reveal);
reveal();
