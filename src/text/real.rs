//! The words of a run on a real Redis, in both languages: a table of their own, which no first
//! visit needs.

use super::Lang;

macro_rules! words {
    ($($word:ident: $en:literal, $zh:literal;)*) => {
        /// Names a row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum RealWord { $($word),* }

        /// The text of `word` in `lang`.
        #[inline(never)]
        pub fn real(lang: Lang, word: RealWord) -> &'static str {
            match (lang, word) {
                $((Lang::En, RealWord::$word) => $en,
                (Lang::Zh, RealWord::$word) => $zh),*
            }
        }

        #[cfg(test)]
        pub(super) const ROWS: &[(&str, &str, &str)] = &[$((stringify!($word), $en, $zh)),*];
    };
}

words! {
    Open: "Run on real Redis…", "在真实 Redis 上运行……";
    Replay: "Replay on real Redis", "在真实 Redis 上重放";
    ReplayOf: "Replay on real Redis: {0}", "在真实 Redis 上重放：{0}";
    Title: "Run on real Redis", "在真实 Redis 上运行";
    About: "Your schedule sends one command at a time to a real server, each client on its own connection, and every reply is held against the simulator's. The programs go on with the simulator's replies, so that one difference does not hide the next.", "按你的调度逐条把命令发给真实的服务器，每个客户端各用一条连接，每条回复都与模拟器的回复对照。程序仍然依照模拟器的回复往下走，这样前面的差异不会掩盖后面的差异。";
    Address: "Address of the proxy", "代理地址";
    AddressHint: "This page's own server, if make serve or the proxy started it. Otherwise ws:// or wss:// and the proxy's address; the proxy must allow this page (--allow-origin).", "如果页面由 make serve 或代理程序提供，就是它自己的地址。否则填写 ws:// 或 wss:// 开头的代理地址，并且代理要放行本页面（--allow-origin）。";
    AddressWrong: "An address begins with ws:// or wss:// and ends in the path of the proxy, as in ws://127.0.0.1:8081/ws", "地址以 ws:// 或 wss:// 开头，末尾是代理的路径，例如 ws://127.0.0.1:8081/ws";
    Token: "Token, if the proxy printed one", "令牌（代理打印了才需要）";
    Pace: "When does a lease run out?", "租约什么时候到期？";
    PaceSchedule: "When the schedule lets time pass. While you think, nothing expires.", "调度让时间流逝时才到期，你思考的时候什么都不会过期。";
    PaceClock: "By the clock on the wall, as commanded. A lease of 20 ms is over before you have read this.", "按真实时间到期，与命令完全一致。20 毫秒的租约，没等你读完这句话就过期了。";
    May: "What it may do", "它能做什么";
    MayKeys: "Keys: only yours. The proxy gives you a throw-away server, or a prefix of your own on a shared one, and each replay begins by removing them.", "键：只碰你自己的。代理会给你一个临时服务器，或者在共享服务器上给你专用的键前缀；每次重放都会先清空它们。";
    MayFaults: "Faults: a crash closes the connection, a lost reply is dropped by the proxy, a throw-away instance is really killed. Pauses, mutexes, SQL and the clients' clocks stay the simulator's.", "故障：崩溃就断开连接，丢失的回复由代理丢弃，临时实例会真的被杀掉。暂停、互斥锁、SQL 和客户端时钟仍由模拟器负责。";
    MayCompare: "Compared: every reply, to the byte. Where servers may differ (time left, random members, connection numbers, the order of a set, an error's wording) it says ≈ and why.", "对照：每条回复逐字节比较。服务器之间本来就可能不同的地方（剩余时间、随机成员、连接编号、集合顺序、错误措辞）会标 ≈ 并说明原因。";
    Connect: "Connect", "连接";
    Panel: "Real Redis", "真实 Redis";
    Connecting: "connecting…", "正在连接……";
    Working: "at work…", "正在执行……";
    Passing: "time passes for real…", "正在等真实时间过去……";
    Ready: "connected", "已连接";
    Stopped: "stopped", "已停止";
    Own: "a throw-away server of yours", "你专用的临时服务器";
    Shared: "a shared server, your keys apart", "共享服务器，你的键单独存放";
    Equal: "simulator = real", "模拟器 = 真实";
    AlikeClock: "simulator ≈ real: each server reads its own clock", "模拟器 ≈ 真实：两边各有各的时钟";
    AlikeRandom: "simulator ≈ real: the server draws lots", "模拟器 ≈ 真实：结果由服务器随机选取";
    AlikeServer: "simulator ≈ real: the server speaks of itself", "模拟器 ≈ 真实：内容是服务器自身的信息";
    AlikeOrder: "simulator ≈ real: the same members in another order", "模拟器 ≈ 真实：成员相同，顺序不同";
    AlikeWording: "simulator ≈ real: the same error in other words", "模拟器 ≈ 真实：错误相同，措辞不同";
    AlikeNoAnswer: "simulator ≈ real: nobody answers in either", "模拟器 ≈ 真实：两边都没有应答";
    Differs: "simulator ≠ real", "模拟器 ≠ 真实";
    NoReplicas: "simulated only: the servers here do not replicate", "仅模拟：这里的服务器不做复制";
    NoClock: "simulated only: a real server's clock does not jump; the keys that it makes expire do", "仅模拟：真实服务器的时钟不会跳变，但因此到期的键会真的过期";
    NoFault: "simulated only: others may use this server, so it stays up", "仅模拟：别人可能也在用这台服务器，因此不会停掉它";
    Nothing: "Redis has no part in this step", "这一步与 Redis 无关";
    NoStep: "No step yet: press a client's button, or play the run.", "还没有步骤：按某个客户端的按钮，或者播放这次运行。";
    AllEqual: "{0} of {1} replies agree", "{1} 条回复中 {0} 条一致";
    First: "First difference: step {0}.", "首处差异：第 {0} 步。";
    FirstLater: "{0} s have really passed since the run began, {1} s in the simulator: what has a deadline may have expired meanwhile.", "运行开始以来真实时间过了 {0} 秒，模拟器里过了 {1} 秒：有期限的东西可能已经过期。";
    Export: "Save the difference (JSON)", "保存差异（JSON）";
    Again: "Replay from the start", "从头重放";
    Reconnect: "Reconnect", "重新连接";
    Hurry: "Do not wait", "不等了";
    Disconnect: "Disconnect", "断开";
    Change: "Connection…", "连接设置……";
    Replies: "Replies", "回复";
    Step: "Step", "步骤";
    Command: "Command", "命令";
    Simulated: "Simulator", "模拟器";
    Real: "Real", "真实";
    Left: "{0}: {1} s left", "{0}：还剩 {1} 秒";
    Lost: "The connection to Redis was lost: {0}. Nothing is sent twice. Reconnecting begins the run anew on a clean server.", "与 Redis 的连接断了：{0}。任何命令都不会重发。重新连接会在清空的服务器上从头运行。";
    Closed: "The connection to the proxy is closed: {0}", "与代理的连接已断开：{0}";
    NoProxy: "nothing answers at {0}. Start the proxy with make serve (or cargo run --release --bin proxy), then connect again.", "{0} 没有应答。请先用 make serve（或 cargo run --release --bin proxy）启动代理，再重新连接。";
    Nodes: "This lesson needs {0} instances of Redis, and the proxy has {1}. Start it with --spawn {0}.", "这一课需要 {0} 个 Redis 实例，代理只有 {1} 个。启动代理时请加 --spawn {0}。";
    Cannot: "This scenario has replicas, and the servers here do not replicate: it can be run in the simulator only.", "这个场景用到从库，而这里的服务器不做复制：只能在模拟器里运行。";
    StartFailed: "The run cannot begin there: {0}", "无法在那里开始运行：{0}";
    Simulator: "Simulator", "模拟器";
    Where: "Where lines go", "命令发往";
    ConsoleEmpty: "A command typed here goes to the real server, on a connection of its own. It is no step of the run.", "这里输入的命令经由单独的连接发给真实服务器，不算运行中的步骤。";
}
