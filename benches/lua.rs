//! Lua beside its reference: the same programs timed here and by `lua5.1` in the same run, and
//! what a suspended client costs to copy, hash and resume.
//!
//! `cargo bench --bench lua`

use std::alloc::{GlobalAlloc, Layout, System};
use std::hash::Hash;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use interleave::hash::Fingerprinter;
use interleave::lua::{Data, Limits, Pause, Profile, ProfileKind, Vm, compile};

static CLIENT: Profile = Profile { host: &["redis.call", "print"], kind: ProfileKind::Client };
static SCRIPT: Profile =
    Profile { host: &["redis.call", "redis.pcall"], kind: ProfileKind::Script };

/// Counts what is allocated, to show what a copy holds.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)] // An allocator cannot be counted otherwise; only this benchmark does it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Name and source; each takes PUC a tenth of a second or more.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "fib(30)",
        "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
assert(fib(30) == 832040)",
    ),
    (
        "string building",
        "for r = 1, 20 do local t = {} for i = 1, 20000 do t[#t + 1] = 'item '
.. i .. ',' end
local s = table.concat(t) assert(#s > 0) end
local s = '' for i = 1, 8000 do s = s .. 'x' end assert(#s == 8000)",
    ),
    (
        "table churn",
        "for r = 1, 30 do local t = {} for i = 1, 20000 do t[i] = { id = i, name =
'n' } end
local sum = 0 for i, v in ipairs(t) do sum = sum + v.id end for k in pairs(t) do t[k] = nil end
assert(sum == 200010000) end",
    ),
    (
        "pattern matching",
        "local text = ('key%d=value%d; '):rep(2000) local n = 0
for r = 1, 20 do for k, v in text:gmatch('(%w+)=(%w+)') do n = n + #k + #v end
text:gsub('%s+', ' ') text:find('nothing here$') end assert(n > 0)",
    ),
    (
        "sort",
        "local x = 42 local t = {} for r = 1, 10 do for i = 1, 10000 do x = (x *
1103515245 + 12345) % 2147483648 t[i] = x end
table.sort(t, function(a, b) return a < b end) end",
    ),
    (
        "methods",
        "local P = {} P.__index = P function P:add(n) self.v = self.v + n return self end
local p = setmetatable({ v = 0 }, P) for i = 1, 2000000 do p:add(i) end assert(p.v > 0)",
    ),
    (
        "loops",
        "local s = 0 for i = 1, 10000000 do if i % 3 == 0 then s = s + i end end assert(s \
      > 0)",
    ),
    (
        "closures",
        "local function make(i) return function(x) i = i + x return i end end
local s = 0 for i = 1, 500000 do local f = make(i) s = s + f(1) end assert(s > 0)",
    ),
];

fn reference(source: &str) -> Option<Duration> {
    let timed = format!("local c = os.clock() {source}\nprint(os.clock() - c)");
    let mut best: Option<f64> = None;
    for _ in 0..3 {
        let output = Command::new("lua5.1").args(["-e", &timed]).output().ok()?;
        let seconds: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().ok()?;
        best = Some(best.map_or(seconds, |b| b.min(seconds)));
    }
    best.map(Duration::from_secs_f64)
}

fn ours(source: &str) -> Duration {
    let chunk = compile(source.as_bytes(), "bench").expect("a program");
    let run = || {
        let mut vm = Vm::new(&chunk, &SCRIPT, Limits::default());
        let mut fuel = u64::MAX;
        let start = Instant::now();
        let pause = vm.run(&mut fuel, None);
        assert!(matches!(pause, Pause::Done(_)), "{pause:?}");
        start.elapsed()
    };
    (0..3).map(|_| run()).min().unwrap_or_default()
}

