//! A mistake in a lesson's files, worded so that its author can fix it.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The path as the author gave it, with the file's name.
    pub file: String,
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    pub message: String,
    /// The action that fixes it.
    pub remedy: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.message)?;
        if !self.remedy.is_empty() {
            write!(f, "\n    {}", self.remedy)?;
        }
        Ok(())
    }
}
