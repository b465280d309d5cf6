// What the pages for SCORM and xAPI share: the frame, as high as what is in it, and the score that
// the lesson reports. The platform's own part is in scorm.js and xapi.js.
"use strict";

/**
 * Shows the lesson and calls `hear` with each of its goals.
 * @param {(goal: {lesson: string, score: number, max: number, complete: boolean,
 *   reached: string[], questions: {id: string, answer: ?number[], right: boolean}[],
 *   progress: string}) => void} hear
 * @param {(ready: {lesson: string, title: string}) => void} begin  called once, when it is there
 * @param {{progress: string, questions: object[]}} [kept]  what an earlier visit's goal said
 */
function watchLesson(hear, begin, kept) {
  const baked = document.body.dataset.frame;
  const address = new URL(baked || `index.html${ownQuery()}${location.hash}`, location.href);
  const frame = document.createElement("iframe");
  frame.title = document.title;
  // Files of the same place could leave a sandbox anyway.
  if (address.origin !== location.origin) frame.sandbox = "allow-scripts allow-same-origin";
  frame.src = address.href;
  let last = 0;
  let begun = false;
  addEventListener("message", ({ data, source, origin }) => {
    if (source !== frame.contentWindow || origin !== address.origin) return;
    if (data?.ns !== "interleave" || data.v !== 1) return;
    if (data.type === "ready") {
      const say = (message) =>
        frame.contentWindow.postMessage({ ...message, ns: "interleave", v: 1, id: ++last }, origin);
      say({ type: "hello" });
      document.title = `Interleave: ${data.title}`;
      if (!begun) {
        begin(data);
        if (kept) say({ ...kept, type: "resume", lesson: data.lesson });
      }
      begun = true;
    } else if (data.type === "resize" && data.height > 0 && data.height <= 10_000) {
      frame.style.height = `${data.height}px`;
    } else if (data.type === "goal" && Number.isInteger(data.score)) {
      hear({ ...data, score: Math.min(100, Math.max(0, data.score)) });
    }
  });
  document.body.append(frame);
}

/** The query without what is the platform's own (an xAPI launch has secrets in it). */
function ownQuery() {
  const query = new URLSearchParams(location.search);
  for (const name of ["endpoint", "auth", "actor", "registration", "activity_id", "activity_platform",
    "grouping", "content_token", "fetch", "state_id"]) query.delete(name);
  return query.size > 0 ? `?${query}` : "";
}

/** Says something above the lesson, in the reader's language. */
function note(english, chinese) {
  const line = document.querySelector("#note");
  const zh = navigator.language.startsWith("zh");
  line.lang = zh ? "zh-Hans" : "en";
  line.textContent = zh ? chinese : english;
}
