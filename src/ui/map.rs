//! The map of all schedules, drawn from plain shapes ([`crate::view::map`]), with its sentence, its
//! legend, and a table for readers who cannot see it.
//!
//! No first visit needs it.

use std::rc::Rc;

use yew::prelude::*;

use crate::app::input::Input;
use crate::app::search::{BESIDE_WIDTH, Pointed, map_width};
use crate::checker::map::Fate;
use crate::jobs::map::{Around, Nearby, Sheet};
use crate::session::Msg;
use crate::text::{Lang, MapWord, fill, map as map_word};
use crate::ui::browser;
use crate::ui::lazy::memo;
use crate::view::map::{
    Anchor, Drawing, FATES, Form, Look, Orders, Shape, class_of, draw, next_block, preview, run,
    table, words,
};
use crate::view::stage::listing::Listing;

/// The pattern of doomed ground: one map is shown at a time.
const PATTERN: &str = "doomed-ground";
/// The id of the sheet with the next two steps.
const AROUND: &str = "around";
/// The ratio of a picture's height to its width.
const PART: f64 = 0.55;

/// The block that is pointed at on a map, and the effect of pointing.
#[derive(Clone, Copy)]
pub struct Pointing<'p> {
    pub at: Option<&'p Pointed>,
    /// True if the way to a block can be played, which a map that stands alone does not offer.
    pub plays: bool,
    /// What the search has counted, in words; without it the map says what it counts.
    pub said: Option<&'p str>,
    pub on: &'p Callback<Input>,
}

impl Pointing<'_> {
    fn hint(&self, lang: Lang) -> &'static str {
        map_word(lang, if self.plays { MapWord::PointAt } else { MapWord::PointOnly })
    }

    /// Returns the way to the block pointed at, as links write it, if it can be played.
    fn way(&self) -> Option<String> {
        let along = self.at.filter(|_| self.plays).and_then(|one| one.way.as_ref());
        along.map(|along| along.way.clone()).filter(|way| !way.is_empty())
    }
}

