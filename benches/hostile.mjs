// How long a hostile link keeps the page from answering: the longest tasks of its one thread over some
// 200 links, each opened in a page that is there already. A page that is silent for LOST_MS is lost.
//
//   node benches/hostile.mjs [PART OF A NAME]        (against the page in dist/)

import { close, openUnchecked } from "../tests/browser/harness.mjs";
import { token } from "../tests/browser/hostile.mjs";

const [GOAL_MS, WORST_MS, LOST_MS] = [200, 1000, 20_000];
const ROOM = 10_500; // what a link may take for its schedule, in bytes
const only = process.argv[2] ?? "";

/** As many of `lines` in turn as there is room for. */
function typed(begin, lines, room = ROOM) {
  const tokens = begin.map(token);
  let length = encodeURIComponent(tokens.join(".")).length;
  for (let at = 0; ; at++) {
    const next = token(lines[at % lines.length]);
    length += encodeURIComponent(next).length + 1;
    if (length > room) return tokens.join(".");
    tokens.push(next);
  }
}

const BIG = "SETRANGE big 12000000 x";
const HALF = ["SETRANGE a 6000000 x", "SETRANGE b 6000000 x"];
// 60,000 elements each, from scripts that end within their budget.
const LIST = Array.from({ length: 12 }, (_, at) =>
  `EVAL "for k=${5 * at},${5 * at + 4} do local t,z={},{} for j=1,1000 do t[j]=k*1000+j z[2*j-1]=j z[2*j]=t[j] end ` +
  `redis.call('RPUSH','l',unpack(t)) redis.call('SADD','s',unpack(t)) redis.call('ZADD','z',unpack(z)) end" 0`);
const STARS = `SET ${"a".repeat(200)} 1`;

/** name → [lines that begin, lines that are repeated]. */
const LINES = {
  "read 12 MB": [[BIG], ["GET big"]],
  "read and write 12 MB": [[BIG], ["SETBIT big 0 1", "SETBIT big 0 0"]],
  "count 12 MB": [[BIG], ["BITCOUNT big"]],
  "search 12 MB": [[BIG], ["BITPOS big 1"]],
  "append": [[], [`APPEND a ${"x".repeat(2000)}`]],
  "copy 12 MB": [[HALF[0]], ["COPY a b REPLACE"]],
  "bits of two": [HALF, ["BITOP XOR c a b"]],
  "dump": [[BIG], ["DUMP big"]],
  "LCS": [["SETRANGE a 1399 x", "SETRANGE b 1399 x"], ["LCS a b"]],
  "LCS with indices": [["SETRANGE a 1399 x", "SETRANGE b 1399 x"], ["LCS a b IDX WITHMATCHLEN"]],
  "sort": [LIST, ["SORT l DESC"]],
  "sort by": [LIST, ["SORT l BY x* GET y*"]],
  "sort and store": [LIST, ["SORT l STORE m"]],
  "range": [LIST, ["LRANGE l 0 -1"]],
  "end of a list": [LIST, ["LREM l 0 nothing"]],
  "insert": [LIST, ["LINSERT l BEFORE 59999 x"]],
  "scores": [LIST, ["ZRANGE z 0 -1 WITHSCORES"]],
  "union of sorted sets": [LIST, ["ZUNIONSTORE u 2 z s"]],
  "members": [LIST, ["SMEMBERS s"]],
  "union of sets": [LIST, ["SUNIONSTORE u s s"]],
  "random members": [LIST, ["SRANDMEMBER s -100000"]],
  "scan": [LIST, ["SSCAN s 0 COUNT 100000"]],
  "stars": [[STARS], [`KEYS ${"*a".repeat(30)}*b`]],
  "endless script": [[], ["EVAL 'while true do end' 0", "SCRIPT KILL"]],
  "long scripts": [[], ["EVAL 'for i=1,1000000 do end' 0"]],
  "doubling script": [[], [`EVAL "local s='x' while true do s=s..s end" 0`]],
  "pattern in a script": [[], [`EVAL "return string.find(string.rep('a',200),string.rep('a*',30)..'b')" 0`]],
  "format in a script": [[], [`EVAL "for i=1,99999 do string.format('%99.99f',1e300) end" 0`]],
  "nested JSON": [[], [`EVAL "return cjson.decode(string.rep('[',100000))" 0`]],
  "sort in a script": [[], [`EVAL "local t={} for i=1,200000 do t[i]=-i end table.sort(t)" 0`]],
  "concat in a script": [[], [`EVAL "local t={} for i=1,9999 do t[i]=string.rep('x',1500) end return #table.concat(t)" 0`]],
  "many keys": [[], [`EVAL "for i=1,3900 do redis.call('SET','k'..i..math.random(),'x') end" 0`]],
  "all keys": [[0, 1, 2].map((k) => `EVAL "for i=1,3900 do redis.call('SET','k${k}'..i,'x') end" 0`), ["KEYS *"]],
  "flush and fill": [[], [`EVAL "for i=1,3900 do redis.call('SET','k'..i,'x') end" 0`, "FLUSHALL"]],
  "transactions": [[BIG], ["MULTI", "GET big", "GET big", "EXEC"]],
  "subscribed": [[], ["SUBSCRIBE x", "UNSUBSCRIBE x", "PUBLISH x y"]],
  "streams": [[], ["XADD s * a b", "XRANGE s - +"]],
  "geography": [[], ["GEOADD g 1 2 a 3 4 b", "GEOSEARCH g FROMLONLAT 1 2 BYRADIUS 9999 km ASC"]],
  "estimates": [[], ["PFADD h a b c", "PFCOUNT h h h", "PFMERGE h h i"]],
  "hash": [[`EVAL "for k=0,9 do local t={} for j=1,1000 do t[2*j-1]='f'..k..j t[2*j]=j end redis.call('HSET','h',unpack(t)) end" 0`],
    ["HGETALL h", "HINCRBY h f01 1"]],
  "rotate": [LIST, ["LMOVE l l LEFT RIGHT"]],
  "store a range": [LIST, ["ZRANGESTORE u z 0 -1"]],
  "part of 12 MB": [[BIG], ["GETRANGE big 0 -1"]],
  "bits": [[BIG], ["BITFIELD big SET u8 0 1 INCRBY u8 #99 7"]],
  "monitored": [["MONITOR"], ["SET k x"]],
  "names": [LIST, ["OBJECT ENCODING l", "TYPE z", "DEBUG OBJECT s"]],
  "expiries": [[], [`EVAL "for i=1,3900 do redis.call('SET','k'..i,'x','PX',i) end" 0`]],
  "tiny": [[], ["PING"]],
};

