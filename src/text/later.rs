//! The [`Key`](super::Key)s that a first visit does not show: their words come with a later part of
//! the program (src/divide), those of lessons with that of lessons.
//!
//! A name that is missing costs a first visit a few bytes. One too many costs more: the first such
//! word needs the whole table of its part. Nothing else depends on the lists.

/// Words that Watch, Schedule and Break of some lesson show.
#[rustfmt::skip]
const LESSONS: &[&str] = &[
    "AdvanceNone", "AdvanceTo", "BusyReason", "Connections", "Deadlock", "DueClient", "DueKey",
    "FaultCrash", "FaultDown", "FaultFailover", "FaultJump", "FaultLeft", "FaultLose",
    "FaultPause", "FaultReplicate", "FaultRestart", "FaultResume", "FaultUp",
    "FaultsHint", "HighestToken", "HintAsk", "InMulti", "IndexFailed", "Inside", "MutexHeld",
    "Mutexes", "NoMulti", "NoTimePasses", "NodeBehind", "NodeClock", "NodeDown", "NodeReplica",
    "NodeServes", "NotNow", "NothingLeft", "QuizGive", "QuizSeveral", "Quorum", "QuorumMajority",
    "QuorumNone", "QuorumOf", "QuorumOver", "QuorumValid", "ReplyWaits", "Resources",
    "SaidAccepted", "SaidBlocked", "SaidCrash", "SaidDisconnect", "SaidDown", "SaidExpired",
    "SaidFailed", "SaidFailover", "SaidJump", "SaidLock", "SaidLoseReply", "SaidLost",
    "SaidNoAnswer", "SaidPause", "SaidRefused", "SaidReplicate", "SaidReply", "SaidRestart",
    "SaidResume", "SaidScript", "SaidScriptNothing", "SaidSend", "SaidShared", "SaidUp", "Tables",
    "TtlSaid", "TtlTrace", "WhyBelievesGone", "WhyBelievesOther", "WhyExpired", "WhyExpiredAsleep",
    "WhyExpiredPaused", "WhyLate", "WhyLostWithNode", "WhyTaken",
];

