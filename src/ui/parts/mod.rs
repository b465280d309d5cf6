//! Parts of the page that know nothing of the page: what they draw, and what a press says, they are
//! told by who uses them.

pub mod dialog;

/// The `aria-disabled` of a control: it keeps the focus, unlike one that is `disabled`.
pub fn off(enabled: bool) -> Option<&'static str> {
    (!enabled).then_some("true")
}
