//! The words of the page ([`Key`]), in both languages. [`super::fill`] fills `{0}`, `{1}` ….
//!
//! Here are those of a first visit; `lessons` and `later` have the others. A row in the wrong file
//! works: one too many here costs a first visit a few bytes; one too few costs it the words of a
//! whole part.

use super::Lang;

/// Makes one table of the rows of all parts.
macro_rules! strings {
    ($($part:literal: { $($key:ident: $en:literal, $zh:literal;)* })*) => {
        /// Names a row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Key { $($($key,)*)* }

        /// The text of `key` in `lang`.
        pub fn tr(lang: Lang, key: Key) -> &'static str {
            let parts = [of::<0>, of::<1>, of::<2>];
            let mut texts = parts.iter().map(|of| of(lang, key));
            texts.find(|text| !text.is_empty()).unwrap_or_default()
        }

        /// The words of a part: each a function of its own, so that it takes its words along.
        #[inline(never)]
        fn of<const PART: usize>(lang: Lang, key: Key) -> &'static str {
            match (lang, key) {
                $($((Lang::En, Key::$key) => const { if $part == PART { $en } else { "" } },
                (Lang::Zh, Key::$key) => const { if $part == PART { $zh } else { "" } },)*)*
            }
        }

        #[cfg(test)]
        const ROWS: &[(&str, &str, &str)] = &[$($((stringify!($key), $en, $zh),)*)*];
    };
}

