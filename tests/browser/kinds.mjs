// The kinds of step that have a film of their own, each with a run up to it: for film.test.mjs, which holds where
// everything is, and for films.mjs, which makes pictures of them. They are in kinds.json, a row each: its name; lesson,
// variant, schedule and step of the run; whether a token of its client comes from its line to Redis; and what the step
// shows, which src/view/film/tests/sheet.rs reads off the frames of the run. To add a kind, add a row.

import { readFileSync } from "node:fs";

/** The link to a step of a run. */
export const run = ({ lesson, variant, schedule, step }) =>
  `#lesson=${lesson}&variant=${variant}&mode=schedule&schedule=${schedule}&step=${step}`;

/** Films stand still where they begin, for as long as `window.held` is set. */
export const hold = (page) =>
  page.addInitScript(() => {
    const play = Animation.prototype.play;
    window.held = true;
    Animation.prototype.play = function () {
      return window.held ? this.pause() : play.call(this);
    };
  });

export const KINDS = JSON.parse(readFileSync(new URL("kinds.json", import.meta.url), "utf8"));
