//! The program as a process at a terminal: what it prints, and with which status it ends.

use std::path::Path;
use std::process::{Command, Output, Stdio};

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

/// Runs `interleave` with these words; the status, standard output and standard error.
fn interleave(words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_interleave"));
    let Output { status, stdout, stderr } = command.args(words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_wrong_call_is_answered_with_what_would_be_right() {
    for (words, remedy) in [
        ("chekc", "similar subcommand exists: 'check'"),
        ("serve --lisen 127.0.0.1:0", "similar argument exists: '--listen'"),
        ("serve --spawn 17", "17 is not in 0..=16"),
        ("server --version 6.2", "7.0, 7.2, 7.4, 8.0, 8.2, 8.4, valkey8, valkey9 are known"),
        ("check", "--help"),
        ("check --sloer x", "similar argument exists: '--slower'"),
        ("check --max-states many x", "no number, or too large"),
        ("check --plan rat=1 x", "rate"),
        ("export run x --as pytests", "similar value exists: 'pytest'"),
        ("completions bsh", "possible values: bash"),
    ] {
        let (status, told, mistake) = interleave(&words.split(' ').collect::<Vec<_>>());
        assert_eq!((status, told.as_str()), (Some(2), ""), "{words}: {mistake}");
        assert!(mistake.contains(remedy), "{words}: {mistake}");
    }
}

#[test]
fn every_shell_completes_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (status, text, _) = interleave(&["completions", shell]);
        assert!(status == Some(0) && text.contains("allow-origin"), "{shell}: {text}");
    }
}

/// A new scenario is searched, and the run that breaks it is a test for pytest.
#[test]
fn a_new_scenario_is_checked_and_its_run_exported() {
    let folder = std::env::temp_dir().join(format!("interleave-new-{}", std::process::id()));
    let name = folder.to_str().unwrap();
    let (status, _, mistake) = interleave(&["new", name]);
    assert_eq!(status, Some(0), "{mistake}");
    let (status, _, mistake) = interleave(&["new", name]);
    assert!(status == Some(1) && mistake.contains("does not exist yet"), "{mistake}");
    let (status, verdicts, _) = interleave(&["check", name]);
    assert!(status == Some(1) && verdicts.contains("A1.B1.B2.A2"), "{verdicts}");
    let (status, test, mistake) = interleave(&["export", "run", name, "A1.B1.B2.A2"]);
    assert!(status == Some(0) && test.contains("def test_schedule():"), "{test}{mistake}");
    let (status, _, mistake) = interleave(&["export", "run", name, "A1.A1.A1"]);
    assert!(status == Some(1) && !mistake.is_empty());
    std::fs::remove_dir_all(folder).unwrap();
    let lesson = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons/lost-update");
    let words = ["export", "run", lesson.to_str().unwrap(), "A1", "--variant", "incrby"];
    let (status, text, mistake) = interleave(&[&words[..], &["--as", "mermaid"]].concat());
    assert!(status == Some(0) && text.contains("INCRBY"), "{text}{mistake}");
}