lesson_words! { 0: {
    // The frame of the page.
    Tagline: "Decide who goes next. See what breaks.", "由你决定谁先执行，看看哪里会出错。";
    SwitchLang: "中文", "English";
    ThemeAuto: "Theme: system", "主题：跟随系统";
    ThemeLight: "Theme: light", "主题：浅色";
    ThemeDark: "Theme: dark", "主题：深色";
    Share: "Share", "分享";
    Shared: "Link copied", "已复制链接";
    Home: "All lessons", "全部课程";
    SkipTo: "Skip to the content", "跳到主要内容";
    Goal: "Your goal", "目标";
    Loading: "Loading the lesson…", "正在加载课程……";
    Help: "Keys", "快捷键";
    Close: "Close", "关闭";

    // The lesson list.
    HomeTitle: "Two clients, one Redis. You decide who goes next.", "两个客户端，一个\u{a0}Redis，由你决定谁先执行。";
    HomeIntro: "Each client adds 10 to a balance of 10, so it should end at 30. Press A and B in any order.", "余额\u{a0}10，两个客户端各加\u{a0}10，结果应为\u{a0}30。按 A、B，顺序随你。";
    FrontTitle: "Two clients to step", "两个客户端，由你来走";
    FrontOrders: "There are {0} possible orders.", "一共有 {0} 种顺序。";
    FrontStep: "{0} of {1} commands", "{1} 条命令，已执行 {0} 条";
    FrontPress: "Each press sends one command, and Redis runs it at once.", "每按一下，发出一条命令，Redis 随即执行。";
    FrontLost: "You lost {0}. So do {1} of the {2} orders.", "你丢了 {0}。{2} 种顺序里，有 {1} 种会丢。";
    FrontUnseen: "No command failed, and no client noticed. The lessons show how to prevent it.", "没有命令失败，也没有客户端察觉。怎样避免，请看课程。";
    FrontKept: "{0}: both deposits arrived.", "{0}：两笔都存进去了。";
    FrontFind: "In {0} of the {1} orders one deposit is lost. Go back and find one.", "{1} 种顺序里有 {0} 种会丢掉一笔。退回去，找出一种。";
    FrontKeys: "Keys: A, B, ←", "快捷键：A、B、←";
    WayLesson: "Start with the lost update", "从“丢失更新”开始";
    WayPlayground: "Playground", "演练场";
    WayPlaygroundAbout: "Write programs and the conditions that must hold. Step through them, or let the checker try every order.", "写下程序和必须成立的条件，自己逐步执行，或让检查器试遍所有顺序。";
    WayEmbed: "Put it into your course", "放进你的课程";
    WayEmbedAbout: "A lesson, or a part of one, inside any web page.", "把一课或其中一段嵌入任何网页。";
    Minutes: "{0} min", "{0} 分钟";
    Variants: "{0} {0:variant|variants}", "{0} 种写法";

    // The offline copy, and a new version of the page.
    NewVersion: "A new version of this page is ready. Reload when you like; you come back to this very place.", "本页有新版本。方便时重新加载即可，会回到现在的位置。";
    Reload: "Reload", "重新加载";
    Later: "Later", "稍后";
    CopyKept: "This browser keeps a copy of the page, which opens without a network.", "浏览器保存了本页的副本，没有网络也能打开。";
    CopyNone: "This browser keeps no copy of the page for use without a network.", "浏览器没有保存本页的离线副本。";
    CopyRemove: "Remove the copy", "删除副本";
    CopyKeep: "Keep a copy", "保存副本";

    // Modes and variants.
    ModeWatch: "Watch", "观看";
    ModeSchedule: "Schedule", "调度";
    ModeBreak: "Break it", "制造出错";
    ModeFind: "Find", "查找";
    ModeCrowd: "Crowd", "压测";
    ModeFix: "Fix it", "修好它";
    ModeReview: "Rule", "规则";
    YourAnswer: "your program", "你的程序";
    Variant: "Variant", "写法";
    TryIt: "Schedule it yourself", "自己安排顺序";
    NextPart: "Next: {0}", "下一步：{0}";
    NextBrief: "Next", "下一步";

    // The forms of the programs.
    Faces: "Language of the programs", "程序语言";
    FlowChart: "Flow chart", "流程图";

    // Break it.
    ChallengeSteps: "step {0} · the fewest possible: {1}", "已走 {0} 步 · 最少 {1} 步";
    ChallengeBest: "Your best: {0}", "你的最好成绩：{0} 步";
    ChallengeMet: "Broken at step {0}. That is the fewest there can be.", "第 {0} 步就出错了，这是最少的步数。";
    ChallengeMetLonger: "Broken at step {0}. It can be done in {1}: go back and try.", "第 {0} 步出错了。其实 {1} 步就够，退回去再试试。";
    ChallengeNext: "Now fix it", "接下来把它修好";

    // The playground.
    Playground: "Playground", "演练场";
    ModeEdit: "Edit", "编辑";

    // Review.
    ReviewIntro: "Situation", "问题";

    // Sharing and export.
    ShareTitle: "Share this run", "分享这次运行";

    // Consoles.
    LinkLimit: "The run is too long for a link now: it is still here, but the address leads to an earlier step of it.", "这次运行已超出链接的长度：它还在这里，但地址只能回到较早的一步。";
    Console: "Console", "控制台";
    HelpConsole: "open the console; Esc leaves it", "打开控制台；Esc 离开";
    // Embedding in a course page.
    Embed: "Put it into your course", "放进你的课程";

    // Further pages.
    Glossary: "Glossary", "术语表";
    GlossaryIntro: "The words of the field, in both languages.", "本领域的术语，中英对照。";
    StartBy: "Where to start", "从哪里开始";
    MixedExercise: "Mixed exercise: {0}", "综合练习：{0}";
    DoneWatched: "watched", "看过";
    DoneBroken: "broken in {0}", "{0} 步出错";
    DoneFixed: "fixed", "已修好";
    DoneAnswered: "answered", "已答对";

    // Panels.
    Clients: "Clients", "客户端";
    Time: "Time", "时间";
    Redis: "Redis", "Redis";
    ColKey: "key", "键";
    NoKeys: "no keys", "没有键";

    RunsNow: "runs now", "正在执行";
    Inbox: "inbox", "收件箱";
    NoKey: "no key", "没有这个键";
    OneAtATime: "one command at a time", "一次一条命令";

    // Program cards.
    StepButton: "Step {0}", "执行 {0}";
    CardReady: "ready", "就绪";
    CardJustRan: "just ran", "刚执行";
    CardBlocked: "blocked", "阻塞中";
    CardSleeping: "asleep", "休眠中";
    CardDone: "finished", "已结束";
    CardFailed: "failed", "出错";
    CardOnTheWire: "on the wire", "传输中";
    CardUnanswered: "no answer", "没有回应";
    CardPaused: "paused", "暂停中";
    CardCrashed: "crashed", "已崩溃";
    DoneReason: "{0} finished", "{0} 已结束";
    BlockedReason: "{0} waits for a reply", "{0} 在等回复";
    SleepingReason: "{0} sleeps {1} ms more", "{0} 再休眠 {1} ms";
    FailedReason: "{0} stopped with an error", "{0} 因出错而停止";
    CrashedReason: "{0} has crashed", "{0} 已崩溃";
    PausedReason: "{0} is paused", "{0} 被暂停了";
    LockedReason: "{0} waits for the mutex, which {1} holds", "{0} 在等互斥锁，它被 {1} 持有";
    SentReason: "{0}’s command is on its way to {1}", "{0} 的命令正在发往 {1}";
    AnsweredReason: "the reply of {1} is on its way to {0}", "{1} 的回复正在发回 {0}";
    WaitingReason: "{0} waits for replicas: {1} of {2} have caught up", "{0} 在等从节点：{2} 个里已有 {1} 个跟上";
    UnansweredReason: "{1} is down; {0} gives up in {2} ms", "{1} 已下线，{0} 再过 {2} ms 放弃";
    ReceivingReason: "{0} waits for a message, {1} ms more", "{0} 在等消息，还剩 {1} ms";
    LineNext: "runs next", "下一行";
    LineRan: "just ran", "刚执行";
    WatchOnly: "The story decides. Switch to Schedule to decide yourself.", "这里按演示走。想自己安排，请切到“调度”。";

    // Faults, and what repairs them.
    Faults: "Faults…", "故障……";

    // Transport.
    Back: "Back", "后退";
    Forward: "Forward", "前进";
    More: "More", "更多";
    StepClient: "Step {0}", "执行 {0}";
    Theme: "Theme", "主题";
    SpeedInstant: "instant", "瞬间";
    ProgramEnd: "end", "结束";
    WhatHappens: "What happened", "发生了什么";
    AnotherOrder: "Try another order", "换一种顺序";
    TryAllOrders: "Try all orders", "查找所有顺序";
    Play: "Play", "播放";
    Pause: "Pause", "暂停";
    StepOf: "step {0} of {1}", "第 {0} / {1} 步";
    Speed: "Speed", "速度";
    TakeBranch: "Go back to {0}: {1} {1:step|steps}, another way from step {2}", "回到{0}：共 {1} 步，从第 {2} 步起走法不同";
    Scrubber: "Step", "步";

    // Runs and variants side by side.
    RunsTitle: "Runs and variants", "运行与写法";
    RunNumber: "Run {0}", "运行 {0}";
    HelpCompare: "compare runs or variants", "对比运行或写法";

    // Invariant chips.
    AlwaysHolds: "holds so far", "目前成立";
    AlwaysOpen: "not decided yet", "尚未判定";
    SometimesNotHere: "not in this run", "这次运行中未达成";
    AlwaysBroken: "broken at step {0}", "第 {0} 步不成立";
    SometimesReached: "reached at step {0}", "第 {0} 步达成";
    SometimesNotYet: "not yet", "尚未达成";

    // The diagram in words.
    DiagramSummary: "Space–time diagram: {0} {0:step|steps}, time runs downwards.", "时空图：共 {0} 步，时间自上而下。";
    TableTwin: "The same run as a table", "同一次运行的表格";
    ColStep: "step", "步";
    ColClient: "client", "客户端";
    ColCommand: "command", "命令";
    ColReply: "reply", "回复";
    ColSaid: "what happened", "发生了什么";
    ColRemarks: "what it means", "说明";
    BreaksHere: "a condition breaks here", "有条件在此不成立";
    SpanLease: "{0} holds {1}", "{0} 持有 {1}";
    SpanLeaseEnd: "{0} no longer holds {1}", "{0} 不再持有 {1}";
    SpanRenewed: "the lease of {0} on {1} is renewed", "{0} 对 {1} 的租约续期";
    SpanBelief: "{0} believes that it holds ({1} = true)", "{0} 以为自己持有（{1} = true）";
    SpanBeliefEnd: "{0} no longer believes so ({1})", "{0} 不再这样以为（{1}）";
    SpanClash: "{0} and another client both believe so: one too many", "{0} 和别的客户端都这样以为：多了一个";
    SpanWatch: "{0} watches {1}", "{0} 监视 {1}";
    SpanDirty: "{1}, which {0} watches, has changed: its EXEC will do nothing", "{0} 监视的 {1} 已被改动：它的 EXEC 将不会执行";
    SpanMulti: "{0} queues commands until EXEC", "{0} 的命令先排队，等 EXEC 一起执行";
    SpanServed: "the reply reaches {0}", "回复送达 {0}";

    // Explanations of a step.
    SaidRead: "{0} read {1}: {2}.", "{0} 读取 {1}，得到 {2}。";
    SaidReadNil: "{0} read {1}: there is no such key.", "{0} 读取 {1}：没有这个键。";
    SaidWrote: "{0} changed {1}: {2} → {3}.", "{0} 修改了 {1}：{2} → {3}。";
    SaidSame: "{0} wrote {1}; the value stayed what it was: {2}.", "{0} 写入 {1}，值没有变化，仍是 {2}。";
    SaidAtomic: "{0} changed {1} in one command: {2} → {3}. Reading, computing and writing happened inside Redis, where no other command can come in between.", "{0} 用一条命令修改了 {1}：{2} → {3}。读取、计算、写回都在 Redis 内部完成，中间插不进任何东西。";
    SaidCalled: "{0} sent {1}; the reply is {2}.", "{0} 发送 {1}，回复是 {2}。";
    SaidError: "{0} sent {1}; Redis refused it: {2}", "{0} 发送 {1}，被 Redis 拒绝：{2}";
    SaidNowStale: "{0} still works with {1} = {2}, read at step {3}: that value is out of date now.", "{0} 手里仍是第 {3} 步读到的 {1} = {2}，这个值已经过时。";
    SaidAdvance: "{0} ms passed.", "时间过去了 {0} ms。";
    SaidStart: "Nothing has run yet. Each client is about to send its first command; choose which one goes first.", "还没有执行任何命令。每个客户端都停在自己的第一条命令前，由你选谁先走。";
    ListAnd: " and ", "、";

    HelpFind: "find a bad order", "找出会出错的顺序";

    // Banners: what is wrong, and a way on.
    BadParam: "The link says {0}=“{1}”, which is not understood. Accepted: {2}.", "链接中的 {0}=“{1}”无法识别。可用的值：{2}。";
    Retry: "Try again", "重试";
    Dismiss: "Dismiss", "知道了";
    RunLimit: "A run ends after {0} steps. Go back or start again.", "一次运行最多 {0} 步，请后退或从头来。";

    // Help.
    HelpSpace: "play or pause", "播放或暂停";
    HelpArrows: "one step back or forward", "后退或前进一步";
    HelpHomeEnd: "to the start or the end", "到开头或末尾";
    HelpDigits: "answer a question; else step the first client, the second …", "回答问题；没有问题时让第 1、2……个客户端走一步";
    HelpRandom: "finish the run in a random order", "按随机顺序走完";
    HelpFaults: "open the list of faults", "打开故障菜单";
    HelpReset: "start again", "从头来";
    HelpClicker: "presenter’s clicker", "演示遥控器";
    HelpPresent: "presenter view; Esc leaves it", "演示视图，Esc 退出";
    HelpBlank: "dark screen, in the presenter view", "演示时黑屏";
    HelpHelp: "this list", "显示这个列表";
} }

#[cfg(test)]
mod tests {
    use super::*;

    /// Both languages must fill the same places, or a value would vanish in one of them.
    #[test]
    fn places_agree_between_the_languages() {
        let places = |text: &str| {
            let mut found: Vec<char> = text
                .match_indices('{')
                .filter_map(|(at, _)| text[at + 1..].chars().next())
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        use super::super::{cause, class, crowd, kept, live, map, real, screen, verdict};
        let others = [real::ROWS, crowd::ROWS, verdict::ROWS, kept::ROWS, screen::ROWS];
        let more = [map::ROWS, live::ROWS, cause::ROWS, class::ROWS];
        let others = [others.concat(), more.concat()].concat();
        for (key, en, zh) in ROWS.iter().chain(&others) {
            assert_eq!(places(en), places(zh), "{key}: the places of en and zh differ");
            assert!(!en.is_empty() && !zh.is_empty(), "{key} is empty");
        }
    }
}
