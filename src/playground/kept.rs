//! Drafts: stores the learner's text for the next visit, so that nothing of it is lost.
//!
//! A draft has a name (`own.draft`, `draft.oversell`) and several slots. A tab writes into one of
//! them. If it finds a text there that it has neither read nor written, another tab is writing, and
//! it takes another slot: each tab keeps its draft, and the next visit offers all of them. Before a
//! draft is run its slot is marked, and the mark is removed when the page has drawn the result. A
//! slot that is still marked at the next visit stopped the page: its text is offered, not run.
//!
//! The browser's storage is a [`Shelf`]; this file does not depend on a browser.

use crate::text::{KeptWord, Lang, fill, kept};

use super::Definition;

/// The most slots of a draft.
pub const SLOTS_MAX: u8 = 8;
/// The start of a mark's name; static/broken writes it too.
const MARK: &str = "loading.";

/// A store of texts by name that lasts until the next visit.
pub trait Shelf {
    fn get(&self, name: &str) -> Option<String>;
    /// Stores a text; false if there is no room, or nothing can be stored.
    fn set(&self, name: &str, text: &str) -> bool;
    fn remove(&self, name: &str);
    /// Returns the slot that this tab used before it was reloaded, as a text.
    fn tab(&self, of: &str) -> Option<String>;
    fn set_tab(&self, of: &str, slot: &str);
}

/// The slot into which a tab writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeper {
    of: String,
    slot: u8,
    /// The text that this tab last read or wrote there.
    seen: Option<String>,
    marked: bool,
}

/// The result of storing a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Kept,
    /// Stored in another slot than before, because that one is another tab's.
    Moved,
    Refused,
}

/// A draft that is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub slot: u8,
    pub text: String,
    /// True if the page stopped when it was run.
    pub stopped: bool,
}

/// Returns true if there is a draft that a [`Keeper`] would find.
pub fn is_there(shelf: &dyn Shelf, of: &str) -> bool {
    (0..SLOTS_MAX).any(|slot| shelf.get(&numbered(of, slot)).is_some())
}

/// Describes a draft in a few words: the title of a scenario, or the name of its first program, and
/// its lines; for a program its lines. Nothing of it is run.
pub fn described(text: &str, is_scenario: bool, lang: Lang) -> String {
    let lines = |count: usize| fill(kept(lang, KeptWord::Lines), &[&count.to_string()]);
    let Some(own) = Definition::read(text, "").ok().filter(|_| is_scenario) else {
        return fill(kept(lang, KeptWord::Program), &[&lines(text.lines().count())]);
    };
    let lines = lines(own.parts().map(|part| own.text(part).lines().count()).sum());
    let first = own.programs.first().map(|program| format!("{}.lua", program.name));
    let title = Some(own.title).filter(|title| !title.is_empty()).or(first);
    let untitled = || kept(lang, KeptWord::Untitled).to_owned();
    fill(kept(lang, KeptWord::Scenario), &[&title.unwrap_or_else(untitled), &lines])
}

impl Keeper {
    /// A keeper for a tab that has found no draft: any that is there now is another tab's.
    pub fn new(of: &str) -> Keeper {
        Keeper { of: of.to_owned(), slot: 0, seen: None, marked: false }
    }

    /// Continues in the tab's slot, or else in the first one. A draft that stopped the page stays
    /// where it is, and later texts go to another slot.
    pub fn open(shelf: &dyn Shelf, of: &str) -> Keeper {
        let mut keeper = Keeper::new(of);
        let tab = shelf.tab(of).and_then(|slot| slot.parse().ok()).unwrap_or(0);
        if tab < SLOTS_MAX && shelf.get(&keeper.name_of(tab)).is_some() {
            keeper.slot = tab;
        }
        if !keeper.is_marked(shelf, keeper.slot) {
            keeper.seen = shelf.get(&keeper.name());
        }
        keeper
    }

    /// Returns the draft as it was found.
    pub fn text(&self) -> Option<&str> {
        self.seen.as_deref()
    }

    /// Returns the name under which the draft is stored.
    pub fn name(&self) -> String {
        self.name_of(self.slot)
    }

    /// Returns the name for something that belongs to the draft; `None` while there is none.
    pub fn beside(&self, what: &str) -> Option<String> {
        self.seen.as_ref().map(|_| self.left(what))
    }

    /// The same for a draft that stopped the page, and was found in this tab's slot.
    pub fn left(&self, what: &str) -> String {
        numbered(what, self.slot)
    }

