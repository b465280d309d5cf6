//! What the host relies on: pausing, looking, copying, comparing.

use super::*;

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
            "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end return fib(20)"
        ),
        Data::Num(6765.0)
    );
    assert_eq!(
        result(
            "local t = {} for i = 1, 10 do t[#t+1] = function() return i end end return t[3]() + t[10]()"
        ),
        Data::Num(13.0)
    );
    assert_eq!(
        result(
            "local t = {5,2,8,1} table.sort(t, function(a, b) return a > b end) return table.concat(t, ',')"
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
        "local n = redis.call('GET', 'balance')\nn = n + 10\nlocal function f(x)\n  return x * 2\nend\ntotal = f(n)\nlocal m = f(total)\nredis.call('SET', n)",
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
