//! Random scenarios, the same one for the same seed: few clients with short programs over few keys,
//! which use everything that Redis and Lua offer, in many spellings.
//!
//! A program is made of templates. In them `{call GET` begins a call of that command, in one of
//! many spellings; `{key}`, `{value}`, `{ms}`, `{global}`, `{is}` (a condition) and `{do}` (another
//! statement) are filled in. To generate more, add a template; to test a new question about a
//! state, add a property.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::draft::{Draft, Program, Server};
use crate::engine::{Instance, Outcome, Version};
use crate::resp::Value;
use crate::sim::{Faults, Kind, START_MS, World};

type Templates = &'static [&'static str];

const STRINGS: Templates = &[
    "{global} = {call GET, {key})",
    "{call SET, {key}, {value})",
    "{call SET, {key}, {global} or 2)",
    "{global} = {call INCR, 'n')",
    "{global} = {call INCR, 'n') % 3",
    "{call DEL, {key})",
    "local v = tonumber({call GET, 'n') or 0) {call SET, 'n', (v + 1) % 3)",
    "{global} = {call SETNX, {key}, {value}) == 1",
    "{global} = {call GETDEL, {key}) and 1 or 0",
    "{global} = {call GETSET, {key}, {value})",
    "{global} = #tostring({call APPEND, {key}, 'z'))",
    "local v = {global} {call SET, {key}, tostring(v))",
    "{call MSET, 'a', {value}, 'b', {value})",
];
const LOCKS: Templates = &[
    "{global} = {call SET, 'lock', uuid(), 'NX', 'PX', {ms}) and 1",
    "me = me or uuid() if {call SET, 'lock', me, 'NX', 'PX', {ms}) then {global} = true end",
    "me = me or uuid() if {call GET, 'lock') == me then {call DEL, 'lock') end",
    "me = me or uuid() {call EVAL, [[if redis.call('GET', KEYS[1]) == ARGV[1] then return \
     redis.call('DEL', KEYS[1]) end return 0]], 1, 'lock', me)",
    "for i = 1, 2 do if {call SET, 'lock', 1, 'NX', 'PX', {ms}) then {global} = true break end \
     sleep({ms}) end",
    "while not {call SET, 'lock', 1, 'NX', 'PX', {ms}) do sleep({ms}) end {global} = true",
    "while not {call SET, 'lock', 1, 'NX') do end {global} = true",
    "{global} = nil",
    "{call DEL, 'lock')",
    "{call PEXPIRE, 'lock', {ms})",
    "{global} = {call EXISTS, 'lock')",
    "local token = {call INCR, 'token') {global} = resource('r'):write('w', token)",
    "if {call INCR, 'n') == 1 then {global} = true end",
];
const TIMES: Templates = &[
    "{call PEXPIRE, {key}, {ms})",
    "{call SET, {key}, {value}, 'PX', {ms})",
    "{global} = {call PTTL, {key})",
    "{call PERSIST, {key})",
    "{call PEXPIREAT, {key}, now() + {ms})",
    "{call SET, {key}, {value}, 'PXAT', '{moment}')",
    "{global} = {call PEXPIRETIME, {key})",
    "{global} = {call GETEX, {key}, 'PX', {ms}) and 1",
    "{call SET, {key}, {value}, 'KEEPTTL')",
    "sleep({ms})",
    "sleep({ms})",
    "local t = now() {do} sleep({ms}) {global} = now() - t > 2 and 1 or nil",
    "if now() % 3 == 0 then {do} end",
    "local t = {call TIME) if tonumber(t[2]) % 4000 < 2000 then {do} end",
    "{global} = tonumber({call TIME)[2]) / 1000",
    "{global} = {call FCALL, 'clock', 0)",
    "if {call FCALL, 'clock', 0) % 2 == 0 then {do} end",
    "{global} = redis.call('EVAL', \"return redis.call('TI' .. 'ME')[2]\", 0)",
    "{global} = redis.call('EVALSHA', '{sha}', 0) % 4",
    "{call HSET, 'h', 'f', 1) {call HPEXPIRE, 'h', {ms}, 'FIELDS', 1, 'f')",
    "if {call EXISTS, {key}) == 0 then {global} = true end",
    "{call SET, 'until', now() + {ms})",
    "if tonumber({call GET, 'until') or 0) < now() then {global} = true end",
    "{global} = {call OBJECT, 'IDLETIME', {key})",
];
const WATCHES: Templates = &[
    "{call WATCH, {key}) local v = {call GET, {key}) {call MULTI) {call SET, {key}, (tonumber(v) \
     or 0) + 1) {global} = {call EXEC) and true",
    "{call WATCH, {key})",
    "{call WATCH, 'lock', 'n')",
    "{call UNWATCH)",
    "{call MULTI) {call INCR, 'n') {global} = {call EXEC) and 1 or 0",
    "{call MULTI) {call GET, {key}) {call SET, {key}, {value}) {call EXEC)",
    "{call MULTI)",
    "{global} = {call EXEC) and 1",
    "{call DISCARD)",
    "{call SET, {key}, {value})",
    "{call SET, {key}, {value}, 'PX', {ms})",
    "{call INCR, 'n')",
];
const QUEUES: Templates = &[
    "{global} = {call BLPOP, 'q', 0.00{ms})",
    "{global} = {call BLPOP, 'q', 0) and 1",
    "{global} = {call BRPOP, 'p', 'q', 0.00{ms}) and 1",
    "{global} = {call BLMOVE, 'q', 'p', 'LEFT', 'RIGHT', 0.00{ms})",
    "{call RPUSH, 'q', {value})",
    "{call LPUSH, 'q', {value}, 'e')",
    "{global} = {call LPOP, 'q')",
    "{global} = {call LLEN, 'q')",
    "{global} = {call RPOPLPUSH, 'q', 'p')",
    "{global} = {call BZPOPMIN, 'z', 0.00{ms}) and 1",
    "{call ZADD, 'z', {ms}, {value})",
    "{call MULTI) {call RPUSH, 'q', 'm') {call LPOP, 'q') {call EXEC)",
    "{call RENAME, 'p', 'q')",
    "{global} = {call CLIENT, 'UNBLOCK', 1)",
    "local c = connect('redis') c:call('SUBSCRIBE', 'ch') {global} = c:receive({ms}) and 1 or 0",
    "local c = connect('redis') c:call('PSUBSCRIBE', 'c*') {do} local m = c:receive({ms}) \
     {global} = m and m.payload",
    "{global} = {call PUBLISH, 'ch', {value})",
];
const STREAMS: Templates = &[
    "{call XADD, 's', '*', 'f', {value})",
    "{call XADD, 's', '1-*', 'f', {value})",
    "{global} = {call XADD, 's', '1-{ms}', 'f', 1)",
    "{global} = {call XLEN, 's')",
    "local r = {call XREADGROUP, 'GROUP', 'g', {value}, 'COUNT', 1, 'STREAMS', 's', '>') \
     {global} = r and 1 {do} if r then {call XACK, 's', 'g', r[1][2][1][1]) end",
    "{global} = {call XREADGROUP, 'GROUP', 'g', 'me', 'STREAMS', 's', '>') and 1",
    "{global} = {call XREADGROUP, 'GROUP', 'g', 'me', 'BLOCK', {ms}, 'STREAMS', 's', '>') and 1",
    "{global} = #{call XREADGROUP, 'GROUP', 'g', 'me', 'STREAMS', 's', '0')[1][2]",
    "{global} = #{call XAUTOCLAIM, 's', 'g', 'other', {ms}, '0')[2]",
    "{global} = #{call XCLAIM, 's', 'g', 'other', {ms}, '1-1')",
    "{global} = #{call XPENDING, 's', 'g', 'IDLE', {ms}, '-', '+', 9)",
    "local p = {call XPENDING, 's', 'g', '-', '+', 9)[1] {global} = p and p[3]",
    "{global} = {call XACK, 's', 'g', '1-1')",
    "{global} = {call XREAD, 'BLOCK', {ms}, 'STREAMS', 's', '$') and 1",
    "{global} = {call XREAD, 'COUNT', 1, 'STREAMS', 's', '0') and 1",
    "{call XTRIM, 's', 'MAXLEN', 1)",
    "{global} = {call XINFO, 'CONSUMERS', 's', 'g')[1] and 1",
    "sleep({ms})",
];
const KEYSPACE: Templates = &[
    "{global} = #{call KEYS, '*')",
    "{global} = {call DBSIZE)",
    "{call FLUSHALL)",
    "{call RENAME, 'a', 'b')",
    "{global} = {call COPY, 'a', 'b')",
    "{global} = {call EXISTS, 'a', 'b', 'n')",
    "{global} = {call TYPE, {key}).ok",
    "{call SELECT, 1)",
    "{call SWAPDB, 0, 1)",
    "{global} = {call MOVE, {key}, 1)",
    "{call SADD, 'set', {value}) {global} = {call SCARD, 'set')",
    "{global} = {call SISMEMBER, 'set', {value})",
    "{call HINCRBY, 'h', 'f', 1)",
    "{global} = {call HGET, 'h', 'f')",
    "{call SET, 'k:' .. tostring({global}), 1)",
    "{global} = #{call SCAN, 0)[2]",
    "{global} = {call SCRIPT, 'LOAD', 'return 1')",
    "{global} = {call SCRIPT, 'EXISTS', '{sha}')[1]",
    "{call SCRIPT, 'FLUSH')",
    "{global} = {call EVAL, [[redis.call('SET', KEYS[1], ARGV[1]) return redis.call('GET', 'b')]], \
     1, 'a', {value})",
    "{global} = {call EVAL, 'return redis.call(\"INCRBY\", KEYS[1], ARGV[1])', 1, 'n', 2)",
];
const PROGRAMS: Templates = &[
    "for i = 1, 2 do {do} end",
    "if {is} then {do} end",
    "if {is} then {do} else {do} end",
    "while {is} do sleep({ms}) {do} end",
    "repeat {do} until {is}",
    "while not {call GET, {key}) do end",
    "for i = 1, 3 do if {is} then {do} break end sleep({ms}) end",
    "pcall(function() {do} end)",
    "pcall(function() {do} error('no') end) {do}",
    "local f = function(n) {global} = n {do} return n end f({value}) {do} f(1)",
    "local t = {n = 0} {do} t.n = t.n + 1 {do} {global} = t.n",
    "local kept = {global} {do} {global} = kept",
    "local a, b = {call GET, {key}), {global} {do} if a == b then {do} end",
    "{global} = {global} and 1 or 2",
    "{global} = nil",
    "{global} = true",
    "{global} = uuid()",
    "{call SET, {key}, uuid())",
    "{global} = uuid() < tostring({call GET, {key}))",
    "{global} = uuid():sub(1, 1)",
    "{global} = {call CLIENT, 'ID')",
    "{call CLIENT, 'SETNAME', {value}) {global} = {call CLIENT, 'GETNAME')",
    "{global} = #{call CLIENT, 'LIST') % 7",
    "{global} = math.random(1, 3)",
    "local co = coroutine.wrap(function() {do} coroutine.yield(1) {do} end) co() {do} co()",
    "synchronized('m', function() {do} end)",
    "synchronized('m', function() {do} synchronized('o', function() {do} end) end)",
    "synchronized('o', function() synchronized('m', function() {do} end) end)",
    "{global} = resource('r'):write({value})",
    "{global} = resource('r'):write('w', {call INCR, 'n'))",
    "{global} = sql('UPDATE t SET n = n + 1 WHERE n < 2')",
    "local n = sql('SELECT n FROM t')[1].n sql('UPDATE t SET n = ? WHERE n = ?', n + 1, n)",
    "local n = tonumber({call GET, 'n')) or 0 {do} {call SET, 'n', n + 1)",
];
const MISTAKES: Templates = &[
    "error('no')",
    "redis.cal('GET', 'a')",
    "redis.call('GTE', 'a')",
    "{global} = {call HGET, 'n', 'f')",
    "{call LPUSH, {key}, 'x')",
    "{call INCR, {key})",
    "{global} = os.time()",
    "{global} = ({global} or nothing).field",
    "connect('nowhere'):call('PING')",
    "{global} = redis.pcall('LPUSH', 'n', 1).err",
    "if {is} then error('lost') end",
    "if {is} then return end",
];
const REPLICAS: Templates = &[
    "{global} = {call WAIT, 1, {ms})",
    "{global} = {call WAIT, 1, 0)",
    "{global} = connect('r'):pcall('GET', {key})",
    "{global} = connect('r', {ms}):pcall('GET', 'n')",
    "local r = connect('r') {do} {global} = r:pcall('EXISTS', 'lock')",
    "connect('r', 0):pcall('SET', {key}, {value})",
    "local r = connect('r') r:pcall('WATCH', {key}) r:pcall('MULTI') r:pcall('GET', {key}) \
     {global} = r:pcall('EXEC') and 1",
    "{global} = redis.pcall('SET', 'lock', uuid(), 'NX', 'PX', {ms}).ok",
    "{global} = redis.pcall('INCR', 'n')",
    "{call SET, {key}, {value})",
];

