//! The pages that an address leads to while no lesson is open.
//!
//! To add a page: a case of [`Page`] with its name, and what draws it in `ui::app`.

use crate::session::link::Link;
use crate::view::embed::Bad;

/// The page shown while no lesson is open; its name is the address's parameter `page`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// The list of lessons, with no name.
    List,
    Glossary,
    /// For teachers: a snippet for their own pages.
    Embed,
    Playground,
    /// The learner's own progress in all lessons.
    Progress,
    /// For teachers: the result codes of a class.
    Class,
}

impl Page {
    const ALL: [Page; 6] =
        [Page::List, Page::Glossary, Page::Embed, Page::Playground, Page::Progress, Page::Class];

    pub fn id(self) -> Option<&'static str> {
        match self {
            Page::List => None,
            Page::Glossary => Some("glossary"),
            Page::Embed => Some("embed"),
            Page::Playground => Some("playground"),
            Page::Progress => Some("progress"),
            Page::Class => Some("class"),
        }
    }

    /// Returns the page that a link names; a link with a lesson leads to the lesson instead.
    pub fn of(link: &Link) -> Page {
        if link.lesson.is_some() {
            return Page::List;
        }
        let asked = link.page.as_deref();
        let named = Page::ALL.into_iter().find(|page| page.id() == asked && asked.is_some());
        let own = link.scenario.as_ref().map(|_| Page::Playground);
        named.or(own).unwrap_or(Page::List)
    }

    /// Returns the bad parameter if no page has the name in the link.
    #[inline(never)]
    pub fn unknown(link: &Link) -> Option<Bad> {
        let asked = link.page.as_ref().filter(|_| link.lesson.is_none())?;
        let names = || Page::ALL.into_iter().filter_map(Page::id);
        let value = asked.chars().take(60).collect();
        let accepted = || names().collect::<Vec<_>>().join(", ");
        (!names().any(|name| name == asked)).then(|| Bad {
            name: "page",
            value,
            accepted: accepted(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(address: &str) -> (Page, Option<String>) {
        let link = Link::parse(address);
        (Page::of(&link), Page::unknown(&link).map(|bad| bad.value))
    }

    #[test]
    fn a_page_is_found_by_its_name() {
        for one in Page::ALL {
            let address = one.id().map(|id| format!("#page={id}")).unwrap_or_default();
            assert_eq!(page(&address), (one, None));
        }
    }

    #[test]
    fn a_lesson_comes_before_a_page_and_a_page_before_a_scenario() {
        assert_eq!(page("#lesson=watch&page=glossary"), (Page::List, None));
        assert_eq!(page("#lesson=watch&page=nowhere"), (Page::List, None));
        assert_eq!(page("#scenario=abc&page=glossary"), (Page::Glossary, None));
        assert_eq!(page("#scenario=abc"), (Page::Playground, None));
    }

    #[test]
    fn a_name_that_no_page_has_is_told_in_part() {
        assert_eq!(page("#page=nowhere"), (Page::List, Some("nowhere".to_owned())));
        let long = "x".repeat(500);
        let (_, value) = page(&format!("#page={long}"));
        assert_eq!(value.map(|value| value.len()), Some(60));
        let bad = Page::unknown(&Link::parse("#page=nowhere")).unwrap();
        assert_eq!(bad.accepted, "glossary, embed, playground, progress, class");
    }
}
