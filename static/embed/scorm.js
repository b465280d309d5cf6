// A lesson as a SCORM 1.2 object: its goals become cmi.core.score.raw (0 to 100), and lesson_status
// "completed", or "passed" and "failed" where the platform names a mastery score.
"use strict";

/** The platform's API: an object of that name in a window around this one, or around its opener. */
function platform() {
  for (const start of [window, window.opener]) {
    let view = start;
    for (let depth = 0; view && depth < 20; depth++) {
      try {
        if (view.API) return view.API;
      } catch {
        // Another origin's window: what is around it may be ours again.
      }
      if (view.parent === view) break;
      view = view.parent;
    }
  }
  return undefined;
}

const api = platform();
const started = Date.now();
let best = -1;
let over = false;

function set(name, value) {
  api.LMSSetValue(name, String(value));
}

/** HHHH:MM:SS */
function sessionTime() {
  const seconds = Math.floor((Date.now() - started) / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = String(Math.floor(seconds / 3600)).padStart(4, "0");
  return `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function record({ score, complete }) {
  if (!api || over || score < best) return;
  best = score;
  set("cmi.core.score.raw", score);
  if (complete) {
    const mastery = Number.parseFloat(api.LMSGetValue("cmi.student_data.mastery_score"));
    const judged = score >= mastery ? "passed" : "failed";
    set("cmi.core.lesson_status", Number.isNaN(mastery) ? "completed" : judged);
  }
  api.LMSCommit("");
}

function finish() {
  if (!api || over) return;
  over = true;
  set("cmi.core.session_time", sessionTime());
  api.LMSCommit("");
  api.LMSFinish("");
}

if (api) {
  api.LMSInitialize("");
  // An earlier visit's score is not made worse.
  const before = Number.parseInt(api.LMSGetValue("cmi.core.score.raw"), 10);
  if (!Number.isNaN(before)) best = before;
  const status = api.LMSGetValue("cmi.core.lesson_status");
  if (status === "" || status === "not attempted") set("cmi.core.lesson_status", "incomplete");
  set("cmi.core.score.min", 0);
  set("cmi.core.score.max", 100);
  api.LMSCommit("");
} else {
  note("No course platform was found: nothing is recorded.", "没有找到课程平台，成绩不会被记录。");
}
addEventListener("pagehide", finish);
watchLesson(record, () => {});
