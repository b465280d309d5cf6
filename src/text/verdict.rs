//! The words of verdicts, in both languages: errors, and under what a verdict holds. A table of
//! their own, which no first visit needs.

super::words! { VerdictWord, verdict;
    NoErrors: "No program ends with an error", "没有程序因错误而终止";
    AskedErrors: "every program must catch its errors, or say which one is expected of it", "每个程序都要捕获自己的错误，或者声明预期的错误";
    Errors: "after {0}, {1} ends with an error: {2}", "走过 {0} 之后，{1} 因错误而终止：{2}";
    ExpectError: "Error expected of {0}", "{0} 预期的错误";
    FixError: "Not yet: the program ends with an error.", "还没有：程序因错误而终止。";
    ErrorChip: "a program ended with an error at step {0}", "第 {0} 步有程序因错误而终止";
}
