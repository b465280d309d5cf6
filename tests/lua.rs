//! Lua against its reference: every program of the corpus and generated ones, run here and by
//! `lua5.1`, must print the same and fail with the same words.
//!
//! The corpus is `tests/lua/*.lua`; a file holds many programs, each under a line `--- name`. A
//! name that starts with `differs:` marks a difference that is meant; it must show.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use interleave::lua::{Data, Limits, Pause, Profile, ProfileKind, Vm, compile};

use corpus::programs;
use driver::{PROFILE, ours};

#[path = "lua/corpus.rs"]
mod corpus;
#[path = "lua/driver.rs"]
mod driver;
#[path = "lua/generate.rs"]
mod generate;

static SCRIPT: Profile =
    Profile { host: &["redis.call", "redis.pcall"], kind: ProfileKind::Script };

/// Runs length-prefixed programs from standard input, each in globals of its own, and writes
/// length-prefixed outputs.
const DRIVER: &str = r##"
local read, write, format = io.read, io.write, string.format
local tostring, select, pcall, loadstring, setfenv = tostring, select, pcall, loadstring, setfenv
local concat, setmetatable, collect = table.concat, setmetatable, collectgarbage
local G = _G
local hidden = { io = 1, os = 1, debug = 1, package = 1, require = 1, module = 1, dofile = 1,
  loadfile = 1, newproxy = 1, arg = 1 }
