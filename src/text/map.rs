//! Words of the map of all schedules, in both languages. A table of their own, which no first visit
//! needs.

super::words! { MapWord, map;
    AllOrders: "All orders", "所有顺序";
    OnlyRight: "The only order ends right.", "仅有的一种顺序是正确的。";
    OnlyWrong: "The only order ends wrong.", "仅有的一种顺序会出错。";
    AllRight: "All {0} orders end right.", "{0} 种顺序全部正确。";
    AllWrong: "All {0} orders end wrong.", "{0} 种顺序全部出错。";
    AllBut: "Of {0} orders all but {1} end wrong.", "{0} 种顺序里，只有 {1} 种正确。";
    OneWrong: "Of {0} orders {1} ends wrong.", "{0} 种顺序里，{1} 种出错。";
    SomeWrong: "Of {0} orders {1} end wrong.", "{0} 种顺序里，{1} 种出错。";
    Endless: "Orders can go round forever here, so they are not counted.", "这里的顺序可以无限循环，因此不计数。";
    TooMany: "There are too many orders to count here.", "这里的顺序太多，无法计数。";
    NoneLeft: "No order that is left can break it.", "剩下的顺序都不会出错。";
    OneLeft: "The order that is left breaks it.", "剩下的这种顺序会出错。";
    EveryLeft: "Every order that is left breaks it: all {0}.", "剩下的 {0} 种顺序都会出错。";
    OneOf: "{0} {1} of {2} breaks it.", "{0}{2} 种顺序里，{1} 种出错。";
    SomeOf: "{0} {1} of {2} break it.", "{0}{2} 种顺序里，{1} 种出错。";
    FromHere: "From here,", "从这里出发的 ";
    After: "After {0}’s {1},", "{0} 的 {1} 之后，";
    NeverBreaks: "It can no longer break.", "已经不可能出错。";
    NowBroken: "Broken.", "已出错。";
    OneStep: "The nearest break is 1 step away.", "离最近的出错还有 1 步。";
    Steps: "The nearest break is {0} steps away.", "离最近的出错还有 {0} 步。";
    OneState: "1 state", "1 个状态";
    States: "{0} states", "{0} 个状态";
    TooLarge: "Too large for a map.", "规模太大，无法绘制地图。";
    NotAll: "Not every outcome of a random command was followed, so there is no map.", "随机命令的结果没有全部查完，因此没有地图。";
    Open: "still open", "尚无定论";
    Doomed: "nothing can save it", "必然出错";
    Broken: "broken", "已出错";
    Safe: "can no longer break", "不会再出错";
    Right: "ended right", "正确结束";
    Done: "done", "已结束";
    StepsAxis: "steps →", "步数 →";
    FarAxis: "steps to the nearest break", "离最近出错的步数";
    CannotBreak: "cannot break", "不会出错";
    CannotBreakShort: "never", "不会";
    BrokenRow: "broken", "出错";
    Wrong: "{0} wrong", "{0} 种出错";
    RightEnds: "{0} right", "{0} 种正确";
    SendsNext: "{0} sends next", "{0} 的下一条";
    StepColumn: "step", "步数";
    NearColumn: "to the nearest break", "离出错";
    StatesColumn: "states", "状态";
    Rest: "all others", "其余";
    Title: "All schedules: how many states are where, and what becomes of them", "全部调度：各处有多少状态，结果如何";
}
