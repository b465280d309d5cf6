//! Writes a scenario as the folder of a lesson, and reads the folder of a lesson or a scenario, for
//! the page and for `check`. What is written says what the author expects, and `check` accepts it;
//! parts of a lesson that a scenario cannot have (stories, questions, further variants) are left
//! out and named.

use crate::json::Json;
use crate::scenario::Mistakes;
use crate::scenario::fields::{Field, object};
use crate::scenario::manifest::{
    self, FURTHER, InManifest, OF_VARIANT, RESHAPED, of_lesson, of_variant,
};
use crate::scenario::setup::{is_file, is_library, prompt, quoted, without_digests};
use crate::scenario::toml;
use crate::scenario::tree::{Tree, Value};
use crate::sim::{DEFAULT_NODE, Kind};
use crate::text::{Key, Lang, tr};

use super::lesson::VARIANT;
use super::{Client, Definition, Instance, Mistake, MistakePlace, Property, Script, scenario, zip};

/// The names and texts of files.
pub type Files = Vec<(String, String)>;

const MANIFEST: &str = "lesson.toml";
/// The folder of programs that no client runs: `check` ignores it.
const UNUSED: &str = "unused/";
/// The properties that a lesson must have and a scenario may lack: an `always` and a `sometimes`.
const ADDED: [(&str, Kind, Key); 2] = [
    ("added-always", Kind::Always, Key::OwnAddedAlways),
    ("added-sometimes", Kind::Sometimes, Key::OwnAddedSometimes),
];

/// Returns the name of its folder.
pub fn id(own: &Definition) -> String {
    let mut id = String::new();
    for c in own.title.chars().flat_map(char::to_lowercase).take(60) {
        match c.is_ascii_alphanumeric() {
            true => id.push(c),
            false if !id.is_empty() && !id.ends_with('-') => id.push('-'),
            false => {}
        }
    }
    let id = id.trim_matches('-');
    if id.is_empty() { "scenario".to_owned() } else { id.to_owned() }
}

// ---- Writing ------------------------------------------------------------------------------------

/// Returns the files of the folder.
pub fn write(own: &Definition) -> Files {
    let mut files = vec![(MANIFEST.to_owned(), manifest(own))];
    files.extend(programs(own));
    for lang in Lang::ALL {
        files.push((format!("{}.md", lang.tag()), prose(own, lang)));
    }
    files
}

/// The same as one zip file, with a folder in it.
pub fn write_zip(own: &Definition) -> Vec<u8> {
    let id = id(own);
    let inside = |(name, text)| (format!("{id}/{name}"), text);
    zip::write(&write(own).into_iter().map(inside).collect::<Vec<_>>())
}

/// Returns the files of a scenario folder, which says the same without a lesson around it.
pub fn write_scenario(own: &Definition) -> Files {
    let (first, named) = setups(own);
    let mut out = list("setup", &first) + &list("sql", &statements(own));
    out += &toml::entries(&settings(own));
    for client in &own.clients {
        out += &format!("\n[[client]]\n{}", toml::entries(&row(own, client)));
    }
    out += &instances(own, &named);
    for (id, property) in own.ids().into_iter().zip(&own.properties) {
        let property = Property { id, ..property.clone() };
        out += &format!("\n[[property]]\n{}", toml::entries(&property.rows()));
    }
    let mut files = vec![(scenario::MANIFEST.to_owned(), out)];
    files.extend(programs(own));
    files
}

fn programs(own: &Definition) -> impl Iterator<Item = (String, String)> {
    own.programs.iter().enumerate().map(|(at, script)| {
        let folder = if own.runs(at) { "" } else { UNUSED };
        (format!("{folder}{}.lua", script.name), own.program(at))
    })
}

