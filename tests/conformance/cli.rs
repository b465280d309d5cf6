//! The real redis-cli.

use std::io::Write;
use std::process::{Command, Stdio};

/// What it prints, not being on a terminal, for these options and this input.
pub fn redis_cli(options: &[&str], input: &str) -> String {
    let mut child = Command::new("redis-cli")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("redis-cli runs: .ci/setup redis");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("redis-cli reads");
    drop(stdin);
    let output = child.wait_with_output().expect("redis-cli ends");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