    fn name_of(&self, slot: u8) -> String {
        numbered(&self.of, slot)
    }

    fn mark_of(&self, slot: u8) -> String {
        format!("{MARK}{}", self.name_of(slot))
    }

    fn is_marked(&self, shelf: &dyn Shelf, slot: u8) -> bool {
        shelf.get(&self.mark_of(slot)).is_some()
    }

    /// Stores `text` for the next visit.
    pub fn keep(&mut self, shelf: &dyn Shelf, text: &str) -> Outcome {
        let there = shelf.get(&self.name());
        let strange = there.is_some() && there != self.seen && there.as_deref() != Some(text);
        let slot = match strange {
            true => (0..SLOTS_MAX).find(|slot| shelf.get(&self.name_of(*slot)).is_none()),
            false => Some(self.slot),
        };
        let Some(slot) = slot.filter(|slot| shelf.set(&self.name_of(*slot), text)) else {
            return Outcome::Refused;
        };
        let moved = slot != self.slot;
        if moved {
            self.drawn(shelf);
            shelf.set_tab(&self.of, &slot.to_string());
        }
        // Of a draft that was there once.
        if moved || self.seen.is_none() {
            shelf.remove(&self.mark_of(slot));
        }
        (self.slot, self.seen) = (slot, Some(text.to_owned()));
        if moved { Outcome::Moved } else { Outcome::Kept }
    }

    /// Returns the drafts of other tabs, and those that stopped the page, except the text `shown`.
    pub fn offers(&self, shelf: &dyn Shelf, shown: &str) -> Vec<Offer> {
        let others = (0..SLOTS_MAX).filter(|slot| *slot != self.slot || self.seen.is_none());
        let offer = |slot| {
            let text = shelf.get(&self.name_of(slot))?;
            let stopped = self.is_marked(shelf, slot);
            (stopped || text != shown).then_some(Offer { slot, text, stopped })
        };
        others.filter_map(offer).collect()
    }

    /// Leaves the draft that was found where it is: later texts go to another slot.
    pub fn leave(&mut self) {
        self.seen = None;
    }

    /// Returns the draft of a slot.
    pub fn look(&self, shelf: &dyn Shelf, slot: u8) -> Option<String> {
        shelf.get(&self.name_of(slot))
    }

    /// Continues with another draft. The present one stays in its own slot.
    pub fn take(&mut self, shelf: &dyn Shelf, slot: u8) -> Option<String> {
        let text = self.look(shelf, slot)?;
        self.drawn(shelf);
        (self.slot, self.seen) = (slot, Some(text.clone()));
        shelf.set_tab(&self.of, &slot.to_string());
        Some(text)
    }

    /// Deletes a draft, and the texts stored `beside` it.
    pub fn discard(&self, shelf: &dyn Shelf, slot: u8, beside: &[&str]) {
        shelf.remove(&self.mark_of(slot));
        shelf.remove(&self.name_of(slot));
        for what in beside {
            shelf.remove(&numbered(what, slot));
        }
    }

    /// Marks the draft, which is about to be run.
    pub fn running(&mut self, shelf: &dyn Shelf) {
        if self.seen.is_some() && !self.marked {
            self.marked = shelf.set(&self.mark_of(self.slot), "1");
        }
    }

    /// Removes the mark, because the page has drawn the result.
    pub fn drawn(&mut self, shelf: &dyn Shelf) {
        if std::mem::take(&mut self.marked) {
            shelf.remove(&self.mark_of(self.slot));
        }
    }

    pub fn is_running(&self) -> bool {
        self.marked
    }
}

