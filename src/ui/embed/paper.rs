//! How high the lesson is on paper, for the page around: that page prints frames as they stand, and
//! while it does nobody can be asked.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CssMediaRule, CssStyleSheet, Document, HtmlElement, MediaList};

use crate::ui::browser;

/// The width in px of a page of paper without its margins.
const WIDTH: &str = "640px";
/// What a listener asked for is drawn after this number of turns at the latest.
const TURNS: usize = 8;

/// Lays the lesson out as on paper, and returns its height in px. It is over before the browser
/// paints, so nobody sees it. `None` if the page is printed as it stands.
pub async fn height() -> Option<u32> {
    let document = browser::document()?;
    browser::tell("beforeprint", "");
    let mut paper = None;
    for _ in 0..TURNS {
        paper = document.query_selector(".paper").ok()?;
        if paper.is_some() {
            break;
        }
        JsFuture::from(Promise::resolve(&JsValue::NULL)).await.ok()?;
    }
    let paper = paper.and_then(|paper| paper.dyn_into::<HtmlElement>().ok());
    let height = paper.map(|paper| {
        let rules = of_print(&document);
        rules.iter().for_each(|media| media.set_media_text("all"));
        let _ = paper.style().set_property("width", WIDTH);
        let height = paper.get_bounding_client_rect().height();
        rules.iter().for_each(|media| media.set_media_text("print"));
        height.ceil() as u32
    });
    browser::tell("afterprint", "");
    height
}

/// The media of the sheets and rules that are for paper alone.
fn of_print(document: &Document) -> Vec<MediaList> {
    let sheets = document.style_sheets();
    let sheets: Vec<CssStyleSheet> =
        (0..sheets.length()).filter_map(|at| sheets.item(at)?.dyn_into().ok()).collect();
    let rules = sheets.iter().filter_map(|sheet| sheet.css_rules().ok());
    let rules = rules.flat_map(|rules| (0..rules.length()).filter_map(move |at| rules.item(at)));
    let of_rules = rules.filter_map(|rule| Some(rule.dyn_into::<CssMediaRule>().ok()?.media()));
    let of_sheets = sheets.iter().map(|sheet| sheet.media());
    of_rules.chain(of_sheets).filter(|media| media.media_text() == "print").collect()
}
