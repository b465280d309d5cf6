//! Words that a first visit does not show: they come with the part of the program that uses them
//! (src/check/split). A name that is missing costs a first visit a few bytes; one too many costs it
//! more, as all of them come then, and nothing else.

#[rustfmt::skip]
const LATER: &[&str] = &[
    "AllHolds", "AskedAlways", "AskedDeadlock", "AskedEventually", "AskedSometimes", "BoundBytes",
    "BoundDepth", "BoundStates", "BoundTime", "BoundWidth", "Bounded", "Breaks", "BreaksShortest", "Complete",
    "CopyRun", "CountDepth", "CountMemory", "CountRate", "CountStates", "CountTime",
    "CountTransitions", "CountWaiting", "Counted", "CountedAll", "Deadlock", "EndsWithoutIt",
    "EvidenceAlways", "EvidenceBroken", "EvidenceEventually", "EvidenceNever",
    "EvidenceNotEventually", "EvidenceSometimes", "ExportJUnit", "ExportLost", "ExportMermaid",
    "ExportPytest", "ExportText", "FindAgain", "FindIntro", "FindMistake", "FindProgress",
    "FindStart", "FindStop", "FindTitle", "FixAnswer", "FixCheck", "FixEditor", "FixFailed",
    "FixHide", "FixKeys", "FixLine", "FixNone", "FixPassed", "FixReset", "FixResetSure",
    "FixRunning", "FixShow", "FixStep", "FixTake", "FixTooLong", "FixUnknown", "GlossaryFilter",
    "GlossaryIntro", "GlossaryLesson", "GlossaryNone", "GuideAgain", "GuideBack", "GuideBecause",
    "GuideLesson", "Happens", "HappensInTheEnd", "HappensShortest", "HintNever", "HintNow",
    "HintSearching", "HintSteps", "HintUnknown", "HoldsAlways", "HoldsReduced", "IndexFailed",
    "LoadFailed", "LoopFrom", "LoopsForEver", "ManySteps", "MoreOutcomes", "NeverHappens",
    "NoBudget", "NoDeadlock", "NoSuchClient", "NoSuchLesson", "NoSuchMode", "NoSuchVariant",
    "NoSuchWalk", "NoTimePasses", "NobodyStuck", "NotCounted", "NotNow", "NothingFound",
    "NothingLeft", "OneStep", "OpenOutcome", "Outcomes", "PlayRun", "PlayRunOf", "QuizAfter",
    "QuizAgain", "QuizAtStart", "QuizGive", "QuizRight", "QuizSeveral", "QuizShows", "QuizState",
    "QuizWrong", "Quorum", "QuorumMajority", "QuorumNone", "QuorumOf", "QuorumOver",
    "QuorumValid", "Reduced", "ReviewBelief", "ReviewIntro", "ReviewQuestions", "RunOf",
    "SaidAccepted", "SaidBlocked", "SaidExpired", "SaidFailed", "SaidLock", "SaidLost",
    "SaidNoAnswer", "SaidRefused", "SaidReply", "SaidScript", "SaidScriptNothing", "SaidSend",
    "SaveFailed", "ScheduleImpossible", "ScheduleOrdinal", "ScheduleTooLong", "ScheduleUnknown",
    "Searching", "SearchingAt", "ShareFailed", "StepBeyond", "StoppedAt", "TtlSaid", "TtlTrace",
    "TooManyToCount", "Undecided", "WhyBelievesGone", "WhyBelievesOther", "WhyExpired", "WhyExpiredAsleep",
    "WhyExpiredPaused", "WhyLate", "WhyLostWithNode", "WhyTaken",
];

/// The text, or nothing where it is no part of what is asked for.
pub const fn part(name: &str, of_later: bool, text: &'static str) -> &'static str {
    if is_later(name) == of_later { text } else { "" }
}

const fn is_later(name: &str) -> bool {
    let mut at = 0;
    while at < LATER.len() {
        if is_equal(LATER[at].as_bytes(), name.as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}
