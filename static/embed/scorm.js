// A lesson as a SCORM 1.2 object: its goals become cmi.core.score.raw (0 to 100), and lesson_status
// "completed", or "passed" and "failed" where the platform names a mastery score. What was reached
// is kept in cmi.suspend_data, so that a later visit goes on with it on any device. Each goal that
// is reached and each question that is met is one of cmi.interactions.
"use strict";

/** The most characters of cmi.suspend_data in SCORM 1.2. */
const KEPT_MAX = 4096;

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

let api = platform();
const started = Date.now();
let best = -1;
let over = false;
/** The number of the platform's last error. */
let error = "";
/** The interactions written so far, and the number of the first; without a number there are none. */
let ids = [];
let first = Number.NaN;

/** Returns whether the platform has done it. */
function call(name, ...values) {
  const done = String(api[name](...values)) === "true";
  if (!done) error = api.LMSGetLastError();
  return done;
}

function set(name, value) {
  return call("LMSSetValue", name, String(value));
}

/** HHHH:MM:SS */
function sessionTime() {
  const seconds = Math.floor((Date.now() - started) / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = String(Math.floor(seconds / 3600)).padStart(4, "0");
  return `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** What an earlier visit kept; anything may be there, and the lesson checks what is for it. */
function kept() {
  const text = api.LMSGetValue("cmi.suspend_data");
  try {
    const found = text.length <= KEPT_MAX && JSON.parse(text);
    return found && typeof found === "object" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what the next visit goes on with. */
function keep({ progress, questions }) {
  const met = questions.map(({ id, answer }) => ({ id, answer }));
  const text = JSON.stringify({ progress, questions: met, ids });
  return text.length <= KEPT_MAX && set("cmi.suspend_data", text);
}

/** Writes an interaction, or writes it anew. A platform need not have them. */
function interaction(name, type, result, response) {
  const id = name.replace(/\W/g, "_");
  const at = ids.includes(id) ? ids.indexOf(id) : ids.length;
  const entry = `cmi.interactions.${first + at}`;
  if (Number.isNaN(first) || !set(`${entry}.id`, id)) return;
  ids[at] = id;
  set(`${entry}.type`, type);
  if (response) set(`${entry}.student_response`, response);
  set(`${entry}.result`, result);
}

function record(goal) {
  if (!api || over) return;
  const { score, complete, reached = [], questions = [], progress = "" } = goal;
  for (const name of reached) interaction(`goal.${name}`, "performance", "correct");
  for (const { id, answer, right } of questions) {
    // A question that was skipped is not wrong.
    const result = right ? "correct" : answer ? "wrong" : "neutral";
    interaction(id, "choice", result, answer?.map((choice) => (choice + 10).toString(36)).join(","));
  }
  let done = keep({ progress, questions });
  if (score >= best) {
    best = score;
    done = set("cmi.core.score.raw", score) && done;
    if (complete) {
      const mastery = Number.parseFloat(api.LMSGetValue("cmi.student_data.mastery_score"));
      const judged = score >= mastery ? "passed" : "failed";
      const status = Number.isNaN(mastery) ? "completed" : judged;
      done = set("cmi.core.lesson_status", status) && done;
      if (status !== "failed") set("cmi.core.exit", "");
    }
  }
  if (call("LMSCommit", "") && done) return note("", "");
  note(`The course platform refused a result (error ${error}).`, `课程平台拒绝了一条结果（错误 ${error}）。`);
}

function finish() {
  if (!api || over) return;
  over = true;
  set("cmi.core.session_time", sessionTime());
  call("LMSCommit", "");
  call("LMSFinish", "");
}

/** Begins with the platform; gives what an earlier visit kept. */
function begin() {
  if (!api) {
    note("No course platform was found: nothing is recorded.", "没有找到课程平台，成绩不会被记录。");
    return undefined;
  }
  if (!call("LMSInitialize", "")) {
    api = undefined;
    note(`The course platform did not start (error ${error}): nothing is recorded.`,
      `课程平台没有启动（错误 ${error}），成绩不会被记录。`);
    return undefined;
  }
  // An earlier visit's score is not made worse.
  const before = Number.parseInt(api.LMSGetValue("cmi.core.score.raw"), 10);
  if (!Number.isNaN(before)) best = before;
  const status = api.LMSGetValue("cmi.core.lesson_status");
  if (status === "" || status === "not attempted") set("cmi.core.lesson_status", "incomplete");
  if (status !== "completed" && status !== "passed") set("cmi.core.exit", "suspend");
  set("cmi.core.score.min", 0);
  set("cmi.core.score.max", 100);
  call("LMSCommit", "");
  const found = kept();
  // Some platforms keep the interactions of earlier visits, some begin anew.
  const count = Number.parseInt(api.LMSGetValue("cmi.interactions._count"), 10);
  if (Array.isArray(found?.ids) && found.ids.length <= count) ids = found.ids.map(String);
  first = count - ids.length;
  return found && { progress: found.progress, questions: found.questions };
}

addEventListener("pagehide", finish);
watchLesson(record, () => {}, begin());
