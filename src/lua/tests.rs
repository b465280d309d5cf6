//! The contract with the host: pausing, inspecting, copying, comparing.

use super::*;

mod bounds;

static PROFILE: Profile = Profile { host: &["redis.call", "print"], kind: ProfileKind::Client };

fn vm(source: &str) -> Vm {
    let chunk = compile(source.as_bytes(), "test").unwrap_or_else(|e| panic!("{e}"));
    Vm::new(&chunk, &PROFILE, Limits::default())
}

fn run(vm: &mut Vm) -> Pause {
    let mut fuel = 10_000_000;
    vm.run(&mut fuel, None)
}

fn result(source: &str) -> Data {
    match run(&mut vm(source)) {
        Pause::Done(mut values) if !values.is_empty() => values.remove(0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn computes() {
    assert_eq!(result("local a, b = 1, 2 return a + b * 3 .. ''"), Data::str("7"));
    assert_eq!(
        result(
            "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end \
             return fib(20)"
        ),
        Data::Num(6765.0)
    );
    assert_eq!(
        result(
            "local t = {} for i = 1, 10 do t[#t+1] = function() return i end end return t[3]() + \
             t[10]()"
        ),
        Data::Num(13.0)
    );
    assert_eq!(
        result(
            "local t = {5,2,8,1} table.sort(t, function(a, b) return a > b end) return \
             table.concat(t, ',')"
        ),
        Data::str("8,5,2,1")
    );
}

#[test]
fn pauses_at_the_host_and_goes_on() {
    let mut vm = vm("local n = redis.call('GET', 'balance')\nn = n + 10\nreturn n");
    let Pause::Call { host: 0, args } = run(&mut vm) else { panic!() };
    assert_eq!(args, [Data::str("GET"), Data::str("balance")]);
    assert_eq!(vm.line(), Some(1));
    let twin = vm.clone();
    vm.answer(Ok(vec![Data::str("5")]));
    assert_ne!(vm, twin);
    assert_eq!(run(&mut vm), Pause::Done(vec![Data::Num(15.0)]));
    assert!(vm.is_finished());
    assert_eq!(vm.line(), None);
}

#[test]
fn a_trace_shows_lines_and_assignments() {
    let mut vm = vm(
        "local n = redis.call('GET', 'balance')\nn = n + 10\nlocal function f(x)\n  return x * \
         2\nend\ntotal = f(n)\nlocal m = f(total)\nredis.call('SET', n)",
    );
    let mut fuel = 1000;
    let mut trace = Trace::default();
    vm.run(&mut fuel, Some(&mut trace));
    assert_eq!(trace.lines, [1]);
    assert_eq!(trace.assigned, []);
    vm.answer(Ok(vec![Data::str("5")]));
    let mut trace = Trace::default();
    vm.run(&mut fuel, Some(&mut trace));
    let assigned: Vec<_> =
        trace.assigned.iter().map(|a| format!("{} {} {}", a.line, a.name, a.value)).collect();
    assert_eq!(assigned, ["1 n \"5\"", "2 n 15", "5 f function", "6 total 30", "7 m 60"]);
    assert_eq!(trace.lines, [2, 5, 6, 4, 6, 7, 4, 8]);
}

#[test]
fn errors_carry_names_and_lines() {
    let Pause::Failed(failure) = run(&mut vm("local a\nreturn a.b")) else { panic!() };
    assert_eq!(
        String::from_utf8_lossy(&failure.message),
        "test:2: attempt to index local 'a' (a nil value)"
    );
    assert_eq!(failure.line, Some(2));
}

#[test]
fn an_error_from_the_host_can_be_caught() {
    let mut vm = vm("local ok, e = pcall(redis.call, 'X') return ok, e");
    run(&mut vm);
    vm.answer(Err(Data::str("ERR no")));
    assert_eq!(run(&mut vm), Pause::Done(vec![Data::Bool(false), Data::str("ERR no")]));
}

#[test]
fn fuel_runs_out_and_the_program_can_go_on() {
    let mut vm = vm("local n = 0 while n < 1000 do n = n + 1 end return n");
    let mut fuel = 100;
    assert_eq!(vm.run(&mut fuel, None), Pause::OutOfFuel);
    assert_eq!(fuel, 0);
    assert_eq!(run(&mut vm), Pause::Done(vec![Data::Num(1000.0)]));
}

#[test]
fn a_sort_waits_for_fuel_between_two_comparisons() {
    let source = "local t = {} for i = 1, 50 do t[i] = (i * 37) % 50 end table.sort(t) \
                  return table.concat(t, ' ')";
    let sorted: Vec<String> = (0..50).map(|n| n.to_string()).collect();
    let done = Pause::Done(vec![Data::str(sorted.join(" "))]);
    for portion in [1, 7, 100, 1_000_000] {
        let mut vm = vm(source);
        let mut waits = 0;
        let end = loop {
            match vm.clone().run(&mut { portion }, None) {
                Pause::OutOfFuel => waits += 1,
                end => break end,
            }
            assert_eq!(vm.run(&mut { portion }, None), Pause::OutOfFuel);
        };
        assert_eq!(end, done, "{portion}");
        assert_eq!(waits == 0, portion == 1_000_000, "{waits} with {portion}");
    }
    let endless = "local t = {} for i = 1, 9999 do t[i] = -i end table.sort(t)";
    let mut fuel = 60_000;
    assert_eq!(vm(endless).run(&mut fuel, None), Pause::OutOfFuel);
}

/// Runs to the end, each call answered with what `answer` makes of its number and arguments.
fn drive(source: &str, answer: impl Fn(usize, &[Data]) -> Result<Vec<Data>, Data>) -> Pause {
    let mut vm = vm(source);
    let mut seen = Vec::new();
    for number in 0.. {
        // Every step is a step of a copy, and equal copies stay equal.
        let mut twin = vm.clone();
        seen.push(vm.clone());
        let (pause, other) = (run(&mut vm), run(&mut twin));
        assert_eq!(pause, other);
        assert_eq!(vm, twin);
        assert_eq!(fingerprint(&vm), fingerprint(&twin));
        match pause {
            Pause::Call { args, .. } => {
                vm.answer(answer(number, &args));
                twin.answer(answer(number, &args));
                assert_eq!(vm, twin);
            }
            end => return end,
        }
    }
    unreachable!()
}

#[test]
fn a_program_can_be_put_down_at_any_call() {
    let cases = [
        ("pcall", "return pcall(function() return redis.call() + 1 end)", "{true, 2}"),
        ("an error caught", "return pcall(function() error(redis.call(), 0) end)", "{false, 1}"),
        ("a handler", "return xpcall(error, function() return redis.call() end)", "{false, 1}"),
        ("a coroutine", "return coroutine.wrap(function() return redis.call() end)()", "{1}"),
        (
            "a yield between",
            "local c = coroutine.wrap(function() coroutine.yield(redis.call()) return \
             redis.call() end) return c(), c()",
            "{1, 2}",
        ),
        (
            "an index",
            "local t = setmetatable({}, { __index = function(_, k) return k .. redis.call() end \
             }) return t.a, t.b .. t.c",
            "{\"a1\", \"b2c3\"}",
        ),
        (
            "arithmetic",
            "local m = { __add = function(a, b) return redis.call() end } local t = \
             setmetatable({}, m) return t + 1, (1 + t) * 10",
            "{1, 20}",
        ),
        (
            "a comparison",
            "local m = { __lt = function() return redis.call() == 1 end } local a, b = \
             setmetatable({}, m), setmetatable({}, m) if a < b then return a <= b end",
            "{true}",
        ),
        (
            "concatenation",
            "local m = { __concat = function(a, b) return 'x' .. redis.call() end } local t = \
             setmetatable({}, m) return 'a' .. 'b' .. t .. 'c'",
            "{\"abx1\"}",
        ),
        (
            "an iterator",
            "local s = 0 for i in redis.call do s = s + i if i == 3 then break end end return s",
            "{6}",
        ),
        (
            "sort",
            "local t = { 3, 1, 2 } table.sort(t, function(a, b) redis.call() return a < b end) \
             return t[1], t[2], t[3]",
            "{1, 2, 3}",
        ),
        (
            "gsub",
            "return (('abc'):gsub('.', function(c) return c .. redis.call() end))",
            "{\"a1b2c3\"}",
        ),
        (
            "gsub with a table",
            "return (('ab'):gsub('.', setmetatable({}, { __index = function() return \
             redis.call() end })))",
            "{\"12\"}",
        ),
        (
            "foreach",
            "return table.foreach({ 5, 6 }, function(k, v) if redis.call() == 2 then return v \
             end end)",
            "{6}",
        ),
        (
            "foreachi",
            "return table.foreachi({ 5, 6 }, function(i) if redis.call() == 2 then return i end \
             end)",
            "{2}",
        ),
        (
            "tostring",
            "return tostring(setmetatable({}, { __tostring = function() return redis.call() end \
             }))",
            "{1}",
        ),
        (
            "load",
            "local n = 0 return load(function() n = n + 1 redis.call() return ({ 'return ', '7' \
             })[n] end)()",
            "{7}",
        ),
        ("a tail call", "return redis.call()", "{1}"),
        (
            "a call metamethod",
            "return setmetatable({}, { __call = function(_, x) return x, redis.call() end })(9)",
            "{9, 1}",
        ),
        (
            "newindex",
            "local t = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v + \
             redis.call()) end }) t.x = 10 t.x = t.x + 1 return t.x",
            "{12}",
        ),
    ];
    for (name, source, expected) in cases {
        match drive(source, |number, _| Ok(vec![Data::Num((number + 1) as f64)])) {
            Pause::Done(values) => assert_eq!(Data::list(values).short(), expected, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn equal_situations_are_equal_however_they_came_about() {
    let source = "local n = redis.call()
        for i = 1, n do
          local g = { i, {} }
          g[1] = function() return g end
          coroutine.wrap(function() coroutine.yield(g) end)()
          local weak = tostring(g)
        end
        n = nil
        local t = { 1, 2, x = { y = 3 } }
        local function f() t.x.y = t.x.y + 1 return t end
        local c = coroutine.wrap(function() while true do coroutine.yield(f()) end end)
        c()
        redis.call()
        return t.x.y";
    let at = |n: f64| {
        let mut vm = vm(source);
        run(&mut vm);
        vm.answer(Ok(vec![Data::Num(n)]));
        run(&mut vm);
        vm
    };
    let (none, some, many) = (at(0.0), at(3.0), at(5000.0));
    assert_eq!(fingerprint(&none), fingerprint(&some));
    assert_eq!(none, some);
    assert_eq!(some, many);
    assert_eq!(none.unshared_bytes(), many.unshared_bytes());
}

#[test]
fn a_fingerprint_is_the_same_in_every_build_and_on_every_target() {
    let mut vm = vm("local a, t = 1.5, { 'x', y = true } local f = function() return t end
        holding = f redis.call('GET', 'k')");
    run(&mut vm);
    assert_eq!(fingerprint(&vm), PINNED);
    vm.answer(Ok(vec![Data::Nil]));
    assert_ne!(fingerprint(&vm), PINNED);
}

const PINNED: u64 = 8_036_041_196_024_497_735;

#[test]
fn every_bound_is_an_error_and_none_a_trap() {
    let memory = "not enough memory";
    let cases = [
        ("local t = {} while true do t[#t + 1] = {} end", memory),
        ("local t = {} for i = 1, 1e9 do t[i] = i end", memory),
        ("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end", memory),
        ("local f for i = 1, 1e9 do local g = f f = function() return g end end", memory),
        ("local t = {} for i = 1, 1e9 do t[i] = coroutine.create(function() end) end", memory),
        ("local s = 'x' while true do s = s .. s end", "string length overflow"),
        ("return ('x'):rep(1e9)", "resulting string too large"),
        ("return ('x'):rep(1e7):gsub('.', ('y'):rep(1000))", "resulting string too large"),
        (
            "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1e5) end return table.concat(t)",
            "too large",
        ),
        (
            "local f = ('%s'):rep(100) local s = ('x'):rep(1e6) local t = {} for i = 1, 100 do \
             t[i] = s end return f:format(unpack(t))",
            "too large",
        ),
        ("local function f() return 1 + f() end f()", "stack overflow"),
        ("local function f() return pcall(f) end local ok, e = f() error('done', 0)", "done"),
        ("local function f() return (f()) end f()", "stack overflow"),
        (
            "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k \
             .. 1] end return t.x",
            "stack overflow",
        ),
        (
            "local t = setmetatable({}, {}) getmetatable(t).__tostring = function(t) return \
             tostring(t) end return tostring(t)",
            "stack overflow",
        ),
        ("local function f() table.sort({ 1, 2 }, f) end f()", "stack overflow"),
        ("local function f() return ('x'):gsub('x', f) end f()", "stack overflow"),
        ("local function f() return coroutine.wrap(f)() end f()", "C stack overflow"),
        ("return unpack({}, 1, 1e6)", "too many results to unpack"),
        ("return ('x'):rep(1e5):byte(1, -1)", "string slice too long"),
        (
            "return (('a'):rep(50)):find(('a?'):rep(50) .. ('a'):rep(50) .. 'b')",
            "pattern too complex",
        ),
        ("return (('a'):rep(1000)):find(('.-'):rep(100) .. 'b')", "pattern too complex"),
        ("return ('x'):find(('('):rep(1000))", "too many captures"),
        ("return (('a'):rep(300)):find(('a?'):rep(1000))", "pattern too complex"),
        ("return assert(loadstring(('('):rep(1e5)))", "chunk has too many syntax levels"),
        (
            "return assert(loadstring('return ' .. ('{'):rep(1e5)))",
            "chunk has too many syntax levels",
        ),
        ("return assert(loadstring(('if x then '):rep(1e5)))", "chunk has too many syntax levels"),
        ("table.insert({}, -2^31, 1)", "instruction limit reached"),
        (
            "local t = {} t[2^40] = 1 t[-2^31] = 2 return table.concat(t, ',', -2^31, 2^31 - 1)",
            "invalid value",
        ),
        (
            "error(setmetatable({}, { __tostring = function() error('again') end }))",
            "(error object is a table value)",
        ),
        ("xpcall(error, function() error('x') end) error('done', 0)", "done"),
    ];
    let mut wrong = Vec::new();
    for (source, expected) in cases {
        let chunk = compile(source.as_bytes(), "test").unwrap();
        let limits = Limits { memory: 16 << 20, string: 2 << 20, depth: 5000 };
        let mut vm = Vm::new(&chunk, &PROFILE, limits);
        let mut fuel = 2_000_000_000;
        let found = match vm.run(&mut fuel, None) {
            Pause::Failed(failure) => String::from_utf8_lossy(&failure.message).into_owned(),
            other => format!("{other:?}"),
        };
        if !found.contains(expected) {
            wrong.push(format!("{source}: {:.200}", found));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_program_without_end_gives_the_page_back() {
    for source in [
        "while true do end",
        "repeat until false",
        "for i = 1, math.huge do end",
        "local function f() return f() end f()",
        "while true do pcall(error) end",
        "while true do coroutine.wrap(function() coroutine.yield() end)() end",
        "while true do local t = {} t.t = t end",
        "local s = ('x'):rep(1e6) while true do s:find('y') s:upper() s:rep(1) end",
        "for k in function() return 1 end do end",
        "while true do table.sort({ 3, 1, 2 }) end",
        "local function f(...) return f(1, ...) end f()",
    ] {
        let mut vm = vm(source);
        for _ in 0..3 {
            let mut fuel = 100_000;
            assert_eq!(vm.run(&mut fuel, None), Pause::OutOfFuel, "{source}");
            assert_eq!(fuel, 0, "{source}");
        }
    }
}

fn names(variables: &[Variable]) -> Vec<String> {
    variables.iter().map(|v| format!("{}={}", v.name, v.short)).collect()
}

#[test]
fn frames_show_what_the_program_is_doing() {
    let mut vm =
        vm("local account = 'a'\nlocal function withdraw(n)\n  local balance = redis.call('GET', \
         account)\n  return balance - n\nend\nlocal left = withdraw(30)");
    run(&mut vm);
    let frames = vm.frames();
    assert_eq!(frames.len(), 2);
    assert_eq!((frames[0].function.as_str(), frames[0].line), ("withdraw", Some(3)));
    assert_eq!(names(&frames[0].locals), ["n=30"]);
    assert_eq!(names(&frames[0].upvalues), ["account=\"a\""]);
    assert_eq!((frames[1].function.as_str(), frames[1].line), ("main chunk", Some(6)));
    assert_eq!(names(&frames[1].locals), ["account=\"a\"", "withdraw=function"]);
}

const NESTED: &str = "local key = 'a'
local inner = coroutine.create(function(n)
  local got = redis.call('GET', key)
  local more = coroutine.yield(got + n)
  return more
end)
local outer = coroutine.wrap(function()
  local _, sum = coroutine.resume(inner, 5)
  local _, again = coroutine.resume(inner, sum)
  return again
end)
local total = outer()
redis.call('SET', key, total)";

#[test]
fn frames_show_the_coroutines_that_wait_for_the_running_one() {
    let mut vm = vm(NESTED);
    run(&mut vm);
    let show = |vm: &Vm| -> Vec<String> {
        let show = |f: &FrameView| {
            let (locals, upvalues) = (names(&f.locals), names(&f.upvalues));
            let line = f.line.unwrap_or_default();
            format!("{} {line}: {} | {}", f.function, locals.join(" "), upvalues.join(" "))
        };
        vm.frames().iter().map(show).collect()
    };
    assert_eq!(
        show(&vm),
        [
            "? 3: n=5 | key=\"a\"",
            "? 8:  | inner=thread",
            "main chunk 12: key=\"a\" inner=thread outer=function | ",
        ]
    );
    assert_eq!(vm.line(), Some(3));
    vm.answer(Ok(vec![Data::Num(2.0)]));
    run(&mut vm);
    assert_eq!(show(&vm), ["main chunk 13: key=\"a\" inner=thread outer=function total=7 | "]);
}

#[test]
fn a_trace_tells_the_turns_of_loops() {
    let mut vm = vm("local total = 0\nfor _, key in ipairs({'a', 'b'}) do\n  local got = \
         redis.call('GET', key)\n  total = total + got\nend\nwhile total < 5 do\n  \
         total = total + 3\nend");
    run(&mut vm);
    let mut answered = || {
        vm.answer(Ok(vec![Data::Num(1.0)]));
        let mut trace = Trace::default();
        vm.run(&mut 1000, Some(&mut trace));
        let turns = |from: usize| {
            trace.turns_from(from).map(|turn| (turn.first, turn.last)).collect::<Vec<_>>()
        };
        let assigned = trace.assigned.iter();
        assigned.map(|a| (format!("{} {} {}", a.line, a.name, a.value), turns(a.turns))).collect()
    };
    let first: Vec<_> = answered();
    let said: Vec<&str> = first.iter().map(|(said, _)| said.as_str()).collect();
    assert_eq!(said, ["3 got 1", "4 total 1", "2 _ 2", "2 key \"b\""]);
    let turns: Vec<_> = first.iter().map(|(_, turns)| turns.clone()).collect();
    assert_eq!(turns, [vec![(2, 4)], vec![(2, 4)], vec![], vec![]]);
    // Neither loop has another turn: the condition of the second no longer holds.
    let last: Vec<_> = answered();
    let said: Vec<&str> = last.iter().map(|(said, _)| said.as_str()).collect();
    assert_eq!(said, ["3 got 1", "4 total 2", "7 total 5"]);
    assert!(last.iter().all(|(_, turns)| turns.is_empty()), "{last:?}");
}

#[test]
fn a_trace_follows_coroutines() {
    let mut vm = vm(NESTED);
    run(&mut vm);
    vm.answer(Ok(vec![Data::Num(2.0)]));
    let mut trace = Trace::default();
    vm.run(&mut 1000, Some(&mut trace));
    let assigned: Vec<_> =
        trace.assigned.iter().map(|a| format!("{} {} {}", a.line, a.name, a.value)).collect();
    assert_eq!(
        assigned,
        ["3 got 2", "8 _ true", "8 sum 7", "4 more 7", "9 _ true", "9 again 7", "12 total 7"]
    );
    assert_eq!(trace.lines, [4, 9, 5, 10, 13]);
}

#[test]
fn a_copy_of_a_suspended_client_takes_a_kibibyte_at_most() {
    let mut vm = vm("local key, token, tries = 'lock:1', 'abc', 0
local function acquire()
  tries = tries + 1
  return redis.call('SET', key, token, 'NX', 'PX', 3000)
end
holding = false
local results = {}
for i = 1, 3 do
  if acquire() then holding = true results[#results + 1] = i end
  redis.call('GET', key)
end");
    run(&mut vm);
    vm.answer(Ok(vec![Data::str("OK")]));
    run(&mut vm);
    assert_eq!(vm.line(), Some(10));
    assert!(vm.unshared_bytes() <= 1024, "{}", vm.unshared_bytes());
}

/// Every way to a field of a host's object asks the host, with the key, or with key and value; so
/// no copy of it can be out of date. Nothing else can be done with it.
#[test]
fn the_host_keeps_the_fields_of_its_objects() {
    static WITH_BOX: Profile = Profile { host: &["box[]"], kind: ProfileKind::Client };
    let source = "
        box.n = 1
        local kept = { box }
        kept[1][2] = nil
        local heir = setmetatable({}, { __index = box, __newindex = box })
        heir.x = heir.n
        local function more() return box.n + box.n end
        local sum = coroutine.wrap(more)()
        local fine, why = pcall(pairs, box)
        return sum, box == kept[1], type(box), fine, why, pcall(function() return #box end)";
    let chunk = compile(source.as_bytes(), "test").unwrap_or_else(|e| panic!("{e}"));
    let mut vm = Vm::new(&chunk, &WITH_BOX, Limits::default());
    let mut asked = Vec::new();
    let ended = loop {
        match run(&mut vm) {
            Pause::Call { host: 0, args } => {
                // A copy of a paused program is the same program.
                assert!(vm.clone() == vm);
                let answer = if args.len() == 2 { vec![Data::Num(4.0)] } else { vec![] };
                asked.push(args[1..].iter().map(Data::short).collect::<Vec<_>>().join(" = "));
                vm.answer(Ok(answer));
            }
            other => break other,
        }
    };
    assert_eq!(asked, ["\"n\" = 1", "2 = nil", "\"n\"", "\"x\" = 4", "\"n\"", "\"n\""]);
    let Pause::Done(values) = ended else { panic!("{ended:?}") };
    let told: Vec<String> = values.iter().map(Data::short).collect();
    assert_eq!(told[..4], ["8", "true", "\"userdata\"", "false"]);
    assert!(told[4].contains("table expected"), "{told:?}");
    assert_eq!(told[5], "false");
}
