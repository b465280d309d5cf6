//! What a lesson asks and says around its run: [`challenge`] is the goal of a part, [`review`] has
//! its questions and answers, the situation and the rule, [`calls`] what to call in one's own code,
//! [`guide`] chooses a tool by questions. [`handout`] is the lesson on paper.

pub mod calls;
pub mod challenge;
pub mod guide;
pub mod handout;
pub mod review;