/// Returns the name of a slot. The first slot has the plain name, as in earlier versions.
fn numbered(what: &str, slot: u8) -> String {
    if slot == 0 { what.to_owned() } else { format!("{what}.{slot}") }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use super::*;

    /// A tab: the storage is shared, its own slot is not.
    #[derive(Default)]
    struct Tab {
        all: Rc<RefCell<BTreeMap<String, String>>>,
        own: RefCell<BTreeMap<String, String>>,
        full: Cell<bool>,
    }

    impl Tab {
        fn beside(&self) -> Tab {
            Tab { all: self.all.clone(), ..Tab::default() }
        }

        fn names(&self) -> Vec<String> {
            self.all.borrow().keys().cloned().collect()
        }
    }

    impl Shelf for Tab {
        fn get(&self, name: &str) -> Option<String> {
            self.all.borrow().get(name).cloned()
        }

        fn set(&self, name: &str, text: &str) -> bool {
            if !self.full.get() {
                self.all.borrow_mut().insert(name.to_owned(), text.to_owned());
            }
            !self.full.get()
        }

        fn remove(&self, name: &str) {
            self.all.borrow_mut().remove(name);
        }

        fn tab(&self, of: &str) -> Option<String> {
            self.own.borrow().get(of).cloned()
        }

        fn set_tab(&self, of: &str, slot: &str) {
            self.own.borrow_mut().insert(of.to_owned(), slot.to_owned());
        }
    }

    fn texts(offers: &[Offer]) -> Vec<(&str, bool)> {
        offers.iter().map(|offer| (offer.text.as_str(), offer.stopped)).collect()
    }

    #[test]
    fn a_draft_is_found_again() {
        let tab = Tab::default();
        assert!(!is_there(&tab, "d"));
        let mut keeper = Keeper::open(&tab, "d");
        assert_eq!((keeper.text(), keeper.beside("d.code")), (None, None));
        assert_eq!(keeper.keep(&tab, "a"), Outcome::Kept);
        assert_eq!(keeper.beside("d.code").as_deref(), Some("d.code"));
        let again = Keeper::open(&tab.beside(), "d");
        assert_eq!(again.text(), Some("a"));
        assert!(again.offers(&tab, "a").is_empty());
        assert!(is_there(&tab, "d"));
    }

    #[test]
    fn two_tabs_that_write_in_turn_keep_a_draft_each() {
        let a = Tab::default();
        let b = a.beside();
        let mut of_a = Keeper::open(&a, "d");
        let mut of_b = Keeper::open(&b, "d");
        assert_eq!(of_a.keep(&a, "A1"), Outcome::Kept);
        assert_eq!(of_b.keep(&b, "B1"), Outcome::Moved);
        assert_eq!(of_a.keep(&a, "A2"), Outcome::Kept);
        assert_eq!(of_b.keep(&b, "B2"), Outcome::Kept);
        assert_eq!(a.names(), ["d", "d.1"]);
        assert_eq!(texts(&of_b.offers(&b, "B2")), [("A2", false)]);
        // Loaded again, each has its own, and is offered the other one.
        assert_eq!(Keeper::open(&a, "d").text(), Some("A2"));
        let again = Keeper::open(&b, "d");
        assert_eq!(again.text(), Some("B2"));
        assert_eq!(texts(&again.offers(&b, "B2")), [("A2", false)]);
        // So is a new tab.
        let c = a.beside();
        let mut of_c = Keeper::open(&c, "d");
        assert_eq!(texts(&of_c.offers(&c, "A2")), [("B2", false)]);
        assert_eq!(of_c.take(&c, 1).as_deref(), Some("B2"));
        assert_eq!(texts(&of_c.offers(&c, "B2")), [("A2", false)]);
        // The tab that wrote it goes on elsewhere, once the new one has written.
        assert_eq!(of_c.keep(&c, "C1"), Outcome::Kept);
        assert_eq!(of_b.keep(&b, "B3"), Outcome::Moved);
        assert_eq!(a.names(), ["d", "d.1", "d.2"]);
    }

    #[test]
    fn a_tab_that_was_opened_when_there_was_no_draft_writes_over_none() {
        let a = Tab::default();
        let b = a.beside();
        Keeper::new("d").keep(&a, "A1");
        let mut of_b = Keeper::new("d");
        assert_eq!(of_b.keep(&b, "B1"), Outcome::Moved);
        assert_eq!(texts(&of_b.offers(&b, "B1")), [("A1", false)]);
    }

    #[test]
    fn a_copied_tab_takes_a_slot_of_its_own() {
        let a = Tab::default();
        let mut of_a = Keeper::open(&a, "d");
        of_a.keep(&a, "A1");
        let copy = a.beside();
        copy.set_tab("d", "0");
        let mut of_copy = Keeper::open(&copy, "d");
        of_copy.keep(&copy, "A1 and more");
        assert_eq!(of_a.keep(&a, "A2"), Outcome::Moved);
        assert_eq!(Keeper::open(&a, "d").text(), Some("A2"));
    }

    #[test]
    fn a_draft_that_stopped_the_page_is_offered_and_not_written_over() {
        let tab = Tab::default();
        let mut keeper = Keeper::open(&tab, "d");
        keeper.running(&tab);
        assert!(!keeper.is_running(), "there is nothing that could stop the page");
        keeper.keep(&tab, "bad");
        tab.set("d.code", "x");
        keeper.running(&tab);
        // The page ends here.
        let mut next = Keeper::open(&tab, "d");
        assert_eq!(next.text(), None);
        assert_eq!(texts(&next.offers(&tab, "first")), [("bad", true)]);
        assert_eq!(next.beside("d.code"), None, "what belongs to it stays, too");
        assert_eq!(next.keep(&tab, "good"), Outcome::Moved);
        next.running(&tab);
        next.drawn(&tab);
        assert_eq!(Keeper::open(&tab, "d").text(), Some("good"));
        assert_eq!(texts(&next.offers(&tab, "good")), [("bad", true)]);
        // Opened, and drawn this time, it is like any other.
        let mut taken = next.clone();
        assert_eq!(taken.take(&tab, 0).as_deref(), Some("bad"));
        taken.running(&tab);
        taken.drawn(&tab);
        assert_eq!(Keeper::open(&tab.beside(), "d").text(), Some("bad"));
        next.discard(&tab, 0, &["d.code"]);
        assert_eq!(tab.names(), ["d.1"]);
    }

    #[test]
    fn a_mark_without_a_draft_says_nothing_of_the_next_one() {
        let tab = Tab::default();
        tab.set("loading.d", "1");
        let mut keeper = Keeper::open(&tab, "d");
        assert!(keeper.offers(&tab, "").is_empty());
        keeper.keep(&tab, "new");
        assert_eq!(Keeper::open(&tab, "d").text(), Some("new"));
    }

    #[test]
    fn opened_again_without_being_run_it_is_still_offered_the_next_time() {
        let tab = Tab::default();
        let mut keeper = Keeper::open(&tab, "d");
        keeper.keep(&tab, "bad");
        keeper.running(&tab);
        let mut next = Keeper::open(&tab, "d");
        next.take(&tab, 0);
        next.keep(&tab, "bad, changed");
        let third = Keeper::open(&tab, "d");
        assert_eq!(texts(&third.offers(&tab, "")), [("bad, changed", true)]);
    }

    #[test]
    fn where_nothing_can_be_stored_that_is_said_each_time() {
        let tab = Tab::default();
        let mut keeper = Keeper::open(&tab, "d");
        tab.full.set(true);
        assert_eq!(keeper.keep(&tab, "a"), Outcome::Refused);
        keeper.running(&tab);
        assert!(!keeper.is_running());
        tab.full.set(false);
        assert_eq!(keeper.keep(&tab, "ab"), Outcome::Kept);
        // The stored text stays if there is no room for a longer one.
        tab.full.set(true);
        assert_eq!(keeper.keep(&tab, "abc"), Outcome::Refused);
        assert_eq!(tab.get("d").as_deref(), Some("ab"));
    }

    #[test]
    fn a_draft_is_described_without_running_it() {
        let own = Definition::first();
        let said = described(&own.write(), true, Lang::En);
        assert!(said.contains(&own.title) && said.ends_with("lines"), "{said}");
        assert_eq!(described("a\nb\n", false, Lang::En), "a program of 2 lines");
        assert_eq!(described("a", false, Lang::En), "a program of 1 line");
        assert_eq!(described("a\nb\n", true, Lang::Zh), "程序共 2 行");
    }

    #[test]
    fn a_tab_that_left_its_draft_finds_the_next_one_in_its_slot() {
        let tab = Tab::default();
        tab.set("d.3", "damaged");
        tab.set_tab("d", "3");
        let mut keeper = Keeper::open(&tab, "d");
        keeper.leave();
        assert_eq!(texts(&keeper.offers(&tab, "")), [("damaged", false)]);
        assert_eq!(keeper.keep(&tab, "new"), Outcome::Moved);
        assert_eq!(Keeper::open(&tab, "d").text(), Some("new"));
        assert_eq!(tab.get("d.3").as_deref(), Some("damaged"));
    }

    #[test]
    fn slots_are_bounded_and_nothing_in_them_is_replaced() {
        let tab = Tab::default();
        for n in 0..SLOTS_MAX {
            let of = tab.beside();
            let mut keeper = Keeper::new("d");
            assert_ne!(keeper.keep(&of, &format!("text {n}")), Outcome::Refused);
        }
        let before = tab.names();
        assert_eq!(before.len(), usize::from(SLOTS_MAX));
        let mut late = Keeper::new("d");
        assert_eq!(late.keep(&tab, "one more"), Outcome::Refused);
        assert_eq!(tab.names(), before);
        assert_eq!(tab.get("d").as_deref(), Some("text 0"));
    }
}
