//! Writes a scenario as the folder of a lesson, and reads the folder of a lesson or a scenario, for
//! the page and for `check`. What is written says what the author expects, and `check` accepts it;
//! parts of a lesson that a scenario cannot have (stories, questions, further variants) are left
//! out and named.

use crate::json::{FromJson, Json};
use crate::resp::split_inline;
use crate::sim::{Kind, TimeMode};
use crate::text::{Key, Lang, tr};

use super::lesson::{Commands, VARIANT, is_file, quoted, without_digests};
use super::toml::{self, Item, Value};
use super::{
    Allowed, Client, Expect, Instance, Mistake, Own, Place, Property, Script, allowed, fault_json,
    kind_name, scenario, zip,
};

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
pub fn id(own: &Own) -> String {
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
pub fn write(own: &Own) -> Files {
    let mut files = vec![(MANIFEST.to_owned(), manifest(own))];
    for (at, script) in own.programs.iter().enumerate() {
        let used = own.clients.iter().any(|client| client.program == at);
        let folder = if used { "" } else { UNUSED };
        files.push((format!("{folder}{}.lua", script.name), own.program(at)));
    }
    for lang in Lang::ALL {
        files.push((format!("{}.md", lang.tag()), prose(own, lang)));
    }
    files
}

/// The same as one zip file, with a folder in it.
pub fn write_zip(own: &Own) -> Vec<u8> {
    let id = id(own);
    let inside = |(name, text)| (format!("{id}/{name}"), text);
    zip::write(&write(own).into_iter().map(inside).collect::<Vec<_>>())
}

fn manifest(own: &Own) -> String {
    let mut out = String::from("minutes = 5\n");
    let (mut default, mut named) = (Vec::new(), vec![Vec::new(); own.instances.len()]);
    for script in &own.scripts {
        let container = if script.text.starts_with("#!") { "FUNCTION" } else { "SCRIPT" };
        let load = format!("{container} LOAD {}", quoted(&script.text));
        default.push(load.clone());
        for (at, instance) in own.instances.iter().enumerate().skip(1) {
            if instance.replica_of.is_empty() {
                named[at].push(load.clone());
            }
        }
    }
    for line in own.setup.lines().map(str::trim) {
        let at = own.instances.iter().position(|one| {
            line.strip_prefix(one.name.as_str()).is_some_and(|rest| rest.starts_with("> "))
        });
        match at {
            _ if line.is_empty() || line.starts_with('#') => {}
            Some(at) if at > 0 => {
                named[at].push(line[own.instances[at].name.len() + 2..].to_owned())
            }
            Some(at) => default.push(line[own.instances[at].name.len() + 2..].to_owned()),
            None => default.push(line.strip_prefix("redis> ").unwrap_or(line).to_owned()),
        }
    }
    out += &list("setup", &default);
    let statements = own.sql.lines().map(|line| line.trim().trim_end_matches(';').to_owned());
    let statements = statements.filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
    out += &list("sql", &statements.collect::<Vec<_>>());
    let faults = allowed(own.faults);
    if !faults.is_empty() {
        let value = |name: &str, count: i64| match fault_json(own.faults, name, count) {
            Json::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| format!("{name} = {value}"));
                format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
            _ => count.to_string(),
        };
        let faults: Vec<String> = faults
            .iter()
            .map(|(name, count)| format!("{name} = {}", value(name, *count)))
            .collect();
        out += &format!("faults = {{ {} }}\n", faults.join(", "));
    }
    if own.time == TimeMode::Any {
        out += "time = \"any\"\n";
    }
    if own.slow_ms > 0 {
        out += &format!("slow_ms = {}\n", own.slow_ms);
    }
    if own.wire {
        out += "wire = true\n";
    }
    for (instance, setup) in own.instances.iter().zip(&named) {
        out += &format!("\n[[instance]]\nname = {}\n", toml::quoted(&instance.name));
        out += &list("setup", setup);
        if !instance.replica_of.is_empty() {
            out += &format!("replica_of = {}\n", toml::quoted(&instance.replica_of));
        }
        if instance.clock_ms != 0 {
            out += &format!("clock_ms = {}\n", instance.clock_ms);
        }
    }
    let mut expect = String::new();
    for (id, property) in properties(own) {
        let (kind, check) = (kind_name(property.kind), toml::quoted(&property.check));
        out += &format!("\n[[property]]\nid = \"{id}\"\nkind = \"{kind}\"\ncheck = {check}\n");
        let verdict = if property.breaks { "breaks" } else { "holds" };
        expect += &format!("{id} = {{ verdict = \"{verdict}\" }}\n");
    }
    out += &format!("\n[[variant]]\nid = \"{VARIANT}\"\n");
    if own.expect_deadlock {
        out += "expect_deadlock = true\n";
    }
    out += "clients = [\n";
    for client in &own.clients {
        let name = own.programs.get(client.program).map_or("", |program| program.name.as_str());
        let program = format!("\"{name}.lua\"");
        let mut more = String::new();
        if !client.process.is_empty() {
            more += &format!(", process = {}", toml::quoted(&client.process));
        }
        if client.clock_ms != 0 {
            more += &format!(", clock_ms = {}", client.clock_ms);
        }
        if !client.expect_error.is_empty() {
            more += &format!(", expect_error = {}", toml::quoted(&client.expect_error));
        }
        if client.again {
            more += ", again = true";
        }
        match more.is_empty() {
            true => out += &format!("  {program},\n"),
            false => out += &format!("  {{ program = {program}{more} }},\n"),
        }
    }
    out + "]\n[variant.expect]\n" + &expect
}

