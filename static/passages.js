// Comfort only: without this file a passage is pasted into its field.
"use strict";

const whole = document.getElementById("body");
const problem = document.getElementById("tie-problem");

for (const part of document.querySelectorAll("[data-needs-script], [data-tie]")) part.hidden = false;

// The field takes what is marked in the whole text, to the letter, without the white space around it.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tie]");
  if (!button) return;
  const marked = whole.value.slice(whole.selectionStart, whole.selectionEnd).trim();
  if (!marked) {
    problem.textContent = "Mark a passage in the whole text first.";
    whole.focus();
    return;
  }
  problem.textContent = "";
  const passage = document.getElementById(`passage-${button.dataset.tie}`);
  const section = document.getElementById(`section-${button.dataset.tie}`);
  passage.value = marked;
  if (!section.value) section.value = headingAbove(whole.value.slice(0, whole.selectionStart));
  passage.dispatchEvent(new Event("input", { bubbles: true }));
  passage.focus();
});

// The nearest line above that is written as a heading: with number signs, or with a section number.
function headingAbove(text) {
  const lines = text.split("\n").reverse();
  const found = lines.find((line) => /^#{1,6}\s+\S/.test(line) || /^(?:§\s*)?\d+(?:\.\d+)*[.)]?\s+\S.{0,78}$/.test(line));
  return found ? found.replace(/^#{1,6}\s+/, "").replace(/\s*\{#[^}]*\}\s*$/, "").trim() : "";
}
