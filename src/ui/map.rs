//! The map of all schedules, drawn in the page from plain shapes ([`crate::view::map`]), with its
//! sentence, what its marks mean, and a table for those who do not see it.
//!
//! No first visit needs it. Absent: pointing at a block.

use std::rc::Rc;

use yew::prelude::*;

use crate::app::search::{BESIDE_WIDTH, map_width};
use crate::checker::map::Fate;
use crate::text::{Lang, MapWord, map as map_word};
use crate::ui::browser;
use crate::view::listing::Listing;
use crate::view::map::{
    Anchor, Drawing, FATES, Form, Look, Orders, Shape, Sheet, draw, run, table, words,
};

/// The pattern of doomed ground: one map is shown at a time.
const PATTERN: &str = "doomed-ground";
/// The height of a picture, for its width.
const PART: f64 = 0.55;

#[inline(never)]
pub fn map(sheet: &Sheet, lang: Lang) -> Html {
    let width = f64::from(map_width(browser::is_touch()));
    let height = (width * PART).max(240.0);
    let drawing = draw(sheet, &Look::new(width, height, lang));
    let table = table(sheet, lang);
    html! {
        <figure class="map">
            { picture(&drawing) }
            <figcaption>
                <p>{ words::all_orders(&sheet.view, lang) }{ " " }
                    <small>{ words::states(sheet.met, lang) }</small></p>
                <ul class="fates" aria-hidden="true">
                    { for FATES.into_iter().filter(|fate| has(sheet, *fate)).map(|fate| html! {
                        <li>{ sample(fate) }{ words::fate(fate, lang) }</li>
                    }) }
                </ul>
            </figcaption>
            <div class="sr">
                <table>
                    <caption>{ table.title.clone() }</caption>
                    <thead><tr>
                        { for table.head.iter().map(|cell| html! {
                            <th scope="col">{ cell.clone() }</th>
                        }) }
                    </tr></thead>
                    <tbody>
                        { for table.rows.iter().map(|row| html! {
                            <tr>
                                { for row.iter().map(|cell| html! { <td>{ cell.clone() }</td> }) }
                            </tr>
                        }) }
                    </tbody>
                </table>
            </div>
        </figure>
    }
}

/// All orders, small, beside a run: a line in them.
#[inline(never)]
pub fn orders(shown: &Orders, listings: &[Rc<Listing>], lang: Lang) -> Html {
    const HEIGHT: f64 = 116.0;
    let Orders { sheet, spots, blind } = shown;
    let look = Look { blind: *blind, faint: true, ..Look::new(BESIDE_WIDTH.into(), HEIGHT, lang) };
    let mut drawing = draw(sheet, &look);
    drawing.shapes.extend(run(sheet, &look, spots));
    // The listings come first where there is no room for both.
    let lines = |one: &Rc<Listing>| 2 + if one.open { one.lines.len() } else { 0 };
    let lines: usize = listings.iter().map(lines).sum();
    let words = (!blind).then(|| words::sentence(&sheet.view, spots.last(), None, lang));
    html! {
        <figure class="orders" style={format!("--lines:{lines}")}>
            { picture(&drawing) }
            <figcaption>
                <b>{ map_word(lang, MapWord::AllOrders) }</b>
                <span>{ words.unwrap_or_default() }</span>
            </figcaption>
        </figure>
    }
}

fn has(sheet: &Sheet, fate: Fate) -> bool {
    sheet.view.blocks.iter().any(|block| block.count[fate as usize] > 0)
}

/// The mark of a fate, by itself.
fn sample(fate: Fate) -> Html {
    let (class, form) = match fate {
        Fate::Open => ("sq k-open", square()),
        Fate::Doomed => ("sq k-doomed", square()),
        Fate::Safe => ("sq k-safe", square()),
        Fate::Broken => ("sq k-broken", Form::Diamond { x: 7.0, y: 7.0, r: 6.0 }),
        Fate::Right => ("sq k-right", Form::Circle { x: 7.0, y: 7.0, r: 5.0 }),
    };
    html! {
        <svg class="mapsvg" viewBox="0 0 14 14" width="14" height="14">
            { shape(&Shape::new(class, form)) }
        </svg>
    }
}

fn square() -> Form {
    Form::Rect { x: 2.0, y: 2.0, width: 10.0, height: 10.0, round: 1.5 }
}

fn picture(drawing: &Drawing) -> Html {
    let (width, height) = (drawing.width.to_string(), drawing.height.to_string());
    html! {
        <svg class={drawing.class} viewBox={format!("0 0 {width} {height}")} aria-hidden="true"
            {width} {height}>
            <defs>
                <pattern id={PATTERN} width="5" height="5" patternUnits="userSpaceOnUse"
                    patternTransform="rotate(45)">
                    <rect width="5" height="5" class="doom-bg" />
                    <path d="M0,0V5" class="doom-line" />
                </pattern>
            </defs>
            { for drawing.shapes.iter().map(shape) }
        </svg>
    }
}

fn shape(shape: &Shape) -> Html {
    let class = shape.class.clone();
    let fill = shape.hatched.then(|| format!("url(#{PATTERN})"));
    let stroke = shape.stroke.map(|width| format!("{width:.1}"));
    match &shape.form {
        Form::Rect { x, y, width, height, round } => html! {
            <rect {class} {fill} stroke-width={stroke} x={short(*x)} y={short(*y)}
                width={short(*width)} height={short(*height)} rx={short(*round)} />
        },
        Form::Circle { x, y, r } => html! {
            <circle {class} {fill} stroke-width={stroke} cx={short(*x)} cy={short(*y)}
                r={short(*r)} />
        },
        Form::Text { x, y, anchor, text } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            html! {
                <text {class} x={short(*x)} y={short(*y)} text-anchor={anchor}>
                    { text.clone() }</text>
            }
        }
        _ => html! { <path {class} {fill} stroke-width={stroke} d={shape.path()} /> },
    }
}

fn short(value: f64) -> String {
    format!("{value:.1}")
}
