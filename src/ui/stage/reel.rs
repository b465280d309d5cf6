//! The animations of a film: each movement becomes keyframes of the elements at its places.

use std::collections::BTreeMap;
use std::fmt::Write;

use wasm_bindgen::prelude::*;
use web_sys::{Animation, Element, HtmlElement, KeyframeEffect, KeyframeEffectOptions};

use crate::app::path::{self, Point};
use crate::ui::browser;
use crate::ui::cards::client_class;
use crate::view::film::{Film, How, Move, Place};

use super::before::{Before, PANES, Scrolled, scrolled};
use super::places::{Places, Rect};

fn is_of_token(how: How) -> bool {
    matches!(
        how,
        How::Lift
            | How::Fly
            | How::Enter
            | How::Rest
            | How::Land
            | How::Lose
            | How::Bounce
            | How::Gone
    )
}

/// A film that is turned into animations of the page.
pub struct Reel {
    ms: f64,
    layer: HtmlElement,
    before: Before,
    /// The positions in the frame after, and the scroll positions of its panes.
    places: Places,
    scrolled: Vec<Scrolled>,
    /// The thumb of the strip, and the length of a step on it, in px.
    thumb: Option<(Element, f64)>,
    /// The paths of tokens, by token and start time; lines are drawn along them.
    paths: BTreeMap<(String, u32), Vec<Point>>,
    /// The distance by which the open listing scrolls. It scrolls when the marker moves on, not
    /// before.
    scrolls: f64,
    /// The highlights of each place, joined into one animation: a browser's compositor runs one
    /// animation of an element's opacity; a second one would run in the page's own thread.
    lights: BTreeMap<String, (Element, Vec<Frame>)>,
    animations: Animations,
}

/// The animations of a film.
#[derive(Default)]
pub struct Animations {
    /// The animations that change something over time. All last as long as the film.
    pub moving: Vec<Animation>,
    /// The animations that hold one look for the whole film. They stay paused, so no frame is drawn
    /// for them.
    pub still: Vec<Animation>,
}

/// A moment in ms, and the properties at it, in JSON.
type Frame = (f64, String);

fn opacity(value: f64) -> String {
    format!("\"opacity\":{value:.3}")
}

fn transform(words: &str) -> String {
    format!("\"transform\":\"{words}\"")
}

fn both(words: &str, value: f64) -> String {
    format!("{},{}", transform(words), opacity(value))
}

/// Returns the thumb of the strip, and the length of a step on it, in px.
fn thumb() -> Option<(Element, f64)> {
    let thumb = browser::document()?.query_selector(".dock .thumb").ok()??;
    let cells = thumb.parent_element()?;
    let places: f64 = cells.get_attribute("data-places")?.parse().ok()?;
    let cell = Rect::of(&cells)?.width / places.max(1.0);
    Some((thumb, cell))
}

impl Reel {
    /// Measures the page; after this the reel only writes to it.
    pub fn new(film: &Film, layer: HtmlElement, before: Before) -> Reel {
        Reel {
            ms: f64::from(film.ms.max(1)),
            layer,
            before,
            places: Places::of(film),
            scrolled: scrolled(),
            thumb: thumb(),
            paths: BTreeMap::new(),
            scrolls: 0.0,
            lights: BTreeMap::new(),
            animations: Animations::default(),
        }
    }

    /// Removes the leftovers of an earlier film.
    pub fn clear(&self) {
        self.layer.set_text_content(None);
    }

    /// Makes all animations. With `back`, the sentence and the buttons are those of the frame
    /// before from the start.
    pub fn all(&mut self, film: &Film, back: bool) {
        self.follow_panes(film);
        self.tokens(film);
        let beside = |one: &&Move| back && matches!(one.what.kind(), "say" | "next");
        for one in film.moves.iter().filter(|one| !is_of_token(one.how) && !beside(one)) {
            self.act(one, film);
        }
        for (lit, frames) in std::mem::take(&mut self.lights).into_values() {
            self.animate(&lit, &frames);
        }
        self.thumb(back);
    }

