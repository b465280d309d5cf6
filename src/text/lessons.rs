//! Words of the page that Watch, Schedule and Break of some lesson show, and a first visit does not:
//! they come with the part of the program that lessons run (src/divide).

macro_rules! lesson_words {
    ($($before:tt)*) => { later_words! { $($before)* 1: {
    // Review.
    QuizGive: "Submit", "提交";
    QuizSeveral: "Select all that apply. It may be none.", "可多选，也可能一项都不对。";

    // Instruments.
    TtlTrace: "Time to live of {0}", "{0} 的剩余时间";
    TtlSaid: "ms left of {0} after each step: {1}", "每一步之后 {0} 剩余的毫秒数：{1}";
    Quorum: "Instances that each client holds", "各客户端拿到的实例数";
    QuorumOf: "{0} of {1}", "{0} / {1}";
    QuorumMajority: "majority", "多数派";
    QuorumValid: "relies on the lock for {0} ms more", "还可依赖这把锁 {0} ms";
    QuorumOver: "the lock has been invalid for {0} ms", "锁已失效 {0} ms";
    QuorumNone: "does not hold the lock", "未持有锁";

    // Consoles.
    SaidDisconnect: "{0} closes its connection", "{0} 关闭连接";

    NodeDown: "down", "已下线";
    Connections: "connections", "连接";
    NoMulti: "no transaction", "不在事务中";
    InMulti: "in MULTI", "MULTI 中";
    NodeReplica: "replica of {0}", "{0} 的从节点";
    NodeBehind: "writes behind: {0}", "落后的写入：{0}";
    NodeServes: "serves {0}", "现在由它充当 {0}";
    NodeClock: "clock {0} ms", "时钟 {0} ms";
    Tables: "SQL tables", "SQL 表";
    Resources: "Protected resource", "受保护的资源";
    HighestToken: "highest token: {0}", "最大令牌：{0}";
    Mutexes: "Mutexes of the clients’ processes", "客户端进程里的互斥锁";
    MutexHeld: "{0}, in process {1}", "{0}，进程 {1}";

    // Program cards.
    BusyReason: "{0} waits for the connection that it shares with {1}", "{0} 在等它和 {1} 共用的连接";
    NotNow: "not possible now", "此时无法发生";

    // Faults, and what repairs them.
    FaultsHint: "What may go wrong here, as often as the lesson allows it.", "这里可能出的故障，次数由课程规定。";
    FaultLeft: "{0} left", "还剩 {0} 次";
    FaultPause: "Pause {0}", "暂停 {0}";
    FaultResume: "Resume {0}", "恢复 {0}";
    FaultCrash: "Crash {0}", "让 {0} 崩溃";
    FaultLose: "Lose the reply to {0}", "丢掉给 {0} 的回复";
    FaultJump: "Clock of {0}: {1} ms", "{0} 的时钟：{1} ms";
    FaultDown: "Take {0} down", "让 {0} 下线";
    FaultUp: "Bring {0} up", "让 {0} 上线";
    FaultRestart: "Restart {0} empty", "清空重启 {0}";
    FaultFailover: "Fail over from {0}", "从 {0} 故障转移";
    FaultReplicate: "Replicate to {0}", "复制到 {0}";

    // Transport.
    AdvanceNone: "Nothing to wait for", "没有可等的时间";
    AdvanceTo: "Let {0} ms pass", "让 {0} ms 过去";
    DueKey: "{0} expires", "{0} 过期";
    DueClient: "{0} goes on", "{0} 继续";

    // The diagram in words.
    Inside: "Inside scripts and transactions", "展开脚本与事务";
    ReplyWaits: "waits …", "等待 …";

    // Explanations of a step.
    SaidScript: "{0} ran a script in one go: {1}. No other command runs between its lines.", "{0} 一口气执行了脚本：{1}。脚本的各行之间不会插入别的命令。";
    SaidScriptNothing: "{0} ran a script in one go; it changed nothing.", "{0} 一口气执行了脚本，没有修改任何键。";
    SaidBlocked: "{0} sent {1} and now waits for the reply.", "{0} 发送 {1}，正在等回复。";
    SaidExpired: "{0} expired.", "{0} 过期了。";
    SaidFailed: "{0} stopped with an error: {1}", "{0} 因出错而停止：{1}";
    SaidLost: "{0} sent {1}. Redis executed it, but the reply was lost: {0} gets an error and cannot know whether it was executed.", "{0} 发送 {1}，Redis 已经执行，但回复丢了：{0} 只收到一个错误，无从知道命令执行了没有。";
    SaidNoAnswer: "{0} sent {1}, but {2} is down: no answer comes.", "{0} 发送 {1}，但 {2} 已下线，没有回应。";
    SaidSend: "{0}’s command is on its way: {1}.", "{0} 的命令已发出：{1}。";
    SaidReply: "The reply to {1} has reached {0}: {2}.", "{1} 的回复到达 {0}：{2}。";
    SaidShared: "It used the shared connection {0}.", "它走的是共享连接 {0}。";
    SaidLock: "{0} took the mutex {1}. No other client of its process can enter now.", "{0} 获取互斥锁 {1}，同一进程里的其他客户端现在进不来。";
    SaidAccepted: "{0} wrote to the resource, which accepted it: {1}.", "{0} 写入资源并被接受：{1}。";
    SaidRefused: "The resource refused {0}’s write {1}: it has seen a higher token.", "资源拒绝了 {0} 的写入 {1}：它已经见过更大的令牌。";
    SaidPause: "{0} is paused. Time and leases go on.", "{0} 被暂停，时间和租约照样流逝。";
    SaidResume: "{0} goes on, as if nothing had happened.", "{0} 恢复运行，就像什么都没发生过。";
    SaidCrash: "{0} crashed. Its connections are closed; what it left in Redis stays.", "{0} 崩溃了。连接都已断开，它留在 Redis 里的东西还在。";
    SaidLoseReply: "The reply to {0} was lost: it gets an error and cannot know whether its command was executed.", "给 {0} 的回复丢了：它只收到一个错误，无从知道命令执行了没有。";
    SaidJump: "The clock of {0} jumped by {1} ms.", "{0} 的时钟跳了 {1} ms。";
    SaidDown: "{0} can no longer be reached; all its connections broke.", "{0} 无法访问了，它的连接全部断开。";
    SaidUp: "{0} can be reached again.", "{0} 恢复访问。";
    SaidRestart: "{0} came back empty: its keys and scripts are gone.", "{0} 重启后是空的：键和脚本都没有了。";
    SaidFailover: "{0} is lost, and {1} takes its place. What had not reached {1} is gone.", "{0} 宕机，由 {1} 接替。没有复制到 {1} 的写入就此丢失。";
    SaidReplicate: "{0} applied the next write of its master.", "{0} 执行了主节点的下一条写入。";

    // Find.
    Deadlock: "after {0} no client can go on, and at least one still waits", "走过 {0} 之后没有客户端能继续，却还有客户端在等待";

    NothingLeft: "nothing is left", "什么也没留下";

    // Why a run went wrong.
    WhyExpiredPaused: "{0}’s hold on {1} ran out at step {2}, while {0} was paused (since step {3}).", "{0} 对 {1} 的持有在第 {2} 步到期，当时 {0} 正被暂停（自第 {3} 步起）。";
    WhyExpiredAsleep: "{0}’s hold on {1} ran out at step {2}, while {0} was asleep.", "{0} 对 {1} 的持有在第 {2} 步到期，当时 {0} 正在休眠。";
    WhyExpired: "{0}’s hold on {1} ran out at step {2}, before {0} had finished.", "{0} 对 {1} 的持有在第 {2} 步到期，当时 {0} 还没有结束。";
    WhyTaken: "{0} changed or deleted {1} at step {2}, although {3} had taken it at step {4}.", "{0} 在第 {2} 步改动或删除了 {1}，而它是 {3} 在第 {4} 步取得的。";
    WhyLate: "{0} went on and changed {1} at step {2}, although {3} was no longer its own.", "{0} 没有察觉，在第 {2} 步改动了 {1}，而 {3} 早已不归它所有。";
    WhyLostWithNode: "{0} was lost with its instance at step {1}; {2} had taken it at step {3}.", "{0} 在第 {1} 步随实例一起丢失，它是 {2} 在第 {3} 步取得的。";
    WhyBelievesOther: "{0} still believes that it holds {1} ({2} = true), but since step {4} it is {3}’s.", "{0} 仍以为自己持有 {1}（{2} = true），但从第 {4} 步起它已属于 {3}。";
    WhyBelievesGone: "{0} still believes that it holds {1} ({2} = true), but since step {3} it is gone.", "{0} 仍以为自己持有 {1}（{2} = true），但它在第 {3} 步就已经没有了。";

    // Hints.
    HintAsk: "How far is a break?", "离出错还有多远？";

    // Banners: what is wrong, and a way on.
    IndexFailed: "The list of lessons could not be loaded: {0}. Check the connection and try again.", "课程列表加载失败：{0}。请检查网络后重试。";
    NoTimePasses: "no key expires and no client sleeps", "没有键会过期，也没有客户端在休眠";
    } } };
}