/// Returns the commands of the setup: those of the first instance, and by instance those of others.
fn setups(own: &Definition) -> (Vec<String>, Vec<Vec<String>>) {
    let (mut default, mut named) = (Vec::new(), vec![Vec::new(); own.instances.len()]);
    for script in &own.scripts {
        let container = if is_library(&script.text) { "FUNCTION" } else { "SCRIPT" };
        let load = format!("{container} LOAD {}", quoted(&script.text));
        default.push(load.clone());
        for (at, instance) in own.instances.iter().enumerate().skip(1) {
            if instance.replica_of.is_empty() {
                named[at].push(load.clone());
            }
        }
    }
    let lines = own.setup.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let named_at = |name| own.instances.iter().position(|one| one.name == name);
        match prompt(line).map(|(name, command)| (named_at(name), name, command)) {
            Some((Some(at), _, command)) if at > 0 => named[at].push(command.to_owned()),
            Some((Some(_), _, command)) => default.push(command.to_owned()),
            Some((_, DEFAULT_NODE, command)) if own.instances.is_empty() => {
                default.push(command.to_owned())
            }
            // One for an instance that is not there stays a mistake.
            _ => default.push(line.to_owned()),
        }
    }
    (default, named)
}

fn statements(own: &Definition) -> Vec<String> {
    own.statements().into_iter().map(|(_, text)| text.to_owned()).collect()
}

/// Returns the fields that manifests have as they are.
fn settings(own: &Definition) -> Vec<(&'static str, Json)> {
    own.rows().into_iter().filter(|(name, _)| !RESHAPED.contains(name)).collect()
}

fn instances(own: &Definition, setups: &[Vec<String>]) -> String {
    let one = |(instance, setup): (&Instance, &Vec<String>)| {
        format!("\n[[instance]]\n{}{}", toml::entries(&instance.rows()), list("setup", setup))
    };
    own.instances.iter().zip(setups).map(one).collect()
}

/// Returns the fields of a client, with its program's file.
fn row(own: &Definition, client: &Client) -> Vec<(&'static str, Json)> {
    let name = own.programs.get(client.program).map_or("", |program| program.name.as_str());
    let rest = client.rows().into_iter().filter(|(name, _)| *name != "program");
    [("program", Json::Text(format!("{name}.lua")))].into_iter().chain(rest).collect()
}

fn manifest(own: &Definition) -> String {
    let (first, named) = setups(own);
    let mut out = "minutes = 5\n".to_owned() + &list("setup", &first);
    out += &list("sql", &statements(own));
    let (of_variant, rows): (Vec<_>, Vec<_>) =
        settings(own).into_iter().partition(|(name, _)| *name == OF_VARIANT);
    out += &toml::entries(&rows);
    out += &instances(own, &named);
    let mut expect = String::new();
    for (id, property) in properties(own) {
        let (kind, check) = (property.kind.word(), toml::quoted(&property.check));
        out += &format!("\n[[property]]\nid = \"{id}\"\nkind = \"{kind}\"\ncheck = {check}\n");
        expect += &format!("{id} = {{ verdict = \"{}\" }}\n", property.expect.word());
    }
    out +=
        &format!("\n[[variant]]\nid = \"{VARIANT}\"\n{}clients = [\n", toml::entries(&of_variant));
    for client in &own.clients {
        let mut row = row(own, client);
        let client = if row.len() == 1 { row.remove(0).1 } else { object(row) };
        out += &format!("  {},\n", toml::value(&client));
    }
    out + "]\n[variant.expect]\n" + &expect
}

fn list(name: &str, items: &[String]) -> String {
    let items: Vec<String> =
        items.iter().map(|item| format!("  {},\n", toml::quoted(item))).collect();
    if items.is_empty() { String::new() } else { format!("{name} = [\n{}]\n", items.concat()) }
}

/// Returns the scenario's properties with their ids, and those that a lesson must have besides.
fn properties(own: &Definition) -> Vec<(String, Property)> {
    let mut all: Vec<(String, Property)> =
        own.ids().into_iter().zip(own.properties.iter().cloned()).collect();
    for (id, kind, _) in ADDED {
        if !own.properties.iter().any(|property| property.kind == kind) {
            let check = match kind {
                Kind::Always => "count_done() >= 0".to_owned(),
                _ => "count_done() > 0".to_owned(),
            };
            all.push((id.to_owned(), Property::new(kind, check)));
        }
    }
    all
}