    /// Moves the thumb of the strip through the cell of the step.
    fn thumb(&mut self, back: bool) -> Option<()> {
        let (thumb, cell) = self.thumb.take()?;
        let (from, to) = if back { (0.0, cell) } else { (-cell, 0.0) };
        let at = |x: f64| transform(&format!("translateX({x:.2}px)"));
        self.animate(&thumb, &[(0.0, at(from)), (self.ms, at(to))]);
        Some(())
    }

    /// Returns the animations. If nothing moves, an animation of the layer keeps the time.
    pub fn into_animations(mut self) -> Animations {
        if self.animations.moving.is_empty() {
            let layer: Element = self.layer.clone().into();
            self.animate(&layer, &[(0.0, opacity(0.999)), (self.ms, opacity(1.0))]);
        }
        self.animations
    }

    /// Adds an animation as long as the film; it holds its look before its first and after its last
    /// moment.
    fn animate(&mut self, element: &Element, frames: &[Frame]) {
        let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return };
        let is_still = frames.iter().all(|(_, what)| *what == first.1);
        let mut all: Vec<(f64, &str)> = Vec::with_capacity(frames.len() + 2);
        if first.0 > 0.0 {
            all.push((0.0, &first.1));
        }
        let mut now = 0.0;
        for (at, what) in frames {
            // Moments that go back would be refused.
            now = at.clamp(now, self.ms);
            all.push((now, what));
        }
        if last.0 < self.ms {
            all.push((self.ms, &last.1));
        }
        let mut json = String::with_capacity(all.len() * 80);
        for (at, what) in all {
            json.push(if json.is_empty() { '[' } else { ',' });
            let _ = write!(json, "{{\"offset\":{:.5},{what}}}", at / self.ms);
        }
        json.push(']');
        let Ok(frames) = js_sys::JSON::parse(&json) else { return };
        let options = KeyframeEffectOptions::new();
        options.set_duration_f64(self.ms);
        options.set_fill(web_sys::FillMode::Both);
        let frames: js_sys::Object = frames.unchecked_into();
        let effect = KeyframeEffect::new_with_opt_element_and_keyframes_and_keyframe_effect_options(
            Some(element),
            Some(&frames),
            &options,
        );
        let Ok(animation) = effect.and_then(|effect| Animation::new_with_effect(Some(&effect)))
        else {
            return;
        };
        if is_still {
            let _ = animation.pause();
            self.animations.still.push(animation);
        } else {
            self.animations.moving.push(animation);
        }
    }

    fn fade(&mut self, element: &Element, (t0, t1): (f64, f64), from: f64, to: f64) {
        self.animate(element, &[(t0, opacity(from)), (t1, opacity(to))]);
    }

    /// Returns the rectangle of a place in the frame after, or in the frame before if it is gone.
    fn rect(&self, name: &str) -> Option<Rect> {
        self.places.rect(name).or_else(|| self.before.places.rect(name))
    }

    /// Returns the position of a token at a place: at its left end, half-way down. If a line is not
    /// shown, the card of its client takes its place.
    fn spot(&self, place: &Place) -> Option<Point> {
        /// From the left edge of a place to the middle of the token.
        const IN: f64 = 16.0;
        let name = place.name();
        let mut rect = self.rect(name);
        if rect.is_none() && place.kind() == "line" {
            let line = name.strip_suffix(":end").unwrap_or(name).to_owned();
            let client = format!("client:{}", name.split(':').nth(1).unwrap_or_default());
            rect = self.rect(&line).or_else(|| self.rect(&client));
        }
        let rect = rect?;
        let inside = if place.kind() == "slot" { IN + 10.0 } else { IN };
        let x = rect.left + inside.min(rect.width / 2.0);
        let down = if place.kind() == "line" { self.scrolls } else { 0.0 };
        Some((x, rect.top + rect.height / 2.0 + down))
    }

    fn ghost(&mut self, place: &Place) -> Option<Element> {
        let ghost = self.before.ghosts.remove(place.name())?;
        let _ = self.layer.append_child(&ghost);
        Some(ghost.into())
    }

    /// Scrolls the step's row and line into view as part of the film.
    fn follow_panes(&mut self, film: &Film) {
        let leave = film.moves.iter().find(|one| one.how == How::Lift);
        let leave = leave.map_or(120.0, |one| f64::from(one.t1.max(80)));
        let shift = film.moves.iter().find(|one| one.how == How::Shift);
        let go = shift.map_or((self.ms - 80.0, self.ms), |one| (one.t0.into(), one.t1.into()));
        let times = [(0.0, leave), go];
        for (at, selector) in PANES.iter().enumerate() {
            let (was, is) = (self.before.scrolled.get(at), self.scrolled.get(at));
            let Some((was, is)) = was.zip(is).filter(|(was, is)| is.is_of(was)) else { continue };
            let moved = f64::from((is.top - was.top).clamp(-was.height * 2, was.height * 2));
            if at == 1 {
                self.scrolls = moved;
            }
            let inner = format!("{selector} > *");
            let inner = browser::document().and_then(|all| all.query_selector(&inner).ok()?);
            if let Some(inner) = inner.filter(|_| moved != 0.0) {
                let (t0, t1) = times[at];
                let from = transform(&format!("translateY({moved:.1}px)"));
                self.animate(&inner, &[(t0, from), (t1, transform("none"))]);
            }
        }
    }

    /// Makes one animation of all moves of each token.
    fn tokens(&mut self, film: &Film) {
        let mut done: Vec<&Place> = Vec::new();
        for one in film.moves.iter().filter(|one| is_of_token(one.how)) {
            if !done.contains(&&one.what) {
                done.push(&one.what);
                self.token(&one.what, film);
            }
        }
    }

    fn token(&mut self, what: &Place, film: &Film) -> Option<()> {
        let legs: Vec<&Move> =
            film.moves.iter().filter(|one| one.what == *what && is_of_token(one.how)).collect();
        let said = legs.iter().find(|one| !one.text.is_empty());
        let client = legs.iter().find_map(|one| one.client);
        let name = what.name().trim_start_matches("token:");
        let folded = name.starts_with("command") || name.starts_with("queued");
        let token: Element = browser::document()?.create_element("div").ok()?;
        let colour = client.map(client_class).unwrap_or_default();
        token.set_class_name(&format!("token {} {colour}", if folded { "" } else { "open" }));
        if let (true, Some(client)) = (folded, client) {
            let badge = browser::document()?.create_element("b").ok()?;
            badge.set_text_content(Some(&client.name()));
            let _ = token.append_child(&badge);
        }
        let words = browser::document()?.create_element("span").ok()?;
        words.set_text_content(said.map(|one| one.text.as_str()));
        // A crown is a copy of the one that it becomes.
        let crown = legs.last().and_then(|leg| leg.to.as_ref()).filter(|to| to.kind() == "crown");
        match crown.and_then(|to| self.places.element(to.name())) {
            Some(crown) => {
                let copy = crown.clone_node_with_deep(true).ok()?;
                let _ = copy.unchecked_ref::<Element>().remove_attribute("data-place");
                let _ = token.append_child(&copy);
            }
            None => drop(token.append_child(&words)),
        }
        let _ = self.layer.append_child(&token);

        let mut frames: Vec<Frame> = Vec::new();
        let put = |frames: &mut Vec<Frame>, at: f64, (x, y): Point, seen: f64, scale: f64| {
            let place = format!("translate({x:.1}px,{y:.1}px) scale({scale})");
            frames.push((at, both(&place, seen)));
        };
        // The words of a folded one are seen where it rests.
        let mut shown: Vec<Frame> = Vec::new();
        let mut last = None;
        for leg in &legs {
            let (Some(from), Some(to)) = (&leg.from, &leg.to) else { continue };
            // Where an end is not in the page, the road's last place stands for it.
            let Some(a) = self.spot(from).or(last) else { continue };
            let road = leg.via.iter().rev().find_map(|place| self.spot(place));
            let b = self.spot(to).or(road).unwrap_or(a);
            last = Some(b);
            let (t0, t1) = (f64::from(leg.t0), f64::from(leg.t1));
            match leg.how {
                How::Lift => {
                    put(&mut frames, t0, a, 0.0, 0.7);
                    put(&mut frames, t1, b, 1.0, 1.0);
                }
                How::Gone => {
                    put(&mut frames, t0, a, 1.0, 1.0);
                    put(&mut frames, t1, a, 0.0, 0.9);
                }
                How::Bounce => {
                    let back = [(0.0, 0.0), (0.15, 6.0), (0.4, -30.0), (0.6, -22.0), (1.0, -28.0)];
                    for (part, by) in back {
                        put(&mut frames, t0 + (t1 - t0) * part, (a.0 + by, a.1), 1.0, 1.0);
                    }
                }
                _ => {
                    let mut way = vec![a];
                    for place in &leg.via {
                        way.extend(self.spot(place));
                    }
                    way.push(b);
                    let points = path::sampled(&way);
                    // Where it was lifted is not in the page: it is not seen before it moves.
                    if frames.is_empty() {
                        put(&mut frames, t0, a, 0.0, 1.0);
                    }
                    let pieces = (points.len() - 1).max(1) as f64;
                    for (at, point) in points.iter().enumerate() {
                        let part = at as f64 / pieces;
                        let seen = match leg.how {
                            How::Lose => ((1.0 - part) * 2.0).min(1.0),
                            How::Land => ((1.0 - part) * 3.0).min(1.0),
                            _ => 1.0,
                        };
                        put(&mut frames, t0 + (t1 - t0) * part, *point, seen, 1.0);
                    }
                    self.paths.insert((what.name().to_owned(), leg.t0), points);
                    if leg.how == How::Enter {
                        shown.extend([(t0, opacity(0.0)), (t1, opacity(1.0))]);
                    }
                }
            }
        }
        if frames.is_empty() {
            let _ = self.layer.remove_child(&token);
            return None;
        }
        self.animate(&token, &frames);
        if folded {
            if shown.is_empty() {
                shown.push((0.0, opacity(0.0)));
            }
            self.animate(&words, &shown);
        }
        Some(())
    }

    /// Animates a move of anything but a token.
    fn act(&mut self, one: &Move, film: &Film) -> Option<()> {
        let element = self.places.element(one.what.name());
        let (t0, t1) = (f64::from(one.t0), f64::from(one.t1));
        let middle = (t0 + t1) / 2.0;
        match one.how {
            How::Light => {
                let lit = glow(element?, one)?;
                let fade = [(t0, 0.0), (t0 + (t1 - t0) * 0.2, 1.0), (t0 + (t1 - t0) * 0.75, 1.0)];
                let end = (t1 + 80.0, 0.0);
                let (_, frames) = self
                    .lights
                    .entry(one.what.name().to_owned())
                    .or_insert_with(|| (lit, Vec::new()));
                frames.extend(fade.iter().chain([&end]).map(|(at, seen)| (*at, opacity(*seen))));
            }
            How::Busy => {
                let element = element?;
                // The last command that leaves it.
                let leaves = |other: &&Move| {
                    matches!(other.how, How::Gone | How::Rest)
                        && other.from.as_ref() == Some(&one.what)
                };
                let off = film.moves.iter().filter(leaves).map(|leaves| leaves.t0).max();
                let off = off.map_or(self.ms - 80.0, f64::from);
                let times = [t0, t1, off, off + 60.0];
                let lit = glow(element.clone(), one)?;
                let frames = |seen: [f64; 4]| -> Vec<Frame> {
                    times.iter().zip(seen).map(|(at, seen)| (*at, opacity(seen))).collect()
                };
                self.animate(&lit, &frames([0.0, 1.0, 1.0, 0.0]));
                if let Ok(Some(words)) = element.query_selector(".cap") {
                    self.animate(&words, &frames([1.0, 0.0, 0.0, 1.0]));
                }
            }
            How::Draw => self.draw(&element?, one)?,
            How::Roll => {
                let ghost = self.ghost(&one.what);
                if let Some(ghost) = ghost {
                    let inner = ghost.first_element_child()?;
                    // What stands above words of two lines comes down where those of one follow.
                    let heights = (Rect::of(&ghost)?.height, self.rect(one.what.name())?.height);
                    if heights.0 > heights.1 + 4.0 {
                        let _ = ghost.class_list().add_1("one-line");
                    }
                    self.animate(&ghost, &[(t0, opacity(1.0)), (t1, opacity(0.0))]);
                    let inner = deepest(inner);
                    let from = transform("none");
                    let to = transform("translateY(-90%)");
                    self.animate(&inner, &[(t0, from), (t1, to)]);
                }
                let from = both("translateY(90%)", 0.0);
                self.animate(&element?, &[(t0, from), (t1, both("none", 1.0))]);
            }
            How::Appear | How::Swap => {
                // Words on nothing go before the new ones come; what has a ground fades over.
                let ghost = self.ghost(&one.what);
                let gap = match one.what.kind() {
                    "say" | "next" => (t1 - t0) / 2.0,
                    _ if one.how == How::Appear => (t1 - t0) / 2.0,
                    _ => 0.0,
                };
                if let Some(ghost) = &ghost {
                    self.fade(ghost, (t0, t1 - gap), 1.0, 0.0);
                }
                self.fade(&element?, (t0 + gap, t1), 0.0, 1.0);
            }
            How::Show => {
                let element = element?;
                // The room that was kept for a value is no earlier value.
                let empty =
                    |ghost: &Element| ghost.query_selector(".value.none").ok().flatten().is_some();
                match self.ghost(&one.what).filter(|ghost| !empty(ghost)) {
                    Some(ghost) => self.fade(&ghost, (t0, t1), 1.0, 0.0),
                    None => self.name_of_value(&element, (t0, t1)),
                }
                // Room that is kept for a value shows nothing.
                if !element.class_list().contains("none") {
                    self.fade(&element, (t0, t1), 0.0, 1.0);
                }
            }
            How::Leave => {
                let ghost = self.ghost(&one.what)?;
                self.fade(&ghost, (t0, t1), 1.0, 0.0);
            }
            How::Fall => {
                let ghost = self.ghost(&one.what);
                if let Some(ghost) = ghost {
                    let frames = [
                        (t0, both("none", 1.0)),
                        (t0 + (t1 - t0) * 0.25, both("translateY(4px) rotate(1deg)", 1.0)),
                        // It is gone before it has left the room of its key.
                        (t1, both("translateY(min(56px, 45%)) rotate(3deg)", 0.0)),
                    ];
                    self.animate(&ghost, &frames);
                }
                self.fade(&element?, (t0 + (t1 - t0) * 0.7, t1), 0.0, 1.0);
            }
            How::Shake => {
                let by = [0, -5, 5, -4, 3, 0];
                let part = (t1 - t0) / (by.len() - 1) as f64;
                let frames: Vec<Frame> = by
                    .iter()
                    .enumerate()
                    .map(|(at, by)| {
                        (t0 + part * at as f64, transform(&format!("translateX({by}px)")))
                    })
                    .collect();
                self.animate(&element?, &frames);
            }
            How::Arrive | How::Shift => {
                let element = element?;
                // What was there already goes from where it stood itself.
                let own = self.before.places.rect(one.what.name());
                let own = own.filter(|_| one.how == How::Shift);
                let from = one.from.as_ref().and_then(|from| self.before.places.rect(from.name()));
                let was = own.or(from);
                let was = was.or_else(|| self.rect(one.from.as_ref()?.name()))?;
                let is = self.places.rect(one.what.name())?;
                let within = element.closest(".listing.open .lines").ok().flatten().is_some();
                let scrolled = if within { self.scrolls } else { 0.0 };
                let (x, y) = (was.left - is.left, was.top - is.top - scrolled);
                let hidden = one.how == How::Arrive;
                let frames: Vec<Frame> = (0..=8)
                    .map(|at| {
                        let part = f64::from(at) / 8.0;
                        let rest = 1.0 - path::eased(part);
                        let place = format!("translate({:.1}px,{:.1}px)", x * rest, y * rest);
                        let seen = if hidden && at == 0 { 0.0 } else { 1.0 };
                        (t0 + (t1 - t0) * part, both(&place, seen))
                    })
                    .collect();
                self.animate(&element, &frames);
            }
            How::Dust => self.dust(one)?,
            How::Break => {
                let ghost = self.ghost(&one.what)?;
                let half: Element = ghost.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
                let _ = self.layer.append_child(&half);
                let _ = half.class_list().add_1("right-half");
                let _ = ghost.class_list().add_1("left-half");
                for (half, side) in [(ghost, -1.0), (half, 1.0)] {
                    let crack = format!("translateX({}px) rotate({}deg)", side * 3.0, side * 0.8);
                    let gone =
                        format!("translate({}px,14px) rotate({}deg)", side * 9.0, side * 4.0);
                    let frames = [
                        (t0, both("none", 1.0)),
                        (t0 + (t1 - t0) * 0.25, both(&crack, 1.0)),
                        (t1, both(&gone, 0.0)),
                    ];
                    self.animate(&half, &frames);
                }
                self.fade(&element?, (middle, t1), 0.0, 1.0);
            }
            How::Drain => self.drain(element, one)?,
            How::Grow => {
                // The ground grows downwards from the row's top; what is written on it fades in.
                let row = element?;
                self.fade(&row, (t0, t0 + 80.0), 0.0, 1.0);
                if let Ok(Some(ground)) = row.query_selector(".passed") {
                    let frames = [(t0, transform("scaleY(0)")), (t1, transform("none"))];
                    self.animate(&ground, &frames);
                }
                let words = row.query_selector_all(".time > :not(.passed)").ok()?;
                for at in 0..words.length() {
                    let Some(words) = words.get(at).and_then(|one| one.dyn_into().ok()) else {
                        continue;
                    };
                    self.fade(&words, (middle, t1), 0.0, 1.0);
                }
            }
            How::Extend => {
                let element = element?;
                // What was not there grows from nothing.
                let was = self.before.places.rect(one.what.name()).map_or(0.0, |was| was.height);
                let is = self.places.rect(one.what.name())?.height;
                if is > was {
                    let from = transform(&format!("scaleY({:.4})", was / is));
                    self.animate(&element, &[(t0, from), (t1, transform("none"))]);
                }
            }
            How::Spin | How::Join => {
                let frames = [
                    (t0, both("scaleY(0)", 0.0)),
                    (t0 + 1.0, both("scaleY(0)", 1.0)),
                    (t1, both("none", 1.0)),
                ];
                self.animate(&element?, &frames);
            }
            How::Redden => {
                let ghost = self.ghost(&one.what);
                if let Some(ghost) = ghost {
                    self.fade(&ghost, (t0, t1), 1.0, 0.0);
                }
                self.fade(&element?, (t0, t1), 0.0, 1.0);
            }
            How::Flash => {
                let part = (t1 - t0) / 3.0;
                let frames: Vec<Frame> = [0.2, 1.0, 0.2, 1.0]
                    .iter()
                    .enumerate()
                    .map(|(at, seen)| (t0 + part * at as f64, opacity(*seen)))
                    .collect();
                self.animate(&element?, &frames);
            }
            How::Open => self.open_folder(one, film)?,
            How::Turn => {
                let turn = |from: &str, to: &str| [transform(from), transform(to)];
                if let Some(ghost) = self.ghost(&one.what) {
                    let frames = [
                        (t0, both("scaleY(1)", 1.0)),
                        (middle, both("scaleY(0)", 1.0)),
                        (middle + 1.0, both("scaleY(0)", 0.0)),
                    ];
                    self.animate(&ghost, &frames);
                }
                let [flat, whole] = turn("scaleY(0)", "scaleY(1)");
                self.animate(&element?, &[(t0, flat.clone()), (middle, flat), (t1, whole)]);
            }
            _ => {}
        }
        Some(())
    }

    /// Shows the name of a variable together with its first value.
    fn name_of_value(&mut self, value: &Element, times: (f64, f64)) {
        let Ok(Some(variable)) = value.closest(".variable") else { return };
        let values = variable.query_selector_all(".value:not(.none)");
        let first = values.is_ok_and(|values| values.length() == 1);
        if let (true, Ok(Some(name))) = (first, variable.query_selector(".label")) {
            self.fade(&name, times, 0.0, 1.0);
        }
    }

    /// Draws a line of the diagram as its token passes, and its words at the end.
    fn draw(&mut self, element: &Element, one: &Move) -> Option<()> {
        let (t0, t1) = (f64::from(one.t0), f64::from(one.t1));
        let line = element.query_selector("path").ok()??;
        let rect = self.places.line(one.what.name())?;
        let key = (one.with.as_ref()?.name().to_owned(), one.t0);
        let back = one.what.name().ends_with("reply");
        let part_at = |x: f64| {
            let part = ((x - rect.left) / rect.width.max(1.0)).clamp(0.0, 1.0);
            if back { 1.0 - part } else { part }
        };
        let mut most: f64 = 0.0;
        let frames: Vec<Frame> = match self.paths.get(&key) {
            Some(points) => {
                let last = (points.len() - 1).max(1) as f64;
                // The token has to be on the row: before that, it may pass above it.
                let y = rect.top + rect.height / 2.0;
                points
                    .iter()
                    .enumerate()
                    .map(|(at, (x, token_y))| {
                        if (token_y - y).abs() < 14.0 || most > 0.0 {
                            most = most.max(part_at(*x));
                        }
                        let at = t0 + (t1 - t0) * at as f64 / last;
                        (at, transform(&format!("scaleX({most:.4})")))
                    })
                    .collect()
            }
            None => vec![(t0, transform("scaleX(0)")), (t1, transform("none"))],
        };
        let end = frames.len().saturating_sub(1);
        let mut frames = frames;
        if let Some(last) = frames.get_mut(end) {
            last.1 = transform("none");
        }
        self.animate(&line, &frames);
        if let Ok(words) = element.query_selector_all("text, rect, .tip") {
            for at in 0..words.length() {
                if let Some(words) = words.get(at).and_then(|one| one.dyn_into::<Element>().ok()) {
                    let from = t0 + (t1 - t0) * 0.35;
                    self.fade(&words, (from, from + (t1 - t0) * 0.4), 0.0, 1.0);
                }
            }
        }
        Some(())
    }

    /// Breaks a queue to pieces.
    fn dust(&mut self, one: &Move) -> Option<()> {
        const PIECES: u32 = 12;
        let ghost = self.ghost(&one.what)?;
        let (t0, t1) = (f64::from(one.t0), f64::from(one.t1));
        for at in 0..PIECES {
            let piece: HtmlElement = ghost.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
            // The same pieces every time.
            let chance = f64::from((at * 7919) % 13) / 13.0;
            let (left, right) = (f64::from(at) / 12.0 * 100.0, f64::from(11 - at) / 12.0 * 100.0);
            let _ = piece
                .style()
                .set_property("clip-path", &format!("inset(0 {right:.1}% 0 {left:.1}%)"));
            let _ = self.layer.append_child(&piece);
            let from = t0 + chance * (t1 - t0) * 0.35;
            let place = |x: f64, y: f64, turn: f64| {
                format!("translate({x:.1}px,{y:.1}px) rotate({turn:.1}deg)")
            };
            let aside = chance - 0.5;
            let frames = [
                (from, both("none", 1.0)),
                (from + (t1 - t0) * 0.3, both(&place(aside * 14.0, 6.0, aside * 30.0), 0.9)),
                (t1, both(&place(aside * 46.0, 34.0 + chance * 30.0, aside * 140.0), 0.0)),
            ];
            self.animate(&piece, &frames);
        }
        let _ = self.layer.remove_child(&ghost);
        Some(())
    }

    /// Turns the ring of a lease from the time left before to the time left after. If the lease has
    /// ended, the ring is in the copy of its key.
    fn drain(&mut self, element: Option<Element>, one: &Move) -> Option<()> {
        let (from, to) = one.left?;
        let (from, to) = (f64::from(from) / 1000.0, f64::from(to) / 1000.0);
        let (t0, t1) = (f64::from(one.t0), f64::from(one.t1));
        let ring = element.clone().or_else(|| {
            let key = one.what.name().replacen("ttl", "key", 1);
            Some(self.before.ghosts.get(&key)?.clone().into())
        })?;
        let halves = ring.query_selector_all(".ring b").ok()?;
        let turn = |left: f64, half: u32| {
            let part = if half == 0 { left.min(0.5) } else { (left - 0.5).max(0.0) };
            transform(&format!("rotate({:.1}deg)", part * 360.0))
        };
        for half in 0..halves.length() {
            let Some(part) = halves.get(half).and_then(|one| one.dyn_into::<Element>().ok()) else {
                continue;
            };
            let mut frames = vec![(t0, turn(from, half))];
            if from > 0.5 && to < 0.5 {
                let at = t0 + (t1 - t0) * (from - 0.5) / (from - to);
                frames.push((at, turn(0.5, half)));
            }
            frames.push((t1, turn(to, half)));
            self.animate(&part, &frames);
        }
        let words = ring.query_selector("small").ok().flatten();
        // Its words are the old ones until it has run down.
        let old = self.ghost(&one.what).filter(|_| element.is_some());
        if let Some(old) = &old {
            if let Ok(Some(ring)) = old.query_selector(".ring") {
                let _ = ring.set_attribute("style", "visibility:hidden");
            }
            self.fade(old, (t1 - 160.0, t1 - 80.0), 1.0, 0.0);
        }
        if let (Some(words), Some(_)) = (words, old) {
            self.fade(&words, (t1 - 80.0, t1), 0.0, 1.0);
        }
        Some(())
    }

    /// Opens a script as a folder in the slot; its commands appear one after the other.
    fn open_folder(&mut self, one: &Move, film: &Film) -> Option<()> {
        let document = browser::document()?;
        let slot = self.rect(one.to.as_ref()?.name())?;
        let shut = film.moves.iter().find(|m| m.what == one.what && m.how == How::Shut)?;
        let folder: HtmlElement = document.create_element("div").ok()?.dyn_into().ok()?;
        folder.set_class_name(&format!(
            "folder {}",
            one.client.map(client_class).unwrap_or_default()
        ));
        let place = format!(
            "left:{:.1}px;top:{:.1}px;width:{:.1}px",
            slot.left,
            slot.top + 18.0,
            slot.width
        );
        let _ = folder.set_attribute("style", &place);
        let title = document.create_element("h4").ok()?;
        title.set_text_content(Some(&one.text));
        let _ = folder.append_child(&title);
        let _ = self.layer.append_child(&folder);
        for (number, line) in film.moves.iter().filter(|m| is_folder_line(m)).enumerate() {
            let shown = document.create_element("p").ok()?;
            if number == 0 && line.how == How::Fill {
                shown.set_class_name("slow");
            }
            shown.set_text_content(Some(&line.text));
            let _ = folder.append_child(&shown);
            self.fade(&shown, (line.t0.into(), line.t1.into()), 0.0, 1.0);
        }
        let frames = [
            (f64::from(one.t0), both("scaleY(0)", 0.0)),
            (f64::from(one.t1), both("none", 1.0)),
            (f64::from(shut.t0), both("none", 1.0)),
            (f64::from(shut.t1), both("scaleY(0)", 0.0)),
        ];
        let folder: Element = folder.into();
        self.animate(&folder, &frames);
        Some(())
    }
}

fn is_folder_line(one: &Move) -> bool {
    one.what.kind() == "folder" && matches!(one.how, How::Show | How::Fill)
}

/// Returns the light of an element, in the colour of the client it is lit for.
fn glow(element: Element, one: &Move) -> Option<Element> {
    let around = match one.what.kind() {
        "line" => element.closest("li").ok()??,
        _ => element,
    };
    let lit = around.query_selector(":scope > .glow").ok()??;
    lit.set_class_name(&format!("glow {}", one.client.map(client_class).unwrap_or_default()));
    Some(lit)
}

/// Returns the element that a ghost copies, inside the wrappers of its ancestors.
fn deepest(mut element: Element) -> Element {
    while element.get_attribute("style").is_some_and(|style| style.ends_with("display:contents")) {
        match element.first_element_child() {
            Some(inner) => element = inner,
            None => break,
        }
    }
    element
}