/// Variables of the process. In the programs of one scenario out of four, see [`Maker::share`].
const VARIABLES: Templates = &[
    "process.v = {value}",
    "{global} = process.v",
    "process.n = ((process.n or 0) + 1) % 3",
    "if not process.v then process.v = true {do} end",
    "if not process.v then {do} process.v = true {global} = true end",
    "process.v = nil",
    "local v = process.n or 0 {do} process.n = (v + 1) % 3",
    "while process.v do sleep({ms}) end process.v = true {do} process.v = nil",
    "synchronized('m', function() if not process.v then {do} process.v = 1 {global} = 1 end end)",
    "me = me or uuid() process.v = me {do} if process.v == me then {global} = 1 end",
    "process.v = {call GET, {key})",
    "{call SET, {key}, process.n or 0)",
    "if process.v == process.n then {do} end",
    "for i = 1, 2 do process[i] = {global} {do} end {global} = process[2]",
    "process[{key}] = {global} and 1",
    "process[uuid()] = 1",
    "sleep({ms}) {global} = process.n process.n = 2",
    "{global} = process.t and process.t < now() {do} process.t = now() + {ms}",
    "{global} = {call BLPOP, 'q', 0.00{ms}) and process.n process.n = 1",
    "local c = connect('redis') c:call('SUBSCRIBE', 'ch') {global} = c:receive({ms}) and process.v \
     process.v = 2",
    "{call PUBLISH, 'ch', process.v and 1 or 'w')",
    "{call RPUSH, 'q', tostring(process.n))",
    "local kept = process {do} kept.v = kept.v or {value}",
    "pcall(function() {do} process.v = {} end)",
    "if process.v then error('no') end process.v = {is}",
];

