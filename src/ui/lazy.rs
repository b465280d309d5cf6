//! A part of the page that is drawn again only when what it is drawn from is another one. Long
//! lists are made of such parts, so that a step costs what it changes and not what there is.

use std::any::Any;
use std::rc::Rc;

use yew::prelude::*;

/// How many items of a list make one part.
pub const PART: usize = 24;

#[derive(Properties)]
pub struct LazyProps {
    /// Allocations that it is drawn from: the same ones, the same picture.
    pub of: Vec<Rc<dyn Any>>,
    /// What else it depends on.
    pub with: [usize; 3],
    pub draw: Rc<dyn Fn() -> Html>,
}

impl PartialEq for LazyProps {
    fn eq(&self, other: &LazyProps) -> bool {
        let same = |(a, b): (&Rc<dyn Any>, &Rc<dyn Any>)| {
            std::ptr::eq(Rc::as_ptr(a).cast::<()>(), Rc::as_ptr(b).cast::<()>())
        };
        self.with == other.with
            && self.of.len() == other.of.len()
            && self.of.iter().zip(&other.of).all(same)
    }
}

/// Draws what it is told to, when its properties have changed.
pub struct Lazy;

impl Component for Lazy {
    type Message = ();
    type Properties = LazyProps;

    fn create(_: &Context<Self>) -> Lazy {
        Lazy
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        (ctx.props().draw)()
    }
}

/// A list in parts. `from` is the step that an item begins with; the items are in its order.
/// `draw` is told whether an item lies after `step`.
pub fn parts<T: 'static>(
    items: &[Rc<T>],
    step: usize,
    from: fn(&T) -> usize,
    draw: Rc<dyn Fn(&T, bool) -> Html>,
) -> Html {
    let part = |(number, part): (usize, &[Rc<T>])| {
        let of: Vec<Rc<dyn Any>> = part.iter().map(|one| one.clone() as Rc<dyn Any>).collect();
        let past = part.partition_point(|one| from(one) <= step);
        let (items, draw) = (part.to_vec(), draw.clone());
        let draw: Rc<dyn Fn() -> Html> = Rc::new(move || {
            let drawn = items.iter().enumerate().map(|(at, one)| draw(one, at >= past));
            html! { <>{ for drawn }</> }
        });
        html! { <Lazy key={number} {of} with={[past, 0, 0]} {draw} /> }
    };
    items.chunks(PART).enumerate().map(part).collect()
}
