//! What a lesson asks and says around its run: [`challenge`] is the goal of a part, [`review`] has
//! its questions and answers, the situation and the rule, [`guide`] chooses a tool by questions.

pub mod challenge;
pub mod guide;
pub mod review;