fn prose(own: &Definition, lang: Lang) -> String {
    let title = match own.title.trim() {
        "" => tr(lang, Key::OwnScenario),
        title => title,
    };
    let title = escaped(title);
    let goal = tr(lang, Key::OwnGoal);
    let mut out = format!("# {title}\n\n> {goal}\n\n## variant {VARIANT}: {title}\n");
    for (id, property) in properties(own) {
        let added = ADDED.iter().find(|(added, ..)| *added == id);
        let label = added.map_or(property.label(), |(.., label)| tr(lang, *label));
        out += &format!("\n## property {id}: {}\n", escaped(label));
    }
    out
}

/// Escapes text for Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}

/// Reads a heading's Markdown as the compiler of lessons does, with the quotation marks and
/// apostrophes that readers see.
fn unescaped(text: &str) -> String {
    let (mut out, mut is_code) = (String::new(), false);
    let mut chars = text.trim().chars();
    while let Some(c) = chars.next() {
        let mut after = chars.clone();
        match after.next() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() => {
                out.push(next);
                chars = after;
            }
            // Marks of Markdown that an author set.
            _ if c == '`' => is_code = !is_code,
            _ if c == '*' => {}
            _ if is_code => out.push(c),
            _ => {
                let opens = out.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
                out.push(match (c, opens) {
                    ('"', true) => '“',
                    ('"', false) => '”',
                    ('\'', true) => '‘',
                    ('\'', false) => '’',
                    _ => c,
                });
            }
        }
    }
    out
}

// ---- Reading ------------------------------------------------------------------------------------

/// A scenario, and what had to be left out of it; or the mistakes for which it cannot be read.
pub type Read = Result<(Definition, Vec<Mistake>), Vec<Mistake>>;

/// Reads a file that was opened: a zip or JSON.
pub fn open(name: &str, bytes: &[u8], lang: Lang) -> Read {
    open_with(name, bytes, lang, &[])
}

/// Reads a file with other values of a scenario's parameters than it has.
pub fn open_with(name: &str, bytes: &[u8], lang: Lang, set: &[(String, i64)]) -> Read {
    let file = || MistakePlace::File(name.to_owned());
    if zip::is_zip(bytes) {
        let files = zip::read(bytes).map_err(|wrong| {
            let place = if wrong.file.is_empty() { file() } else { MistakePlace::File(wrong.file) };
            vec![Mistake::new(place, 0, wrong.what, &[], Key::ZipRemedy)]
        })?;
        return read(&files, name, lang, set);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') => {
            as_json(text, name, set)
        }
        _ => Err(vec![Mistake::new(file(), 0, Key::OwnNoFile, &[], Key::OwnNoFileRemedy)]),
    }
}

fn as_json(text: &str, name: &str, set: &[(String, i64)]) -> Read {
    no_parameters(set, name)?;
    Definition::read(text, name).map(|own| (own, Vec::new()))
}

/// Refuses to set parameters where there are none.
pub(super) fn no_parameters(set: &[(String, i64)], file: &str) -> Result<(), Vec<Mistake>> {
    let Some((name, _)) = set.first() else { return Ok(()) };
    let (place, why) = (MistakePlace::File(file.to_owned()), scenario::no_parameter(name, &[]));
    let said = ["parameters", &why];
    Err(vec![Mistake::new(place, 0, Key::OwnBadField, &said, Key::OwnFolderRemedy)])
}

