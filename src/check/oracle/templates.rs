//! The templates of [`super::generate`], by theme: statements of programs, and conditions.
//!
//! `{call GET` begins a call of that command, in one of many spellings; `{key}`, `{value}`, `{ms}`,
//! `{s}` (that time in seconds), `{moment}` and `{second}` (a time in ms and s), `{global}`, `{is}`
//! (a condition), `{do}` (another statement) and `{sha}` are filled in.

pub type Templates = &'static [&'static str];

pub const STRINGS: Templates = &[
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
pub const LOCKS: Templates = &[
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
pub const TIMES: Templates = &[
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
pub const WATCHES: Templates = &[
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
pub const QUEUES: Templates = &[
    "{global} = {call BLPOP, 'q', {s})",
    "{global} = {call BLPOP, 'q', 0) and 1",
    "{global} = {call BRPOP, 'p', 'q', {s}) and 1",
    "{global} = {call BLMOVE, 'q', 'p', 'LEFT', 'RIGHT', {s})",
    "{call RPUSH, 'q', {value})",
    "{call LPUSH, 'q', {value}, 'e')",
    "{global} = {call LPOP, 'q')",
    "{global} = {call LLEN, 'q')",
    "{global} = {call RPOPLPUSH, 'q', 'p')",
    "{global} = {call BZPOPMIN, 'z', {s}) and 1",
    "{call ZADD, 'z', {ms}, {value})",
    "{call MULTI) {call RPUSH, 'q', 'm') {call LPOP, 'q') {call EXEC)",
    "{call RENAME, 'p', 'q')",
    "{global} = {call CLIENT, 'UNBLOCK', 1)",
    "local c = connect('redis') c:call('SUBSCRIBE', 'ch') {global} = c:receive({ms}) and 1 or 0",
    "local c = connect('redis') c:call('PSUBSCRIBE', 'c*') {do} local m = c:receive({ms}) \
     {global} = m and m.payload",
    "{global} = {call PUBLISH, 'ch', {value})",
];
pub const STREAMS: Templates = &[
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
pub const KEYSPACE: Templates = &[
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
pub const PROGRAMS: Templates = &[
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
pub const MISTAKES: Templates = &[
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
pub const REPLICAS: Templates = &[
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

/// Variables of the process. In the programs of one scenario out of four, see `Maker::share`.
pub const VARIABLES: Templates = &[
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
    "{global} = {call BLPOP, 'q', {s}) and process.n process.n = 1",
    "local c = connect('redis') c:call('SUBSCRIBE', 'ch') {global} = c:receive({ms}) and process.v \
     process.v = 2",
    "{call PUBLISH, 'ch', process.v and 1 or 'w')",
    "{call RPUSH, 'q', tostring(process.n))",
    "local kept = process {do} kept.v = kept.v or {value}",
    "pcall(function() {do} process.v = {} end)",
    "if process.v then error('no') end process.v = {is}",
];

/// A connection that the clients of a process share. In the programs of one scenario out of five.
pub const SHARED: Templates = &[
    "local c = connect('redis', {shared = 'c'}) {global} = c:pcall('GET', {key})",
    "local c = connect('redis', {shared = 'c'}) c:pcall('MULTI') c:pcall('INCR', 'n') {global} = \
     c:pcall('EXEC')[1] and 1",
    "local c = connect('redis', {shared = 'c'}) c:pcall('WATCH', {key}) {do} c:pcall('MULTI') \
     c:pcall('SET', {key}, {value}) {global} = c:pcall('EXEC') and 1",
    "{global} = connect('redis', {shared = 'c'}):pcall('BLPOP', 'q', {s}) and 1",
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
pub const CANCELLED: Templates = &[
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
    "{global} = connect('redis', {shared = 'c'}):pcall('BLPOP', 'q', {s}) and 1",
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
pub const TABLES: Templates = &[
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
pub const ORDERS: [&str; 2] = [
    "CREATE TABLE o (id INT PRIMARY KEY, tag TEXT UNIQUE, n INT)",
    "INSERT INTO o VALUES (1, 'x', 0), (2, 'y', 1)",
];

pub const THEMES: [Templates; 10] =
    [STRINGS, LOCKS, TIMES, WATCHES, QUEUES, STREAMS, KEYSPACE, PROGRAMS, MISTAKES, REPLICAS];

pub const CONDITIONS: Templates = &[
    "{global}",
    "not {global}",
    "{call EXISTS, {key}) == 1",
    "{call GET, {key}) == tostring({value})",
    "tonumber({global}) == 1",
    "now() % 2 == 0",
    "{call EXISTS, 'lock') == 0",
    "({call INCR, 'n') or 0) == 2",
];

pub const PROPERTIES: Templates = &[
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
pub const OF_TABLES: Templates = &[
    "#sql('SELECT id FROM o') < 3",
    "sql('SELECT MAX(n) AS m FROM o')[1].m ~= 2",
    "not all_over() or sql('SELECT n FROM o WHERE id = 1')[1].n == 1",
    "#sql('SELECT id FROM o WHERE tag = 1 ORDER BY id') == 0",
];