#[rustfmt::skip]
const LATER: &[&str] = &[
    "AllHolds", "AskedAlways", "AskedDeadlock", "AskedEventually", "AskedSometimes", "BesideHint",
    "BesideShow", "BesideTitle", "BoundBytes", "BoundDepth", "BoundMoves", "BoundStates",
    "BoundTime", "BoundWidth", "Bounded", "Breaks", "BreaksShortest", "CompareClose",
    "CompareDiffers", "CompareDrives", "CompareFollows", "CompareKeys", "CompareNothing",
    "CompareOver", "CompareParts", "CompareSame", "CompareTitle", "Complete", "ConsoleAdd",
    "ConsoleCancel", "ConsoleClose", "ConsoleComplete", "ConsoleEmpty", "ConsoleEnter",
    "ConsoleHelp", "ConsoleImport", "ConsoleLine", "ConsoleLog", "ConsoleLong", "ConsoleNoDocs",
    "ConsoleNode", "ConsoleOlder", "ConsoleScript", "ConsoleScripts", "ConsoleTabs", "ConsoleTimes",
    "ConsoleTitle", "ConsoleWaits", "CopyRun", "CountDepth", "CountMemory", "CountRate",
    "CountStates", "CountTime", "CountTransitions", "CountWaiting", "Counted", "CountedAll",
    "EmbedAddress", "EmbedCode", "EmbedControlMore", "EmbedControlPlay", "EmbedControlScrub",
    "EmbedControlStep", "EmbedControls", "EmbedCourse", "EmbedDiagram", "EmbedElement", "EmbedExam",
    "EmbedExamNote", "EmbedFrame", "EmbedFrom", "EmbedHeight", "EmbedIntro", "EmbedLang",
    "EmbedLesson", "EmbedLink", "EmbedLook", "EmbedMay", "EmbedNoHints", "EmbedNoKeys", "EmbedOpen",
    "EmbedOrigin", "EmbedPanels", "EmbedPaste", "EmbedPoster", "EmbedPreview", "EmbedReader",
    "EmbedReadonly", "EmbedRecipes", "EmbedRepeat", "EmbedStart", "EmbedTabs", "EmbedTheme",
    "EmbedThemeAuto", "EmbedThemeHost", "EmbedThemeDark", "EmbedThemeLight", "EmbedTo", "EmbedWhat",
    "EndsWithoutIt", "EvidenceAlways", "EvidenceBroken", "EvidenceEventually", "EvidenceNever",
    "EvidenceNotEventually", "EvidenceSometimes", "ExamRecorded", "ExecuteButton", "ExportJUnit",
    "ExportLost", "ExportMermaid", "ExportPng", "ExportPytest", "ExportSvg", "ExportText",
    "FindAgain", "FindIntro", "FindMistake", "FindProgress", "FindStart", "FindStop", "FindTitle",
    "First", "FixAnswer", "FixCheck", "FixEditor", "FixFailed", "FixHide", "FixKeys", "FixLine",
    "FixNone", "FixPassed", "FixReset", "FixResetSure", "FixRunning", "FixShow", "FixStep",
    "FixTake", "FixTooLong", "FixUnknown", "GlossaryFilter", "GlossaryLesson", "GlossaryNone",
    "GuideAgain", "GuideBack", "GuideBecause", "GuideLesson", "Happens", "HappensInTheEnd",
    "HappensShortest", "HintNever", "HintNow", "HintSearching", "HintSteps", "HintUnknown",
    "HoldsAlways", "HoldsReduced", "ImportAbout", "ImportClient", "ImportConsoles", "ImportCut",
    "ImportFile", "ImportLine", "ImportLocal", "ImportNoPrompt", "ImportNoRoom", "ImportNothing",
    "ImportPrograms", "ImportQuotes", "ImportRead", "ImportScript", "ImportSelect", "ImportVersion",
    "ImportTitle", "ImportTooMany", "ImportWaits", "ImportedTitle", "KindAddress", "KindElement",
    "KindFrame", "KindLink", "Lacking", "Last", "LegendBelief", "LegendLease", "LegendWatch",
    "LegendWindow", "LoadFailed", "LoopFrom", "LoopsForEver", "MoreOutcomes", "NearestLesson",
    "NeverHappens", "NoBudget", "NoDeadlock", "NoSuchClient", "NoSuchLesson", "NoSuchMode",
    "NoSuchVariant", "NoSuchWalk", "NobodyStuck", "NotCounted", "NotKept", "NothingFound",
    "OpenOutcome", "Outcomes", "OwnAboutChecks", "OwnAboutProgram", "OwnAboutScript",
    "OwnAboutSetup", "OwnAboutSql", "OwnAddClient", "OwnAddInstance", "OwnAddProperty",
    "OwnAddedAlways", "OwnAddedSometimes", "OwnAlways", "OwnAnswerRemedy", "OwnAtLine",
    "OwnBadCheck", "OwnBadField", "OwnBadJson", "OwnBadJsonRemedy", "OwnBadLink",
    "OwnBadLinkRemedy", "OwnBadMaster", "OwnBadMasterRemedy", "OwnBadName", "OwnBadSql",
    "OwnBadSqlRemedy", "OwnCancel", "OwnCheck", "OwnCheckRemedy", "OwnClient", "OwnClock",
    "OwnCrash", "OwnDown", "OwnDrop", "OwnEarly", "OwnEditor", "OwnEventually", "OwnEvict",
    "OwnExamples", "OwnExamplesFailed", "OwnFailover", "OwnFaults", "OwnFolderRemedy",
    "OwnFileNameRemedy", "OwnGoal", "OwnHere", "OwnIdRemedy", "OwnInstance", "OwnInstances",
    "OwnJump", "OwnKeys", "OwnKind", "OwnLacking", "OwnLeftOut", "OwnLeftOutRemedy",
    "OwnLose", "OwnManyClients", "OwnManyClientsRemedy", "OwnManyManifests", "OwnMistake",
    "OwnName", "OwnNameRemedy", "OwnNilCheck", "OwnNilCheckRemedy", "OwnNoCheck",
    "OwnNoClientRemedy", "OwnNoCommand", "OwnNoCommandRemedy", "OwnNoEarly", "OwnNoEarlyRemedy",
    "OwnNoField", "OwnNoFieldRemedy", "OwnNoFile", "OwnNoFileRemedy", "OwnNoInstance",
    "OwnNoInstanceRemedy", "OwnNoJump", "OwnNoJumpRemedy", "OwnNoManifest", "OwnNoProgram",
    "OwnNoProgramRemedy", "OwnNoReplica", "OwnNoReplicaRemedy", "OwnNoRewind", "OwnNoRewindRemedy",
    "OwnNoShared", "OwnNoSharedRemedy",
    "OwnNoStart", "OwnNoVariant", "OwnNoVariantRemedy", "OwnNotLua", "OwnNotLuaRemedy",
    "OwnOneInstance", "OwnOpen", "OwnPause", "OwnProcess", "OwnProgram", "OwnProperties",
    "OwnProperty", "OwnPropertyName", "OwnQuotes", "OwnQuotesRemedy", "OwnRedo", "OwnRefused",
    "OwnRefusedRemedy", "OwnRemove", "OwnReplaced", "OwnReplicaOf", "OwnReplicatesNone", "OwnReset",
    "OwnResetSure", "OwnRestart", "OwnRewind", "OwnRuns", "OwnSave", "OwnScenario", "OwnScript",
    "OwnScriptRemedy", "OwnSetup", "OwnSometimes", "OwnStale", "OwnStartRemedy", "OwnTexts",
    "OwnTitle", "OwnToEdit", "OwnToReplica", "OwnToReplicaRemedy", "OwnTooBig",
    "OwnTooBigRemedy", "OwnTooLong", "OwnTwice", "OwnTwiceRemedy", "OwnUndo",
    "OwnWordRemedy", "PlayRun", "PlayRunOf", "Present", "PresentBlank", "PresentLeave", "QuizAfter",
    "QuizAgain", "QuizAtStart", "QuizRight", "QuizShows", "QuizState", "QuizWrong", "Random",
    "Reduced", "Replies", "ReplyButton", "Reset", "ReviewBelief", "ReviewQuestions", "RunBytes",
    "RunCompare", "RunLeft", "RunName", "RunOf", "RunRemove", "RunShown", "RunTake", "RunUntil",
    "Runs", "RunsHint", "RunsKept", "RunsNone", "SaveFailed", "ScheduleImpossible",
    "ScheduleOrdinal", "ScheduleTooLong", "ScheduleUnknown", "ScriptAbout", "ScriptKeep",
    "ScriptLong", "ScriptName", "ScriptTitle", "Searching", "SearchingAt", "SendButton",
    "ShareCopied", "ShareCopy", "ShareFailed", "ShareLink", "ShareNoBeside", "ShareSave",
    "ShareTooLong", "Shelf", "StepBeyond", "Steps", "StoppedAt", "TomlDeep",
    "TomlEscape", "TomlMore", "TomlNoBracket", "TomlNoEquals", "TomlNoKey", "TomlNoValue",
    "TomlNumber", "TomlRemedy", "TomlString", "TomlTwice", "TooManyToCount", "Undecided",
    "VariableName", "VariableValue", "Variables", "Wire", "WireHint", "ZipBroken", "ZipBrokenFile",
    "ZipEncrypted", "ZipMethod", "ZipNoText", "ZipPath", "ZipRemedy", "ZipTooBig", "ZipTooMany",
];

/// Returns the text, or an empty one if it is not of this part: 0 is the first, 1 that of lessons,
/// 2 the rest.
pub const fn part(name: &str, part: usize, text: &'static str) -> &'static str {
    if part_of(name) == part { text } else { "" }
}

const fn part_of(name: &str) -> usize {
    if is_among(LESSONS, name) {
        1
    } else if is_among(LATER, name) {
        2
    } else {
        0
    }
}

const fn is_among(list: &[&str], name: &str) -> bool {
    let mut at = 0;
    while at < list.len() {
        if is_equal(list[at].as_bytes(), name.as_bytes()) {
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
