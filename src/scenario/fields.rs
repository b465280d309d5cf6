//! A field of a written world is one row: [`fields!`] makes of the rows a struct, the list of its
//! names, its reader and its writer. What a kind of value looks like in files is its [`Field`].
//!
//! A field that is absent has its type's default, and a default is not written; one that is marked
//! `= must` is always written, and a mistake if it is absent. To add a field, add a row. To add a
//! kind of value, implement [`Field`], for instance by [`words!`] for an enum.

use crate::json::Json;

use super::mistakes::Mistakes;
use super::tree::{Tree, Value};
use super::{MANY_MAX, too_many};

/// A kind of value of a field.
pub trait Field: Default + PartialEq {
    /// Reads the value of the field called `name`, and notes mistakes.
    fn read(tree: &Tree, name: &str, wrong: &mut Mistakes) -> Self;

    /// Returns the value as files have it.
    fn write(&self) -> Json;

    /// Returns a value that is not the default, for tests of reading and writing.
    #[cfg(test)]
    fn other() -> Self;
}

/// Makes a struct of its rows: `name: Type,`, or `name: Type = must,`.
macro_rules! fields {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* $field:ident: $type:ty $(= $must:ident)?,)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        impl $name {
            /// The names of its fields in files, in the order in which they are written.
            pub const FIELDS: &[&str] = &[$(stringify!($field)),*];

            /// Reads the fields of a table, which may have others besides that are called as in
            /// `also`.
            pub fn of_row(
                row: &$crate::scenario::tree::Tree,
                also: &[&str],
                wrong: &mut $crate::scenario::mistakes::Mistakes,
            ) -> $name {
                wrong.only(row, $name::FIELDS, also);
                $name {
                    $($field: wrong.field(row, stringify!($field), fields!(@is $($must)?)),)*
                }
            }

            /// Returns the fields that are not their default, or must be there.
            pub fn rows(&self) -> Vec<(&'static str, $crate::json::Json)> {
                let rows = [$($crate::scenario::fields::written(
                    stringify!($field), &self.$field, fields!(@is $($must)?),
                )),*];
                rows.into_iter().flatten().collect()
            }

            /// Returns one in which every field has a value that is not its default.
            #[cfg(test)]
            pub fn other() -> $name {
                $(assert!(
                    <$type>::default() != <$type as $crate::scenario::fields::Field>::other(),
                    "{} of {}", stringify!($field), stringify!($name),
                );)*
                $name { $($field: $crate::scenario::fields::Field::other(),)* }
            }
        }
    };
    (@is) => { false };
    (@is must) => { true };
}
pub(super) use fields;

/// Makes structs of [`fields!`] values of fields themselves.
macro_rules! rows {
    ($($name:ident),*) => { $(
        impl $crate::scenario::fields::Field for $name {
            fn read(
                tree: &$crate::scenario::tree::Tree,
                _: &str,
                wrong: &mut $crate::scenario::mistakes::Mistakes,
            ) -> Self {
                $name::of_row(tree, &[], wrong)
            }

            fn write(&self) -> $crate::json::Json {
                $crate::scenario::fields::object(self.rows())
            }

            #[cfg(test)]
            fn other() -> Self {
                $name::other()
            }
        }
    )* };
}
pub(super) use rows;

/// Gives the values of an enum their words in files.
macro_rules! words {
    ($type:ident: $($word:literal => $value:ident),*) => {
        impl $type {
            /// Returns its word in files.
            pub fn word(self) -> &'static str {
                match self { $($type::$value => $word),* }
            }
        }

        impl $crate::json::FromJson for $type {
            fn made_of(json: $crate::json::Json, wrong: &mut $crate::json::Wrong) -> Self {
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

        impl $crate::json::ToJson for $type {
            fn to_json(&self) -> $crate::json::Json {
                $crate::json::Json::Text(self.word().to_owned())
            }
        }
    };
}
pub(super) use words;

/// Makes types that JSON has fields, with a value that is not the default.
macro_rules! plain {
    ($($type:ty: $other:expr),* $(,)?) => { $(
        impl $crate::scenario::fields::Field for $type {
            fn read(
                tree: &$crate::scenario::tree::Tree,
                name: &str,
                wrong: &mut $crate::scenario::mistakes::Mistakes,
            ) -> Self {
                wrong.value(tree, name).unwrap_or_default()
            }

            fn write(&self) -> $crate::json::Json {
                $crate::json::ToJson::to_json(self)
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
    fn read(tree: &Tree, name: &str, wrong: &mut Mistakes) -> Self {
        let Value::List(items) = &tree.value else {
            let why = format!("{} where a list should be", tree.to_json().what());
            wrong.bad(tree.line, name, &why);
            return Vec::new();
        };
        if items.len() > MANY_MAX {
            wrong.bad(tree.line, name, &too_many(items.len()));
        }
        items.iter().map(|item| T::read(item, name, wrong)).collect()
    }

    fn write(&self) -> Json {
        Json::List(self.iter().map(T::write).collect())
    }

    #[cfg(test)]
    fn other() -> Self {
        vec![T::other(), T::other()]
    }
}

/// Returns a field as it is written; `None` for a default that need not be there.
pub(super) fn written<T: Field>(
    name: &'static str,
    value: &T,
    must: bool,
) -> Option<(&'static str, Json)> {
    (must || *value != T::default()).then(|| (name, value.write()))
}

/// Makes an object of fields.
pub fn object(fields: Vec<(&str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(name, json)| (name.to_owned(), json)).collect())
}
