//! Draws the spans that last over several rows: race windows, leases, pauses, transactions.

use std::rc::Rc;

use yew::prelude::*;

use crate::ui::cards::client_class;
use crate::ui::lazy::{Drawn, Reach, in_parts};
use crate::view::film::Place;
use crate::view::stage::diagram::{Band, BandKind, Diagram, Window};

pub fn windows(diagram: &Diagram) -> Html {
    drawn(&diagram.windows, window)
}

pub fn bands(diagram: &Diagram) -> Html {
    drawn(&diagram.bands, band)
}

fn drawn<T: 'static>(items: &Rc<Vec<Rc<T>>>, draw: fn(&T) -> Option<Html>) -> Html {
    let list = Drawn { items: items.clone(), settled: false, draw: Box::new(draw) };
    in_parts(Rc::new(list), items.len(), &Reach::ALL)
}

fn window(window: &Window) -> Option<Html> {
    let rect = |class: &'static str, top: i32, bottom: i32, place: Place| {
        html! {
            <rect {class} x={(window.x - 6).to_string()} y={top.to_string()} width="12"
                height={(bottom - top).max(0).to_string()} data-place={place.to_string()} />
        }
    };
    let calm_to = window.stale_from.unwrap_or(window.bottom);
    Some(html! {
        <g key={Place::window(window).to_string()} class="window">
            { rect("calm", window.top, calm_to, Place::window(window)) }
            if let Some(stale_from) = window.stale_from {
                { rect("stale", stale_from, window.bottom, Place::window_red(window)) }
            }
        </g>
    })
}

fn band(band: &Band) -> Option<Html> {
    let kind = band.kind.word();
    let place = Place::band(kind, &band.whose, band.from).to_string();
    let notch = |at: usize| Place::band_notch(kind, &band.whose, band.from, at).to_string();
    let numbered = || band.notches.iter().enumerate();
    let class = classes!("band", kind, band.client.map(client_class));
    let (x, top, bottom) = (band.x, band.top, band.bottom.max(band.top));
    let bar = |width: i32| {
        html! {
            <rect x={(x - width / 2).to_string()} y={top.to_string()}
                width={width.to_string()} height={(bottom - top).to_string()}
                rx={(width / 3).to_string()} data-place={place.clone()} />
        }
    };
    let shape = match band.kind {
        BandKind::Watch => {
            let turn = band.red_from.unwrap_or(bottom);
            html! {
                <>
                    <path d={format!("M{x} {top}V{turn}")} data-place={place.clone()} />
                    if band.red_from.is_some() {
                        <path class="dirty" d={format!("M{x} {turn}V{bottom}")}
                            data-place={Place::band_red(kind, &band.whose, band.from)
                                .to_string()} />
                    }
                </>
            }
        }
        BandKind::Multi => html! {
            <>
                <path d={format!("M{} {top}h4V{bottom}h-4", x - 4)} data-place={place.clone()} />
                { for numbered().map(|(at, y)| html! {
                    <rect key={*y} x={(x - 3).to_string()} y={(y - 3).to_string()}
                        width="6" height="6" rx="1" data-place={notch(at)} />
                }) }
            </>
        },
        BandKind::Lease => html! {
            <>
                { bar(4) }
                { for numbered().map(|(at, y)| html! {
                    <path key={*y} class="renewed" d={format!("M{} {y}h8", x - 4)}
                        data-place={notch(at)} />
                }) }
            </>
        },
        BandKind::Belief => bar(3),
        BandKind::Clash => bar(7),
        BandKind::Paused | BandKind::Waiting | BandKind::Down => bar(10),
    };
    Some(html! {
        <g key={format!("{kind}{x}.{top}")} {class}>
            <title>{ band.words.clone() }</title>
            { shape }
        </g>
    })
}
