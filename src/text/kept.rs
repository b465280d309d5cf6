//! The words for drafts, when a tab, the storage or the page fails. A table of its own, which no
//! first visit needs.

super::words! { KeptWord, kept;
    Stopped: "The page stopped the last time it opened this draft, so it was not run: {0}.", "上次打开这份草稿时页面停止了运行，因此这次没有运行它：{0}。";
    Other: "Another tab stored a draft of its own: {0}.", "另一个标签页保存了自己的草稿：{0}。";
    Scenario: "“{0}”, {1}", "“{0}”，{1}";
    Untitled: "no title", "无标题";
    Program: "a program of {0}", "程序{0}";
    Lines: "{0} {0:line|lines}", "共 {0} 行";
    Open: "Open it", "打开";
    OpenText: "Open its text only", "只打开文本";
    Save: "Save a copy", "保存副本";
    Discard: "Discard", "丢弃";
    DiscardSure: "Discard for good", "确认彻底丢弃";
    Unkept: "This browser does not store what you write: its storage is full or turned off. Save a copy before you close the page.", "此浏览器没有保存你写的内容：存储空间已满或已被禁用。关闭页面之前，请先保存副本。";
    TextOnly: "Only the text of this draft is open. Nothing is run until you press Run it.", "目前只打开了这份草稿的文本。按“运行”之前不会执行任何程序。";
    Run: "Run it", "运行";
    CheckerEnded: "The checker ended in an error of its own, so there is no answer. Your work is untouched: search again to start it anew.", "检查器自身出错，已经终止，因此没有结论。你的内容不受影响，再次查找即可重新启动它。";
    CrowdEnded: "The simulation ended in an error of its own. Run it again to start it anew.", "模拟程序自身出错，已经终止。再次运行即可重新启动它。";
}