/// Nanoseconds of one call.
fn nanoseconds<T>(count: u32, mut f: impl FnMut() -> T) -> f64 {
    let batch = |f: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        for _ in 0..count {
            std::hint::black_box(f());
        }
        start.elapsed().as_nanos() as f64 / f64::from(count)
    };
    (0..5).map(|_| batch(&mut f)).fold(f64::MAX, f64::min)
}

const CLIENT_PROGRAM: &str = "local key, token, tries = 'lock:1', 'abc', 0
local function acquire()
  tries = tries + 1
  local ok = redis.call('SET', key, token, 'NX', 'PX', 3000)
  return ok
end
holding = false
local results = {}
for i = 1, 3 do
  if acquire() then holding = true results[#results + 1] = i end
  redis.call('GET', key)
end";

fn main() {
    println!("{:20}{:>12}{:>12}{:>9}", "", "lua5.1", "here", "ratio");
    for (name, source) in PROGRAMS {
        let here = ours(source);
        match reference(source) {
            Some(there) => {
                let ratio = here.as_secs_f64() / there.as_secs_f64();
                println!("{name:20}{there:>12.1?}{here:>12.1?}{ratio:>9.2}");
            }
            None => println!("{name:20}{:>12}{here:>12.1?}", "missing"),
        }
    }
    let chunk = compile(CLIENT_PROGRAM.as_bytes(), "client").expect("a program");
    let mut vm = Vm::new(&chunk, &CLIENT, Limits::default());
    let mut fuel = 1_000_000;
    vm.run(&mut fuel, None);
    vm.answer(Ok(vec![Data::str("OK")]));
    vm.run(&mut fuel, None);
    println!("\na suspended client");
    println!("  {:26}{:>9.1} ns", "clone", nanoseconds(100_000, || vm.clone()));
    let hash = |vm: &Vm| {
        let mut hasher = Fingerprinter::default();
        vm.hash(&mut hasher);
        hasher
    };
    println!("  {:26}{:>9.1} ns", "hash, again", nanoseconds(100_000, || hash(&vm)));
    let step = |vm: &Vm| {
        let mut next = vm.clone();
        next.answer(Ok(vec![Data::Bool(false)]));
        let mut fuel = 10_000;
        next.run(&mut fuel, None);
        next
    };
    println!("  {:26}{:>9.1} ns", "clone, answer, run to call", nanoseconds(20_000, || step(&vm)));
    println!("  {:26}{:>9.1} ns", "the same and hash", nanoseconds(20_000, || hash(&step(&vm))));
    let (a, b) = (step(&vm), step(&vm));
    println!("  {:26}{:>9.1} ns", "compare with an equal one", nanoseconds(20_000, || a == b));
    let mut copies = Vec::with_capacity(1000);
    let before = ALLOCATED.load(Ordering::Relaxed);
    for _ in 0..1000 {
        copies.push(vm.clone());
    }
    let cloned = ALLOCATED.load(Ordering::Relaxed) - before;
    println!("  {:26}{:>9} bytes", "a clone", cloned / 1000);
    println!("  {:26}{:>9} bytes", "a copy of its own", vm.unshared_bytes());
    let script = compile(
        b"if redis.call('get', KEYS[1]) == ARGV[1] then return \
      redis.call('del', KEYS[1]) else return 0 end",
        "user_script",
    )
    .expect("a script");
    let keys = Data::list([Data::str("lock")]);
    let argv = Data::list([Data::str("token")]);
    let eval = || {
        let mut vm = Vm::new(&script, &SCRIPT, Limits::default());
        vm.set_global("KEYS", &keys);
        vm.set_global("ARGV", &argv);
        let mut fuel = 100_000;
        vm.run(&mut fuel, None);
        vm.answer(Ok(vec![Data::str("token")]));
        vm.run(&mut fuel, None);
        vm.answer(Ok(vec![Data::Num(1.0)]));
        vm.run(&mut fuel, None)
    };
    println!("a script with two calls{:>14.1} ns", nanoseconds(20_000, eval));
}