/// A connection that the clients of a process share. In the programs of one scenario out of five.
const SHARED: Templates = &[
    "local c = connect('redis', {shared = 'c'}) {global} = c:pcall('GET', {key})",
    "local c = connect('redis', {shared = 'c'}) c:pcall('MULTI') c:pcall('INCR', 'n') {global} = \
     c:pcall('EXEC')[1] and 1",
    "local c = connect('redis', {shared = 'c'}) c:pcall('WATCH', {key}) {do} c:pcall('MULTI') \
     c:pcall('SET', {key}, {value}) {global} = c:pcall('EXEC') and 1",
    "{global} = connect('redis', {shared = 'c'}):pcall('BLPOP', 'q', 0.00{ms}) and 1",
    "{global} = connect('redis', {shared = 'c'}):pcall('BLPOP', 'q', 0) and 1",
    "connect('redis', {shared = 'c'}):pcall('RPUSH', 'q', {value})",
    "connect('redis', {shared = 'c'}):pcall('SELECT', 1)",
    "{global} = connect('redis', {shared = 'c'}):pcall('INCR', 'n')",
    "local c = connect('redis', {shared = 'c'}) c:pcall('SUBSCRIBE', 'ch') {global} = \
     c:receive({ms}) and 1",
    "{global} = connect('redis', {shared = 'c'}):receive({ms}) and 1",
    "connect('redis', {shared = 'c'}):pcall('UNSUBSCRIBE')",
    "{call PUBLISH, 'ch', {value})",
    "{call RPUSH, 'q', {value})",
    "connect('redis', {shared = 'd'}):pcall('SET', {key}, {value})",
    "{global} = connect('redis', {shared = 'c', timeout_ms = 0}):pcall('GETDEL', {key}) and 1",
    "{global} = connect('redis', {shared = 'c'}):pcall('CLIENT', 'ID')",
    "{global} = connect('redis', {shared = 'c'}):pcall('WAIT', 1, {ms})",
    "sleep({ms}) {do}",
];