fn list(name: &str, items: &[String]) -> String {
    let items: Vec<String> =
        items.iter().map(|item| format!("  {},\n", toml::quoted(item))).collect();
    if items.is_empty() { String::new() } else { format!("{name} = [\n{}]\n", items.concat()) }
}

/// Returns the scenario's properties with their ids, and those that a lesson must have besides.
fn properties(own: &Own) -> Vec<(String, Property)> {
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

fn prose(own: &Own, lang: Lang) -> String {
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

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.trim().chars();
    while let Some(c) = chars.next() {
        let mut after = chars.clone();
        match after.next() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() => {
                out.push(next);
                chars = after;
            }
            // Marks of Markdown that an author set.
            _ if c == '`' || c == '*' => {}
            _ => out.push(c),
        }
    }
    out
}

// ---- Reading ------------------------------------------------------------------------------------

/// A scenario, and what had to be left out of it; or the mistakes for which it cannot be read.
pub type Read = Result<(Own, Vec<Mistake>), Vec<Mistake>>;

/// Reads a file that was opened: a zip or JSON.
pub fn open(name: &str, bytes: &[u8], lang: Lang) -> Read {
    open_with(name, bytes, lang, &[])
}

/// Reads a file with other values of a scenario's parameters than it has.
pub fn open_with(name: &str, bytes: &[u8], lang: Lang, set: &[(String, i64)]) -> Read {
    let file = || Place::File(name.to_owned());
    if zip::is_zip(bytes) {
        let files = zip::read(bytes).map_err(|wrong| {
            let place = if wrong.file.is_empty() { file() } else { Place::File(wrong.file) };
            vec![Mistake::new(place, 0, wrong.what, &[], Key::ZipRemedy)]
        })?;
        return read(&files, name, lang, set);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') => {
            as_json(text.trim_start_matches('\u{feff}'), name, set)
        }
        _ => Err(vec![Mistake::new(file(), 0, Key::OwnNoFile, &[], Key::OwnNoFileRemedy)]),
    }
}

fn as_json(text: &str, name: &str, set: &[(String, i64)]) -> Read {
    no_parameters(set, name)?;
    Own::read(text, name).map(|own| (own, Vec::new())).map_err(|mistake| vec![mistake])
}

/// Refuses to set parameters where there are none.
pub(super) fn no_parameters(set: &[(String, i64)], file: &str) -> Result<(), Vec<Mistake>> {
    let Some((name, _)) = set.first() else { return Ok(()) };
    let (place, why) = (Place::File(file.to_owned()), scenario::no_parameter(name, &[]));
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
        let place = Place::File(shown.to_owned());
        return Err(vec![Mistake::new(place, 0, what, &[], Key::OwnNoFileRemedy)]);
    };
    let (folder, manifest) = name.split_at(name.rfind('/').map_or(0, |at| at + 1));
    let place = || Place::File(manifest.to_owned());
    let root = toml::parse(text).map_err(|wrong| {
        vec![Mistake::new(place(), wrong.line, wrong.what, &[&wrong.found], Key::TomlRemedy)]
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
    let (mistakes, left_out) = (Vec::new(), Vec::new());
    let mut reader = Reader { files, folder, manifest, lang, mistakes, left_out };
    let own = reader.own(root);
    match reader.mistakes.is_empty() {
        true => Ok((own, reader.left_out)),
        false => Err(reader.mistakes),
    }
}

/// Returns the mistake for a file that is too large to be read.
pub fn too_big(name: &str) -> Mistake {
    Mistake::new(Place::File(name.to_owned()), 0, Key::ZipTooBig, &[], Key::ZipRemedy)
}

struct Reader<'f> {
    files: &'f Files,
    /// The folder: the start of its files' names.
    folder: &'f str,
    /// The name of the manifest, which says whether it is a lesson's or a scenario's.
    manifest: &'f str,
    lang: Lang,
    mistakes: Vec<Mistake>,
    left_out: Vec<Mistake>,
}

