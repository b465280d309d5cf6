//! Words of single screens, in both languages: instruments, Situation, Rule, Find and the playground. A
//! table of their own, which no first visit needs.

super::words! { ScreenWord, screen;
    FileName: "file name", "文件名";
    Program: "program", "程序";
    NoWait: "no wait", "无需等待";
    ShowAllLines: "Show all {0} lines", "显示全部 {0} 行";
    ShowFewerLines: "Show fewer", "收起";
    Process: "process", "进程";
    Ahead: "ms ahead", "快多少 ms";
    FromQuestion: "This is the state that a question of the lesson is about.", "这是本课一道题目所问的状态。";
    ToQuestion: "Back to the question", "回到题目";
    ExportAnimated: "Animated picture (SVG)", "动画图（SVG）";
    NextLesson: "Next: {0}", "下一课：{0}";
    PartDone: "done", "已完成";
    Continue: "Continue", "继续";
    ContinuePart: "Continue: {0}", "继续：{0}";
    OfLessons: "{0} of {1} done", "已完成 {0}/{1}";
    HelpTime: "let time pass to the next moment at which something is due", "让时间过到下一件事到期的时刻";
    HelpNext: "the next part of the lesson", "本课的下一部分";
    AskKey: "What will {0} be after {1}’s {2}?", "{1} 的 {2} 之后，{0} 会是什么？";
    AskReply: "What will {0}’s {1} answer?", "{0} 的 {1} 会返回什么？";
    AskGo: "Step {0} and see", "让 {0} 执行，看结果";
    AskSkip: "Skip", "跳过";
    AsYouSaid: "{0}, as you said.", "是 {0}，预测正确。";
    YouSaid: "You said {0}. It is {1}.", "你选了 {0}，实际是 {1}。";
    OrderIsFine: "This order is fine: after step {0} nothing that is left can break it.", "这个顺序不会出错：第 {0} 步之后，剩下的无论怎么走都不会出错。";
    ClosedTheGap: "This order is fine: {0}’s {1} closed the gap.", "这个顺序不会出错：{0} 的 {1} 关上了竞态窗口。";
    InsteadStep: "Step back: an order that breaks it goes on with {0}: {1}.", "退回去：有一种会出错的顺序，接下来是 {0} 的 {1}。";
    InsteadPause: "Step back and pause {0} there.", "退回去，在那里暂停 {0}。";
    InsteadCrash: "Step back and let {0} crash there.", "退回去，让 {0} 在那里崩溃。";
    InsteadLose: "Step back and lose the reply to {0} there.", "退回去，让发给 {0} 的回复在那里丢失。";
    InsteadTime: "Step back and let time pass there.", "退回去，让时间在那里流逝。";
    Doomed: "Nothing can save it from here: every order that is left breaks it.", "从这里开始必然出错：剩下的每一种顺序都会出错。";
    StartIsFine: "No order can break it.", "任何顺序都不会出错。";
    BackTo: "Back to step {0}", "退回到第 {0} 步";
    AllLessons: "All lessons", "全部课程";
    RuleTitle: "The rule", "规则";
    SomeWrong: "{0} of {1} are right. Answer the others again: the lesson is done when all are.", "{1} 题里答对了 {0} 题。其余的再答一次，全部答对，这一课就学完了。";
    SoFar: "Done so far", "已完成";
    SearchedAll: "all schedules searched", "已查找全部调度";
    RunsProgram: "{0} runs this program; each call sends one command", "{0} 运行这个程序，每次调用发出一条命令";
    RunProgram: "{0} run this program; each call sends one command", "{0} 运行这个程序，每次调用发出一条命令";
    EmbedMap: "Only the map of all schedules", "只显示全部调度的地图";
    QuorumKeys: "Keys that each client holds", "各客户端拿到的键数";
}
