//! Words of single screens, in both languages: instruments, Review, Find and the playground. A
//! table of their own, which no first visit needs.

super::words! { ScreenWord, screen;
    QuorumKeys: "Who has how many of the keys", "谁拿到了几个键";
}