/// Draws the map of a search. If it can be pointed at, it lights up in the order in which the
/// search met its states.
#[inline(never)]
pub fn map(sheet: &Sheet, lang: Lang, pointing: Option<Pointing<'_>>) -> Html {
    let width = f64::from(map_width(browser::is_touch()));
    let height = (width * PART).max(240.0);
    let pointed = pointing.and_then(|one| one.at);
    let look = Look { hover: pointed.map(|one| one.block), ..Look::new(width, height, lang) };
    let mut drawing = draw(sheet, &look);
    if let Some(along) = pointed.and_then(|one| one.way.as_ref()) {
        // Below what is pointed at.
        let hits = drawing.shapes.iter().position(|shape| shape.block.is_some());
        let at = hits.unwrap_or(drawing.shapes.len());
        drawing.shapes.splice(at..at, preview(sheet, &look, &along.way_spots));
    }
    let table = table(sheet, lang);
    let said = pointing.and_then(|one| one.said).map(str::to_owned);
    html! {
        <figure class={classes!("map", pointing.map(|_| "lights"))}>
            if let Some(pointing) = &pointing {
                <div class="pad" tabindex="0" role="group" aria-label={pointing.hint(lang)}
                    onkeydown={on_key(sheet, pointing)}>
                    { picture(&drawing, Some(pointing.on)) }</div>
                { way(sheet, pointing, lang) }
            } else {
                { picture(&drawing, None) }
            }
            <figcaption>
                <p>{ said.unwrap_or_else(|| words::all_orders(sheet, lang)) }{ " " }
                    <small>{ words::states(sheet.met, lang) }</small></p>
                <ul class="fates" aria-hidden="true">
                    { for words::axes(sheet, lang).into_iter().map(|one| html! {
                        <li>{ one }</li>
                    }) }
                </ul>
                <ul class="fates" aria-hidden="true">
                    <li>{ map_word(lang, MapWord::Legend) }</li>
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

/// Draws the small map beside a run, with the run's line; redrawn when the line has moved. Its room
/// is kept before it is known: the listings do not move when it comes.
#[inline(never)]
pub fn orders(shown: Option<&Orders>, listings: &[Rc<Listing>], lang: Lang) -> Html {
    // The listings come first where there is no room for both.
    let lines = |one: &Rc<Listing>| 2 + if one.open { one.lines.len() } else { 0 };
    let lines: usize = listings.iter().map(lines).sum();
    html! {
        <figure class="orders" style={format!("--lines:{lines}")}>
            { shown.map(|shown| memo((shown.clone(), lang), small)).unwrap_or_default() }
        </figure>
    }
}

fn small((shown, lang): &(Orders, Lang)) -> Html {
    const HEIGHT: f64 = 132.0;
    let Orders { sheet, spots, blind, far, .. } = shown;
    let look = Look::new(BESIDE_WIDTH.into(), HEIGHT, *lang);
    let look = Look { blind: *blind, faint: true, axes: true, ..look };
    let mut drawing = draw(sheet, &look);
    drawing.shapes.extend(run(sheet, &look, spots));
    let words = match blind {
        true => map_word(*lang, MapWord::Blind).to_owned(),
        false => words::sentence(sheet, spots.last(), None, *far, *lang),
    };
    html! {
        <>
            { picture(&drawing, None) }
            <figcaption>
                <b>{ map_word(*lang, MapWord::AllOrders) }</b>
                <span>{ words }</span>
            </figcaption>
        </>
    }
}

/// Draws the next two steps on a separate sheet, which the menu opens.
#[inline(never)]
pub fn next_two(around: &Around, lang: Lang) -> Html {
    let title = map_word(lang, MapWord::NextTwo);
    let list = |word: MapWord, list: &[Nearby], count: u32| {
        let more = count as usize - list.len().min(count as usize);
        let step = |one: &Nearby| {
            html! {
                <li class={class_of(one.spot.fate)}>
                    <b translate="no">{ one.label.clone() }</b>
                    <small>{ words::leads_to(&one.spot, lang) }</small>
                </li>
            }
        };
        html! {
            <div>
                <h3>{ fill(map_word(lang, word), &[&count.to_string()]) }</h3>
                <ul>{ for list.iter().map(step) }</ul>
                if more > 0 {
                    <p>{ fill(map_word(lang, MapWord::AndMore), &[&more.to_string()]) }</p>
                }
            </div>
        }
    };
    html! {
        <>
            <button type="button" popovertarget={AROUND}>{ title }</button>
            <div class="around" id={AROUND} popover="auto" role="group" aria-label={title}>
                { list(MapWord::NextStep, &around.next, around.next_count) }
                { list(MapWord::StepAfter, &around.after, around.after_count) }
            </div>
        </>
    }
}

/// Draws the words for the block pointed at, and the way to it.
fn way(sheet: &Sheet, pointing: &Pointing<'_>, lang: Lang) -> Html {
    let said = match pointing.at {
        Some(pointed) => words::block(sheet, pointed.block, lang),
        None => pointing.hint(lang).to_owned(),
    };
    let onclick = pointing.way().map(|schedule| {
        pointing.on.reform(move |_: MouseEvent| Input::Session(Msg::Open(schedule.clone())))
    });
    html! {
        <p class="way-there">
            <span class="said" aria-live="polite">{ said }</span>
            if pointing.plays {
                <button type="button" class="to-schedule" disabled={onclick.is_none()} {onclick}>
                    { map_word(lang, MapWord::WayThere) }</button>
            }
        </p>
    }
}

/// Handles keys: arrows go from block to block, Enter plays the way to the block pointed at.
fn on_key(sheet: &Sheet, pointing: &Pointing<'_>) -> Callback<KeyboardEvent> {
    let from = pointing.at.map(|one| one.block);
    let next = [(0, -1), (0, 1), (-1, 0), (1, 0)].map(|way| next_block(&sheet.view, from, way));
    let (schedule, on) = (pointing.way(), pointing.on.clone());
    Callback::from(move |event: KeyboardEvent| {
        let keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
        let input = match keys.iter().position(|key| *key == event.key()) {
            Some(at) => next[at].map(Input::Point),
            None if event.key() == "Enter" => {
                schedule.clone().map(|schedule| Input::Session(Msg::Open(schedule)))
            }
            None => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if let Some(input) = input {
            on.emit(input);
        }
    })
}

fn has(sheet: &Sheet, fate: Fate) -> bool {
    sheet.view.blocks.iter().any(|block| block.count[fate as usize] > 0)
}

/// Draws the mark of a fate alone.
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
            { shape(&Shape::new(class, form), None) }
        </svg>
    }
}

fn square() -> Form {
    Form::Rect { x: 2.0, y: 2.0, width: 10.0, height: 10.0, round: 1.5 }
}

fn picture(drawing: &Drawing, on: Option<&Callback<Input>>) -> Html {
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
            { for drawing.shapes.iter().map(|one| shape(one, on)) }
        </svg>
    }
}

/// The time in ms after which the last state of a search is lit.
const LIT_MS: f64 = 1_200.0;

fn shape(shape: &Shape, on: Option<&Callback<Input>>) -> Html {
    if let (Some(on), Some(block), Form::Rect { x, y, width, height, .. }) =
        (on, shape.block, &shape.form)
    {
        let point = on.reform(move |_: PointerEvent| Input::Point(block));
        return html! {
            <rect class={shape.class.clone()} x={short(*x)} y={short(*y)} width={short(*width)}
                height={short(*height)} data-block={block.to_string()}
                onpointerenter={point.clone()} onpointerdown={point} />
        };
    }
    let style = shape.met.map(|met| format!("--met:{:.0}ms", met * LIT_MS));
    let class = shape.class.clone();
    let fill = shape.hatched.then(|| format!("url(#{PATTERN})"));
    let stroke = shape.stroke.map(|width| format!("{width:.1}"));
    match &shape.form {
        Form::Rect { x, y, width, height, round } => html! {
            <rect {class} {fill} {style} stroke-width={stroke} x={short(*x)} y={short(*y)}
                width={short(*width)} height={short(*height)} rx={short(*round)} />
        },
        Form::Circle { x, y, r } => html! {
            <circle {class} {fill} {style} stroke-width={stroke} cx={short(*x)} cy={short(*y)}
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
        _ => html! { <path {class} {fill} {style} stroke-width={stroke} d={shape.path()} /> },
    }
}

fn short(value: f64) -> String {
    format!("{value:.1}")
}
