//! A field of a written world is one row: `fields!` makes of the rows a struct, the list of its
//! names, its reader and its writer. What a kind of value looks like in files is its [`Field`].
//!
//! A field that is absent has its type's default, and a default is not written; one that is marked
//! `= must` is always written, and a mistake if it is absent. To add a field, add a row. To add a
//! kind of value, implement [`Field`], for instance by `words!` for an enum.

use crate::json::{self, FromJson, Json, ToJson, Wrong};
use crate::text::{Key, Lang};

use super::mistakes::{MistakePlace, Mistakes};
use super::tree::{Tree, Value};
use super::{MANY_MAX, too_many};

/// The greatest number that can be typed.
const TYPED_MAX: i64 = 1_000_000_000;

/// A kind of value of a field.
pub trait Field: Default + PartialEq {
    /// Reads the value of the field called `name`, and notes mistakes.
    fn of_tree(tree: &Tree, name: &str, wrong: &mut Mistakes) -> Self;

    /// Returns the value as files have it.
    fn written(&self) -> Json;

    /// Takes what was typed into a form, if it is a value that can be typed.
    fn type_in(&mut self, _: &str) {}

    /// Returns a value that is not the default, for tests of reading and writing.
    #[cfg(test)]
    fn other() -> Self;
}

/// Makes a struct of its rows: `name: Type,`, or `name: Type = must,`. After `by` stands a function
/// that completes the tree before it is read.
macro_rules! fields {
    ($(#[$meta:meta])* pub struct $name:ident $(by $complete:ident)? {
        $($(#[$doc:meta])* $field:ident: $type:ty $(= $must:ident)?,)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        impl $name {
            /// The names of its fields in files, in the order in which they are written.
            pub const FIELDS: &[&str] = &[$(stringify!($field)),*];

            /// Returns the fields that are not their default, or must be there.
            pub fn rows(&self) -> Vec<(&'static str, Json)> {
                let rows = [$(row(stringify!($field), &self.$field, fields!(@is $($must)?))),*];
                rows.into_iter().flatten().collect()
            }

            /// Gives the field of this name what was typed into a form.
            pub fn edit_field(&mut self, name: &str, text: &str) {
                match name {
                    $(stringify!($field) => self.$field.type_in(text),)*
                    _ => {}
                }
            }
        }

        impl Field for $name {
            fn of_tree(tree: &Tree, _: &str, wrong: &mut Mistakes) -> Self {
                $(let tree = &$complete(tree, wrong);)?
                wrong.only(tree, $name::FIELDS, &[]);
                $name { $($field: wrong.field(tree, stringify!($field), fields!(@is $($must)?)),)* }
            }

            fn written(&self) -> Json {
                object(self.rows())
            }

            #[cfg(test)]
            fn other() -> Self {
                let name = stringify!($name);
                $(
                    let field = stringify!($field);
                    assert!(<$type>::default() != <$type>::other(), "{field} of {name}");
                )*
                $name { $($field: Field::other(),)* }
            }
        }
    };
    (@is) => { false };
    (@is must) => { true };
}
pub(super) use fields;

/// Gives the values of an enum their words in files, and makes it a kind of value; `other` is not
/// its default.
macro_rules! words {
    ($type:ident: $($word:literal => $value:ident),*; other: $other:ident) => {
        impl $type {
            /// Returns its word in files.
            pub fn word(self) -> &'static str {
                match self { $($type::$value => $word),* }
            }
        }

        impl FromJson for $type {
            fn made_of(json: Json, wrong: &mut Wrong) -> Self {
                let word = String::made_of(json, wrong);
                match word.as_str() {
                    $($word => $type::$value,)*
                    _ => {
                        let words = [$($word),*].join(" or ");
                        wrong.say(format!("{word} where {words} should be"));
                        $type::default()
                    }
                }
            }
        }

        impl ToJson for $type {
            fn to_json(&self) -> Json {
                Json::Text(self.word().to_owned())
            }
        }

        plain!($type: $type::$other);
    };
}
pub(super) use words;

/// Makes types that JSON has kinds of values, each with a value that is not its default.
macro_rules! plain {
    ($($type:ty: $other:expr),*) => { $(
        impl Field for $type {
            fn of_tree(tree: &Tree, name: &str, wrong: &mut Mistakes) -> Self {
                wrong.value(tree, name).unwrap_or_default()
            }

            fn written(&self) -> Json {
                self.to_json()
            }

            fn type_in(&mut self, text: &str) {
                *self = super::fields::typed(text);
            }

            #[cfg(test)]
            fn other() -> Self {
                $other
            }
        }
    )* };
}
pub(super) use plain;

plain!(String: "x".to_owned(), i64: -7, u32: 7, usize: 1, bool: true);

impl<T: Field> Field for Vec<T> {
    fn of_tree(tree: &Tree, name: &str, wrong: &mut Mistakes) -> Self {
        let Value::List(items) = &tree.value else {
            let why = format!("{} where a list should be", tree.to_json().what());
            wrong.bad(tree.line, name, &why);
            return Vec::new();
        };
        if items.len() > MANY_MAX {
            wrong.bad(tree.line, name, &too_many(items.len()));
        }
        items.iter().map(|item| T::of_tree(item, name, wrong)).collect()
    }

    fn written(&self) -> Json {
        Json::List(self.iter().map(T::written).collect())
    }

    #[cfg(test)]
    fn other() -> Self {
        vec![T::other(), T::other()]
    }
}

/// A value that may be absent: what is not written is not said.
impl<T: Field> Field for Option<T> {
    fn of_tree(tree: &Tree, name: &str, wrong: &mut Mistakes) -> Self {
        Some(T::of_tree(tree, name, wrong))
    }

    fn written(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::written)
    }

    fn type_in(&mut self, text: &str) {
        *self = (!text.is_empty()).then(|| {
            let mut value = T::default();
            value.type_in(text);
            value
        });
    }

    #[cfg(test)]
    fn other() -> Self {
        Some(T::other())
    }
}

