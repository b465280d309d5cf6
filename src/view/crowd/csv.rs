//! Writes the results of a crowd for spreadsheets: comma-separated values (RFC 4180), a line for
//! each run.

use crate::text::Lang;

use super::Crowding;
use crate::jobs::crowd::Which;

/// Returns the runs of the crowd, or of a sweep. Times are in ms.
pub fn csv(of: &Crowding, which: Which) -> String {
    let lesson = of.lesson();
    let defs = lesson.crowd.as_ref().map_or(&[][..], |def| &def.measures);
    let mut head: Vec<String> =
        "lesson,variant,clients,requests,seed".split(',').map(str::to_owned).collect();
    head.extend(defs.iter().map(|def| def.label.get(Lang::En).clone()));
    head.extend(
        "finished,failed,crashed,never ended,deadlocked,cut,simulated ms,requests per second,\
         response mean ms,response p50 ms,response p95 ms,response p99 ms,sleeps,commands,\
         redis busy,fairness,plan"
            .split(',')
            .map(str::to_owned),
    );
    let mut out = line(&head);
    for cell in of.cells(which) {
        let Some(variant) = lesson.variants.get(cell.variant) else { continue };
        let Some(plan) = of.plan_of(cell) else { continue };
        let written = plan.write(&crate::load::Plan::default());
        for (run, response) in cell.summary.runs.iter().zip(&cell.responses) {
            let mut row = vec![
                lesson.id.clone(),
                variant.id.clone(),
                plan.clients.to_string(),
                plan.total().to_string(),
                run.seed.to_string(),
            ];
            row.extend(run.values.iter().map(f64::to_string));
            let counts = [run.finished, run.failed, run.crashed, run.stuck];
            row.extend(counts.map(|count| count.to_string()));
            row.extend([run.deadlocked, run.cut].map(|is| u8::from(is).to_string()));
            row.push((run.end_ns as f64 / 1e6).to_string());
            row.push(run.throughput().to_string());
            row.extend(response.map(|ns| (ns as f64 / 1e6).to_string()));
            row.extend([run.sleeps, run.commands].map(|count| count.to_string()));
            row.extend([run.utilisation(), run.fairness].map(|number| number.to_string()));
            row.push(written.clone());
            out += &line(&row);
        }
    }
    out
}

/// Writes a line of a table.
pub fn line(fields: &[String]) -> String {
    let field = |text: &String| match text.contains([',', '"', '\n', '\r']) {
        true => ["\"", &text.replace('"', "\"\""), "\""].concat(),
        false => text.clone(),
    };
    [fields.iter().map(field).collect::<Vec<_>>().join(","), "\r\n".to_owned()].concat()
}