/// Calls on a shared connection that are given up.
const CANCELLED: Templates = &[
    "{global} = connect('redis', {shared = 'c'}):pcall('GET', {key})",
    "{global} = connect('redis', {shared = 'c'}):pcall('INCR', 'n')",
    "local c = connect('redis', {shared = 'c'}) {global} = c:pcall('INCR', 'n') if type({global}) \
     == 'table' then c:close() end",
    "local c = connect('redis', {shared = 'c'}) {global} = c:pcall('GET', {key}) if type({global}) \
     == 'table' then {global} = c:receive(0) end",
    "local c = connect('redis', {shared = 'c'}) synchronized('m', function() {global} = \
     c:pcall('GETSET', {key}, {value}) if type({global}) == 'table' then c:close() end end)",
    "local c = connect('redis', {shared = 'c'}) c:pcall('MULTI') c:pcall('INCR', 'n') {global} = \
     c:pcall('EXEC') and 1",
    "{global} = connect('redis', {shared = 'c'}):pcall('BLPOP', 'q', 0.00{ms}) and 1",
    "{global} = connect('redis', {shared = 'c'}):pcall('BLPOP', 'q', 0) and 1",
    "{global} = connect('redis', {shared = 'c'}):receive({ms})",
    "local c = connect('redis', {shared = 'c'}) c:pcall('SUBSCRIBE', 'ch') {global} = \
     c:receive({ms}) and 1",
    "connect('redis', {shared = 'c'}):close()",
    "local c = connect('redis') c:pcall('WATCH', {key}) {do} c:close() {global} = c:pcall('EXEC') \
     and 1",
    "{call RPUSH, 'q', {value})",
    "{call PUBLISH, 'ch', {value})",
    "{global} = connect('redis', {shared = 'd'}):pcall('SET', {key}, {value})",
];

