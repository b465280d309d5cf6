// How long a hostile link keeps the page from answering: the longest tasks of its one thread over some
// 200 links, each opened in a page that is there already. A page that is silent for LOST_MS is lost.
//
//   node benches/hostile.mjs [PART OF A NAME]        (against the page in dist/)

import { close, openUnchecked } from "../tests/browser/harness.mjs";

const [GOAL_MS, WORST_MS, LOST_MS] = [200, 1000, 20_000];
const ROOM = 10_500; // what a link may take for its schedule, in bytes
const only = process.argv[2] ?? "";

/** As many of `lines` in turn as there is room for, at a console; underscores stand for spaces. */
function typed(begin, lines) {
  const tokens = begin.map((line) => `c1-${line}`);
  let length = tokens.join(".").length;
  for (let at = 0; ; at++) {
    const token = `c1-${lines[at % lines.length]}`;
    length += token.length + 1;
    if (length > ROOM) return tokens.join(".");
    tokens.push(token);
  }
}

const BIG = "SETRANGE_big_12000000_x";
const HALF = ["SETRANGE_a_6000000_x", "SETRANGE_b_6000000_x"];
const LIST = `EVAL_"for_i=1,60000_do_redis.call('RPUSH','l',i)_redis.call('ZADD','z',i,i)_redis.call('SADD','s',i)_end"_0`;
const STARS = `SET_${"a".repeat(200)}_1`;

/** name → [lines that begin, lines that are repeated]. */
const LINES = {
  "read 12 MB": [[BIG], ["GET_big"]],
  "read and write 12 MB": [[BIG], ["SETBIT_big_0_1", "SETBIT_big_0_0"]],
  "count 12 MB": [[BIG], ["BITCOUNT_big"]],
  "search 12 MB": [[BIG], ["BITPOS_big_1"]],
  "append": [[], [`APPEND_a_${"x".repeat(2000)}`]],
  "copy 12 MB": [[HALF[0]], ["COPY_a_b_REPLACE"]],
  "bits of two": [HALF, ["BITOP_XOR_c_a_b"]],
  "dump": [[BIG], ["DUMP_big"]],
  "LCS": [["SETRANGE_a_1999_x", "SETRANGE_b_1999_x"], ["LCS_a_b"]],
  "LCS with indices": [["SETRANGE_a_1999_x", "SETRANGE_b_1999_x"], ["LCS_a_b_IDX_WITHMATCHLEN"]],
  "sort": [[LIST], ["SORT_l_DESC"]],
  "sort by": [[LIST], ["SORT_l_BY_x*_GET_y*"]],
  "sort and store": [[LIST], ["SORT_l_STORE_m"]],
  "range": [[LIST], ["LRANGE_l_0_-1"]],
  "end of a list": [[LIST], ["LREM_l_0_nothing"]],
  "insert": [[LIST], ["LINSERT_l_BEFORE_59999_x"]],
  "scores": [[LIST], ["ZRANGE_z_0_-1_WITHSCORES"]],
  "union of sorted sets": [[LIST], ["ZUNIONSTORE_u_2_z_s"]],
  "members": [[LIST], ["SMEMBERS_s"]],
  "union of sets": [[LIST], ["SUNIONSTORE_u_s_s"]],
  "random members": [[LIST], ["SRANDMEMBER_s_-100000"]],
  "scan": [[LIST], ["SSCAN_s_0_COUNT_100000"]],
  "stars": [[STARS], [`KEYS_${"*a".repeat(30)}*b`]],
  "endless script": [[], ["EVAL_'while_true_do_end'_0", "SCRIPT_KILL"]],
  "long scripts": [[], ["EVAL_'for_i=1,1000000_do_end'_0"]],
  "doubling script": [[], [`EVAL_"local_s='x'_while_true_do_s=s..s_end"_0`]],
  "pattern in a script": [[], [`EVAL_"return_string.find(string.rep('a',200),string.rep('a*',30)..'b')"_0`]],
  "format in a script": [[], [`EVAL_"for_i=1,99999_do_string.format('%99.99f',1e300)_end"_0`]],
  "nested JSON": [[], [`EVAL_"return_cjson.decode(string.rep('[',100000))"_0`]],
  "sort in a script": [[], [`EVAL_"local_t={}_for_i=1,200000_do_t[i]=-i_end_table.sort(t)"_0`]],
  "concat in a script": [[], [`EVAL_"local_t={}_for_i=1,9999_do_t[i]=string.rep('x',1500)_end_return_#table.concat(t)"_0`]],
  "many keys": [[], [`EVAL_"for_i=1,40000_do_redis.call('SET','k'..i..math.random(),'x')_end"_0`]],
  "all keys": [[`EVAL_"for_i=1,90000_do_redis.call('SET','k'..i,'x')_end"_0`], ["KEYS_*"]],
  "flush and fill": [[], [`EVAL_"for_i=1,9999_do_redis.call('SET','k'..i,'x')_end"_0`, "FLUSHALL"]],
  "transactions": [[BIG], ["MULTI", "GET_big", "GET_big", "EXEC"]],
  "subscribed": [[], ["SUBSCRIBE_x", "UNSUBSCRIBE_x", "PUBLISH_x_y"]],
  "streams": [[], ["XADD_s_*_a_b", "XRANGE_s_-_%2B"]],
  "geography": [[], ["GEOADD_g_1_2_a_3_4_b", "GEOSEARCH_g_FROMLONLAT_1_2_BYRADIUS_9999_km_ASC"]],
  "estimates": [[], ["PFADD_h_a_b_c", "PFCOUNT_h_h_h", "PFMERGE_h_h_i"]],
  "tiny": [[], ["PING"]],
};

const LESSONS = ["lost-update", "redlock", "fair-semaphore", "watchdog"];

function links() {
  const found = [];
  for (const [name, [begin, lines]] of Object.entries(LINES)) {
    for (const [at, lesson] of LESSONS.entries()) {
      const schedule = typed(begin, lines);
      // Opened at its end, at its start, compared with itself, and beside the other variants.
      const more = ["", "&step=0", `&compare=${encodeURIComponent(typed(begin, lines).slice(0, 4000).replace(/\.[^.]*$/, ""))}`, "&wire=1"][at];
      const cut = at === 2 ? schedule.slice(0, 6000).replace(/\.[^.]*$/, "") : schedule;
      found.push([`${name}, ${lesson}`, `#lesson=${lesson}&mode=schedule&lang=en&schedule=${encodeURIComponent(cut)}${more}`]);
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
