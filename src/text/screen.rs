//! Words of single screens, in both languages: instruments, Review, Find and the playground. A
//! table of their own, which no first visit needs.

super::words! { ScreenWord, screen;
    FileName: "file name", "文件名";
    Program: "program", "程序";
    Process: "process", "进程";
    Ahead: "ms ahead", "快多少 ms";
    FromQuestion: "This is the state that a question of Review is about.", "这是小结里一道题目所问的状态。";
    ToQuestion: "Back to the question", "回到题目";
    ExportAnimated: "Animated picture (SVG)", "动画图（SVG）";
    QuorumKeys: "Keys that each client holds", "各客户端拿到的键数";
}
