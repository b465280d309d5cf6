//! Transcripts of redis-cli in the prose: they are executed, to check that they are true.

use crate::engine::{Instance, Outcome};
use crate::resp;
use crate::sim::START_MS;

const PROMPT: &str = "> ";

/// Runs a transcript on an empty server of its own. Returns the lines that differ, numbered from 0,
/// each with its difference.
pub fn mistakes(text: &str) -> Vec<(usize, String)> {
    let mut mistakes = Vec::new();
    let mut instance = Instance::default();
    let conn = instance.connect();
    let mut lines = text.trim_end().lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let Some(command) = line.strip_prefix(PROMPT) else {
            if !line.trim().is_empty() {
                mistakes.push((at, "a transcript begins with a command".to_owned()));
            }
            continue;
        };
        let mut written = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with(PROMPT)) {
            written.push(line.trim_end());
        }
        while written.last().is_some_and(|line| line.is_empty()) {
            written.pop();
        }
        let argv = resp::split_inline(command.as_bytes()).unwrap_or_default();
        if argv.is_empty() {
            mistakes.push((at, format!("{command} is not a command: mind the quotes")));
            continue;
        }
        let reply = match instance.execute(conn, &argv, START_MS) {
            Outcome::Reply(reply) => reply.to_cli(),
            _ => {
                mistakes.push((at, format!("{command} does not answer at once")));
                continue;
            }
        };
        if !reply.lines().map(str::trim_end).eq(written.iter().copied()) {
            mistakes.push((at, format!("Redis answers {command} with\n    {}", indented(&reply))));
        }
    }
    mistakes
}

fn indented(reply: &str) -> String {
    reply.replace('\n', "\n    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transcripts_are_held_to_what_redis_says() {
        let text = "> SET a 1\nOK\n> INCR a\n(integer) 2\n\n> LRANGE l 0 -1\n(empty array)\n\
                    > RPUSH l x y\n(integer) 2\n> LRANGE l 0 -1\n1) \"x\"\n2) \"y\"\n";
        assert_eq!(mistakes(text), []);
        let wrong = mistakes("> SET a 1\nOK\n> GET a\n1\n> GET b\n> BLPOP q 0\n> GET 'a\n");
        let at: Vec<usize> = wrong.iter().map(|(at, _)| *at).collect();
        assert_eq!(at, [2, 4, 5, 6], "{wrong:?}");
        assert!(wrong[0].1.contains("\"1\"") && wrong[1].1.contains("(nil)"), "{wrong:?}");
        assert_eq!(mistakes("OK\n> SET a 1\nOK").len(), 1);
    }
}
