//! Under what a verdict holds, in one sentence: what may go wrong and how often, how slow a client
//! may be. Computed from the scenario, so that it says what the search did.

use crate::sim::{Faults, Scenario, Slower, TimeMode};
use crate::text::{Lang, VerdictWord, fill, verdict};

/// "In every order of the steps, if at most 1 client is paused and no client is slower than the
/// timers."
pub fn conditions(scenario: &Scenario, lang: Lang) -> String {
    let say = |word: VerdictWord, values: &[&str]| fill(verdict(lang, word), values);
    let mut ifs = Vec::new();
    let Faults { crash, pause, lose, jump, down, restart, failover, early, .. } = scenario.faults;
    let counts = [
        (pause, VerdictWord::IfPause),
        (crash, VerdictWord::IfCrash),
        (lose, VerdictWord::IfLose),
        (jump, VerdictWord::IfJump),
        (down, VerdictWord::IfDown),
        (restart, VerdictWord::IfRestart),
        (failover, VerdictWord::IfFailover),
    ];
    for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let jump_ms = scenario.faults.jump_ms.to_string();
        ifs.push(say(word, &[&count.to_string(), &jump_ms]) + &aim(scenario.faults, word, lang));
    }
    if counts.iter().all(|(count, _)| *count == 0) {
        ifs.push(say(VerdictWord::IfNothing, &[]));
    }
    ifs.push(match (scenario.slow_ms, scenario.time) {
        (0, TimeMode::Any) => say(VerdictWord::IfEarly, &[&early.to_string()]),
        (0, TimeMode::Prompt) => say(VerdictWord::IfPrompt, &[]),
        (ms, _) => say(VerdictWord::IfSlow, &[&ms.to_string()]),
    });
    let (last, before) = ifs
        .split_last()
        .map_or((String::new(), Vec::new()), |(last, before)| (last.clone(), before.to_vec()));
    let listed = match before.is_empty() {
        true => last,
        false => {
            let comma = verdict(lang, VerdictWord::IfComma);
            say(VerdictWord::IfAnd, &[&before.join(comma), &last])
        }
    };
    say(VerdictWord::Conditions, &[&listed])
}

/// Whom faults of this kind strike, and for how long, where that is said.
fn aim(faults: Faults, word: VerdictWord, lang: Lang) -> String {
    let (of, ms) = match word {
        VerdictWord::IfPause => (faults.pause_of, faults.pause_ms),
        VerdictWord::IfCrash => (faults.crash_of, 0),
        _ => (0, 0),
    };
    let letters: Vec<String> = Faults::letters(of).chars().map(String::from).collect();
    let mut aimed = Vec::new();
    if of != 0 {
        aimed.push(fill(verdict(lang, VerdictWord::AimOnly), &[&letters.join(", ")]));
    }
    if ms != 0 {
        aimed.push(fill(verdict(lang, VerdictWord::AimMs), &[&ms.to_string()]));
    }
    match aimed.is_empty() {
        true => String::new(),
        false => {
            let comma = verdict(lang, VerdictWord::IfComma);
            fill(verdict(lang, VerdictWord::Aim), &[&aimed.join(comma)])
        }
    }
}

/// What came of asking for slower clients; `name` is what the property that breaks is called.
pub fn slower(answer: &Slower, name: &str, lang: Lang) -> String {
    let ms = answer.slow_ms.to_string();
    match (&answer.breaks, answer.is_open, answer.slow_ms) {
        (Some(_), ..) => fill(verdict(lang, VerdictWord::SlowBreaks), &[&ms, name]),
        (None, true, 0) => verdict(lang, VerdictWord::SlowOpen).to_owned(),
        (None, true, _) => fill(verdict(lang, VerdictWord::SlowHoldsSoFar), &[&ms]),
        (None, false, _) => fill(verdict(lang, VerdictWord::SlowHolds), &[&ms]),
    }
}