/// Statements about the tables of [`ORDERS`].
const TABLES: Templates = &[
    "{global} = pcall(sql, \"INSERT INTO o VALUES (1, {value}, 1)\")",
    "{global} = pcall(sql, \"INSERT INTO o VALUES (2, {value}, NULL)\")",
    "{global} = pcall(sql, 'UPDATE o SET n = n + 1 WHERE id = 1 AND n < 2')",
    "{global} = sql('UPDATE o SET n = 1 - n WHERE id > 0')",
    "{global} = sql('DELETE FROM o WHERE id = 2')",
    "{global} = pcall(sql, \"UPDATE o SET tag = {value} WHERE id = 1\")",
    "{global} = sql('SELECT n FROM o ORDER BY n DESC LIMIT 1')[1].n",
    "{global} = #sql('SELECT id FROM o WHERE n > 0 ORDER BY tag, id')",
    "{global} = sql('SELECT MAX(n) AS m, MIN(n) FROM o')[1].m",
    "if sql('SELECT COUNT(*) AS c FROM o')[1].c < 2 then {do} {do} end",
    "local n = sql('SELECT n FROM o WHERE id = 1')[1].n {do} sql('UPDATE o SET n = ? WHERE id = \
     1', (n + 1) % 3)",
    "sql('BEGIN') local n = sql('SELECT n FROM o WHERE id = 1 FOR UPDATE')[1].n {do} sql('UPDATE o \
     SET n = ? WHERE id = 1', (n + 1) % 3) sql('COMMIT')",
    "sql('START TRANSACTION') sql('UPDATE o SET n = 1 - n WHERE id = 1') {do} sql('ROLLBACK')",
    "sql('BEGIN') pcall(sql, 'INSERT INTO o VALUES (3, NULL, 1)') {do}",
    "{global} = pcall(function() sql('BEGIN') sql('UPDATE o SET n = 1 WHERE id = 1') sql('UPDATE o \
     SET n = 1 WHERE id = 2') sql('COMMIT') end)",
    "{global} = pcall(function() sql('BEGIN') sql('DELETE FROM o WHERE id = 2') sql('UPDATE o SET \
     n = 0 WHERE n < 2') sql('COMMIT') end)",
    "sql('BEGIN') {do} {do} {global} = pcall(sql, 'COMMIT')",
    "{global} = #sql('SELECT id FROM o WHERE n = 1 FOR UPDATE')",
    "{call SET, {key}, {value})",
    "sleep({ms}) {do}",
];
const ORDERS: [&str; 2] = [
    "CREATE TABLE o (id INT PRIMARY KEY, tag TEXT UNIQUE, n INT)",
    "INSERT INTO o VALUES (1, 'x', 0), (2, 'y', 1)",
];

const THEMES: [Templates; 10] =
    [STRINGS, LOCKS, TIMES, WATCHES, QUEUES, STREAMS, KEYSPACE, PROGRAMS, MISTAKES, REPLICAS];

const CONDITIONS: Templates = &[
    "{global}",
    "not {global}",
    "{call EXISTS, {key}) == 1",
    "{call GET, {key}) == tostring({value})",
    "tonumber({global}) == 1",
    "now() % 2 == 0",
    "{call EXISTS, 'lock') == 0",
    "({call INCR, 'n') or 0) == 2",
];

const PROPERTIES: Templates = &[
    "count('{global}') <= 1",
    "count('{global}') < 2 or done('A')",
    "count('{global}') >= 2",
    "count('{global}') > 0",
    "count('{global}') == 0",
    "sum('{global}') < 3",
    "sum('{global}') ~= 2",
    "global('A', '{global}') == nil",
    "global('A', '{global}') ~= global('B', '{global}')",
    "each('{global}').A == nil",
    "number('n') ~= 2",
    "number('n') == 1",
    "(number('n') or 0) < 3",
    "redis.call('GET', {key}) ~= '2'",
    "redis.call('EXISTS', {key}) == 0",
    "redis.call('EXISTS', 'lock') == 0",
    "not all_done() or redis.call('EXISTS', 'lock') == 0",
    "all_done()",
    "done('A')",
    "not done('A') or redis.call('GET', {key})",
    "failed('A')",
    "not failed('A')",
    "not crashed('A') or count('{global}') == 0",
    "crashed('A')",
    "paused('A')",
    "not was_paused('A') or done('A')",
    "not was_paused('B')",
    "error('A') == nil",
    "not string.find(error('A') or '', 'no')",
    "over('A')",
    "not all_over() or count('{global}') == 1",
    "no_errors()",
    "no_errors{A = 'no'}",
    "count_done() < 2",
    "count_done() == 1 and number('n') == 1",
    "redis.call('DBSIZE') < 7",
    "redis.call('PEXPIRETIME', 'lock') <= {moment}",
    "redis.call('PEXPIRE' .. 'TIME', {key}) <= {moment}",
    "redis.call('PTTL', {key}) ~= {ms}",
    "redis.call('TTL', 'lock') < 1",
    "((redis.call('XPENDING', 's', 'g', '-', '+', 9)[1] or {0, 0, 0})[3]) < {ms}",
    "((redis.call('XPENDING', 's', 'g', '-', '+', 9)[1] or {0, 0, 0, 0})[4]) < 2",
    "#redis.call('XPENDING', 's', 'g', 'IDLE', {ms}, '-', '+', 9) == 0",
    "redis.call('XLEN', 's') < 2",
    "redis.call('LLEN', 'q') == 0",
    "#resource('r').writes < 2",
    "resource('r').value ~= 'w' or #resource('r').writes < 2",
    "(resource('r').token or 0) < 2",
    "redis.call('HGET', 'h', 'f') ~= '1'",
];
/// Conditions about the tables of [`ORDERS`].
const OF_TABLES: Templates = &[
    "#sql('SELECT id FROM o') < 3",
    "sql('SELECT MAX(n) AS m FROM o')[1].m ~= 2",
    "not all_over() or sql('SELECT n FROM o WHERE id = 1')[1].n == 1",
    "#sql('SELECT id FROM o WHERE tag = 1 ORDER BY id') == 0",
];