/// Fields of a lesson that a scenario cannot have.
const FURTHER: [&str; 10] = [
    "walk",
    "challenge",
    "exercise",
    "quiz",
    "lens",
    "flow",
    "panels",
    "question",
    "advice",
    "crowd",
];
const FIELDS: [&str; 10] = [
    "minutes",
    "setup",
    "sql",
    "faults",
    "time",
    "slow_ms",
    "wire",
    "expect_error",
    "instance",
    "property",
];
const OF_VARIANT: [&str; 12] = [
    "id",
    "clients",
    "setup",
    "instances",
    "sql",
    "faults",
    "time",
    "slow_ms",
    "wire",
    "expect_error",
    "expect",
    "expect_deadlock",
];
const OF_CLIENT: [&str; 5] = ["program", "process", "clock_ms", "expect_error", "again"];
const OF_INSTANCE: [&str; 4] = ["name", "setup", "replica_of", "clock_ms"];
/// Fields of a lesson's property; a scenario's is read as in JSON.
const OF_PROPERTY: [&str; 3] = ["id", "kind", "check"];

impl Reader<'_> {
    fn wrong(&mut self, line: u32, what: Key, values: &[&str], remedy: Key) {
        let place = Place::File(self.manifest.to_owned());
        self.mistakes.push(Mistake::new(place, line, what, values, remedy));
    }

    fn is_lesson(&self) -> bool {
        self.manifest == MANIFEST
    }

    /// Says where the fields of the manifest are explained.
    fn remedy(&self) -> Key {
        if self.is_lesson() { Key::TomlRemedy } else { Key::OwnFolderRemedy }
    }

    fn file(&self, name: &str) -> Option<&str> {
        let found = self
            .files
            .iter()
            .find(|(path, _)| path.strip_prefix(self.folder).is_some_and(|rest| rest == name));
        found.map(|(_, text)| text.as_str())
    }

    fn own(&mut self, root: &Item) -> Own {
        let variants = root.get("variant").map(Item::items).unwrap_or_default();
        self.names_known(root, &FIELDS, &["variant"]);
        let Some(variant) = variants.first() else {
            self.wrong(0, Key::OwnNoVariant, &[], Key::OwnNoVariantRemedy);
            return Own::default();
        };
        self.names_known(variant, &OF_VARIANT, &["states"]);
        if let Some(more) = variants.get(1) {
            let names = variants[1..].iter().filter_map(|one| one.get("id")?.text());
            let names = names.collect::<Vec<_>>().join(", ");
            self.leave_out(more.line, &names);
        }
        // A variant's own settings stand in place of the lesson's.
        let folder = self.folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let get = |name: &str| variant.get(name).or_else(|| root.get(name));
        let mut own = Own {
            title: self.heading("# ").unwrap_or_default(),
            faults: self.value::<Allowed>(get("faults"), "faults").unwrap_or_default().0,
            wire: self.value(get("wire"), "wire").unwrap_or_default(),
            time: self.value(get("time"), "time").unwrap_or_default(),
            slow_ms: self.value(get("slow_ms"), "slow_ms").unwrap_or_default(),
            expect_deadlock: self
                .value(variant.get("expect_deadlock"), "expect_deadlock")
                .unwrap_or_default(),
            ..Own::default()
        };
        // A scenario has no words of its own.
        if own.title.is_empty() && !self.is_lesson() {
            own.title = folder.to_owned();
        }
        let digests = self.clients(variant, &mut own);
        let error: String = self.value(get("expect_error"), "expect_error").unwrap_or_default();
        for client in own.clients.iter_mut().filter(|client| client.expect_error.is_empty()) {
            client.expect_error.clone_from(&error);
        }
        self.unused(&mut own);
        let setup = self.commands(get("setup"));
        let setups = self.instances(root, variant, &mut own);
        own.set_up(setup, setups, &digests);
        for statement in self.strings(get("sql"), "sql") {
            own.sql += &statement.1;
            own.sql.push('\n');
        }
        self.properties(root, variant, &mut own);
        own
    }

    fn leave_out(&mut self, line: u32, names: &str) {
        let place = Place::File(self.manifest.to_owned());
        let (what, remedy) = (Key::OwnLeftOut, Key::OwnLeftOutRemedy);
        self.left_out.push(Mistake::new(place, line, what, &[names], remedy));
    }

    fn names_known(&mut self, table: &Item, known: &[&str], more: &[&str]) {
        let Value::Table(entries) = &table.value else { return };
        for (name, item) in entries {
            let name = name.as_str();
            if known.contains(&name) || more.contains(&name) {
                continue;
            }
            if FURTHER.contains(&name) {
                self.leave_out(item.line, name);
            } else {
                let known = known.join(", ");
                self.wrong(item.line, Key::OwnNoField, &[name, &known], Key::OwnNoFieldRemedy);
            }
        }
    }

    /// Reads a value of some type; one that is absent or of another type is `None`.
    fn value<T: FromJson>(&mut self, item: Option<&Item>, name: &str) -> Option<T> {
        let item = item?;
        match T::from_json(item.to_json()) {
            Ok(value) => Some(value),
            Err(why) => {
                self.wrong(item.line, Key::OwnBadField, &[name, &why], self.remedy());
                None
            }
        }
    }

    /// Reads a field that must be there.
    fn wanted<T: FromJson>(&mut self, row: &Item, name: &str) -> Option<T> {
        if row.get(name).is_some() {
            return self.value(row.get(name), name);
        }
        if let Err(why) = T::from_json(Json::Null) {
            self.wrong(row.line, Key::OwnBadField, &[name, &why], self.remedy());
        }
        None
    }

    /// Reads the strings of a list, with their lines.
    fn strings(&mut self, item: Option<&Item>, name: &str) -> Vec<(u32, String)> {
        let mut strings = Vec::new();
        for one in item.map(Item::items).unwrap_or_default() {
            if let Some(text) = self.value::<String>(Some(one), name) {
                strings.push((one.line, text));
            }
        }
        strings
    }

    fn commands(&mut self, item: Option<&Item>) -> Commands {
        let mut commands = Vec::new();
        for (line, text) in self.strings(item, "setup") {
            match split_inline(text.as_bytes()) {
                Ok(argv) => {
                    let argument =
                        |bytes: &crate::resp::Bytes| String::from_utf8_lossy(bytes).into_owned();
                    commands.push(argv.iter().map(argument).collect());
                }
                Err(_) => self.wrong(line, Key::OwnQuotes, &[&text], Key::OwnQuotesRemedy),
            }
        }
        commands
    }

    /// Reads the clients and their programs; returns the digests of scripts that programs contain.
    fn clients(&mut self, variant: &Item, own: &mut Own) -> Vec<(String, String)> {
        let mut digests = Vec::new();
        let clients = variant.get("clients").map(Item::items).unwrap_or_default();
        if clients.is_empty() || clients.len() > super::MANY_MAX {
            let (count, most) = (clients.len().to_string(), super::MANY_MAX.to_string());
            let (what, remedy) = (Key::OwnManyClients, Key::OwnManyClientsRemedy);
            self.wrong(variant.line, what, &[&count, &most], remedy);
            return digests;
        }
        for item in clients {
            let file = match &item.value {
                Value::Text(name) => Some(name.clone()),
                _ => {
                    self.names_known(item, &OF_CLIENT, &[]);
                    self.wanted(item, "program")
                }
            };
            let file = file.unwrap_or_default();
            let name = file.strip_suffix(".lua").unwrap_or_default().to_owned();
            let known = own.programs.iter().position(|program| program.name == name);
            let program = match known {
                Some(known) => known,
                None => {
                    let Some(text) = self.file(&file).filter(|_| is_file(&name)) else {
                        self.wrong(item.line, Key::OwnNoProgram, &[&file], Key::OwnNoProgramRemedy);
                        continue;
                    };
                    let (known, text) = without_digests(text);
                    digests.extend(known);
                    let text = text.to_owned();
                    own.programs.push(Script { name, text });
                    own.programs.len() - 1
                }
            };
            own.clients.push(Client {
                program,
                process: self.value(item.get("process"), "process").unwrap_or_default(),
                clock_ms: self.value(item.get("clock_ms"), "clock_ms").unwrap_or_default(),
                expect_error: self
                    .value(item.get("expect_error"), "expect_error")
                    .unwrap_or_default(),
                again: self.value(item.get("again"), "again").unwrap_or_default(),
            });
        }
        digests
    }

    /// Reads the programs that no client runs.
    fn unused(&mut self, own: &mut Own) {
        for (path, text) in self.files {
            let name = path.strip_prefix(self.folder).and_then(|rest| rest.strip_prefix(UNUSED));
            let name = name.and_then(|name| name.strip_suffix(".lua"));
            if let Some(name) = name.filter(|name| is_file(name)) {
                let text = without_digests(text).1.to_owned();
                own.programs.push(Script { name: name.to_owned(), text });
            }
        }
        self.at_most("*.lua", own.programs.len());
    }

    /// Notes a mistake if there are more of something than there may be.
    fn at_most(&mut self, name: &str, count: usize) {
        if count > super::MANY_MAX {
            let why = super::too_many(count);
            self.wrong(0, Key::OwnBadField, &[name, &why], self.remedy());
        }
    }

    /// Reads the instances; returns the setup of each.
    fn instances(&mut self, root: &Item, variant: &Item, own: &mut Own) -> Vec<Commands> {
        let named =
            variant.get("instances").map(|_| self.strings(variant.get("instances"), "instances"));
        let mut rows: Vec<&Item> =
            root.get("instance").map(Item::items).unwrap_or_default().iter().collect();
        rows.iter().for_each(|row| self.names_known(row, &OF_INSTANCE, &[]));
        if let Some(named) = named {
            let name = |row: &Item| row.get("name")?.text().map(str::to_owned);
            let known: Vec<String> = rows.iter().copied().filter_map(name).collect();
            for (line, one) in &named {
                if !known.contains(one) {
                    let said = [one.as_str(), &known.join(", ")];
                    self.wrong(*line, Key::OwnNoInstance, &said, Key::OwnNoInstanceRemedy);
                }
            }
            let row = |(_, one): &(u32, String)| {
                rows.iter().copied().find(|row| name(row).as_ref() == Some(one))
            };
            rows = named.iter().filter_map(row).collect();
        }
        self.at_most("instance", rows.len());
        let mut setups = Vec::new();
        for row in rows {
            let name = self.wanted::<String>(row, "name").unwrap_or_default();
            setups.push(self.commands(row.get("setup")));
            own.instances.push(Instance {
                name,
                replica_of: self.value(row.get("replica_of"), "replica_of").unwrap_or_default(),
                clock_ms: self.value(row.get("clock_ms"), "clock_ms").unwrap_or_default(),
            });
        }
        setups
    }

    /// Reads the properties that the variant is asked about.
    fn properties(&mut self, root: &Item, variant: &Item, own: &mut Own) {
        let is_lesson = self.is_lesson();
        let rows = root.get("property").map(Item::items).unwrap_or_default();
        let ids: Vec<&str> = rows.iter().filter_map(|row| row.get("id")?.text()).collect();
        if let Some(expect) = variant.get("expect") {
            self.names_known(expect, &ids, &[]);
        }
        for row in rows {
            let Some(id) = self.wanted::<String>(row, "id") else { continue };
            let claim = variant.get("expect").map(|expect| expect.get(&id));
            if claim == Some(None) || ADDED.iter().any(|(added, ..)| *added == id) {
                continue;
            }
            if is_lesson {
                self.names_known(row, &OF_PROPERTY, &[]);
            }
            let Some(mut property) = self.value::<Property>(Some(row), "property") else {
                continue;
            };
            let label = self.heading(&format!("## property {id}")).unwrap_or_default();
            let label = label.trim_start_matches([':', '：']).trim().to_owned();
            let same = label == id || label == property.check.replace(char::is_control, " ").trim();
            if is_lesson && !same {
                property.name = label;
            }
            if let Some(claim) = claim.flatten() {
                let expect = self.wanted::<Expect>(claim, "verdict");
                property.breaks = expect.is_some_and(|expect| expect.breaks);
            }
            property.id = Property::stored_id(&id, own.properties.len());
            own.properties.push(property);
        }
        self.at_most("property", own.properties.len());
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