/// Reads what was typed: a text or a word, or else a number, or true or false. Anything else counts
/// as the default.
pub(super) fn typed<T: FromJson + Default>(text: &str) -> T {
    let number = |json: Json| match json {
        Json::Number(number) => Json::Number(number.clamp(-TYPED_MAX, TYPED_MAX)),
        other => other,
    };
    let read = T::from_json(Json::Text(text.to_owned()));
    read.or_else(|_| T::from_json(number(json::parse(text)?))).unwrap_or_default()
}

/// Returns a field as it is written; `None` for a default that need not be there.
pub(super) fn row<T: Field>(
    name: &'static str,
    value: &T,
    must: bool,
) -> Option<(&'static str, Json)> {
    (must || *value != T::default()).then(|| (name, value.written()))
}

/// Lets lessons hold such values, in the form that people write.
macro_rules! in_lessons {
    ($($type:ident),*) => { $(
        impl FromJson for $type {
            fn made_of(json: Json, wrong: &mut Wrong) -> Self {
                super::fields::of_json(json, wrong)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                self.written().serialize(to)
            }
        }
    )* };
}
pub(super) use in_lessons;

/// Reads a value in a lesson.
pub(super) fn of_json<T: Field>(json: Json, wrong: &mut Wrong) -> T {
    let mut mistakes = Mistakes::new(MistakePlace::Whole, Key::OwnFolderRemedy);
    let value = T::of_tree(&json.into(), "", &mut mistakes);
    mistakes.found.first().into_iter().for_each(|first| wrong.say(first.what(Lang::En)));
    value
}

/// Makes an object of fields.
pub fn object(fields: Vec<(&str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(name, json)| (name.to_owned(), json)).collect())
}