struct Maker {
    rng: ChaCha8Rng,
    theme: Templates,
    /// The number of nested statements that may still be added.
    room: u32,
}

/// Returns the scenario of this seed.
pub fn generate(seed: u64) -> Draft {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let theme = THEMES[rng.random_range(0..THEMES.len())];
    let mut make = Maker { rng, theme, room: 0 };
    let starts =
        |draft: &Draft| draft.scenario().is_some_and(|scenario| World::start(&scenario).is_ok());
    let draft = std::iter::repeat_with(|| make.draft()).find(starts).unwrap_or_default();
    // With numbers of its own: the scenarios of the other seeds are what they have always been.
    let further = [
        (!seed, VARIABLES, 4),
        (seed.rotate_left(32) ^ !0xff, SHARED, 5),
        (seed.rotate_left(16) ^ !0xffff, CANCELLED, 5),
        (seed.rotate_left(48) ^ !0xf_ffff, TABLES, 5),
    ];
    let mut draft = further.into_iter().fold(draft, |draft, (seed, theme, many)| {
        let mut make = Maker { rng: ChaCha8Rng::seed_from_u64(seed), theme, room: 0 };
        if !make.one_in(many) {
            return draft;
        }
        std::iter::repeat_with(|| make.share(draft.clone())).find(starts).unwrap_or_default()
    });
    // And so for clients that begin late.
    let rng = ChaCha8Rng::seed_from_u64(seed.rotate_left(32) ^ seed);
    let mut make = Maker { rng, theme: VARIABLES, room: 0 };
    if make.one_in(5) {
        draft.starts_within_ms = make.ms() + make.ms();
    }
    draft
}

impl Maker {
    fn one_in(&mut self, many: u32) -> bool {
        self.rng.random_range(0..many) == 0
    }

