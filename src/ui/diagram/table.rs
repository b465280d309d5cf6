//! The run as a table: what those read who do not see the picture. Paper has a table of its own,
//! with the words of the story, from the same [`cells`].

use std::any::Any;
use std::ops::Range;
use std::rc::Rc;

use yew::prelude::*;

use crate::text::{Key, Lang, tr};
use crate::ui::lazy::{Items, Reach, Same, in_parts, memo};
use crate::view::stage::diagram::{Diagram, Row, RowKind};

/// The same run as a table, for screen readers. A table is as high as its rows,
/// whatever its style says: to be hidden, it needs a box around it.
pub fn table(diagram: &Diagram, reach: &Reach, lang: Lang) -> Html {
    let rows = diagram.rows.clone();
    let len = rows.len();
    let rows = Rc::new(TableRows { rows, step: diagram.step, lang });
    html! {
        <div class="twin"><table>
            <caption>{ tr(lang, Key::TableTwin) }</caption>
            { memo(lang, table_head) }
            { in_parts(rows, len, reach) }
        </table></div>
    }
}

fn table_head(lang: &Lang) -> Html {
    html! {
        <thead><tr>
            <th scope="col">{ tr(*lang, Key::ColStep) }</th>
            <th scope="col">{ tr(*lang, Key::ColClient) }</th>
            <th scope="col">{ tr(*lang, Key::ColCommand) }</th>
            <th scope="col">{ tr(*lang, Key::ColReply) }</th>
            <th scope="col">{ tr(*lang, Key::ColSaid) }</th>
            <th scope="col">{ tr(*lang, Key::ColRemarks) }</th>
        </tr></thead>
    }
}

struct TableRows {
    rows: Rc<Vec<Rc<Row>>>,
    step: usize,
    lang: Lang,
}

impl Items for TableRows {
    /// Only the part that has the present step depends on it.
    fn of(&self, part: Range<usize>) -> (Vec<Same<dyn Any>>, usize) {
        let last = self.rows.get(part.end - 1).map(|row| Same(row.clone() as Rc<dyn Any>));
        let here = self.rows[part].iter().position(|row| row.step == self.step);
        (last.into_iter().collect(), here.map_or(0, |at| at + 1))
    }

    fn draw(&self, part: Range<usize>) -> Html {
        let rows = self.rows[part].iter();
        let rows = rows.map(|row| table_row(row, row.step == self.step, self.lang));
        html! { <tbody>{ for rows }</tbody> }
    }
}

/// What a row of the table says, beside its number and its words.
pub struct Cells {
    pub client: String,
    pub command: String,
    pub reply: String,
    pub remarks: String,
}

pub fn cells(row: &Row, lang: Lang) -> Cells {
    let (client, command, reply, inside) = match &row.kind {
        RowKind::Call { client, command, reply, inside, .. } => {
            let reply = reply.as_ref().map(|reply| reply.all().to_owned()).unwrap_or_default();
            let inside: Vec<&str> = inside.iter().map(|label| label.all()).collect();
            (client.name(), command.all().to_owned(), reply, inside.join(", "))
        }
        RowKind::Mark { client, label, .. } => {
            let letter = client.map(|id| id.name());
            let label = label.all().to_owned();
            (letter.unwrap_or_default(), label, String::new(), String::new())
        }
        RowKind::Advance { label, .. } => {
            (String::new(), label.clone(), String::new(), String::new())
        }
    };
    let breaks = row.breaks.then(|| tr(lang, Key::BreaksHere).to_owned());
    let inside = Some(inside).filter(|inside| !inside.is_empty());
    let remarks =
        inside.into_iter().chain(row.notes.iter().chain(&row.remarks).cloned()).chain(breaks);
    let remarks = remarks.collect::<Vec<_>>().join("; ");
    Cells { client, command, reply, remarks }
}

fn table_row(row: &Row, here: bool, lang: Lang) -> Html {
    let Cells { client, command, reply, remarks } = cells(row, lang);
    html! {
        <tr key={row.step} aria-current={here.then_some("step")}>
            <td>{ row.step }</td><td>{ client }</td><td>{ command }</td><td>{ reply }</td>
            <td>{ row.words.clone() }</td><td>{ remarks }</td>
        </tr>
    }
}
