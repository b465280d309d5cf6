//! A dialog above the page: the component that opens and closes it. What stands in it is drawn by
//! a function.
//!
//! Contract: it is empty until it is opened first. What it shows is drawn again only while it is
//! open. It is there all the time, so that the browser can put the focus back where it was. Each
//! closes by Esc, by the button at its top right, and by a press beside it.
//!
//! The press beside is handled here: `closedby="any"`, which would do it, is not in every engine.

use std::rc::Rc;

use web_sys::{Element, HtmlDialogElement};
use yew::prelude::*;
use yew::virtual_dom::{Key, VComp};

use crate::text::{self, Lang, tr};
use crate::ui::lazy::Source;

/// The properties of a dialog other than its content.
pub struct Frame {
    pub class: &'static str,
    pub lang: Lang,
    /// The heading, and the accessible name.
    pub label: &'static str,
    /// Called when the dialog was closed, by a key or by the page.
    pub on_close: Callback<()>,
    /// True if closing discards the content and the text typed there.
    pub forgets: bool,
}

type Draw = Rc<dyn Fn() -> Html>;

#[derive(Properties)]
pub struct DialogProps {
    /// The content's data; `None` while the dialog is closed.
    of: Option<Rc<dyn Source>>,
    draw: Draw,
    frame: Frame,
}

impl PartialEq for DialogProps {
    fn eq(&self, other: &DialogProps) -> bool {
        match (&self.of, &other.of) {
            (Some(of), Some(other)) => of.is(&**other),
            (None, None) => true,
            _ => false,
        }
    }
}

/// Opens and closes a dialog.
pub struct Dialog {
    node: NodeRef,
    /// Draws the last content, which stays after the dialog is closed unless it `forgets`.
    last: Option<Draw>,
    /// True while a press goes on that began beside the dialog.
    pressed_beside: bool,
}

pub enum Msg {
    /// A press began or ended, beside the dialog or in it.
    Down(bool),
    Up(bool),
}

impl Dialog {
    fn take(&mut self, props: &DialogProps) {
        if props.of.is_some() {
            self.last = Some(props.draw.clone());
        }
    }
}

impl Component for Dialog {
    type Message = Msg;
    type Properties = DialogProps;

    fn create(ctx: &Context<Self>) -> Dialog {
        let mut dialog = Dialog { node: NodeRef::default(), last: None, pressed_beside: false };
        dialog.take(ctx.props());
        dialog
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &DialogProps) -> bool {
        self.take(ctx.props());
        true
    }

    /// A drag that begins in a field and ends beside the dialog closes nothing.
    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Down(beside) => self.pressed_beside = beside,
            Msg::Up(beside) if std::mem::take(&mut self.pressed_beside) && beside => {
                ctx.props().frame.on_close.emit(());
            }
            Msg::Up(_) => {}
        }
        false
    }

    // Never without a node: Yew looks for the place of what stands before an empty component at
    // what stands after it, which may just have been removed.
    fn view(&self, ctx: &Context<Self>) -> Html {
        let DialogProps { of, frame, .. } = ctx.props();
        let last = self.last.as_ref().filter(|_| of.is_some() || !frame.forgets);
        let node = self.node.clone();
        let down = move |event: PointerEvent| Msg::Down(is_beside(&node, &event));
        let node = self.node.clone();
        let up = move |event: MouseEvent| Msg::Up(is_beside(&node, &event));
        html! {
            <dialog class={frame.class} ref={self.node.clone()} aria-label={frame.label}
                onclose={frame.on_close.reform(|_: Event| ())}
                onpointerdown={ctx.link().callback(down)} onclick={ctx.link().callback(up)}>
                if let Some(draw) = last {
                    <header>
                        <h2>{ frame.label }</h2>
                        <button type="button" class="close"
                            onclick={frame.on_close.reform(|_: MouseEvent| ())}>
                            { tr(frame.lang, text::Key::Close) }
                            <i aria-hidden="true">{ "×" }</i>
                        </button>
                    </header>
                    { draw() }
                }
            </dialog>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        show(&self.node, ctx.props().of.is_some());
    }
}

/// A dialog that is open while there is something to show, `of`.
pub fn dialog<T: PartialEq + 'static>(frame: Frame, of: Option<T>, draw: fn(&T) -> Html) -> Html {
    match of.map(Rc::new) {
        None => framed(frame, None, Rc::new(Html::default)),
        Some(of) => {
            let drawn = of.clone();
            framed(frame, Some(of), Rc::new(move || draw(&drawn)))
        }
    }
}

fn framed(frame: Frame, of: Option<Rc<dyn Source>>, draw: Draw) -> Html {
    // By its key it stays the same one when another dialog comes or goes before it.
    let key = Some(Key::from(frame.class));
    VComp::new::<Dialog>(Rc::new(DialogProps { of, draw, frame }), key).into()
}

/// Returns true if a press was on the backdrop: the browser reports it as one on the dialog,
/// outside its box.
fn is_beside(dialog: &NodeRef, event: &MouseEvent) -> bool {
    let target: Option<Element> = event.target_dyn_into();
    let Some(dialog) = dialog.cast::<Element>().filter(|one| target.as_ref() == Some(one)) else {
        return false;
    };
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    let place = dialog.get_bounding_client_rect();
    !(place.left()..=place.right()).contains(&x) || !(place.top()..=place.bottom()).contains(&y)
}

/// Opens or closes a dialog as `open` says.
fn show(dialog: &NodeRef, open: bool) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
        match open {
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    }
}