    fn pick(&mut self, templates: &[&'static str]) -> &'static str {
        templates.choose(&mut self.rng).copied().unwrap_or_default()
    }

    fn draft(&mut self) -> Draft {
        let mut draft = Draft {
            nodes: vec![Server { name: "redis".into(), setup: self.setup(), ..Server::default() }],
            ..Draft::default()
        };
        if self.theme == REPLICAS || self.one_in(8) {
            let follows = (!self.one_in(3)).then(|| "redis".to_owned());
            let names = if self.one_in(4) { &["r", "s"][..] } else { &["r"][..] };
            let server = |name: &&str| Server {
                name: (*name).to_owned(),
                follows: follows.clone(),
                ..Server::default()
            };
            draft.nodes.extend(names.iter().map(server));
        }
        let many = [1, 2, 2, 2, 2, 3, 3];
        let many = many[self.rng.random_range(0..many.len())];
        let equal = self.one_in(2).then(|| self.program());
        let process = self.one_in(3).then(|| "p".to_owned());
        for _ in 0..many {
            let lines = match &equal {
                Some(lines) if !self.one_in(6) => lines.clone(),
                _ => self.program(),
            };
            let clock_ms = if self.one_in(12) { i64::from(self.ms()) } else { 0 };
            let again = self.one_in(20);
            let process = process.clone();
            draft.clients.push(Program { lines, process, clock_ms, again, expect_error: None });
        }
        if self.one_in(12) {
            draft.nodes[0].clock_ms = 2;
        }
        let all: String = draft
            .clients
            .iter()
            .flat_map(|one| one.lines.concat().into_bytes())
            .map(char::from)
            .collect();
        if all.contains("HPEXPIRE") {
            draft.version = Some(Version::V7_4);
        }
        if all.contains("sql(") {
            draft.sql =
                vec!["CREATE TABLE t (n INT)".to_owned(), "INSERT INTO t VALUES (0)".to_owned()];
        }
        if all.contains("connect('r'") && draft.nodes.len() < 2 {
            draft.nodes.push(Server {
                name: "r".into(),
                follows: Some("redis".into()),
                ..Server::default()
            });
        }
        draft.wire = self.one_in(12);
        draft.asks_errors = self.one_in(3);
        if self.one_in(8) {
            draft.slow_ms = self.ms() + self.ms();
            // Delays of several ticks: the times of the templates are short.
            draft.slow_ms *= u32::from(self.one_in(2)) + 1;
        }
        if self.one_in(8) {
            let error = self.pick(&["no", "ERR", "WRONGTYPE", " "]);
            draft.clients[0].expect_error = Some(error.to_owned());
        }
        draft.faults = self.faults(draft.nodes.len());
        draft.early = draft.faults.early > 0;
        let kinds = [Kind::Always, Kind::Always, Kind::Sometimes, Kind::Eventually];
        for _ in 0..self.rng.random_range(1..6) {
            let template = self.pick(PROPERTIES);
            let text = self.fill(template);
            let is_sound = draft.clients.len() > 1 || !text.contains("'B'");
            if is_sound {
                draft.properties.push((kinds[self.rng.random_range(0..kinds.len())], text));
            }
        }
        draft
    }

    /// Adds uses of what a process shares, or of tables, to some programs of a draft, to equal ones
    /// the same; for what a process shares, most clients come into one.
    fn share(&mut self, mut draft: Draft) -> Draft {
        if self.theme == TABLES {
            draft.sql.extend(ORDERS.map(str::to_owned));
            draft.faults.lose = draft.faults.lose.max(u8::from(self.one_in(3)));
        }
        let programs: Vec<Vec<String>> =
            draft.clients.iter().map(|one| one.lines.clone()).collect();
        for (at, lines) in programs.iter().enumerate() {
            if programs[..at].contains(lines) || at > 0 && self.one_in(4) {
                continue;
            }
            let mut more = lines.clone();
            for _ in 0..self.rng.random_range(1..3) {
                let place = self.rng.random_range(0..=more.len());
                more.insert(place, self.statement(1));
            }
            let same = draft.clients.iter_mut().filter(|one| one.lines == *lines);
            same.for_each(|one| one.lines.clone_from(&more));
        }
        if self.theme == TABLES {
            let condition = self.pick(OF_TABLES).to_owned();
            draft.properties.push((Kind::Always, condition));
            return draft;
        }
        let is_one = !self.one_in(4);
        for client in &mut draft.clients {
            if is_one || self.one_in(2) {
                client.process = Some("p".to_owned());
            }
            client.again |= self.one_in(12);
        }
        // Crashes of a process, and of the last client in it.
        if self.one_in(4) {
            draft.faults.crash = 1 + u8::from(self.one_in(2));
        }
        if self.theme == CANCELLED {
            draft.faults.cancel = 1 + u8::from(self.one_in(3));
            draft.faults.cancel_of = u32::from(self.one_in(4));
        }
        // Last, so that a seed draws all else as it did.
        draft.faults.drop = u8::from(self.one_in(24));
        draft.faults.drop_of = u32::from(draft.faults.drop) * u32::from(self.one_in(4));
        draft.faults.rewind = u8::from(self.one_in(32));
        draft
    }

    fn faults(&mut self, nodes: usize) -> Faults {
        let mut faults =
            Faults { jump_ms: [4, -3, 50][self.rng.random_range(0..3)], ..Faults::default() };
        if self.one_in(3) {
            return faults;
        }
        let mut budget = |one_in: u32| u8::from(self.rng.random_range(0..one_in) == 0);
        faults.crash = budget(4);
        faults.pause = budget(3);
        faults.pause_ms = u32::from(faults.pause * budget(3)) * 6;
        faults.pause_of = u32::from(faults.pause * budget(4));
        faults.lose = budget(7);
        faults.lose_of = u32::from(faults.lose * budget(4));
        faults.jump = budget(8);
        faults.down = budget(if nodes > 1 { 4 } else { 9 });
        faults.restart = budget(10);
        faults.failover = if nodes > 1 { budget(3) } else { 0 };
        faults.evict = budget(9);
        faults.early = budget(5) * (1 + budget(3));
        faults
    }

    fn setup(&mut self) -> Vec<Vec<String>> {
        let mut setup = Vec::new();
        let mut add = |words: &[&str]| {
            setup.push(words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>());
        };
        add(&["FUNCTION", "LOAD", LIBRARY]);
        add(&["SCRIPT", "LOAD", SCRIPT]);
        add(&["XGROUP", "CREATE", "s", "g", "0", "MKSTREAM"]);
        if self.one_in(2) {
            add(&["XADD", "s", "1-1", "f", "v"]);
        }
        if self.one_in(4) {
            add(&["XREADGROUP", "GROUP", "g", "early", "STREAMS", "s", ">"]);
        }
        for (name, command) in NAMED {
            add(&["SET", name, command]);
        }
        let more: &[&[&str]] = &[
            &["SET", "b", "0"],
            &["SET", "a", "1", "PX", "3"],
            &["SET", "lock", "other", "PX", "4"],
            &["SET", "n", "1"],
            &["RPUSH", "q", "e"],
            &["HSET", "h", "f", "1"],
        ];
        for words in more {
            if self.one_in(5) {
                add(words);
            }
        }
        setup
    }

    fn program(&mut self) -> Vec<String> {
        let lines = self.rng.random_range(1..5);
        (0..lines).map(|_| self.statement(2)).collect()
    }

    /// Returns a statement with at most this number of nested ones.
    fn statement(&mut self, room: u32) -> String {
        self.room = room;
        let theme = match self.one_in(3) {
            true => THEMES[self.rng.random_range(0..THEMES.len())],
            false => self.theme,
        };
        let template = self.pick(theme);
        let text = self.fill(template);
        // A loop that calls nothing runs to the VM's bound in each of thousands of worlds.
        match text.strip_prefix("repeat ") {
            Some(body) if !text.contains("call") && !text.contains("sleep") => {
                format!("repeat sleep(1) {body}")
            }
            _ => text,
        }
    }

    fn ms(&mut self) -> u32 {
        self.rng.random_range(1..6)
    }

    /// Fills in a template.
    fn fill(&mut self, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let word_end = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
            let (word, tail) = after.split_at(word_end);
            rest = tail.strip_prefix('}').unwrap_or(tail);
            match (word, tail.starts_with('}')) {
                ("call", false) => {
                    let tail = tail.trim_start();
                    let end = tail.find([',', ')']).unwrap_or(tail.len());
                    text.push_str(&self.call(&tail[..end]));
                    rest = &tail[end..];
                }
                ("key", true) => {
                    text.push_str(self.pick(&["'a'", "'b'", "'a'", "'b'", "'n'", "'lock'"]))
                }
                ("value", true) => text.push_str(self.pick(&["1", "2", "'v'", "'w'"])),
                ("global", true) => text.push_str(self.pick(&["x", "x", "y"])),
                ("ms", true) => text.push_str(&self.ms().to_string()),
                ("moment", true) => {
                    let moment = START_MS + u64::from(self.ms()) + 2;
                    text.push_str(&moment.to_string());
                }
                ("sha", true) => text.push_str(&sha(SCRIPT)),
                ("is", true) => {
                    let condition = self.pick(CONDITIONS);
                    text.push_str(&self.fill(condition));
                }
                ("do", true) => match self.room.checked_sub(1) {
                    Some(room) => text.push_str(&self.statement(room)),
                    None => text.push_str(&self.fill("{call INCR, 'n')")),
                },
                _ => {
                    text.push('{');
                    rest = after;
                }
            }
        }
        text + rest
    }

    /// Returns the beginning of a call of this command, up to its arguments.
    fn call(&mut self, command: &str) -> String {
        let name = self.name(command);
        match self.rng.random_range(0..40) {
            0 => format!("redis.pcall({name}"),
            1 => format!("redis.call('EVAL', 'return redis.call(unpack(ARGV))', 0, {name}"),
            2 => format!("redis.call('FCALL', 'run', 0, {name}"),
            3 => format!("connect('redis'):call({name}"),
            4 => format!("(function(...) return redis.call(...) end)({name}"),
            _ => format!("redis.call({name}"),
        }
    }

    /// Returns an expression for the command's name.
    fn name(&mut self, command: &str) -> String {
        let named = NAMED.iter().find(|(_, known)| *known == command);
        let (head, tail) = command.split_at(command.len() / 2);
        match (self.rng.random_range(0..30), named) {
            (0, _) => format!("'{head}' .. '{tail}'"),
            (1, _) => format!("('{}'):upper()", command.to_lowercase()),
            (2, _) => {
                let first = command.bytes().next().unwrap_or_default();
                format!("\"\\{first:03}{}\"", &command[1..])
            }
            (3 | 4, Some((key, _))) => format!("redis.call('GET', '{key}')"),
            (5, _) => format!("'{}'", command.to_lowercase()),
            (6, _) => format!("table.concat({{'{head}', '{tail}'}})"),
            _ => format!("'{command}'"),
        }
    }
}

/// Keys from which a program can read a command's name.
const NAMED: [(&str, &str); 3] = [("cmd:1", "TIME"), ("cmd:2", "GET"), ("cmd:3", "BLPOP")];

const SCRIPT: &str = "return redis.call('TIME')[2]";

const LIBRARY: &str = "#!lua name=lib\n\
    redis.register_function('run', function(keys, args) return redis.call(unpack(args)) end)\n\
    redis.register_function('clock', function() \
    return math.floor(redis.call('TIME')[2] / 1000) end)";

/// Returns the digest by which EVALSHA finds a script.
fn sha(script: &str) -> String {
    let mut instance = Instance::default();
    let conn = instance.connect();
    let words = ["SCRIPT", "LOAD", script].map(|word| word.as_bytes().into());
    match instance.execute(conn, &words, START_MS) {
        Outcome::Reply(Value::Bulk(sha)) => String::from_utf8_lossy(&sha).into_owned(),
        _ => String::new(),
    }
}
