//! A part of the page that is drawn again only when what it is drawn from is another one. Long
//! lists are made of such parts, so that a step costs what it changes and not what there is.

use std::any::Any;
use std::ops::Range;
use std::rc::Rc;

use yew::prelude::*;

/// How many items of a list make one part.
pub const PART: usize = 8;
/// How many parts make a group.
const GROUP: usize = 8;

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

/// What a stretch of a list is drawn from: allocations, and what else there is.
pub type Of = (Vec<Rc<dyn Any>>, [usize; 3]);

/// A list of `len` items in parts of `part`, and these in groups: what does not change is compared
/// by groups, what does is drawn again by parts.
pub fn in_parts(
    len: usize,
    part: usize,
    of: Rc<dyn Fn(Range<usize>) -> Of>,
    draw: Rc<dyn Fn(Range<usize>) -> Html>,
) -> Html {
    layer(0..len, part, GROUP * part, &of, &draw)
}

fn layer(
    items: Range<usize>,
    part: usize,
    size: usize,
    of: &Rc<dyn Fn(Range<usize>) -> Of>,
    draw: &Rc<dyn Fn(Range<usize>) -> Html>,
) -> Html {
    let one = |start: usize| {
        let items = start..items.end.min(start + size);
        let (allocations, with) = of(items.clone());
        let (of, draw) = (of.clone(), draw.clone());
        let draw: Rc<dyn Fn() -> Html> = Rc::new(move || match size > part {
            true => layer(items.clone(), part, part, &of, &draw),
            false => draw(items.clone()),
        });
        html! { <Lazy key={start} of={allocations} {with} {draw} /> }
    };
    items.clone().step_by(size).map(one).collect()
}

/// A list in parts. `from` is the step that an item begins with; the items are in its order.
/// `draw` is told whether an item lies after `step`.
pub fn parts<T: 'static>(
    items: &[Rc<T>],
    step: usize,
    from: fn(&T) -> usize,
    draw: Rc<dyn Fn(&T, bool) -> Html>,
) -> Html {
    let items: Rc<[Rc<T>]> = items.into();
    let past = items.partition_point(|one| from(one) <= step);
    let of = {
        let items = items.clone();
        move |part: Range<usize>| {
            let with = [past.clamp(part.start, part.end), 0, 0];
            (items[part].iter().map(|one| one.clone() as Rc<dyn Any>).collect(), with)
        }
    };
    let len = items.len();
    let draw = move |part: Range<usize>| {
        let drawn = part.map(|at| draw(&items[at], at >= past));
        html! { <>{ for drawn }</> }
    };
    in_parts(len, PART, Rc::new(of), Rc::new(draw))
}
