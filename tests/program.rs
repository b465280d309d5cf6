//! The program as a process at a terminal: what it prints, and with which status it ends.

use std::process::{Command, Stdio};

/// A reader that goes, as `head`, ends the program without a panic, whatever it prints.
#[test]
fn a_reader_may_go() {
    for line in ["--help", "oracle --show", "no-such-folder"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_check"));
        command.args(line.split(' ')).stdin(Stdio::null());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = match line {
            "no-such-folder" => command.stderr(writer).stdout(Stdio::piped()).spawn(),
            _ => command.stdout(writer).stderr(Stdio::piped()).spawn(),
        };
        let output = child.unwrap().wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!told.contains("panicked"), "{line}: {told}");
        // Not 101, with which a panic ends.
        assert!(matches!(output.status.code(), Some(0 | 141)), "{line}: {}", output.status);
    }
}
