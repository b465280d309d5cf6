// What a course page may do with an embed's events.
"use strict";

const said = document.querySelector("#said");
document.querySelector("#turn").addEventListener("lesson-violation", ({ detail }) => {
  said.textContent = `Broken at step ${detail.step}: ${detail.schedule}`;
});
document.querySelector("#turn").addEventListener("lesson-goal", ({ detail }) => {
  said.textContent += ` · score ${detail.score} of ${detail.max}`;
});
