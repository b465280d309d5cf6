//! Runs a program and keeps what it prints: natively in `tests/lua.rs`, in a browser's wasm in
//! `tests/browser/lua.rs`.

use interleave::lua::{Data, Limits, Pause, Profile, ProfileKind, Vm, compile};

pub static PROFILE: Profile = Profile { host: &["print"], kind: ProfileKind::Client };

/// Instructions one program may take.
const FUEL: u64 = 50_000_000;

/// A value as `print` shows it.
fn show(value: &Data, out: &mut Vec<u8>) {
    match value {
        Data::Str(text) => out.extend_from_slice(text),
        other => out.extend_from_slice(other.short().as_bytes()),
    }
}

/// What this interpreter prints.
pub fn ours(program: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let chunk = match compile(program, "p") {
        Ok(chunk) => chunk,
        Err(error) => return format!("! {error}\n").into_bytes(),
    };
    let mut vm = Vm::new(&chunk, &PROFILE, Limits::default());
    let mut fuel = FUEL;
    // What is kept makes every step a step of a copy.
    let mut kept;
    loop {
        kept = vm.clone();
        assert_eq!(kept, vm);
        match vm.run(&mut fuel, None) {
            Pause::Call { args, .. } => {
                for (at, arg) in args.iter().enumerate() {
                    if at > 0 {
                        out.push(b'\t');
                    }
                    show(arg, &mut out);
                }
                out.push(b'\n');
                vm.answer(Ok(Vec::new()));
            }
            Pause::Done(_) => return out,
            Pause::Failed(failure) => {
                out.extend_from_slice(b"! ");
                out.extend_from_slice(&failure.message);
                out.push(b'\n');
                return out;
            }
            Pause::OutOfFuel => {
                out.extend_from_slice(b"! out of fuel\n");
                return out;
            }
        }
    }
}
