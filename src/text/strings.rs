//! The words of the page ([`Key`]), in both languages. [`super::fill`] fills `{0}`, `{1}` ….

use super::{Lang, later::part};

macro_rules! strings {
    ($($key:ident: $en:literal, $zh:literal;)*) => {
        /// Names a row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Key { $($key),* }

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
                $((Lang::En, Key::$key) => const { part(stringify!($key), PART, $en) },
                (Lang::Zh, Key::$key) => const { part(stringify!($key), PART, $zh) }),*
            }
        }

        #[cfg(test)]
        const ROWS: &[(&str, &str, &str)] = &[$((stringify!($key), $en, $zh)),*];
    };
}

strings! {
    // The frame of the page.
    Tagline: "Decide who goes next. See what breaks.", "由你决定谁先执行，看看哪里会出错。";
    SwitchLang: "中文", "English";
    ThemeAuto: "Theme: system", "主题：跟随系统";
    ThemeLight: "Theme: light", "主题：浅色";
    ThemeDark: "Theme: dark", "主题：深色";
    Share: "Share", "分享";
    Shared: "Link copied", "已复制链接";
    NotKept: "Your browser keeps nothing for a page inside another: what you do here is gone after a reload.", "浏览器不为嵌入的页面保存数据，重新加载后，这里做过的内容就没有了。";
    SaveFailed: "The browser did not allow saving a file.", "浏览器不允许保存文件。";
    ShareFailed: "The browser did not allow copying. The link is in the address bar.", "浏览器不允许复制，链接就在地址栏里。";
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

    // The presenter view.
    Present: "Presenter view", "演示视图";
    PresentLeave: "Leave the presenter view (Esc)", "退出演示（Esc）";
    PresentBlank: "The screen is dark. Any key brings it back.", "屏幕已变黑，按任意键恢复。";

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

    // Fix it.
    FixEditor: "Program {0}, editable", "程序 {0}，可编辑";
    FixKeys: "Tab indents; Esc, then Tab leaves the editor. Ctrl+Enter checks.", "Tab 缩进；按 Esc 再按 Tab 离开编辑器；Ctrl+Enter 检查。";
    FixCheck: "Check my fix", "检查我的修改";
    FixStep: "Step through it", "逐步运行";
    FixReset: "Start again", "从头来";
    FixResetSure: "Discard my program", "确认放弃我的程序";
    FixShow: "Show an answer", "显示参考答案";
    FixHide: "Hide the answer", "隐藏答案";
    FixTake: "Put it into the editor", "放进编辑器";
    FixAnswer: "One answer of several, against your program", "参考答案之一（与你的程序对照）";
    FixLine: "line {0}: {1}", "第 {0} 行：{1}";
    FixTooLong: "The program would be longer than 16 KB; it was left as it was.", "程序会超过 16 KB，未作修改。";
    FixNone: "The checker tries every order of the clients’ steps with your program, and every fault that the lesson allows.", "检查器会用你的程序尝试客户端步骤的每一种顺序，以及本课允许的每一种故障。";
    FixRunning: "Trying every order…", "正在尝试每一种顺序……";
    FixPassed: "It holds in every order. Solved.", "在所有顺序下都成立。通过！";
    FixFailed: "Not yet: there is an order that breaks it.", "还没有：有一种顺序会让它出错。";
    FixUnknown: "The search ended without an answer. Usually a loop never ends: give it a bound.", "查找没有得出结论。多半是某个循环没有尽头，请给它一个上限。";

    // The playground.
    Playground: "Playground", "演练场";
    ModeEdit: "Edit", "编辑";
    OwnHere: "Open in the playground", "在演练场中打开";
    OwnScenario: "My scenario", "我的场景";
    OwnTitle: "Title", "标题";
    OwnTexts: "Programs and texts", "程序与文本";
    OwnProgram: "Program", "程序";
    OwnScript: "Server script", "服务器脚本";
    OwnSetup: "Setup", "初始命令";
    OwnName: "Name", "名称";
    OwnEditor: "{0}, editable", "{0}，可编辑";
    OwnRemove: "Remove {0}", "删除 {0}";
    OwnKeys: "Tab indents; Esc, then Tab leaves the editor. Ctrl+Z undoes any change, Ctrl+Enter goes to Schedule.", "Tab 缩进；按 Esc 再按 Tab 离开编辑器。Ctrl+Z 撤销任何修改，Ctrl+Enter 转到“调度”。";
    OwnAboutProgram: "Lua; each redis.call is one step. Also sleep(ms), now(), connect(name), synchronized(name, f), log().", "Lua，每个 redis.call 是一步。另有 sleep(ms)、now()、connect(name)、synchronized(name, f)、log()。";
    OwnAboutScript: "Loaded into Redis beforehand. EVALSHA takes its digest, which programs have as SHA.{0}; a text that begins with #!lua name=… is a library for FCALL.", "预先加载到 Redis。程序用 SHA.{0} 得到它的摘要，供 EVALSHA 使用；以 #!lua name=… 开头的文本是函数库，用 FCALL 调用。";
    OwnAboutSetup: "One command per line, as in redis-cli; # begins a comment. “r1> SET a 1” is for the instance r1.", "每行一条命令，写法同 redis-cli；# 开头是注释。“r1> SET a 1”发给实例 r1。";
    OwnAboutSql: "One statement per line: CREATE TABLE act (id INT PRIMARY KEY, num INT), INSERT INTO act VALUES (1, 5).", "每行一条语句：CREATE TABLE act (id INT PRIMARY KEY, num INT)、INSERT INTO act VALUES (1, 5)。";
    OwnClient: "Client {0}", "客户端 {0}";
    OwnAddClient: "Add a client", "添加客户端";
    OwnRuns: "Program of client {0}", "客户端 {0} 运行的程序";
    OwnProcess: "Process of client {0}", "客户端 {0} 所属进程";
    OwnClock: "Clock of {0}, ms ahead", "{0} 的时钟快多少 ms";
    OwnProperties: "Conditions", "条件";
    OwnProperty: "Condition {0}", "条件 {0}";
    OwnAddProperty: "Add a condition", "添加条件";
    OwnPropertyName: "In words (optional)", "用文字说明（可不填）";
    OwnKind: "When", "何时";
    OwnAlways: "always", "始终";
    OwnSometimes: "in some order", "某种顺序下";
    OwnEventually: "in every order, in the end", "每种顺序最终";
    OwnCheck: "Check (Lua)", "检查式（Lua）";
    OwnAboutChecks: "number(key), redis.call(…) that reads, all_done(), done(\"A\"), failed(\"A\"), global(\"A\", name), sum(name), count(name), on(\"r1\"):number(key)", "number(key)、只读的 redis.call(…)、all_done()、done(\"A\")、failed(\"A\")、global(\"A\", name)、sum(name)、count(name)、on(\"r1\"):number(key)";
    OwnInstances: "Redis instances", "Redis 实例";
    OwnInstance: "Instance {0}", "实例 {0}";
    OwnAddInstance: "Add an instance", "添加实例";
    OwnOneInstance: "One, called redis.", "只有一个，名为 redis。";
    OwnReplicaOf: "{0} replicates", "{0} 复制自";
    OwnReplicatesNone: "a master", "主节点";
    OwnFaults: "What may go wrong", "允许的故障";
    OwnPause: "a client is paused", "客户端被暂停";
    OwnCrash: "a client crashes", "客户端崩溃";
    OwnLose: "a reply is lost", "回复丢失";
    OwnDrop: "a request is lost", "请求丢失";
    OwnCancel: "a call on a shared connection is cancelled", "共享连接上的调用被取消";
    OwnJump: "a clock jumps", "时钟跳变";
    OwnDown: "an instance goes down", "实例下线";
    OwnRestart: "an instance restarts empty", "实例清空重启";
    OwnRewind: "an instance restarts with its snapshot", "实例从快照重启";
    OwnFailover: "a failover", "故障转移";
    OwnEvict: "a key is evicted: memory is full", "内存已满，键被淘汰";
    OwnEarly: "time passes early", "时间提前流逝";
    OwnUndo: "Undo", "撤销";
    OwnRedo: "Redo", "重做";
    OwnExamples: "Templates and examples", "模板与示例";
    OwnExamplesFailed: "The examples could not be loaded: {0}. Check the connection and try again.", "示例加载失败：{0}。请检查网络后重试。";
    OwnOpen: "Open a file", "打开文件";
    OwnSave: "Save as a zip", "存为 zip";
    OwnReset: "Start again", "从头来";
    OwnResetSure: "Press again: Undo can bring it back", "再按一次确认（可撤销）";
    OwnStale: "Your edits have mistakes. This is the last version without mistakes.", "正在编辑的内容有错误，这里是上一个没有错误的版本。";
    OwnToEdit: "Show the mistakes", "查看错误";
    OwnTooLong: "The text would be longer than {0} KB; it was left as it was.", "文本会超过 {0} KB，未作修改。";
    OwnReplaced: "Your earlier text is not lost: Undo brings it back.", "之前的内容没有丢，撤销即可恢复。";
    OwnAtLine: ", line {0}", "第 {0} 行";
    OwnMistake: "{0}: {1}. {2}", "{0}：{1}。{2}";
    OwnGoal: "Find the order of steps that breaks it, or see that there is none.", "找出使它不成立的步骤顺序，或者确认没有这样的顺序。";
    OwnAddedAlways: "nothing is asked that must always hold", "没有要求始终成立的条件";
    OwnAddedSometimes: "a client finishes", "有客户端能执行完";

    // Mistakes in a scenario, and their remedies.
    OwnNotLua: "this is not Lua: {0}", "不是合法的 Lua：{0}";
    OwnNotLuaRemedy: "Programs are Lua 5.1; look at this line and the one before it.", "程序是 Lua 5.1，请看这一行和上一行。";
    OwnBadName: "“{0}” cannot be a name here", "“{0}”不能用作这里的名称";
    OwnFileNameRemedy: "Use 1 to 24 letters a–z, digits, - and _.", "可用 1 到 24 个字母、数字、- 和 _。";
    OwnIdRemedy: "An id is 1 to 60 letters a–z, digits, - and _.", "id 可用 1 到 60 个字母、数字、- 和 _。";
    OwnWordRemedy: "Use 1 to 24 letters a–z, digits and _, beginning with a letter: programs call it SHA.name.", "可用 1 到 24 个字母、数字和 _，以字母开头：程序里写作 SHA.name。";
    OwnNameRemedy: "Use 1 to 16 lower-case letters, digits and hyphens: the name is part of links.", "请用 1 到 16 个小写字母、数字和连字符：名称会写进链接。";
    OwnTwice: "there are two called “{0}”", "有两个都叫“{0}”";
    OwnTwiceRemedy: "Give one of them another name.", "请给其中一个换个名字。";
    OwnBadMaster: "{0} cannot replicate “{1}”", "{0} 不能复制“{1}”";
    OwnBadMasterRemedy: "Every instance but the first can be a replica. Its master must not be a replica.", "第一个实例不能是从节点；要复制的主节点本身也不能是从节点。";
    OwnNoInstance: "there is no instance {0}", "没有实例 {0}";
    OwnNoInstanceRemedy: "There are: {1}.", "可用的有：{1}。";
    OwnToReplica: "{0} is a replica and gets its data from its master", "{0} 是从节点，数据来自主节点";
    OwnToReplicaRemedy: "Send the command to the master.", "请把命令发给主节点。";
    OwnQuotes: "the quotation marks are not balanced", "引号不配对";
    OwnQuotesRemedy: "Close each quotation mark, and put a space behind it: SET name \"two words\".", "每个引号都要闭合，后面要有空格：SET name \"two words\"。";
    OwnNoCommand: "Redis has no command “{0}”", "Redis 没有命令“{0}”";
    OwnNoCommandRemedy: "Write one command per line, as in redis-cli: SET stock 3.", "每行一条命令，写法同 redis-cli：SET stock 3。";
    OwnRefused: "Redis refuses it: {0}", "被 Redis 拒绝：{0}";
    OwnLacking: "Redis refuses it: {3}", "被 Redis 拒绝：{3}";
    Lacking: "{0} exists since {1}: write version = \"{2}\".", "{1} 起才有 {0}：请写 version = \"{2}\"。";
    OwnRefusedRemedy: "Fix the command, or the earlier line that changed the key.", "请修改这条命令，或前面改动该键的那一行。";
    OwnScriptRemedy: "Scripts are Lua 5.1 with KEYS and ARGV; a library begins with #!lua name=… and registers functions.", "脚本是 Lua 5.1，可用 KEYS 和 ARGV；函数库以 #!lua name=… 开头并注册函数。";
    OwnNoCheck: "there is no check", "没有检查式";
    OwnBadCheck: "the check fails: {0}", "检查式出错：{0}";
    OwnCheckRemedy: "A check is a Lua expression, such as number(\"stock\") >= 0.", "检查式是一个 Lua 表达式，例如 number(\"stock\") >= 0。";
    OwnNilCheck: "the check compares a reply with nil, which no reply is: the comparison has the same answer in every state", "检查式拿回复和 nil 比较，而回复从来不是 nil：这个比较在任何状态下结果都一样";
    OwnNilCheckRemedy: "A missing key gives false, as in Redis’s own Lua: write not redis.call(\"GET\", \"stock\").", "键不存在时得到的是 false，与 Redis 的 Lua 相同，请写 not redis.call(\"GET\", \"stock\")。";
    OwnAnswerRemedy: "A key that is missing is nil: write (number(\"stock\") or 0).", "键不存在时是 nil，请写 (number(\"stock\") or 0)。";
    OwnNoJump: "a clock may jump, but the scenario does not say by how much", "允许时钟跳变，但没有说跳多少";
    OwnNoJumpRemedy: "For instance jump_ms = 5000; a negative number goes back.", "例如 jump_ms = 5000，负数表示往回跳。";
    OwnNoClientRemedy: "A pause or a crash strikes the named clients; none: all.", "暂停或崩溃只针对写出的客户端，留空则针对全部。";
    OwnNoEarly: "time can pass early only if time may pass while a client can go on", "只有允许“有客户端能继续时，时间也可以流逝”，时间才能提前流逝";
    OwnNoEarlyRemedy: "Allow that (time = \"any\"), or set this to 0.", "请允许（time = \"any\"），或把这一项设为 0。";
    OwnNoShared: "no call can be cancelled: no two clients have the same process", "没有调用可以取消：没有两个客户端属于同一进程";
    OwnNoSharedRemedy: "Give two clients the same process, and let their programs use connect(\"redis\", { shared = \"pool\" }).", "请让两个客户端属于同一进程，并在程序里使用 connect(\"redis\", { shared = \"pool\" })。";
    OwnNoRewind: "no instance can restart with its snapshot: each replicates another or has a replica", "没有实例可以从快照重启：每个实例都有从节点，或者自己就是从节点";
    OwnNoRewindRemedy: "Add an instance without a replica, or let a failover lose the latest writes.", "请添加一个没有从节点的实例，或者用故障转移来丢失最近的写入。";
    OwnNoReplica: "a failover needs a replica that can take over", "故障转移需要一个能接替的从节点";
    OwnNoReplicaRemedy: "Add an instance that replicates another one.", "请添加一个复制其他实例的实例。";
    OwnBadSql: "the statement is refused: {0}", "语句被拒绝：{0}";
    OwnBadSqlRemedy: "CREATE TABLE comes first, then INSERT INTO, one statement per line.", "先 CREATE TABLE，再 INSERT INTO，每行一条语句。";
    OwnNoStart: "it cannot start: {0}", "无法启动：{0}";
    OwnStartRemedy: "Look at the setup, the instances and the programs.", "请检查初始命令、实例和程序。";
    OwnBadJson: "this is not a scenario: {0}", "不是场景文件：{0}";
    OwnBadJsonRemedy: "It must be an object with programs, clients, setup and properties, like a saved scenario.", "它应是一个对象，含 programs、clients、setup、properties，与保存出来的一样。";
    OwnTooBig: "it is longer than {0} KB", "超过 {0} KB";
    OwnTooBigRemedy: "Shorten the programs or the setup.", "请缩短程序或初始命令。";
    OwnBadLink: "the scenario in the link is damaged", "链接里的场景已损坏";
    OwnBadLinkRemedy: "It may have been cut short: ask for it again, or for the file.", "可能被截断了，请对方重新发送，或改发文件。";
    OwnNoFile: "this is neither a zip nor JSON", "既不是 zip 也不是 JSON";
    OwnNoFileRemedy: "Open a zip that was saved here, the zip of a lesson’s or a scenario’s folder, or a scenario as JSON.", "请打开这里保存的 zip、课程或场景文件夹的 zip，或 JSON 形式的场景。";
    OwnNoManifest: "there is neither a lesson.toml nor a scenario.toml in it", "里面没有 lesson.toml，也没有 scenario.toml";
    OwnManyManifests: "there is more than one lesson.toml or scenario.toml in it", "里面有不止一个 lesson.toml 或 scenario.toml";
    OwnNoVariant: "no variant says which clients there are", "没有 variant 说明有哪些客户端";
    OwnNoVariantRemedy: "Add [[variant]] with clients = [\"program.lua\"].", "请加上 [[variant]]，写明 clients = [\"program.lua\"]。";
    OwnLeftOut: "left out: {0}", "未读入：{0}";
    OwnLeftOutRemedy: "The playground has one variant, and no stories, questions or exercises.", "演练场只有一种写法，没有演示、题目和练习。";
    OwnFolderRemedy: "docs/authoring.md explains every field of a scenario.", "docs/authoring.md 说明场景的每个字段。";
    OwnNoField: "nothing is called “{0}” here", "这里没有名为“{0}”的字段";
    OwnNoFieldRemedy: "There are: {1}.", "可用的有：{1}。";
    OwnBadField: "{0} cannot be read: {1}", "{0} 无法读取：{1}";
    OwnManyClients: "{0} clients; there may be 1 to {1}", "有 {0} 个客户端，应为 1 到 {1} 个";
    OwnManyClientsRemedy: "List a program file for each client.", "请为每个客户端列出一个程序文件。";
    OwnNoProgram: "there is no program “{0}” beside lesson.toml", "lesson.toml 旁边没有程序“{0}”";
    OwnNoProgramRemedy: "A client’s program is a .lua file in the same folder.", "客户端的程序是同一文件夹里的 .lua 文件。";
    ZipBroken: "the zip is damaged", "zip 已损坏";
    ZipBrokenFile: "this file of the zip is damaged", "zip 中的这个文件已损坏";
    ZipTooBig: "it is larger than a lesson may be", "超过了一个课程的大小上限";
    ZipTooMany: "the zip has more than 200 files", "zip 中的文件超过 200 个";
    ZipPath: "its path leads out of the folder", "路径指向文件夹之外";
    ZipEncrypted: "it is encrypted", "已加密";
    ZipMethod: "its compression method is not supported", "不支持它的压缩方式";
    ZipNoText: "it is not UTF-8 text", "不是 UTF-8 文本";
    ZipRemedy: "Make the zip again from the lesson’s folder alone, without encryption.", "请只用课程文件夹重新打包，不要加密。";
    TomlTwice: "“{0}” occurs twice, or already means something else", "“{0}”出现了两次，或已有别的含义";
    TomlNoEquals: "there should be = before “{0}”", "“{0}”之前应有 =";
    TomlNoBracket: "a bracket is not closed before “{0}”", "“{0}”之前有括号没有闭合";
    TomlMore: "the line should end before “{0}”", "本行应在“{0}”之前结束";
    TomlNoKey: "there should be a name before “{0}”", "“{0}”之前应有名称";
    TomlNoValue: "“{0}” is not a value", "“{0}”不是合法的值";
    TomlNumber: "“{0}” is not a whole number; a text, as a version is, stands in quotes", "“{0}”不是整数；文本（例如版本号）要加引号";
    TomlDeep: "it is nested too deeply: “{0}”", "嵌套太深：“{0}”";
    TomlString: "a string is not closed: “{0}”", "字符串没有闭合：“{0}”";
    TomlEscape: "there is no such escape: “{0}”", "没有这种转义：“{0}”";
    TomlRemedy: "lesson.toml is written in TOML; static/lessons/README.md explains every field.", "lesson.toml 用 TOML 书写，各字段见 static/lessons/README.md。";

    // Review.
    ReviewIntro: "Situation", "问题";
    ReviewBelief: "A common belief", "常见误解";
    ReviewQuestions: "What do you expect?", "你认为会怎样？";
    QuizAfter: "{0}, after these steps:", "{0}，执行到这里：";
    QuizAtStart: "{0}, before the first step:", "{0}，尚未开始：";
    QuizGive: "Submit", "提交";
    QuizRight: "Correct.", "答对了。";
    QuizWrong: "Not correct.", "不对。";
    QuizAgain: "Answer again", "重新作答";
    QuizState: "Look at this state", "看看这个状态";
    QuizShows: "See it happen", "看它怎么发生";
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

    // Sharing and export.
    ShareTitle: "Share this run", "分享这次运行";
    ShareTooLong: "Your text is too long for a link (16 KB); this link leads here without it. Save it as a file to pass it on.", "你写的内容太长，放不进链接（上限 16 KB），这个链接不包含它。请存成文件再转交。";
    ShareNoBeside: "The other run is too long for a link (16 KB); this link leads here without it.", "对比的那次运行太长，放不进链接（上限 16 KB），这个链接不包含它。";
    ShareCopy: "Copy", "复制";
    ShareSave: "Save", "保存";
    ShareCopied: "Copied", "已复制";
    ShareLink: "Link to exactly this view", "指向当前画面的链接";
    ExportText: "Text table", "文本表格";
    ExportMermaid: "Mermaid diagram", "Mermaid 图";
    ExportPytest: "Python test (pytest, redis-py)", "Python 测试（pytest、redis-py）";
    ExportJUnit: "Java test (JUnit, Jedis)", "Java 测试（JUnit、Jedis）";
    ExportSvg: "Diagram as SVG", "SVG 图";
    ExportPng: "Diagram as PNG", "PNG 图";
    ExportLost: "reply lost", "回复丢失";

    // Consoles.
    LinkLimit: "The run is too long for a link now: it is still here, but the address leads to an earlier step of it.", "这次运行已超出链接的长度：它还在这里，但地址只能回到较早的一步。";
    Console: "Console", "控制台";
    ConsoleTitle: "Type commands of your own, beside the programs ( / )", "自己输入命令，不必写进程序（ / ）";
    HelpConsole: "open the console; Esc leaves it", "打开控制台；Esc 离开";
    ConsoleTabs: "Connections", "连接";
    ConsoleAdd: "Open another connection", "再开一个连接";
    ConsoleClose: "Close {0}", "关闭 {0}";
    ConsoleLine: "Command for {0}", "{0} 的命令";
    ConsoleLog: "What {0} has printed", "{0} 的输出";
    ConsoleNode: "Instance", "实例";
    ConsoleEmpty: "A command typed here is a step of the run: it can be taken back, shared and replayed.", "在这里输入的命令也是运行的一步：可以退回、分享、重放。";
    ConsoleWaits: "waits for the reply; Ctrl+C cancels", "正在等回复；Ctrl+C 取消";
    ConsoleCancel: "Cancel", "取消";
    ConsoleEnter: "Send", "发送";
    ConsoleOlder: "Earlier line", "上一条";
    ConsoleComplete: "Complete", "补全";
    ConsoleScript: "Script…", "脚本……";
    ConsoleImport: "Import…", "导入……";
    ImportTitle: "Import a session", "导入会话";
    ImportAbout: "Paste what redis-cli showed (with its prompts) or what MONITOR printed, or drop a file here. Each connection becomes a client whose commands you can step and reorder.", "粘贴 redis-cli 的会话（带提示符）或 MONITOR 的输出，也可以把文件拖到这里。每个连接变成一个客户端，它的命令可以逐步执行、重新排序。";
    ImportedTitle: "An imported session", "导入的会话";
    ImportFile: "Open a file…", "打开文件……";
    ImportRead: "Read", "读取";
    ImportClient: "{0} · {1}: {2} {2:command|commands}", "{0} · {1}：{2} 条命令";
    ImportPrograms: "Open as programs", "作为程序打开";
    ImportConsoles: "Replay at consoles here", "在这里的控制台重放";
    ImportLine: "Line {0}: {1}", "第 {0} 行：{1}";
    ImportQuotes: "the quotes do not end where they should; left out", "引号没有正确结束，未导入";
    ImportLocal: "redis-cli does {0} by itself; left out", "{0} 由 redis-cli 自己处理，未导入";
    ImportScript: "a script ran this, and that script is imported; left out", "这是脚本内部执行的，脚本本身已导入；未重复导入";
    ImportNoRoom: "there is room for {1} clients; {0} is left out", "最多 {1} 个客户端，{0} 未导入";
    ImportTooMany: "there is room for {2} commands; everything from here on is left out", "最多 {2} 条命令，从这里起未导入";
    ImportNoPrompt: "no prompt and no known command; left out", "既没有提示符，也不是已知命令；未导入";
    ImportVersion: "the servers are {0}, which has this command", "服务器改用 {0}：有这条命令的最低版本";
    ImportSelect: "SELECT {0} was added", "补上了 SELECT {0}";
    ImportWaits: "{0} still waits for a reply here; its commands are imported, but the recorded order ends", "到这里 {0} 仍在等回复；它的命令都在，但录下的顺序到此为止";
    ImportCut: "the text is longer than 1 MB; the rest is left out", "文本超过 1 MB，其余未导入";
    ImportNothing: "There is no command in this text. A line looks like this: 127.0.0.1:6379> GET key", "里面没有命令。每行应当像这样：127.0.0.1:6379> GET key";
    ScriptTitle: "A script for --eval", "供 --eval 使用的脚本";
    ScriptAbout: "Then type: --eval name key1 key2 , argument1", "之后输入：--eval 名称 键1 键2 , 参数1";
    ScriptName: "Name", "名称";
    ScriptKeep: "Save", "保存";
    ScriptLong: "A script may be at most 4 KB long.", "脚本最长 4 KB。";
    ConsoleHelp: "To get help about Redis commands type:\n      \"help @<group>\" to get a list of commands in <group>\n      \"help <command>\" for help on <command>\n      \"help <tab>\" to get a list of possible help topics\n      \"quit\" to exit\n\n\":set hints\", \":set nohints\": the syntax behind the cursor\n\"--raw\", \"--no-raw\": replies as they are, or as on a terminal\n\"--eval name key , argument\": runs a script that was pasted", "Redis 命令的帮助：\n      \"help @<组名>\" 列出一组命令\n      \"help <命令>\" 查看一条命令\n      \"help <Tab>\" 列出所有帮助主题\n      \"quit\" 退出\n\n\":set hints\"、\":set nohints\"：是否在光标后提示语法\n\"--raw\"、\"--no-raw\"：原样输出，或按终端格式输出\n\"--eval 名称 键 , 参数\"：运行粘贴进来的脚本";
    ConsoleNoDocs: "The command reference has not been loaded.", "命令手册尚未加载。";
    ConsoleScripts: "Scripts that were pasted: {0}", "已粘贴的脚本：{0}";
    ConsoleLong: "A line may be at most {0} KB long.", "一行最长 {0} KB。";
    ConsoleTimes: "Stopped after {0} of {1}.", "已执行 {0} 次，共 {1} 次，到此为止。";
    SaidDisconnect: "{0} closes its connection", "{0} 关闭连接";
    // Embedding in a course page.
    Embed: "Put it into your course", "放进你的课程";
    EmbedIntro: "Put a lesson, some of its steps or a run of yours into your own page. Choose what learners may do, then paste the snippet.", "把一课、其中几步或你自己的一次运行放进课程页面。选好允许学生做什么，再把代码粘贴过去。";
    EmbedOpen: "Open “{0}” in Interleave", "在 Interleave 中打开“{0}”";
    EmbedWhat: "What is shown", "显示什么";
    EmbedLesson: "Lesson", "课程";
    EmbedStart: "Opens in", "打开时进入";
    EmbedFrom: "From step", "从第几步";
    EmbedTo: "To step", "到第几步";
    EmbedTabs: "Tabs", "标签页";
    EmbedPanels: "Panels", "面板";
    EmbedCode: "Programs", "程序";
    EmbedDiagram: "Diagram", "时空图";
    EmbedControls: "Controls", "控件";
    EmbedControlStep: "Step", "单步";
    EmbedControlScrub: "Strip", "进度条";
    EmbedControlPlay: "Play", "播放";
    EmbedControlMore: "Faults, random, start again", "故障、随机、从头来";
    EmbedMay: "What the learner may do", "学生可以做什么";
    EmbedReadonly: "Only follow the given run", "只能跟着给定的步骤看";
    EmbedRepeat: "Play it again and again", "循环播放";
    EmbedNoHints: "No hints", "不给提示";
    EmbedNoKeys: "No keyboard shortcuts", "不用快捷键";
    EmbedExam: "Exam: no answers or explanations", "考试：不显示答案和解释";
    EmbedExamNote: "A student who opens the frame’s address directly can change these settings. A score that counts needs supervision.", "有人可能单独打开这个地址并改动参数。计入成绩的考试需要监考。";
    EmbedLook: "How it looks", "外观";
    EmbedLang: "Language", "语言";
    EmbedReader: "The reader’s", "跟随读者";
    EmbedTheme: "Theme", "主题";
    EmbedThemeAuto: "The system’s", "跟随系统";
    EmbedThemeHost: "The course page’s", "跟随课程页面";
    EmbedThemeLight: "Light", "浅色";
    EmbedThemeDark: "Dark", "深色";
    EmbedHeight: "Height in pixels (empty: as high as the lesson)", "高度，单位像素（留空则随内容变化）";
    EmbedPoster: "Load only when clicked", "点击后才加载";
    EmbedOrigin: "Report only to this site", "只有这个网站能收到学习数据";
    EmbedPaste: "What to paste", "要粘贴的代码";
    KindFrame: "Frame", "框架";
    KindElement: "Element", "元素";
    KindLink: "Link", "链接";
    KindAddress: "Address", "网址";
    EmbedFrame: "HTML that works anywhere", "通用的 HTML 片段";
    EmbedElement: "With a script of 3 KB: as high as the lesson, and reports progress", "附带 3 KB 脚本：高度随内容变化，并能上报进度";
    EmbedLink: "Where neither frames nor scripts are allowed", "适用于不允许框架和脚本的页面";
    EmbedAddress: "For hosts that ask for an address", "供只填网址的平台使用";
    EmbedPreview: "Preview", "预览";
    EmbedRecipes: "How to do it in Moodle, Canvas, mdBook, Hugo …", "在 Moodle、Canvas、mdBook、Hugo 等平台中的做法";
    EmbedCourse: "A course page with three lessons in it", "示例：含三处嵌入的课程页面";
    ExamRecorded: "Your answer is recorded.", "答案已记录。";

    // Further pages.
    Glossary: "Glossary", "术语表";
    GlossaryIntro: "The words of the field, in both languages.", "本领域的术语，中英对照。";
    GlossaryFilter: "Filter", "筛选";
    GlossaryNone: "No term matches.", "没有匹配的术语。";
    GlossaryLesson: "see it in a lesson", "在课程中看";
    StartBy: "Where to start", "从哪里开始";
    MixedExercise: "Mixed exercise: {0}", "综合练习：{0}";
    GuideBack: "One question back", "回到上一题";
    GuideAgain: "Start again", "从头来";
    GuideLesson: "Open the lesson", "打开这一课";
    GuideBecause: "Why: what the checker found", "依据：检查器的结论";
    EvidenceAlways: "holds in every order", "在所有顺序下成立";
    EvidenceBroken: "breaks in some order", "在有的顺序下不成立";
    EvidenceSometimes: "can be reached", "可以达到";
    EvidenceNever: "is never reached", "永远达不到";
    EvidenceEventually: "happens in every fair run", "每次公平的运行最终都会做到";
    EvidenceNotEventually: "may never happen", "可能永远做不到";
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

    NodeDown: "down", "已下线";
    RunsNow: "runs now", "正在执行";
    Inbox: "inbox", "收件箱";
    Replies: "replies", "回复";
    Shelf: "blocked here", "在此阻塞";
    Connections: "connections", "连接";
    NoMulti: "no transaction", "不在事务中";
    InMulti: "in MULTI", "MULTI 中";
    NoKey: "no key", "没有这个键";
    OneAtATime: "one command at a time", "一次一条命令";
    NodeReplica: "replica of {0}", "{0} 的从节点";
    NodeBehind: "writes behind: {0}", "落后的写入：{0}";
    NodeServes: "serves {0}", "现在由它充当 {0}";
    NodeClock: "clock {0} ms", "时钟 {0} ms";
    Tables: "SQL tables", "SQL 表";
    Variables: "Variables of the process", "进程的变量";
    VariableName: "name", "变量名";
    VariableValue: "value", "值";
    Resources: "Protected resource", "受保护的资源";
    HighestToken: "highest token: {0}", "最大令牌：{0}";
    Mutexes: "Mutexes of the clients’ processes", "客户端进程里的互斥锁";
    MutexHeld: "{0}, in process {1}", "{0}，进程 {1}";

    // Program cards.
    StepButton: "Step {0}", "执行 {0}";
    SendButton: "Send {0}", "发送 {0}";
    ExecuteButton: "Execute {0}", "Redis 执行 {0}";
    ReplyButton: "Reply to {0}", "回复 {0}";
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
    BusyReason: "{0} waits for the connection that it shares with {1}", "{0} 在等它和 {1} 共用的连接";
    SentReason: "{0}’s command is on its way to {1}", "{0} 的命令正在发往 {1}";
    AnsweredReason: "the reply of {1} is on its way to {0}", "{1} 的回复正在发回 {0}";
    WaitingReason: "{0} waits for replicas: {1} of {2} have caught up", "{0} 在等从节点：{2} 个里已有 {1} 个跟上";
    UnansweredReason: "{1} is down; {0} gives up in {2} ms", "{1} 已下线，{0} 再过 {2} ms 放弃";
    ReceivingReason: "{0} waits for a message, {1} ms more", "{0} 在等消息，还剩 {1} ms";
    NoBudget: "the lesson allows no more of this", "本课不再允许这种故障";
    NotNow: "not possible now", "此时无法发生";
    LineNext: "runs next", "下一行";
    LineRan: "just ran", "刚执行";
    WatchOnly: "The story decides. Switch to Schedule to decide yourself.", "这里按演示走。想自己安排，请切到“调度”。";

    // Faults, and what repairs them.
    Faults: "Faults…", "故障……";
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
    Wire: "Wire", "网络收发";
    WireHint: "Sending, executing and replying become three steps", "发送、执行、回复分成三步";

    // Transport.
    First: "To the start", "回到开头";
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
    Last: "To the end", "跳到末尾";
    Play: "Play", "播放";
    Pause: "Pause", "暂停";
    StepOf: "step {0} of {1}", "第 {0} / {1} 步";
    Speed: "Speed", "速度";
    RunUntil: "Run {0}", "{0} 跑完";
    Random: "Random", "随机";
    Reset: "Start again", "从头来";
    AdvanceNone: "Nothing to wait for", "没有可等的时间";
    AdvanceTo: "Let {0} ms pass", "让 {0} ms 过去";
    DueKey: "{0} expires", "{0} 过期";
    DueClient: "{0} goes on", "{0} 继续";
    TakeBranch: "Go back to {0}: {1} {1:step|steps}, another way from step {2}", "回到{0}：共 {1} 步，从第 {2} 步起走法不同";
    Scrubber: "Step", "步";

    // Runs and variants side by side.
    Runs: "Compare…", "对比……";
    RunsHint: "Runs you kept, and variants in the same order", "保留下来的运行，以及同一顺序下的各种写法";
    RunsTitle: "Runs and variants", "运行与写法";
    RunsKept: "Runs of this variant", "这种写法的各次运行";
    RunsNone: "There is one run so far. Go back and choose differently, and it is kept here.", "目前只有一次运行。后退并换一种走法，原来的会留在这里。";
    RunNumber: "Run {0}", "运行 {0}";
    RunName: "Name of {0}", "{0}的名称";
    RunShown: "shown", "当前";
    RunTake: "Show", "切换到它";
    RunCompare: "Compare", "对比";
    RunRemove: "Remove", "移除";
    BesideTitle: "Variants in this order", "同一顺序下的写法";
    BesideHint: "Choose one or two: they follow the order of “{0}” step by step, as far as they can.", "选一两种：它们会逐步照着“{0}”的顺序走，能走多远走多远。";
    BesideShow: "Side by side", "并排显示";
    CompareTitle: "Side by side", "并排对比";
    CompareClose: "Back to the one run", "回到单个运行";
    CompareDrives: "decides the order", "由它决定顺序";
    CompareFollows: "follows: {0} of {1} {1:step|steps}", "跟着走：{1} 步里走成 {0} 步";
    CompareParts: "from here on they differ", "从这一步起不同";
    CompareSame: "No step differs.", "每一步都相同。";
    CompareKeys: "Keys at this step", "此刻的键";
    CompareDiffers: "differs", "不同";
    CompareNothing: "–", "–";
    CompareOver: "run has ended", "已走完";
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
    Inside: "Inside scripts and transactions", "展开脚本与事务";
    LegendWindow: "race window", "竞态窗口";
    LegendLease: "lease", "租约";
    LegendBelief: "believes it holds", "以为自己持有";
    LegendWatch: "watched key", "被监视的键";
    SpanLease: "{0} holds {1}", "{0} 持有 {1}";
    SpanLeaseEnd: "{0} no longer holds {1}", "{0} 不再持有 {1}";
    SpanRenewed: "the lease of {0} on {1} is renewed", "{0} 对 {1} 的租约续期";
    SpanBelief: "{0} believes that it holds ({1} = true)", "{0} 以为自己持有（{1} = true）";
    SpanBeliefEnd: "{0} no longer believes so ({1})", "{0} 不再这样以为（{1}）";
    SpanClash: "{0} and another client both believe so: one too many", "{0} 和别的客户端都这样以为：多了一个";
    SpanWatch: "{0} watches {1}", "{0} 监视 {1}";
    SpanDirty: "{1}, which {0} watches, has changed: its EXEC will do nothing", "{0} 监视的 {1} 已被改动：它的 EXEC 将不会执行";
    SpanMulti: "{0} queues commands until EXEC", "{0} 的命令先排队，等 EXEC 一起执行";
    ReplyWaits: "waits …", "等待 …";
    SpanServed: "the reply reaches {0}", "回复送达 {0}";

    // Explanations of a step.
    SaidRead: "{0} read {1}: {2}.", "{0} 读取 {1}，得到 {2}。";
    SaidReadNil: "{0} read {1}: there is no such key.", "{0} 读取 {1}：没有这个键。";
    SaidWrote: "{0} changed {1}: {2} → {3}.", "{0} 修改了 {1}：{2} → {3}。";
    SaidSame: "{0} wrote {1}; the value stayed what it was: {2}.", "{0} 写入 {1}，值没有变化，仍是 {2}。";
    SaidAtomic: "{0} changed {1} in one command: {2} → {3}. Reading, computing and writing happened inside Redis, where no other command can come in between.", "{0} 用一条命令修改了 {1}：{2} → {3}。读取、计算、写回都在 Redis 内部完成，中间插不进任何东西。";
    SaidScript: "{0} ran a script in one go: {1}. No other command runs between its lines.", "{0} 一口气执行了脚本：{1}。脚本的各行之间不会插入别的命令。";
    SaidScriptNothing: "{0} ran a script in one go; it changed nothing.", "{0} 一口气执行了脚本，没有修改任何键。";
    SaidCalled: "{0} sent {1}; the reply is {2}.", "{0} 发送 {1}，回复是 {2}。";
    SaidError: "{0} sent {1}; Redis refused it: {2}", "{0} 发送 {1}，被 Redis 拒绝：{2}";
    SaidBlocked: "{0} sent {1} and now waits for the reply.", "{0} 发送 {1}，正在等回复。";
    SaidNowStale: "{0} still works with {1} = {2}, read at step {3}: that value is out of date now.", "{0} 手里仍是第 {3} 步读到的 {1} = {2}，这个值已经过时。";
    SaidAdvance: "{0} ms passed.", "时间过去了 {0} ms。";
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
    SaidStart: "Nothing has run yet. Each client is about to send its first command; choose which one goes first.", "还没有执行任何命令。每个客户端都停在自己的第一条命令前，由你选谁先走。";
    ListAnd: " and ", "、";

    // Find.
    FindTitle: "Conditions of “{0}”", "“{0}”的条件";
    FindIntro: "The checker tries every order in which the clients can go, and shows a shortest run for each answer.", "检查器会尝试客户端的所有先后顺序，并为每个答案给出一条最短的走法。";
    FindStart: "Find a bad order", "找出会出错的顺序";
    FindAgain: "Search again", "重新查找";
    FindStop: "Stop", "停止";
    FindProgress: "The search in numbers", "查找的统计";
    FindMistake: "This cannot be checked; the lesson has a mistake: {0}", "无法检查，课程本身有误：{0}";
    AskedAlways: "must hold in every order", "在每种顺序下都必须成立";
    AskedSometimes: "must be possible in some order", "至少有一种顺序能够做到";
    AskedEventually: "must happen in every order, sooner or later", "每种顺序迟早都必须发生";
    AskedDeadlock: "no order may end with a client waiting forever", "任何一种顺序结束时，都不能有客户端永远等待";
    NobodyStuck: "No client gets stuck", "没有客户端卡住";
    HoldsAlways: "holds in all {0} states", "在全部 {0} 个状态中都成立";
    HoldsReduced: "holds: no order breaks it ({0} {0:state was|states were} enough to tell)", "在所有顺序下都成立（查看 {0} 个状态就够了）";
    BreaksShortest: "breaks: here is a shortest run, {0}", "不成立：这是一个最短的反例，共 {0}";
    Breaks: "breaks: here is a run, {0}; perhaps there is a shorter one", "不成立：这是一个反例，共 {0}，也许还有更短的";
    HappensShortest: "can happen: here is a shortest run, {0}", "可以做到：这是一条最短的走法，共 {0}";
    Happens: "can happen: here is a run, {0}", "可以做到：这是一条走法，共 {0}";
    NeverHappens: "never happens, in none of {0} states", "从不发生，{0} 个状态里一个也没有";
    HappensInTheEnd: "happens in every order ({0} {0:state|states})", "每种顺序都会发生（共 {0} 个状态）";
    LoopsForEver: "need not happen: after {0}, the next {1} can repeat forever", "未必发生：走过 {0} 之后，接下来的 {1} 可以永远重复";
    EndsWithoutIt: "need not happen: this run ends without it, after {0}", "未必发生：这次运行走了 {0} 就结束了，它始终没有发生";
    Deadlock: "after {0} no client can go on, and at least one still waits", "走过 {0} 之后没有客户端能继续，却还有客户端在等待";
    NoDeadlock: "no order ends while a client still waits", "没有哪种顺序会卡死";
    Undecided: "not decided in {0} {0:state|states}", "看过 {0} 个状态，尚无定论";
    Steps: "{0} {0:step|steps}", "{0} 步";
    CountStates: "states", "状态";
    CountTransitions: "transitions", "转移";
    CountDepth: "depth", "深度";
    CountWaiting: "waiting", "待查看";
    CountRate: "states per second", "每秒状态数";
    CountMemory: "memory", "内存";
    CountTime: "time", "用时";
    StoppedAt: "Stopped after {0} {0:state|states}, {1} {1:step|steps} deep. What was found until then stands; the rest is open.", "已停止：看过 {0} 个状态，深度 {1} 步。此前的发现仍然有效，其余尚无定论。";
    Complete: "The search is complete: all {0} {0:state|states}, up to {1} {1:step|steps} from the start. Nothing was left out.", "查找是完整的：全部 {0} 个状态，离起点最远 {1} 步，没有遗漏。";
    Bounded: "The search ended early: {0}. It covers {1} {1:state|states}, all that lie fewer than {2} {2:step|steps} from the start.", "查找提前结束：{0}。已覆盖 {1} 个状态，离起点不足 {2} 步的全都看过。";
    BoundStates: "there are more states than it may store", "状态数超过了允许保存的数量";
    BoundDepth: "it has reached the greatest depth allowed", "达到了允许的最大深度";
    BoundBytes: "it has used all the memory allowed", "达到了允许使用的内存上限";
    BoundTime: "it has used all the time allowed", "用时达到了允许的上限";
    BoundMoves: "a step depends on chance with too many outcomes, or on counters such as those of INFO, which it does not follow", "某一步取决于结果过多的随机选取，或取决于 INFO 之类的计数器，查找不跟踪这些";
    BoundWidth: "a state is larger than it can hold", "单个状态超出了能够存放的大小";
    Reduced: "There were too many orders to try one by one: steps that do not affect each other were tried in one order only, and clients that run the same program were taken for each other. That changes no answer, but a run shown may not be the shortest, and fewer states were counted than there are.", "顺序太多，无法一一尝试：互不影响的步骤只按一种顺序走，运行同一程序的客户端互相代表。这不会改变答案，但给出的走法未必最短，统计的状态也比实际少。";
    NotCounted: "The orders cannot be counted: some runs can loop forever.", "顺序的数目数不出来：有的运行可以永远循环。";
    TooManyToCount: "The orders were not counted: there are too many states for that.", "没有统计顺序的数目：状态太多。";
    Outcomes: "Where the orders end", "各种顺序的结局";
    Counted: "{0} {0:order|orders}, {1} of them really different (the others only swap steps that do not affect each other).", "共有 {0} 种顺序，真正不同的有 {1} 种（其余只是交换了互不影响的步骤）。";
    CountedAll: "{0} {0:order|orders}.", "共有 {0} 种顺序。";

    NothingLeft: "nothing is left", "什么也没留下";
    MoreOutcomes: "and {0} more {0:outcome|outcomes}", "还有 {0} 种结局";
    OpenOutcome: "Open a run that ends like this", "打开一次这样结束的运行";
    PlayRun: "Play", "播放";
    PlayRunOf: "Play the run of “{0}”", "播放“{0}”的走法";
    CopyRun: "Copy link", "复制链接";
    RunOf: "A run of {0}: {1}", "共 {0} 的走法：{1}";
    LoopFrom: "from step {0} on it repeats forever", "从第 {0} 步起永远重复";
    Searching: "Searching…", "正在查找……";
    SearchingAt: "Searching: {0} {0:state|states} so far.", "正在查找：已看过 {0} 个状态。";
    AllHolds: "Every result is as expected, in all {0} states.", "全部 {0} 个状态看完，结论全部符合预期。";
    NothingFound: "Nothing bad in {0} {0:state|states}; the search is not complete.", "看过 {0} 个状态，没有发现问题，但查找并不完整。";
    HelpFind: "find a bad order", "找出会出错的顺序";

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
    HintSteps: "{0} from breaking it.", "离出错还有 {0}。";
    HintNow: "It is broken.", "已经出错了。";
    HintNever: "It can no longer break from here: step back.", "从这里已经不会再出错了，请后退。";
    HintUnknown: "Too many states to tell how far it is.", "状态太多，无法判断还有多远。";
    HintSearching: "Working it out…", "正在计算……";

    // Banners: what is wrong, and a way on.
    NoSuchLesson: "There is no lesson “{0}”. Perhaps the link was cut short; all lessons are listed here.", "没有名为“{0}”的课程。链接可能不完整，下面是全部课程。";
    NearestLesson: "Is it this one?", "是不是这一课：";
    NoSuchVariant: "This lesson has no variant “{0}”. Showing “{1}” instead; there are: {2}.", "本课没有写法“{0}”，改为显示“{1}”。可选：{2}。";
    NoSuchWalk: "This lesson has no story “{0}”. Showing its first one.", "本课没有演示“{0}”，改为显示第一个。";
    NoSuchMode: "This page has no mode “{0}”. There are: {1}.", "没有“{0}”这种模式。可选：{1}。";
    BadParam: "The link says {0}=“{1}”, which is not understood. Accepted: {2}.", "链接中的 {0}=“{1}”无法识别。可用的值：{2}。";
    ScheduleUnknown: "Step {0} of the order in the link, “{1}”, is not a step of this scenario. Steps look like {2}. Shown as far as it goes.", "链接里第 {0} 步“{1}”不是这里能执行的动作，步骤应写成 {2} 的样子。已显示到能执行的地方。";
    ScheduleImpossible: "Step {0} of the order in the link, “{1}”, is impossible: {2}. Shown as far as it goes.", "链接里第 {0} 步“{1}”无法执行：{2}。已显示到能执行的地方。";
    ScheduleOrdinal: "Step {0} of the order in the link says “{1}”, but that would be {2}. Shown as far as it goes.", "链接里第 {0} 步写的是“{1}”，但实际应为 {2}。已显示到能执行的地方。";
    ScheduleTooLong: "The order in the link has more than {0} steps. Shown as far as it goes.", "链接里的步骤超过 {0} 步，只显示到这里。";
    StepBeyond: "The link asks for step {0}, but this run has {1}. Showing the last one.", "链接要求第 {0} 步，但这次运行只有 {1} 步，已显示最后一步。";
    LoadFailed: "The lesson “{0}” could not be loaded: {1}. Check the connection and try again.", "课程“{0}”加载失败：{1}。请检查网络后重试。";
    IndexFailed: "The list of lessons could not be loaded: {0}. Check the connection and try again.", "课程列表加载失败：{0}。请检查网络后重试。";
    Retry: "Try again", "重试";
    Dismiss: "Dismiss", "知道了";
    RunBytes: "The values that this run keeps are larger than {0} MiB together. Go back or start again.", "这次运行保存的值合计超过 {0} MiB，请后退或从头来。";
    RunLeft: "This run has more steps: it was left at step {0}.", "这次运行后面还有步骤，停在了第 {0} 步。";
    RunLimit: "A run ends after {0} steps. Go back or start again.", "一次运行最多 {0} 步，请后退或从头来。";
    NoSuchClient: "there is no client {0} here, only {1}", "这里没有客户端 {0}，只有 {1}";
    NoTimePasses: "no key expires and no client sleeps", "没有键会过期，也没有客户端在休眠";

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
}

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
