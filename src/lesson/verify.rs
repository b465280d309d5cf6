//! Verifies a lesson's claims by searching every variant over all its schedules.

use crate::sim::{Check, Kind, Limits, Verdict};

use super::Lesson;

/// A variant's search, and its verdicts.
#[derive(Debug)]
pub struct Verified {
    pub check: Check,
    /// The verdicts, in the order of the variant's claims.
    pub verdicts: Vec<Verdict>,
}

/// Searches all schedules of `variant`. The error is an author's mistake, in words.
pub fn verify(lesson: &Lesson, variant: usize, limits: Limits) -> Result<Verified, String> {
    let scenario = lesson.scenario(variant)?;
    let mut check = Check::new(&scenario, limits).map_err(|why| why.to_string())?;
    check.run();
    if let Some(mistake) = check.mistake() {
        return Err(mistake.to_owned());
    }
    let verdicts = (0..scenario.properties.len()).map(|index| check.verdict(index)).collect();
    Ok(Verified { check, verdicts })
}

/// Returns true if the verdict is as claimed, and its run has the claimed length.
pub fn agrees(kind: Kind, claim: &super::Claim, verdict: &Verdict) -> bool {
    // A run on which something never happens has no length that a lesson could name.
    let steps = verdict.trace.as_ref().filter(|_| kind != Kind::Eventually).map(Vec::len);
    verdict.holds == Some(claim.holds) && (claim.steps.is_none() || claim.steps == steps)
}
