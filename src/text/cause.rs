//! The words of causes, in both languages: what a write rests on, and what became of times to live.
//! A table of its own, which no first visit needs.

super::words! { CauseWord, cause;
    Computed: "{4} changed {1} to {5} (step {6}), but {0} computed its write (step {8}) from {2} (step {3}).", "{4} 把 {1} 改成了 {5}（第 {6} 步），而 {0} 写入的值（第 {8} 步）是用 {2}（第 {3} 步）算出来的。";
    ComputedPart: "{4} sent {7} (step {6}), but {0} computed its write (step {8}) from {1} = {2} (step {3}).", "{4} 执行了 {7}（第 {6} 步），而 {0} 写入的值（第 {8} 步）是用 {1} = {2}（第 {3} 步）算出来的。";
    ComputedRow: "{4} changed {1} (step {6}), but {0} computed its write (step {8}) from {2} (step {3}).", "{4} 改了{1}（第 {6} 步），而 {0} 写入的值（第 {8} 步）是用 {2}（第 {3} 步）算出来的。";
    Decided: "{0} decided on {1} = {2} (step {3}), which {4} had changed to {5} (step {6}).", "{0} 根据 {1} = {2}（第 {3} 步）做了判断，而 {4} 已把它改成 {5}（第 {6} 步）。";
    DecidedPart: "{0} decided on {1} = {2} (step {3}), but {4} had sent {7} (step {6}).", "{0} 根据 {1} = {2}（第 {3} 步）做了判断，而 {4} 已执行 {7}（第 {6} 步）。";
    DecidedRow: "{0} decided on {2} (step {3}), but {4} had changed {1} (step {6}).", "{0} 根据 {2}（第 {3} 步）做了判断，而 {4} 已改了{1}（第 {6} 步）。";
    TheRow: "the row", "这一行";
    TheTable: "the table {0}", "表 {0}";
    NoRow: "no row", "查无此行";
    WatchedChanged: "{0} changed {1} (step {2}) after {3} had watched it (step {4}): EXEC did nothing.", "{3} 在第 {4} 步 WATCH 了 {1}，之后 {0} 改了它（第 {2} 步）：EXEC 没有执行任何命令。";
    TtlGone: "This write took away the time to live of {0}.", "这次写入清除了 {0} 的过期时间。";
    TtlShorter: "This command shortened the time to live of {0}.", "这条命令缩短了 {0} 的过期时间。";
    WhyTtlGone: "At step {0} {1}’s write took away the time to live of {2}.", "第 {0} 步，{1} 的写入清除了 {2} 的过期时间。";
    WhyAnew: "At step {0} {1} made {2} anew, without a time to live.", "第 {0} 步，{1} 重新创建了 {2}，但没有设置过期时间。";
    ValueStays: "{0} keeps its value", "{0} 的值不变";
    Pushed: "{0} pushed {1}; {2}, which was waiting, got it.", "{0} 推入 {1}，正在等待的 {2} 拿到了它。";
    Served: "{0}, which was waiting, got {1}.", "正在等待的 {0} 得到 {1}。";
    SameRun: "The same run as of “{0}”.", "与“{0}”是同一个运行。";
}
