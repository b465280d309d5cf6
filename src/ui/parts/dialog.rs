//! A dialog above the page: the component that opens and closes it. What stands in it is drawn by
//! a function.
//!
//! Contract: it is empty until it is opened first. What it shows is drawn again only while it is
//! open. It is there all the time, so that the browser can put the focus back where it was.

use std::rc::Rc;

use web_sys::HtmlDialogElement;
use yew::prelude::*;
use yew::virtual_dom::{Key, VComp};

use crate::ui::lazy::Source;

/// The properties of a dialog other than its content.
pub struct Frame {
    pub class: &'static str,
    /// The accessible name.
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
}

impl Dialog {
    fn take(&mut self, props: &DialogProps) {
        if props.of.is_some() {
            self.last = Some(props.draw.clone());
        }
    }
}

impl Component for Dialog {
    type Message = ();
    type Properties = DialogProps;

    fn create(ctx: &Context<Self>) -> Dialog {
        let mut dialog = Dialog { node: NodeRef::default(), last: None };
        dialog.take(ctx.props());
        dialog
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &DialogProps) -> bool {
        self.take(ctx.props());
        true
    }

    // Never without a node: Yew looks for the place of what stands before an empty component at
    // what stands after it, which may just have been removed.
    fn view(&self, ctx: &Context<Self>) -> Html {
        let DialogProps { of, frame, .. } = ctx.props();
        let last = self.last.as_ref().filter(|_| of.is_some() || !frame.forgets);
        html! {
            <dialog class={frame.class} ref={self.node.clone()} aria-label={frame.label}
                onclose={frame.on_close.reform(|_: Event| ())}>
                { last.map(|draw| draw()) }
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

/// Opens or closes a dialog as `open` says.
pub fn show(dialog: &NodeRef, open: bool) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
        match open {
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    }
}
