//! The worlds of a lesson's variants: reads them, and starts them.

use crate::lesson::{Lesson, Program};
use crate::scenario::Definition;
use crate::scenario::manifest::InManifest;
use crate::scenario::setup::without_digests;
use crate::scenario::start::start_words;
use crate::sim::World;
use crate::text::Lang;

use super::build::Builder;
use super::manifest::{Manifest, VariantRow};

impl Builder<'_> {
    /// Returns the world of a variant.
    pub fn world(&mut self, written: InManifest, programs: &[Program]) -> Definition {
        let program = |file: &str| programs.iter().position(|program| program.file == file);
        let digests = programs.iter().flat_map(|one| without_digests(&one.source).0);
        let digests: Vec<(String, String)> = digests.collect();
        self.noted(|wrong| {
            let mut world = written.world(program, wrong);
            written.check(&world, wrong);
            written.set_up(&mut world, &digests, wrong);
            world
        })
    }

    /// Checks that the variant's world starts.
    pub fn starts(
        &mut self,
        lesson: &Lesson,
        manifest: &Manifest,
        variant: usize,
        row: &VariantRow,
    ) {
        let started = lesson.scenario(variant).and_then(|scenario| {
            let (world, _) = World::start(&scenario).map_err(|why| start_words(&why, Lang::En))?;
            Ok((scenario, world))
        });
        let (scenario, world) = match started {
            Ok(started) => started,
            Err(message) => {
                let remedy = "mend the variant's setup, instances or programs";
                return self.in_manifest(row.id.span(), message, remedy);
            }
        };
        // A check that fails at the start fails in every search of it.
        let rows = lesson.properties_of(variant).map(|property| {
            manifest.properties.iter().find(|row| *row.id.get_ref() == property.id)
        });
        for (property, row) in scenario.properties.iter().zip(rows) {
            if let (Err(message), Some(row)) = (property.holds(&mut world.facts()), row) {
                let remedy = "a check may use number(key), sum(name), global(client, name) …; \
                              a key that is missing is nil: (number(\"stock\") or 0)";
                self.in_manifest(row.check.span(), message, remedy);
            }
        }
    }
}
