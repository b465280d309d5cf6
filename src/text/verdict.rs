//! The words of verdicts, in both languages: errors, and under what a verdict holds. A table of
//! their own, which no first visit needs.

super::words! { VerdictWord, verdict;
    NoErrors: "No program ends with an error", "没有程序因错误而终止";
    AskedErrors: "every program must catch its errors, or say which one is expected of it", "每个程序都要捕获自己的错误，或者声明预期的错误";
    Errors: "after {0}, {1} ends with an error: {2}", "走过 {0} 之后，{1} 因错误而终止：{2}";
    ExpectError: "Error expected of {0}", "{0} 预期的错误";
    FixError: "Not yet: the program ends with an error.", "还没有：程序因错误而终止。";
    Conditions: "This covers every order of the steps, {0}.", "以上结论覆盖步骤的所有先后顺序，前提是{0}。";
    IfComma: ", ", "，";
    IfAnd: "{0}, and {1}", "{0}，并且{1}";
    IfNothing: "without faults", "没有任何故障";
    IfFaults: "with at most {0}", "故障最多有：{0}";
    IfPause: "{0} pause|{0} pauses", "暂停 {0} 次";
    IfCrash: "{0} crash|{0} crashes", "崩溃 {0} 次";
    IfLose: "{0} lost reply|{0} lost replies", "丢失回复 {0} 个";
    IfJump: "{0} clock jump of {1} ms|{0} clock jumps of {1} ms", "时钟跳变 {0} 次（每次 {1} 毫秒）";
    IfDown: "{0} instance down|{0} instances down", "实例下线 {0} 次";
    IfRestart: "{0} restart without data|{0} restarts without data", "实例清空重启 {0} 次";
    IfFailover: "{0} failover|{0} failovers", "故障转移 {0} 次";
    IfPrompt: "if no client is slower than the timers (time moves only while every client waits)", "没有客户端慢过定时器（只有所有客户端都在等待时，时间才前进）";
    IfSlow: "if no client is held up longer than {0} ms between two of its steps", "任何客户端在两步之间的耽搁都不超过 {0} 毫秒";
    IfEarly: "if at most {0} timer runs out while a client can still go on|if at most {0} timers run out while a client can still go on", "在客户端还能执行时，定时器最多到点 {0} 次";
    Aim: " ({0})", "（{0}）";
    AimOnly: "only {0}", "仅 {0}";
    AimMs: "each for at most {0} ms", "每次最长 {0} 毫秒";
    Slower: "And if clients are slower?", "如果客户端更慢呢？";
    AskedSlower: "asked besides: clients may be held up for as long as the timers last", "另外检查：客户端的耽搁可以与定时器一样长";
    SlowBreaks: "breaks if clients may be held up {0} ms between two steps: {1}", "如果客户端在两步之间可能耽搁 {0} 毫秒，就不成立：{1}";
    SlowHolds: "what holds still holds if clients are held up {0} ms, the longest timer", "即使客户端耽搁 {0} 毫秒（最长的定时器），结论仍然成立";
    SlowHoldsSoFar: "what holds still holds if clients are held up {0} ms; for longer it was not decided", "客户端耽搁 {0} 毫秒时结论仍然成立；更长的情况尚无定论";
    SlowOpen: "not decided", "尚无定论";
    Never: "In no order of the steps: {0}.", "在任何顺序下都不会发生：{0}。";
    NeverComma: "; ", "；";
    NeverLine: "line {1} of {0} runs", "{0} 的第 {1} 行被执行";
    NeverLines: "lines {1} to {2} of {0} run", "{0} 的第 {1} 至 {2} 行被执行";
    NeverFault: "{0} (it is allowed)", "{0}（虽然允许发生）";
    NeverExpires: "the key {0} runs out", "键 {0} 过期";
    NeverTrue: "{0} is true", "{0} 为真";
    AddReady: "Add a usual property", "添加常用属性";
    MutualExclusion: "at most one client holds it (global holding)", "最多一个客户端持有（全局变量 holding）";
    NoLostUpdate: "no update is lost (key counter, global added)", "没有丢失更新（键 counter，全局变量 added）";
    AtMostOnce: "processed at most once (global processed)", "最多处理一次（全局变量 processed）";
    NotLost: "processed in the end (global processed)", "最终得到处理（全局变量 processed）";
    SlowMs: "ms that a client may be held up between two steps", "客户端在两步之间最多耽搁的毫秒数";
}
