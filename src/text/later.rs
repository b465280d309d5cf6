//! The [`Key`](super::Key)s that a first visit does not show: their words come with the later part
//! of the program (src/check/split).
//!
//! A name that is missing costs a first visit a few bytes. One too many costs it more, because the
//! first such word fetches all of them. Nothing else depends on the list.

#[rustfmt::skip]
const LATER: &[&str] = &[
    "AdvanceNone", "AdvanceTo", "AllHolds", "AskedAlways", "AskedDeadlock", "AskedEventually",
    "AskedSometimes", "BesideHint", "BesideShow", "BesideTitle", "BoundBytes", "BoundDepth",
    "BoundMoves", "BoundStates", "BoundTime", "BoundWidth", "Bounded", "Breaks", "BreaksShortest",
    "CompareClose", "CompareDiffers", "CompareDrives", "CompareFollows", "CompareKeys",
    "CompareNothing", "CompareOver", "CompareParts", "CompareSame", "CompareTitle", "Complete",
    "Connections", "ConsoleAdd", "ConsoleCancel", "ConsoleClose", "ConsoleComplete",
    "ConsoleEmpty", "ConsoleEnter", "ConsoleHelp", "ConsoleImport", "ConsoleLine", "ConsoleLog",
    "ConsoleLong", "ConsoleNoDocs", "ConsoleNode", "ConsoleOlder", "ConsoleScript",
    "ConsoleScripts", "ConsoleTabs", "ConsoleTimes", "ConsoleTitle", "ConsoleWaits", "CopyRun",
    "CountDepth", "CountMemory", "CountRate", "CountStates", "CountTime", "CountTransitions",
    "CountWaiting", "Counted", "CountedAll", "Deadlock", "DueClient", "DueKey",
    "EmbedAddress", "EmbedCode", "EmbedControlMore", "EmbedControlPlay", "EmbedControlScrub",
    "EmbedControlStep", "EmbedControls", "EmbedCourse", "EmbedDiagram", "EmbedElement",
    "EmbedExam", "EmbedExamNote", "EmbedFrame", "EmbedFrom", "EmbedHeight", "EmbedIntro",
    "EmbedLang", "EmbedLesson", "EmbedLink", "EmbedLook", "EmbedMay", "EmbedNoHints",
    "EmbedNoKeys", "EmbedOpen", "EmbedOrigin", "EmbedPanels", "EmbedPaste", "EmbedPoster",
    "EmbedPreview", "EmbedReader", "EmbedReadonly", "EmbedRecipes", "EmbedRepeat", "EmbedStart",
    "EmbedTabs", "EmbedTheme", "EmbedThemeAuto", "EmbedThemeDark", "EmbedThemeLight", "EmbedTo",
    "EmbedWhat", "EndsWithoutIt", "EvidenceAlways", "EvidenceBroken", "EvidenceEventually",
    "EvidenceNever", "EvidenceNotEventually", "EvidenceSometimes", "ExamRecorded", "ExecuteButton",
    "ExportJUnit", "ExportLost", "ExportMermaid", "ExportPng", "ExportPytest", "ExportSvg",
    "ExportText", "FaultCrash", "FaultDown", "FaultFailover", "FaultJump", "FaultLeft",
    "FaultLose", "FaultPause", "FaultProcess", "FaultReplicate", "FaultRestart", "FaultResume",
    "FaultUp", "FaultsHint", "FindAgain", "FindIntro", "FindMistake", "FindProgress", "FindStart",
    "FindStop", "FindTitle", "First", "FixAnswer", "FixCheck", "FixEditor", "FixFailed", "FixHide",
    "FixKeys", "FixLine", "FixNone", "FixPassed", "FixReset", "FixResetSure", "FixRunning",
    "FixShow", "FixStep", "FixTake", "FixTooLong", "FixUnknown", "GlossaryFilter",
    "GlossaryLesson", "GlossaryNone", "GuideAgain", "GuideBack", "GuideBecause", "GuideLesson",
    "Happens", "HappensInTheEnd", "HappensShortest", "HighestToken", "HintAsk", "HintNever",
    "HintNow", "HintSearching", "HintSteps", "HintUnknown", "HoldsAlways", "HoldsReduced",
    "ImportAbout", "ImportClient", "ImportConsoles", "ImportCut", "ImportFile", "ImportLine",
    "ImportLocal", "ImportNoPrompt", "ImportNoRoom", "ImportNothing", "ImportPrograms",
    "ImportQuotes", "ImportRead", "ImportScript", "ImportSelect", "ImportTitle", "ImportTooMany",
    "ImportWaits", "ImportedTitle", "InMulti", "IndexFailed", "Inside", "KindAddress",
    "KindElement", "KindFrame", "KindLink", "Last", "LegendBelief", "LegendLease", "LegendWatch",
    "LegendWindow", "LoadFailed", "LoopFrom", "LoopsForEver",
    "MoreOutcomes", "MutexHeld", "Mutexes", "NeverHappens", "NoBudget", "NoDeadlock", "NoMulti",
    "NoSuchClient", "NoSuchLesson", "NoSuchMode", "NoSuchVariant", "NoSuchWalk", "NoTimePasses",
    "NobodyStuck", "NodeBehind", "NodeClock", "NodeDown", "NodeReplica", "NodeServes",
    "NotCounted", "NotNow", "NothingFound", "NothingLeft", "OpenOutcome", "Outcomes",
    "OwnAboutChecks", "OwnAboutProgram", "OwnAboutScript", "OwnAboutSetup", "OwnAboutSql",
    "OwnAddClient", "OwnAddInstance", "OwnAddProperty", "OwnAddedAlways", "OwnAddedSometimes",
    "OwnAlways", "OwnAnswerRemedy", "OwnAtLine", "OwnBadCheck", "OwnBadField", "OwnBadJson",
    "OwnBadJsonRemedy", "OwnBadLink", "OwnBadLinkRemedy", "OwnBadMaster", "OwnBadMasterRemedy",
    "OwnBadName", "OwnBadSql", "OwnBadSqlRemedy", "OwnCheck", "OwnCheckRemedy", "OwnClient",
    "OwnClock", "OwnCrash", "OwnDown", "OwnEarly", "OwnEditor", "OwnEventually", "OwnExamples",
    "OwnFailover", "OwnFaults", "OwnFaultsHint", "OwnFolderRemedy", "OwnFileNameRemedy", "OwnGoal",
    "OwnHere", "OwnIdRemedy", "OwnInstance", "OwnInstances", "OwnJump", "OwnJumpMs", "OwnKeys",
    "OwnKind", "OwnLeftOut", "OwnLeftOutRemedy", "OwnLose", "OwnManyClients",
    "OwnManyClientsRemedy", "OwnManyManifests", "OwnMistake", "OwnName", "OwnNameRemedy",
    "OwnNoCheck", "OwnNoClientRemedy",
    "OwnNoCommand", "OwnNoCommandRemedy", "OwnNoEarly", "OwnNoEarlyRemedy",
    "OwnNoField", "OwnNoFieldRemedy", "OwnNoFile", "OwnNoFileRemedy", "OwnNoInstance",
    "OwnNoInstanceRemedy", "OwnNoJump", "OwnNoJumpRemedy", "OwnNoManifest", "OwnNoProgram",
    "OwnNoProgramRemedy", "OwnNoReplica", "OwnNoReplicaRemedy", "OwnNoStart", "OwnNoVariant",
    "OwnNoVariantRemedy", "OwnNotLua", "OwnNotLuaRemedy", "OwnOneInstance", "OwnOpen", "OwnPause",
    "OwnProcess", "OwnProgram", "OwnProperties", "OwnProperty", "OwnPropertyName", "OwnQuotes",
    "OwnQuotesRemedy", "OwnRedo", "OwnRefused", "OwnRefusedRemedy", "OwnRemove", "OwnReplaced",
    "OwnReplicaOf", "OwnReplicatesNone", "OwnReset", "OwnResetSure", "OwnRestart", "OwnRuns",
    "OwnSave", "OwnScenario", "OwnScript", "OwnScriptRemedy", "OwnSetup", "OwnSometimes",
    "OwnStale", "OwnStartRemedy", "OwnTexts", "OwnTime", "OwnTitle", "OwnToEdit", "OwnToReplica",
    "OwnToReplicaRemedy", "OwnTooBig", "OwnTooBigRemedy", "OwnTwice", "OwnTwiceRemedy", "OwnUndo",
    "OwnWire", "OwnWordRemedy", "PlayRun", "PlayRunOf", "Present", "PresentBlank", "PresentLeave",
    "QuizAfter", "QuizAgain", "QuizAtStart", "QuizGive", "QuizRight", "QuizSeveral", "QuizShows",
    "QuizState", "QuizWrong", "Quorum", "QuorumMajority", "QuorumNone", "QuorumOf", "QuorumOver",
    "QuorumValid", "Random", "Reduced", "Replies", "ReplyButton", "ReplyWaits", "Reset",
    "Resources", "ReviewBelief", "ReviewQuestions", "RunBytes", "RunCompare", "RunLeft",
    "RunName", "RunOf", "RunRemove", "RunShown", "RunTake", "RunUntil", "Runs", "RunsHint",
    "RunsKept", "RunsNone", "SaidAccepted", "SaidBlocked", "SaidCrash", "SaidDisconnect",
    "SaidDown", "SaidExpired", "SaidFailed", "SaidFailover", "SaidJump", "SaidLock",
    "SaidLoseReply", "SaidLost", "SaidNoAnswer", "SaidPause", "SaidRefused", "SaidReplicate",
    "SaidReply", "SaidRestart", "SaidResume", "SaidScript", "SaidScriptNothing", "SaidSend",
    "SaidUp", "SaveFailed", "ScheduleImpossible", "ScheduleOrdinal", "ScheduleTooLong",
    "ScheduleUnknown", "ScriptAbout", "ScriptKeep", "ScriptLong", "ScriptName", "ScriptTitle",
    "Searching", "SearchingAt", "SendButton", "ShareCopied", "ShareCopy", "ShareFailed",
    "ShareLink", "ShareSave", "Shelf", "StepBeyond", "Steps", "StoppedAt", "Tables", "TomlDeep",
    "TomlEscape", "TomlMore", "TomlNoBracket", "TomlNoEquals", "TomlNoKey", "TomlNoValue",
    "TomlNumber", "TomlRemedy", "TomlString", "TomlTwice", "TooManyToCount", "TtlSaid",
    "TtlTrace", "Undecided", "VariableName", "VariableValue", "Variables", "WhyBelievesGone",
    "WhyBelievesOther", "WhyExpired", "WhyExpiredAsleep", "WhyExpiredPaused", "WhyLate",
    "WhyLostWithNode", "WhyTaken", "Wire", "WireHint", "ZipBroken", "ZipBrokenFile",
    "ZipEncrypted", "ZipMethod", "ZipNoText", "ZipPath", "ZipRemedy", "ZipTooBig", "ZipTooMany",
];

/// Returns the text, or an empty one if it is not in the requested part.
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