/// Reads the folder of a lesson or a scenario; `shown` is the file that it came in, `set` has other
/// values of a scenario's parameters.
pub fn read(files: &Files, shown: &str, lang: Lang, set: &[(String, i64)]) -> Read {
    let file = |(name, _): &&(String, String)| {
        let file = name.rsplit('/').next().unwrap_or_default();
        file == MANIFEST || file == scenario::MANIFEST
    };
    let manifests: Vec<&(String, String)> = files.iter().filter(file).collect();
    let [(name, text)] = manifests.as_slice() else {
        // Without a manifest there may be a scenario as JSON.
        let json: Vec<&(String, String)> =
            files.iter().filter(|(name, _)| name.ends_with(".json")).collect();
        if let ([], [(name, text)]) = (manifests.as_slice(), json.as_slice()) {
            return as_json(text, name, set);
        }
        let what = if manifests.is_empty() { Key::OwnNoManifest } else { Key::OwnManyManifests };
        let place = MistakePlace::File(shown.to_owned());
        return Err(vec![Mistake::new(place, 0, what, &[], Key::OwnNoFileRemedy)]);
    };
    let (folder, manifest) = name.split_at(name.rfind('/').map_or(0, |at| at + 1));
    let place = || MistakePlace::File(manifest.to_owned());
    let root = toml::parse(text).map_err(|wrong| {
        let remedy = remedy(manifest);
        vec![Mistake::new(place(), wrong.line, wrong.what, &[&wrong.found], remedy)]
    })?;
    let made = match manifest == scenario::MANIFEST {
        true => Some(scenario::as_lesson(&root, files, set).map_err(|wrong| {
            let said = [wrong.field, &wrong.why];
            vec![Mistake::new(place(), wrong.line, Key::OwnBadField, &said, Key::OwnFolderRemedy)]
        })?),
        false => {
            no_parameters(set, manifest)?;
            None
        }
    };
    let (root, files) = made.as_ref().map_or((&root, files), |(root, files)| (root, files));
    let (wrong, left_out) = (Mistakes::new(place(), remedy(manifest)), Vec::new());
    let mut reader = Reader { files, folder, manifest, lang, wrong, left_out };
    let own = reader.own(root);
    match reader.wrong.found.is_empty() {
        true => Ok((own, reader.left_out)),
        false => Err(reader.wrong.found),
    }
}

/// Returns the mistake for a file that is too large to be read.
pub fn too_big(name: &str) -> Mistake {
    Mistake::new(MistakePlace::File(name.to_owned()), 0, Key::ZipTooBig, &[], Key::ZipRemedy)
}

/// Says where the fields of a manifest are explained.
fn remedy(manifest: &str) -> Key {
    if manifest == MANIFEST { Key::TomlRemedy } else { Key::OwnFolderRemedy }
}

struct Reader<'f> {
    files: &'f Files,
    /// The folder: the start of its files' names.
    folder: &'f str,
    /// The name of the manifest, which says whether it is a lesson's or a scenario's.
    manifest: &'f str,
    lang: Lang,
    wrong: Mistakes,
    left_out: Vec<Mistake>,
}

/// Fields of a lesson's property; a scenario's is read as in JSON.
const OF_PROPERTY: [&str; 3] = ["id", "kind", "check"];

impl<'f> Reader<'f> {
    fn is_lesson(&self) -> bool {
        self.manifest == MANIFEST
    }

