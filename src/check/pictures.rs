//! Draws what links to lessons show before the page's program has come, into files beside the page:
//! for each lesson and language one for the link that names no mode, and one for each of [`MODES`].

use std::path::Path;
use std::{fs, io, iter};

use super::files_below;
use super::first::{PICTURES, with_narrow};
use crate::json;
use crate::lesson::Lesson;
use crate::session::Mode;
use crate::text::Lang;
use crate::ui::paint::paint;

/// Width and height, in px, of a wide window and of a narrow one.
const WINDOWS: [(i32, i32); 2] = [(1280, 720), (360, 640)];

/// The modes that have a picture of their own, beside that of a link that names no mode.
const MODES: [Mode; 2] = [Mode::Schedule, Mode::Break];

/// Draws what links to lessons show first, into files beside the page in `folder`.
pub fn write(folder: &Path) -> io::Result<()> {
    let file = |path: String| fs::read_to_string(folder.join(path));
    fs::create_dir_all(folder.join(PICTURES))?;
    for path in files_below(&folder.join("lessons"))? {
        let Some(id) = path.strip_suffix(".json") else { continue };
        // Other files there are no lessons.
        let Ok(lesson) = json::read::<Lesson>(&file(format!("lessons/{path}"))?) else { continue };
        let modes = Mode::of(&lesson).filter(|mode| MODES.contains(mode));
        let modes: Vec<&str> = iter::once("").chain(modes.map(Mode::id)).collect();
        for (lang, mode) in
            Lang::ALL.into_iter().flat_map(|lang| modes.iter().map(move |mode| (lang, mode)))
        {
            let link = format!("#lesson={id}&lang={}&mode={mode}", lang.tag());
            let [wide, narrow] = paint(link.trim_end_matches("&mode="), WINDOWS, |wanted| {
                file(wanted.path()).map_err(|error| error.to_string())
            });
            let name = format!("{id}.{}.{mode}", lang.tag());
            let path = folder.join(PICTURES).join(format!("{}.html", name.trim_end_matches('.')));
            // The page has one `main`: that of the program, also in the frame that has both.
            let picture = with_narrow(&wide, &narrow).replace("<main ", "<div role=\"main\" ");
            fs::write(path, picture.replace("</main>", "</div>"))?;
        }
    }
    Ok(())
}
