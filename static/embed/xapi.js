// A lesson as an xAPI activity: started with a launch address (endpoint, auth, actor, activity_id,
// registration), it sends statements: initialized, progressed with the score, and at the end passed
// or completed.
"use strict";

const launch = new URLSearchParams(location.search);
const VERBS = "http://adlnet.gov/expapi/verbs/";
let best = 0;
/** The last result that was sent. */
let sent = "";

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some platforms give an actor with lists in it; a statement has one of each. */
function actorOf(given) {
  if (!given || typeof given !== "object") return undefined;
  const one = (value) => (Array.isArray(value) ? value[0] : value);
  const { name, mbox, account } = given;
  const found = { objectType: "Agent", name: one(name), mbox: one(mbox), account: one(account) };
  return found.mbox || found.account ? found : undefined;
}

const actor = actorOf(parsed(launch.get("actor")));
const endpoint = /^https?:\/\//.test(launch.get("endpoint") ?? "") ? launch.get("endpoint") : undefined;

async function send(verb, lesson, result) {
  if (!actor || !endpoint) return;
  const registration = launch.get("registration") ?? undefined;
  const statement = {
    actor,
    verb: { id: VERBS + verb, display: { "en-US": verb } },
    object: {
      id: launch.get("activity_id") || `urn:interleave:${lesson.lesson}`,
      definition: { type: "http://adlnet.gov/expapi/activities/lesson" },
    },
    result,
    context: registration && { registration },
  };
  try {
    const answer = await fetch(`${endpoint.replace(/\/*$/, "/")}statements`, {
      method: "POST",
      keepalive: true,
      headers: {
        "Content-Type": "application/json",
        "X-Experience-API-Version": "1.0.3",
        ...(launch.get("auth") && { Authorization: launch.get("auth") }),
      },
      body: JSON.stringify(statement),
    });
    if (!answer.ok) throw new Error(String(answer.status));
  } catch (error) {
    note(`The record store refused a result (${error.message}).`, `学习记录存储拒绝了一条结果（${error.message}）。`);
  }
}

if (!actor || !endpoint) {
  note("This was not started by a course platform: nothing is recorded.", "不是从课程平台启动的，成绩不会被记录。");
}
watchLesson((goal) => {
  if (goal.score < best || (goal.score === best && !goal.complete)) return;
  best = goal.score;
  const score = { scaled: goal.score / 100, raw: goal.score, min: 0, max: 100 };
  const passed = goal.complete && goal.score === 100;
  const verb = passed ? "passed" : goal.complete ? "completed" : "progressed";
  const success = passed || undefined;
  if (sent === `${verb} ${goal.score}`) return;
  sent = `${verb} ${goal.score}`;
  send(verb, goal, { score, completion: goal.complete, success });
}, (ready) => send("initialized", ready));
