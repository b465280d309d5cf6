//! Verdicts for machines: JUnit's XML, and GitHub's annotations of lines.

use std::fmt::Write as _;

use crate::jobs::find::IdsShown;
use crate::view::embed::snippet;

/// A property with its verdict.
pub struct Case {
    /// The scenario, or the lesson and its variant.
    pub suite: String,
    pub name: String,
    pub file: String,
    /// The line; 0 if it is not known.
    pub line: usize,
    pub agrees: bool,
    /// The verdict in words, with the run that shows it.
    pub words: String,
    pub seconds: f64,
}

/// Returns what other orders of unique ids have shown, in the word of `check --json`.
pub fn id_order(shown: Option<IdsShown>) -> String {
    let word = match shown {
        None => "",
        Some(IdsShown::Other(order)) => return order,
        Some(IdsShown::Written) => "written",
        Some(IdsShown::Read) => "read",
        Some(IdsShown::Open) => "open",
        Some(IdsShown::Every) => "every",
        Some(IdsShown::EveryOrder) => "every order",
        Some(IdsShown::EveryLetter) => "every letter",
        Some(IdsShown::Letter) => "letter",
        Some(IdsShown::Text) => "text",
    };
    word.to_owned()
}

/// Writes a `testsuite` for each scenario, a `testcase` for each property.
pub fn junit(cases: &[Case]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let mut rest = cases;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|case| case.suite == first.suite).count();
        let (suite, others) = rest.split_at(count);
        rest = others;
        let failures = suite.iter().filter(|case| !case.agrees).count();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{count}\" failures=\"{failures}\" time=\"{:.3}\">",
            escaped(&first.suite),
            first.seconds,
        );
        for case in suite {
            let (name, class) = (escaped(&case.name), escaped(&case.suite));
            let _ = write!(
                text,
                "    <testcase name=\"{name}\" classname=\"{class}\" file=\"{}\"",
                escaped(&case.file)
            );
            if case.line > 0 {
                let _ = write!(text, " line=\"{}\"", case.line);
            }
            let _ = match case.agrees {
                true => writeln!(text, "/>"),
                false => {
                    let first = escaped(case.words.lines().next().unwrap_or_default());
                    let words = escaped(&case.words);
                    writeln!(text, "><failure message=\"{first}\">{words}</failure></testcase>")
                }
            };
        }
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

/// Writes an error for each verdict that is not as claimed.
pub fn github(cases: &[Case]) -> String {
    let mut text = String::new();
    for case in cases.iter().filter(|case| !case.agrees) {
        let line = if case.line > 0 { format!(",line={}", case.line) } else { String::new() };
        let title = property(&format!("{}: {}", case.suite, case.name));
        let file = property(&case.file);
        let _ = writeln!(text, "::error file={file}{line},title={title}::{}", data(&case.words));
    }
    text
}

fn escaped(text: &str) -> String {
    // XML 1.0 has no other control characters.
    let is_none = |c: char| c.is_control() && c != '\n' && c != '\t';
    snippet::escaped(&text.replace(is_none, "\u{fffd}"))
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.trim_end().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> [Case; 2] {
        let case = |name: &str, agrees: bool| Case {
            suite: "shop".to_owned(),
            name: name.to_owned(),
            file: "a,b/scenario.toml".to_owned(),
            line: 7,
            agrees,
            words: "breaks: 100 % <of>\nit & \u{1}".to_owned(),
            seconds: 0.5,
        };
        [case("one", true), case("two", false)]
    }

    #[test]
    fn junit_has_a_case_for_each_property() {
        assert_eq!(
            junit(&cases()),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  \
             <testsuite name=\"shop\" tests=\"2\" failures=\"1\" time=\"0.500\">\n    \
             <testcase name=\"one\" classname=\"shop\" file=\"a,b/scenario.toml\" \
             line=\"7\"/>\n    \
             <testcase name=\"two\" classname=\"shop\" file=\"a,b/scenario.toml\" line=\"7\">\
             <failure message=\"breaks: 100 % &lt;of&gt;\">breaks: 100 % &lt;of&gt;\nit &amp; \
             \u{fffd}</failure></testcase>\n  </testsuite>\n</testsuites>\n"
        );
    }

    #[test]
    fn github_is_told_what_is_not_as_claimed() {
        assert_eq!(
            github(&cases()),
            "::error file=a%2Cb/scenario.toml,line=7,title=shop%3A two::\
             breaks: 100 %25 <of>%0Ait & \u{1}\n"
        );
    }
}
