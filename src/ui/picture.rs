//! The diagram as a file: its SVG with the styles that it has on the page written into it, and the
//! same drawn as a PNG.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, Element, HtmlAnchorElement, HtmlCanvasElement,
    HtmlImageElement, Url, XmlSerializer,
};

use super::browser;

/// The properties that the page's style sheet sets on a drawing.
const STYLES: [&str; 12] = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linejoin",
    "opacity",
    "fill-opacity",
    "font-family",
    "font-size",
    "font-weight",
    "text-anchor",
    "paint-order",
];
/// The pixels of a PNG for each px of the page.
const SCALE: f64 = 2.0;

/// A drawing with its size in pixels.
pub struct Drawing {
    svg: String,
    width: f64,
    height: f64,
}

/// Returns the whole diagram on the page.
pub fn diagram() -> Option<Drawing> {
    let shown = browser::document()?.query_selector(".drawing svg").ok()??;
    let copy: Element = shown.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    // Its box is as high as what is drawn; it may be higher.
    let size = shown.parent_element()?.get_bounding_client_rect();
    let wide: i32 = shown.get_attribute("width")?.parse().ok()?;
    let wide = f64::from(wide);
    let high = wide * size.height() / size.width();
    let window = browser::window()?;
    let ground = browser::document()?.body()?;
    let ground =
        window.get_computed_style(&ground).ok()??.get_property_value("background-color").ok()?;
    let (all, copies) = (shown.query_selector_all("*").ok()?, copy.query_selector_all("*").ok()?);
    for at in 0..all.length() {
        let (Some(one), Some(same)) = (all.get(at), copies.get(at)) else { continue };
        let (Ok(one), Ok(same)) = (one.dyn_into::<Element>(), same.dyn_into::<Element>()) else {
            continue;
        };
        let Ok(Some(style)) = window.get_computed_style(&one) else { continue };
        let value = |name: &&str| {
            let value = style.get_property_value(name).ok().filter(|value| !value.is_empty())?;
            Some(format!("{name}:{value}"))
        };
        let styles: Vec<String> = STYLES.iter().filter_map(value).collect();
        let _ = same.set_attribute("style", &styles.join(";"));
        let _ = same.remove_attribute("class");
    }
    for (name, value) in [
        ("xmlns", "http://www.w3.org/2000/svg".to_owned()),
        ("viewBox", format!("0 0 {wide} {high:.0}")),
        ("width", size.width().to_string()),
        ("height", size.height().to_string()),
        ("style", format!("background:{ground}")),
    ] {
        copy.set_attribute(name, &value).ok()?;
    }
    let svg = XmlSerializer::new().ok()?.serialize_to_string(&copy).ok()?;
    Some(Drawing { svg, width: size.width(), height: size.height() })
}

impl Drawing {
    pub fn save_svg(&self, name: &str) -> Result<(), JsValue> {
        save(&format!("{name}.svg"), "image/svg+xml", self.svg.as_bytes())
    }

    pub async fn save_png(self, name: String) -> Result<(), JsValue> {
        let blob = blob("image/svg+xml", &self.svg)?;
        let address = Url::create_object_url_with_blob(&blob)?;
        let image = HtmlImageElement::new()?;
        image.set_src(&address);
        let loaded = JsFuture::from(image.decode()).await;
        let done = loaded.and_then(|_| self.draw(&image, &name));
        Url::revoke_object_url(&address)?;
        done
    }

    fn draw(&self, image: &HtmlImageElement, name: &str) -> Result<(), JsValue> {
        let document = browser::document().ok_or("no document")?;
        let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
        canvas.set_width((self.width * SCALE) as u32);
        canvas.set_height((self.height * SCALE) as u32);
        let context = canvas.get_context("2d")?.ok_or("no canvas")?;
        let context: CanvasRenderingContext2d = context.dyn_into()?;
        context.scale(SCALE, SCALE)?;
        context.draw_image_with_html_image_element(image, 0.0, 0.0)?;
        click(&format!("{name}.png"), &canvas.to_data_url()?)
    }
}

fn blob(kind: &str, text: &str) -> Result<Blob, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&text.into()), &options)
}

/// Saves bytes as a file for the reader.
pub fn save(name: &str, kind: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    save_blob(name, &Blob::new_with_u8_array_sequence_and_options(&parts, &options)?)
}

fn save_blob(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let address = Url::create_object_url_with_blob(blob)?;
    let done = click(name, &address);
    Url::revoke_object_url(&address)?;
    done
}

fn click(name: &str, address: &str) -> Result<(), JsValue> {
    let document = browser::document().ok_or("no document")?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(address);
    link.set_download(name);
    link.click();
    Ok(())
}
