//! Faults as they are written: of each kind by name how many, or an object with that and the
//! clients that they strike: `{"crash": 1, "pause": {"client": "AB", "at_most_ms": 200}}`.

use crate::json::Json;
use crate::sim::Faults;
use crate::text::Key;

use super::fields::{Field, object, row};
use super::mistakes::Mistakes;
use super::tree::{Tree, Value};

/// The kinds of faults by name, with the page's words for them.
pub const FAULTS: [(&str, Key); 12] = [
    ("pause", Key::OwnPause),
    ("crash", Key::OwnCrash),
    ("lose", Key::OwnLose),
    ("drop", Key::OwnDrop),
    ("cancel", Key::OwnCancel),
    ("jump", Key::OwnJump),
    ("down", Key::OwnDown),
    ("restart", Key::OwnRestart),
    ("rewind", Key::OwnRewind),
    ("failover", Key::OwnFailover),
    ("evict", Key::OwnEvict),
    ("early", Key::OwnEarly),
];

/// How many faults of a kind there may be, and what they strike.
#[derive(Default, PartialEq)]
struct Aimed {
    count: u8,
    /// The clients, a bit for each; 0: all.
    of: u32,
    at_most_ms: u32,
}

impl Aimed {
    fn read(tree: &Tree, name: &str, wrong: &mut Mistakes) -> Aimed {
        let Value::Table(_) = tree.value else {
            return Aimed { count: wrong.value(tree, name).unwrap_or(0), ..Aimed::default() };
        };
        wrong.only(tree, &["count", "client", "at_most_ms"], &[]);
        let count = tree.get("count").map_or(Some(1), |count| wrong.value(count, "count"));
        let letters: String = wrong.field(tree, "client", false);
        let of = if letters.is_empty() { Ok(0) } else { Faults::named(&letters) };
        let of = of.map_err(|why| wrong.bad(tree.line, "client", &why)).unwrap_or(0);
        let at_most_ms = wrong.field(tree, "at_most_ms", false);
        if of != 0 && Faults::default().aim_mut(name).is_none() {
            wrong.bad(tree.line, name, "client is for pause, crash, lose, drop and cancel");
        }
        if at_most_ms > 0 && name != "pause" {
            wrong.bad(tree.line, name, "at_most_ms is for pause");
        }
        Aimed { count: count.unwrap_or(0), of, at_most_ms }
    }

    fn write(&self) -> Json {
        let count = Json::Number(self.count.into());
        let client = row("client", &Faults::letters(self.of), false);
        let at_most = row("at_most_ms", &self.at_most_ms, false);
        match (client, at_most) {
            (None, None) => count,
            (client, at_most) => {
                object([Some(("count", count)), client, at_most].into_iter().flatten().collect())
            }
        }
    }
}

impl Field for Faults {
    fn of_tree(tree: &Tree, _: &str, wrong: &mut Mistakes) -> Faults {
        let mut faults = Faults::default();
        wrong.only(tree, &FAULTS.map(|(name, _)| name), &["jump_ms"]);
        for (name, _) in FAULTS {
            let Some(aimed) = tree.get(name) else { continue };
            let Aimed { count, of, at_most_ms } = Aimed::read(aimed, name, wrong);
            if let Some(place) = faults.named_mut(name) {
                *place = count;
            }
            if let Some(place) = faults.aim_mut(name) {
                *place = of;
            }
            if name == "pause" {
                faults.pause_ms = at_most_ms;
            }
        }
        Faults { jump_ms: wrong.field(tree, "jump_ms", false), ..faults }
    }

    fn written(&self) -> Json {
        let mut faults = *self;
        let mut fields = Vec::new();
        for (name, _) in FAULTS {
            let count = faults.named_mut(name).map_or(0, |count| *count);
            let of = faults.aim_mut(name).map_or(0, |of| *of);
            let at_most_ms = if name == "pause" { self.pause_ms } else { 0 };
            let aimed = Aimed { count, of, at_most_ms };
            if aimed != Aimed::default() {
                fields.push((name, aimed.write()));
            }
        }
        fields.extend(row("jump_ms", &self.jump_ms, false));
        object(fields)
    }

    #[cfg(test)]
    fn other() -> Faults {
        let mut faults = Faults { jump_ms: -50, crash_of: 1, ..Faults::default() };
        (faults.pause_of, faults.pause_ms, faults.cancel_of, faults.lose_of) = (2, 200, 3, 1);
        faults.drop_of = 2;
        for (at, (name, _)) in FAULTS.iter().enumerate() {
            *faults.named_mut(name).expect("a kind") = at as u8 + 1;
        }
        faults
    }
}

/// Lessons and `check --faults` read them by the same code.
#[cfg(not(target_arch = "wasm32"))]
impl<'de> serde::Deserialize<'de> for Faults {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Faults, D::Error> {
        use serde::de::Error;

        use super::MistakePlace;
        use crate::text::Lang;

        let written = format!("faults = {}", toml::Value::deserialize(from)?);
        let root = super::toml::parse(&written)
            .map_err(|wrong| D::Error::custom(format!("no number of faults: {}", wrong.found)))?;
        let mut wrong = Mistakes::new(MistakePlace::Faults, Key::OwnFolderRemedy);
        let faults = wrong.field(&root, "faults", true);
        match wrong.found.first() {
            None => Ok(faults),
            Some(first) => {
                let said = [first.what(Lang::En), first.remedy(Lang::En)];
                Err(D::Error::custom(said.join(". ")))
            }
        }
    }
}