while true do
  local size = read("*n")
  if not size then break end
  read(1)
  local source = size == 0 and "" or read(size)
  -- A collection forgets removed keys, which moves them when they come back: none by itself.
  collect()
  collect("stop")
  local out = {}
  local env = {}
  for k, v in pairs(G) do if not hidden[k] then env[k] = v end end
  env._G = env
  function env.print(...)
    local line = {}
    for i = 1, select("#", ...) do line[i] = tostring((select(i, ...))) end
    out[#out + 1] = concat(line, "\t") .. "\n"
  end
  local f, message = loadstring(source, "=p")
  if f then
    local ok
    ok, message = pcall(setfenv(f, env))
    if ok then message = nil elseif type(message) ~= "string" and type(message) ~= "number" then
      message = "(error object is a " .. type(message) .. " value)"
    end
  end
  if message then out[#out + 1] = "! " .. message .. "\n" end
  local text = concat(out)
  write(format("%d\n", #text), text)
end
"##;

/// What the reference prints for each program.
fn reference(programs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut input = Vec::new();
    for program in programs {
        let _ = writeln!(input, "{}", program.len());
        input.extend_from_slice(program);
    }
    let child = Command::new("lua5.1")
        .args(["-e", DRIVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.unwrap_or_else(|error| {
        panic!("lua5.1 does not start ({error}); install it: apt-get install lua5.1")
    });
    let mut stdin = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || {
        // A reference that stopped early shows in what it has not printed.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("lua5.1 ends");
    writer.join().expect("writer ends");
    let mut rest = output.stdout.as_slice();
    let mut results = Vec::new();
    while let Some(line) = rest.iter().position(|&c| c == b'\n') {
        let size = String::from_utf8_lossy(&rest[..line]).parse().unwrap_or(0);
        results.push(rest[line + 1..line + 1 + size].to_vec());
        rest = &rest[line + 1 + size..];
    }
    assert_eq!(results.len(), programs.len(), "lua5.1 stopped early");
    results
}

#[test]
fn the_corpus_runs_as_in_lua() {
    let only = std::env::var("LUA_ONLY").unwrap_or_default();
    let mut count = 0;
    let mut complaints = String::new();
    for file in corpus::files("tests/lua") {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let programs: Vec<_> = programs(&file)
            .into_iter()
            .filter(|(name, _)| format!("{stem}/{name}").contains(&only))
            .collect();
        let sources: Vec<_> = programs.iter().map(|(_, source)| source.clone()).collect();
        let expected = reference(&sources);
        count += programs.len();
        for ((name, source), expected) in programs.iter().zip(expected) {
            let found = ours(source);
            if (found == expected) == name.starts_with("differs:") {
                complain(&mut complaints, &format!("{stem}/{name}"), &expected, &found);
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    assert!(count >= 150 || !only.is_empty(), "only {count} programs");
}

/// Shows the first line that differs.
fn complain(out: &mut String, name: &str, expected: &[u8], found: &[u8]) {
    let (expected, found) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(found));
    let _ = writeln!(out, "\n{name}");
    let (mut e, mut f) = (expected.lines(), found.lines());
    for line in 1.. {
        let (e, f) = (e.next(), f.next());
        if e != f {
            let _ = writeln!(out, "  output line {line}");
            let _ = writeln!(out, "    lua5.1: {}", e.unwrap_or("(nothing)"));
            let _ = writeln!(out, "    here:   {}", f.unwrap_or("(nothing)"));
            return;
        }
        if e.is_none() {
            let _ = writeln!(out, "  the same, although it is marked as different");
            return;
        }
    }
}

#[test]
fn generated_programs_run_as_in_lua() {
    let count: u64 =
        std::env::var("LUA_GENERATED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let first: u64 = std::env::var("LUA_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut complaints = String::new();
    let mut bad = 0;
    for block in 0..count.div_ceil(1000) {
        let seeds = first + block * 1000..first + (block * 1000 + 1000).min(count);
        let programs: Vec<_> =
            seeds.clone().map(|seed| generate::program(seed).into_bytes()).collect();
        let expected = reference(&programs);
        for ((seed, program), expected) in seeds.zip(&programs).zip(expected) {
            let found = ours(program);
            if found != expected {
                bad += 1;
                if bad <= 5 {
                    complain(&mut complaints, &format!("seed {seed}"), &expected, &found);
                    let _ = writeln!(complaints, "{}", String::from_utf8_lossy(program));
                }
            }
        }
    }
    assert!(bad == 0, "{bad} of {count} programs differ{complaints}");
}

/// A program with some of its bytes changed, dropped or doubled.
fn mutated(source: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % bound.max(1)
    };
    let mut out = source.to_vec();
    for _ in 0..1 + next(2) {
        if out.is_empty() {
            break;
        }
        let at = next(out.len());
        let end = (at + 1 + next(12)).min(out.len());
        match next(12) {
            0 => out[at] = next(256) as u8,
            1 => drop(out.drain(at..end)),
            2 => {
                let piece = out[at..end].to_vec();
                let to = next(out.len());
                out.splice(
                    to..to,
                    piece.iter().copied().cycle().take(piece.len() * (1 + next(40))),
                );
            }
            3 => {
                const WORDS: [&[u8]; 12] = [
                    b" end ",
                    b" nil ",
                    b"(",
                    b"{",
                    b" function() ",
                    b"..",
                    b"[[",
                    b" 1e308 ",
                    b" -1 ",
                    b" ('x'):rep(1e9) ",
                    b" coroutine.wrap(",
                    b" \"",
                ];
                out.splice(at..end, WORDS[next(WORDS.len())].iter().copied());
            }
            4 => out.swap(at, end - 1),
            _ => {
                // A word or number gives way to another value.
                const VALUES: [&[u8]; 14] = [
                    b"nil",
                    b"0",
                    b"1",
                    b"2",
                    b"1e15",
                    b"-1",
                    b"{}",
                    b"''",
                    b"'x'",
                    b"true",
                    b"print",
                    b"pcall",
                    b"(0/0)",
                    b"coroutine",
                ];
                let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
                let start = out[..at].iter().rposition(|c| !is_word(c)).map_or(0, |i| i + 1);
                let end = at + out[at..].iter().take_while(|c| is_word(c)).count();
                if end > start {
                    out.splice(start..end, VALUES[next(VALUES.len())].iter().copied());
                }
            }
        }
    }
    out
}

/// The programs of all files in a folder, in order of their text.
fn sources(folder: &str) -> Vec<Vec<u8>> {
    let mut sources: Vec<_> =
        corpus::files(folder).iter().flat_map(|path| programs(path)).map(|(_, s)| s).collect();
    sources.sort();
    sources
}

#[test]
fn mutated_programs_end_without_harm() {
    let count: u64 =
        std::env::var("LUA_MUTATED").ok().and_then(|n| n.parse().ok()).unwrap_or(5_000);
    let limits = Limits { memory: 4 << 20, string: 1 << 20, depth: 1000 };
    for (profile, folder) in [(&PROFILE, "tests/lua"), (&SCRIPT, "tests/lua/scripts")] {
        let sources = sources(folder);
        let mut ran = 0;
        for seed in 0..count {
            let program = mutated(&sources[seed as usize % sources.len()], seed);
            let Ok(chunk) = compile(&program, "p") else { continue };
            ran += 1;
            let mut vm = Vm::new(&chunk, profile, limits);
            let mut fuel = 300_000;
            while let Pause::Call { .. } = vm.run(&mut fuel, None) {
                vm.answer(Ok(vec![Data::Num(1.0)]));
            }
        }
        // Enough of them are still programs.
        assert!(ran > count / 8, "{ran} of {count} ran");
    }
}
