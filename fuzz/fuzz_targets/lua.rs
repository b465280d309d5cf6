//! No source makes Lua panic, hang or grow without bound: it is compiled and run, as a client's
//! program or as a script, with little fuel and small limits.
//!
//! The first byte chooses; the others are the source. Programs to start from are in tests/lua.

#![no_main]

use interleave::lua::{Data, Limits, Pause, Profile, ProfileKind, Vm, compile};
use libfuzzer_sys::fuzz_target;

static CLIENT: Profile = Profile { host: &["print"], kind: ProfileKind::Client };

static SCRIPT: Profile =
    Profile { host: &["redis.call", "redis.pcall"], kind: ProfileKind::Script };

fuzz_target!(|input: &[u8]| {
    let Some((choice, source)) = input.split_first() else { return };
    let profile = if choice & 1 == 0 { &CLIENT } else { &SCRIPT };
    let Ok(chunk) = compile(source, "p") else { return };
    let limits = Limits { memory: 4 << 20, string: 1 << 20, depth: 1000 };
    let mut vm = Vm::new(&chunk, profile, limits);
    let mut fuel = 300_000;
    while let Pause::Call { .. } = vm.run(&mut fuel, None) {
        // What pauses must also be a value.
        assert!(vm == vm.clone(), "a copy differs");
        vm.answer(match choice >> 1 & 3 {
            0 => Ok(Vec::new()),
            1 => Ok(vec![Data::Num(1.0)]),
            2 => Ok(vec![Data::Str(source.into())]),
            _ => Err(Data::Str(source.into())),
        });
    }
});