    fn file(&self, name: &str) -> Option<&'f str> {
        let found = self
            .files
            .iter()
            .find(|(path, _)| path.strip_prefix(self.folder).is_some_and(|rest| rest == name));
        found.map(|(_, text)| text.as_str())
    }

    /// Makes the manifest the tree of a scenario, and reads that.
    fn own(&mut self, root: &Tree) -> Definition {
        let variants = manifest::variants(root);
        self.names_known(root, &of_lesson(), &["variant"]);
        let Some(variant) = variants.first() else {
            self.wrong.note(0, Key::OwnNoVariant, &[], Key::OwnNoVariantRemedy);
            return Definition::default();
        };
        self.names_known(variant, &of_variant(), &["states"]);
        if let Some(more) = variants.get(1) {
            let names = variants[1..].iter().filter_map(|one| one.get("id")?.text());
            let names = names.collect::<Vec<_>>().join(", ");
            self.leave_out(more.line, &names);
        }
        let mut programs: Vec<(&str, &str)> = Vec::new();
        let all: Vec<(&str, &str)> = self.programs("").collect();
        let program = |file: &str| {
            let found = *all.iter().find(|(name, _)| *name == file)?;
            let known = programs.iter().position(|known| *known == found);
            Some(known.unwrap_or_else(|| {
                programs.push(found);
                programs.len() - 1
            }))
        };
        let written = InManifest { root, variant };
        let mut own = written.world(program, &mut self.wrong);
        own.title = self.heading("# ").unwrap_or_default();
        // A scenario has no words of its own.
        if own.title.is_empty() && !self.is_lesson() {
            let folder = self.folder.trim_end_matches('/').rsplit('/').next();
            folder.unwrap_or_default().clone_into(&mut own.title);
        }
        let rows = Tree { line: root.line, value: Value::List(self.properties(root, variant)) };
        own.properties = Vec::of_tree(&rows, "properties", &mut self.wrong);
        let mut digests = Vec::new();
        for (file, text) in programs.into_iter().chain(self.programs(UNUSED)) {
            let (known, text) = without_digests(text);
            digests.extend(known);
            let name = file.trim_end_matches(".lua").to_owned();
            own.programs.push(Script { name, text: text.to_owned() });
        }
        written.set_up(&mut own, &digests, &mut self.wrong);
        own
    }

    fn leave_out(&mut self, line: u32, names: &str) {
        let place = MistakePlace::File(self.manifest.to_owned());
        let (what, remedy) = (Key::OwnLeftOut, Key::OwnLeftOutRemedy);
        self.left_out.push(Mistake::new(place, line, what, &[names], remedy));
    }

    /// Notes fields that are not known; those of a lesson that a scenario cannot have are left out.
    fn names_known(&mut self, table: &Tree, known: &[&str], more: &[&str]) {
        let is_further = |name: &str| FURTHER.contains(&name) && !known.contains(&name);
        for (name, item) in table.entries().iter().filter(|(name, _)| is_further(name)) {
            self.leave_out(item.line, name);
        }
        let is_left = |name: &&str| !is_further(name) && !more.contains(name);
        let names: Vec<&str> =
            table.entries().iter().map(|(name, _)| name.as_str()).filter(is_left).collect();
        self.wrong.only(&table.keeping(&names), known, &[]);
    }

    /// Reads a field that must be there.
    fn wanted(&mut self, row: &Tree, name: &str) -> Option<String> {
        let text: String = self.wrong.field(row, name, true);
        row.get(name).and(Some(text))
    }

    /// Returns the programs of the folder, or of one in it, with their names.
    fn programs(&self, below: &'static str) -> impl Iterator<Item = (&'f str, &'f str)> + use<'f> {
        let folder = self.folder;
        self.files.iter().filter_map(move |(path, text)| {
            let file = path.strip_prefix(folder)?.strip_prefix(below)?;
            file.strip_suffix(".lua").filter(|name| is_file(name)).map(|_| (file, text.as_str()))
        })
    }

    /// Returns the properties that the variant is asked about.
    fn properties(&mut self, root: &Tree, variant: &Tree) -> Vec<Tree> {
        let rows = root.get("property").map(Tree::items).unwrap_or_default();
        let ids: Vec<&str> = rows.iter().filter_map(|row| row.get("id")?.text()).collect();
        if let Some(expect) = variant.get("expect") {
            self.names_known(expect, &ids, &[]);
        }
        let mut asked = Vec::new();
        for row in rows {
            let Some(id) = self.wanted(row, "id") else { continue };
            let claim = variant.get("expect").map(|expect| expect.get(&id));
            if claim == Some(None) || ADDED.iter().any(|(added, ..)| *added == id) {
                continue;
            }
            let mut property = row.clone();
            if self.is_lesson() {
                self.names_known(row, &OF_PROPERTY, &[]);
                property = row.keeping(&OF_PROPERTY);
                let label = self.heading(&format!("## property {id}")).unwrap_or_default();
                let label = label.trim_start_matches([':', '：']).trim();
                let check = row.get("check").and_then(Tree::text).unwrap_or_default();
                if label != id && label != check.replace(char::is_control, " ").trim() {
                    property.set("name", Value::Text(label.to_owned()));
                }
            }
            if let Some(claim) = claim.flatten() {
                self.wanted(claim, "verdict");
                claim
                    .get("verdict")
                    .into_iter()
                    .for_each(|one| property.put("expect", one.clone()));
            }
            property.set("id", Value::Text(Property::stored_id(&id, asked.len())));
            asked.push(property);
        }
        asked
    }

    /// Returns the rest of the heading that begins with `start`, in the reader's language or else
    /// the other.
    fn heading(&self, start: &str) -> Option<String> {
        let prose = [self.lang, self.lang.other()];
        let mut found = prose.iter().filter_map(|lang| {
            let text = self.file(&format!("{}.md", lang.tag()))?;
            let rest = text.lines().find_map(|line| {
                let rest = line.strip_prefix(start)?;
                (start == "# " || rest.starts_with([':', '：'])).then_some(rest)
            })?;
            Some(unescaped(rest))
        });
        found.find(|text| !text.is_empty())
    }
}
