//! Words of what stands beside the playground's editor, in both languages. A table of their own,
//! which no first visit needs.

super::words! { LiveWord, live;
    Verdict: "Verdict", "结论";
    Holds: "Holds in every order", "任何顺序下都成立";
    NothingAsked: "No error, and every client can finish", "没有错误，所有客户端都能执行完";
    BreaksIn: "Breaks in {0}", "{0}就出错";
    Breaks: "Does not hold", "不成立";
    Fails: "A program ends with an error", "有程序因错误而终止";
    Stuck: "Not every client can finish", "有客户端无法执行完";
    Undecided: "Not decided", "尚无定论";
    NotChecked: "Not checked", "未能检查";
    Checking: "Checking every order …", "正在检查每一种顺序……";
    CheckingSoFar: "Checking every order: {0} states so far", "正在检查每一种顺序：已有 {0} 个状态";
    FarTooMany: "There are more than {0} states: Find goes on from here.", "状态超过 {0} 个：可在“查找”中继续。";
    GoOn: "Search on in Find", "在“查找”中继续";
    WatchIt: "Watch it break", "看它怎样出错";
    WatchOf: "Watch it break: {0}", "看它怎样出错：{0}";
    OneMistake: "1 mistake, so it was not checked", "有 1 处错误，因此没有检查";
    Mistakes: "{0} mistakes, so it was not checked", "有 {0} 处错误，因此没有检查";
    Earlier: "Below, and in Schedule and Find: the last version without mistakes.", "下面以及“调度”和“查找”中，是上一个没有错误的版本。";
    Alone: "Line {0}: {1}. Client {2} alone comes to this.", "第 {0} 行：{1}。客户端 {2} 单独运行时就会这样。";
    AloneSomewhere: "{1}. Client {2} alone comes to this.", "{1}。客户端 {2} 单独运行时就会这样。";
    InSomeOrder: "Line {0}: {1}. Client {2} comes to this in some order.", "第 {0} 行：{1}。在某种顺序下，客户端 {2} 会这样。";
    MapComes: "The map of every order comes as soon as the programs run.", "程序能运行之后，这里是全部顺序的地图。";
    NoMap: "Too many states for a map.", "状态太多，无法绘制地图。";
    Unrun: "Only the text is open: nothing of it was run.", "只打开了文本，没有运行其中任何内容。";
}
