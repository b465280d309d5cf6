//! The browser's storage, as drafts are kept in it. What it does not take stays with the page,
//! where static/broken finds it when the page has to end.

use wasm_bindgen::prelude::*;

use crate::playground::kept::Shelf;

use super::browser;

/// Texts that the storage has refused, by name: an object of the page's.
const UNKEPT: &str = "interleaveUnkept";

pub struct Local;

impl Shelf for Local {
    fn get(&self, name: &str) -> Option<String> {
        browser::stored(name)
    }

    fn set(&self, name: &str, text: &str) -> bool {
        let kept = browser::store(name, text);
        let _ = unkept().and_then(|unkept| {
            let text = if kept { JsValue::UNDEFINED } else { text.into() };
            js_sys::Reflect::set(&unkept, &name.into(), &text)
        });
        kept
    }

    fn remove(&self, name: &str) {
        browser::unstore(name);
    }

    fn tab(&self, of: &str) -> Option<String> {
        browser::tab_storage()?.get_item(&of_tab(of)).ok()?
    }

    fn set_tab(&self, of: &str, slot: &str) {
        if let Some(storage) = browser::tab_storage() {
            let _ = storage.set_item(&of_tab(of), slot);
        }
    }
}

fn of_tab(of: &str) -> String {
    format!("interleave.slot.{of}")
}

fn unkept() -> Result<JsValue, JsValue> {
    let window = browser::window().ok_or(JsValue::NULL)?;
    let found = js_sys::Reflect::get(&window, &UNKEPT.into())?;
    if found.is_object() {
        return Ok(found);
    }
    let new = js_sys::Object::new();
    js_sys::Reflect::set(&window, &UNKEPT.into(), &new)?;
    Ok(new.into())
}

/// Asks, before the page is left, as long as something is written that only the page has.
pub fn guard() {
    let ask = Closure::<dyn Fn(web_sys::Event)>::new(|event: web_sys::Event| {
        let values = unkept().map(|unkept| js_sys::Object::values(&unkept.into()));
        if values.is_ok_and(|values| values.iter().any(|text| !text.is_undefined())) {
            event.prevent_default();
        }
    });
    browser::listen("beforeunload", ask.as_ref().unchecked_ref());
    // For as long as the page lives.
    ask.forget();
}
