//! A part of the page that is drawn again only when what it is drawn from is another one. Long
//! lists are made of such parts, so that a step costs what it changes and not what there is. Of a
//! list that is long already when it comes, as a link's may be, only what is near the present step
//! is drawn at once; the rest comes in turns, between which the page answers.

use std::any::Any;
use std::ops::{Deref, Range};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;
use yew::virtual_dom::{Key, VComp};

/// The number of items in one part of a list.
const PART: usize = 8;
/// The number of parts in a group.
const GROUP: usize = 8;
/// The number of items before and after the present one that are drawn at once, and in each turn.
const NEAR: usize = GROUP * PART;

/// The data that something is drawn from, which can be compared with the data it was drawn from
/// before.
pub trait Source {
    fn is(&self, other: &dyn Source) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<T: PartialEq + 'static> Source for T {
    fn is(&self, other: &dyn Source) -> bool {
        other.as_any().downcast_ref::<T>().is_some_and(|other| self == other)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Equal to what is the same allocation.
#[derive(Debug)]
pub struct Same<T: ?Sized>(pub Rc<T>);

impl<T: ?Sized> Clone for Same<T> {
    fn clone(&self) -> Same<T> {
        Same(self.0.clone())
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Same<T>) -> bool {
        std::ptr::eq(Rc::as_ptr(&self.0).cast::<()>(), Rc::as_ptr(&other.0).cast::<()>())
    }
}

impl<T: ?Sized> Deref for Same<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

#[derive(Properties)]
pub struct LazyProps {
    pub of: Rc<dyn Source>,
    pub draw: Rc<dyn Fn() -> Html>,
}

impl PartialEq for LazyProps {
    fn eq(&self, other: &LazyProps) -> bool {
        self.of.is(&*other.of)
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

/// Draws `of`, and does so again only when it is no longer equal to what it was.
pub fn memo<T: PartialEq + 'static>(of: T, draw: fn(&T) -> Html) -> Html {
    let of = Rc::new(of);
    let drawn = of.clone();
    lazy(None, of, Rc::new(move || draw(&drawn)))
}

#[inline(never)]
fn lazy(key: Option<usize>, of: Rc<dyn Source>, draw: Rc<dyn Fn() -> Html>) -> Html {
    let key = key.map(Key::from);
    VComp::new::<Lazy>(Rc::new(LazyProps { of, draw }), key).into()
}

/// A long list.
pub trait Items {
    /// The allocations that a stretch of it is drawn from, and what else it depends on.
    fn of(&self, part: Range<usize>) -> (Vec<Same<dyn Any>>, usize);

    fn draw(&self, part: Range<usize>) -> Html;
}

/// The part of a long list that is drawn: its first items, and those near the present one.
#[derive(Debug, Clone)]
pub struct Reach {
    from_start: usize,
    near: Range<usize>,
}

impl Reach {
    /// All of the list.
    pub const ALL: Reach = Reach { from_start: usize::MAX, near: 0..0 };

    fn has(&self, range: &Range<usize>) -> bool {
        range.start < self.from_start || range.start < self.near.end && self.near.start < range.end
    }
}

/// Returns the part to draw of a list of `len` items, of which the one at `present` is shown. The
/// part grows over time.
#[hook]
pub fn use_reach(len: usize, present: usize) -> Reach {
    let drawn = use_mut_ref(|| 0);
    let again = use_force_update();
    let from_start = {
        let mut drawn = drawn.borrow_mut();
        *drawn = if len <= 2 * NEAR { len } else { len.min(*drawn) };
        *drawn
    };
    use_effect_with((len, from_start), move |_| {
        let turn = (from_start < len).then(|| {
            Timeout::new(0, move || {
                *drawn.borrow_mut() += NEAR;
                again.force_update();
            })
        });
        move || drop(turn)
    });
    Reach { from_start, near: present.saturating_sub(NEAR)..present + NEAR }
}

/// Draws `len` items in parts of [`PART`], and these in groups: what does not change is compared by
/// groups, what does is drawn again by parts. A group out of reach is empty.
pub fn in_parts(items: Rc<dyn Items>, len: usize, reach: &Reach) -> Html {
    layer(&items, 0..len, GROUP * PART, reach)
}

fn layer(items: &Rc<dyn Items>, range: Range<usize>, size: usize, reach: &Reach) -> Html {
    let one = |start: usize| {
        let range = start..range.end.min(start + size);
        if !reach.has(&range) {
            return lazy(Some(start), Rc::new(()), Rc::new(Html::default));
        }
        let of = Rc::new((items.of(range.clone()), range.len()));
        let items = items.clone();
        let draw = move || match size > PART {
            true => layer(&items, range.clone(), PART, &Reach::ALL),
            false => items.draw(range.clone()),
        };
        lazy(Some(start), of, Rc::new(draw))
    };
    range.clone().step_by(size).map(one).collect()
}

/// Items that are allocations of their own.
pub struct Drawn<T> {
    pub items: Rc<Vec<Rc<T>>>,
    /// True if an item that is unchanged means that all items before it are unchanged.
    pub settled: bool,
    pub draw: Draw<T>,
}

/// Draws an item, if there is something to draw of it.
pub type Draw<T> = Box<dyn Fn(&T) -> Option<Html>>;

impl<T: 'static> Items for Drawn<T> {
    fn of(&self, part: Range<usize>) -> (Vec<Same<dyn Any>>, usize) {
        let first = if self.settled { part.end - 1 } else { part.start };
        let of = self.items[first..part.end].iter().map(|one| Same(one.clone() as Rc<dyn Any>));
        (of.collect(), 0)
    }

    fn draw(&self, part: Range<usize>) -> Html {
        self.items[part].iter().filter_map(|one| (self.draw)(one)).collect()
    }
}
