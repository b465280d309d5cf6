// The kinds of step that have a film of their own, each with a run up to it: for film.test.mjs, which holds where
// everything is, and for films.mjs, which makes pictures of them.

export const run = (lesson, variant, schedule, step) =>
  `#lesson=${lesson}&variant=${variant}&mode=schedule&schedule=${schedule}&step=${step}&lang=en`;

/** Films stand still where they begin, for as long as `window.held` is set. */
export const hold = (page) =>
  page.addInitScript(() => {
    const play = Animation.prototype.play;
    window.held = true;
    Animation.prototype.play = function () {
      return window.held ? this.pause() : play.call(this);
    };
  });

/** Each kind of step: its run up to it, and whether a token of its client comes to Redis. */
export const KINDS = [
  ["a read", ["lost-update", "naive", "A1.B1.A2.B2", 1], true],
  ["a write that breaks a promise", ["lost-update", "naive", "A1.B1.A2.B2", 4], true],
  ["a write that is refused", ["setnx-lock", "no-finally", "A1.B1.A2.B2", 2], true],
  ["a script", ["oversell", "lua", "A1.B1.C1", 1], true],
  ["MULTI", ["multi-exec", "multi", "A1.A2.A3.B1.A4", 1], true],
  ["a queued command", ["multi-exec", "multi", "A1.A2.A3.B1.A4", 2], true],
  ["EXEC", ["multi-exec", "multi", "A1.A2.A3.B1.A4", 5], true],
  ["EXEC, refused", ["watch", "watch-once", "A1.A2.A3.A4.B1.B2.B3.B4.B5.A5", 10], true],
  ["a watched key that is touched", ["watch", "watch-once", "A1.A2.A3.A4.B1.B2.B3.B4.B5.A5", 9], true],
  ["a command that waits", ["synchronized", "one-process", "A1.A2.A3.C1.C2.C3", 1], false],
  ["a mutex that wakes who waits", ["synchronized", "one-process", "A1.A2.A3.C1.C2.C3", 3], false],
  ["time, and a key that expires", ["setnx-lock", "finally-crash", "A1.B1.A2.B2.crashA.T1.B3", 6], false],
  ["a pause", ["fencing", "no-fence", "A1.B1.pauseA.T1.B2.B3.resumeA.A2", 3], false],
  ["a crash", ["setnx-lock", "finally-crash", "A1.B1.A2.B2.crashA.T1.B3", 5], false],
  ["a fence that refuses", ["fencing", "fence", "A1.B1.pauseA.T1.B2.B3.resumeA.A2", 8], false],
  ["wire: send", ["lua-script", "long", "sendA1.sendB1.execA1.execB1.replyA1.replyB1", 2], true],
  ["wire: execute", ["lua-script", "long", "sendA1.sendB1.execA1.execB1.replyA1.replyB1", 3], false],
  ["wire: reply", ["lua-script", "long", "sendA1.sendB1.execA1.execB1.replyA1.replyB1", 5], false],
  ["a failover", ["failover", "async", "A1.failover-redis.B1.up-redis", 2], false],
  ["a clock that jumps", ["redlock-limits", "clock-jump", "A1.A2.jump-r2.B1.B2.B3.A3", 3], false],
  ["a majority", ["redlock", "redlock", "down-r3.A1.A2.A3.T1.B1.B2", 3], true],
];