const LESSONS = ["lost-update", "redlock", "fair-semaphore", "watchdog"];

function links() {
  const found = [];
  for (const [name, [begin, lines]] of Object.entries(LINES)) {
    for (const [at, lesson] of LESSONS.entries()) {
      // Shown at its end, at its start, beside another run, and with the way of the replies.
      const more = ["", "&step=0", `&compare=${encodeURIComponent(typed(begin, lines, ROOM / 2))}`, "&wire=1"][at];
      const schedule = encodeURIComponent(typed(begin, lines, at === 2 ? ROOM / 2 : ROOM));
      found.push([`${name}, ${lesson}`, `#lesson=${lesson}&mode=schedule&lang=en&schedule=${schedule}${more}`]);
    }
  }
  const long = (part, length) => part.repeat(Math.floor(length / part.length));
  found.push(
    ["steps without end", `#lesson=lost-update&mode=schedule&schedule=${long("A.", 16000)}`],
    ["steps of both", `#lesson=semaphore&mode=schedule&schedule=${long("A.B.", 16000)}`],
    ["nothing but dots", `#lesson=lost-update&mode=schedule&schedule=${long(".", 16000)}`],
    ["nothing but bytes", `#lesson=lost-update&mode=schedule&schedule=${long("%ff%00", 16000)}`],
    ["a long word", `#lesson=lost-update&mode=schedule&schedule=c1-SET_${"x".repeat(15000)}_y`],
    ["markup", `#lesson=lost-update&mode=schedule&schedule=c1-SET_${long("<b>%26", 15000)}_y`],
    ["other way", `#lesson=lost-update&mode=schedule&schedule=c1-SET_x_${long("\u202e", 5000)}`],
    ["a million", `#${"x=y&".repeat(250_000)}lesson=lost-update`],
    ["Chinese", `#lesson=lost-update&lang=zh&mode=schedule&schedule=c1-SET_x_${"锁".repeat(1500)}`],
    ["a bomb of a program", `#lesson=lost-update&mode=fix&code=${"A".repeat(15000)}`],
    ["a bomb of a scenario", `#page=playground&scenario=${"A".repeat(15000)}`],
    ["beside", `#lesson=lock-grain&mode=schedule&beside=${long("a.", 8000)}&schedule=${long("A.B.", 6000)}`],
  );
  return found.filter(([name]) => name.includes(only));
}

async function fresh() {
  const page = await openUnchecked("#lesson=lost-update&mode=schedule&lang=en", {});
  await page.waitForSelector(".dock");
  // The rest of the program, and the checker, have come: what they take is no link's.
  await page.waitForTimeout(3000);
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask" });
  });
  return page;
}

let page = await fresh();
const rows = [];
for (const [name, link] of links()) {
  const opened = page.evaluate(async (link) => {
    window.longest = 0;
    location.hash = link;
    // Until nothing has taken long for a while.
    for (let quiet = 0, last = 0; quiet < 3; ) {
      await new Promise((done) => setTimeout(done, 60));
      quiet = window.longest === last ? quiet + 1 : 0;
      last = window.longest;
    }
    return window.longest;
  }, link);
  const lost = new Promise((done) => setTimeout(() => done(Infinity), LOST_MS).unref());
  const ms = await Promise.race([opened, lost]).catch(() => Infinity);
  rows.push([name, ms]);
  if (ms === Infinity) {
    await page.context().close().catch(() => {});
    page = await fresh();
  }
}
await close();

rows.sort((a, b) => b[1] - a[1]);
for (const [name, ms] of rows.slice(0, 25)) console.log(`${name.padEnd(48)} ${ms === Infinity ? "lost" : `${ms.toFixed(0)} ms`}`);
const over = (limit) => rows.filter(([, ms]) => ms > limit).length;
console.log(`\n${rows.length} links: longest task at the median ${rows[rows.length >> 1][1].toFixed(0)} ms, worst ${rows[0][1].toFixed(0)} ms.`);
console.log(`Goals: none over ${GOAL_MS} ms: ${over(GOAL_MS)} are; none over ${WORST_MS} ms: ${over(WORST_MS)} are.`);
process.exit(0);
