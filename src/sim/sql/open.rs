//! Open transactions, as MySQL's InnoDB has them at the isolation level READ COMMITTED.
//!
//! The tables hold what is committed. An open transaction keeps its changes beside them, and locks
//! the rows that it has changed, inserted, or read with FOR UPDATE. A statement of another client
//! that meets such a row waits ([`Tables::in_the_way`]); a plain SELECT never waits. A statement
//! meets the rows that its conditions on the primary key select, or `=` on a UNIQUE column; without
//! such a condition it meets all. An UPDATE without `=` on one of these passes over locked rows
//! whose committed contents it would not change (InnoDB's semi-consistent read).
//!
//! A statement takes its locks at once. (InnoDB takes them row by row and holds some of them while
//! it waits.) Absent: gap locks, shared locks (also that of a duplicate entry),
//! savepoints, the timeout of a wait for a row (50 s in MySQL), rows of tables without primary key.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::parse::{Condition, Expr, Op, Operand, Statement};
use super::{Answer, Cell, Prepared, Table, Tables};
use crate::sim::ClientId;

/// What an open transaction has made of a row that it has locked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Held {
    /// It is as it was.
    Locked,
    Gone,
    Row(Vec<Cell>),
}

/// An open transaction: the rows that it has locked, by their table and primary key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Transaction {
    rows: BTreeMap<(String, Cell), Held>,
}

impl Transaction {
    fn rows_of<'t>(&'t self, name: &'t str) -> impl Iterator<Item = (&'t Cell, &'t Held)> {
        let of = self.rows.iter().filter(move |((table, _), _)| table == name);
        of.map(|((_, key), held)| (key, held))
    }
}

impl Tables {
    /// Returns the clients that have a transaction open.
    pub fn open(&self) -> impl Iterator<Item = ClientId> {
        self.open.keys().copied()
    }

    pub fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub fn is_open(&self, client: ClientId) -> bool {
        self.open.contains_key(&client)
    }

    /// Executes a statement of a client that need not wait, in its transaction if one is open. An
    /// error leaves everything unchanged.
    pub fn execute_for(&mut self, client: ClientId, prepared: &Prepared) -> Result<Answer, String> {
        match &prepared.statement {
            Statement::Begin => {
                self.commit(client);
                self.open.insert(client, Transaction::default());
                Ok(Answer::Affected(0))
            }
            Statement::Commit => {
                self.commit(client);
                Ok(Answer::Affected(0))
            }
            Statement::Rollback => {
                self.roll_back(client);
                Ok(Answer::Affected(0))
            }
            // As in MySQL, a statement that makes a table commits.
            Statement::Create { .. } => {
                self.commit(client);
                self.execute(prepared)
            }
            _ if !self.is_open(client) => self.execute(prepared),
            Statement::Select { table, is_for_update, .. } => {
                let seen = self.seen_by(client, table)?;
                let answer = seen.select(prepared)?;
                if *is_for_update {
                    seen.key_or_refusal(table)?;
                    let locked = seen.found(prepared)?;
                    self.hold(client, table, locked.into_iter().map(|key| (key, Held::Locked)));
                }
                Ok(answer)
            }
            _ => self.write_for(client, prepared),
        }
    }

    fn write_for(&mut self, client: ClientId, prepared: &Prepared) -> Result<Answer, String> {
        let name = prepared.table().unwrap_or_default();
        let seen = self.seen_by(client, name)?;
        let at = seen.key_or_refusal(name)?;
        let (changed, count) = seen.written(name, prepared)?;
        let locked = seen.found(prepared)?.into_iter().map(|key| (key, Held::Locked));
        let is_gone = |row: &&Vec<Cell>| changed.row(&row[at]).is_none();
        let gone = seen.rows.iter().filter(is_gone).map(|row| (row[at].clone(), Held::Gone));
        let is_new = |row: &&Vec<Cell>| seen.row(&row[at]) != Some(row);
        let new = changed.rows.iter().filter(is_new);
        let new = new.map(|row| (row[at].clone(), Held::Row(row.clone())));
        self.hold(client, name, locked.chain(gone).chain(new));
        Ok(Answer::Affected(count))
    }

    /// Locks rows, and keeps what has become of them.
    fn hold(&mut self, client: ClientId, name: &str, rows: impl Iterator<Item = (Cell, Held)>) {
        let Some(open) = self.open.get_mut(&client) else { return };
        for (key, held) in rows {
            let at = open.rows.entry((name.to_owned(), key)).or_insert(Held::Locked);
            if held != Held::Locked {
                *at = held;
            }
        }
    }

    /// Returns a table as this client sees it: the committed rows, and its own changes.
    fn seen_by(&self, client: ClientId, name: &str) -> Result<Table, String> {
        let mut table = self.get(name).ok_or_else(|| self.no_table(name))?.clone();
        let (Some(open), Some(at)) = (self.open.get(&client), table.key()) else {
            return Ok(table);
        };
        for (key, held) in open.rows_of(name).filter(|(_, held)| **held != Held::Locked) {
            table.rows.retain(|row| row[at] != *key);
            if let Held::Row(row) = held {
                table.rows.push(row.clone());
            }
        }
        table.rows.sort_by(|a, b| a[at].cmp(&b[at]));
        Ok(table)
    }

    fn commit(&mut self, client: ClientId) {
        let Some(open) = self.open.get(&client) else { return };
        let changes = open.rows.iter().filter(|(_, held)| **held != Held::Locked);
        let mut names: Vec<String> = changes.map(|((name, _), _)| name.clone()).collect();
        names.dedup();
        for name in names {
            if let Ok(table) = self.seen_by(client, &name) {
                self.tables.insert(name, Rc::new(table));
            }
        }
        self.open.remove(&client);
    }

    /// Ends a client's transaction, if one is open, without its changes.
    pub fn roll_back(&mut self, client: ClientId) {
        self.open.remove(&client);
    }

    /// Returns the clients whose open transactions this statement has to wait for.
    pub fn in_the_way(&self, client: ClientId, prepared: &Prepared) -> Vec<ClientId> {
        let others = self.open.iter().filter(|(id, open)| **id != client && !open.rows.is_empty());
        let mut others = others.peekable();
        let (Some(name), Some(_)) = (prepared.table(), others.peek()) else { return Vec::new() };
        if !prepared.may_wait() {
            return Vec::new();
        }
        let (Some(committed), Ok(seen)) = (self.get(name), self.seen_by(client, name)) else {
            return Vec::new();
        };
        let made = seen.rows_made(prepared).unwrap_or_default();
        let is_in_the_way = |(key, held): (&Cell, &Held)| {
            let old = committed.row(key);
            let new = match held {
                Held::Locked => old,
                Held::Gone => None,
                Held::Row(row) => Some(row),
            };
            let versions = [old, new];
            let collides = |row: &Vec<Cell>| {
                versions.iter().flatten().any(|version| seen.collide(row, version))
            };
            seen.meets(prepared, old, new) || made.iter().any(collides)
        };
        let mut found = Vec::new();
        for (id, open) in others {
            if open.rows_of(name).any(is_in_the_way) {
                found.push(*id);
            }
        }
        found
    }
}

impl Table {
    /// Returns the place of the primary key.
    pub(super) fn key(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.is_key)
    }

    fn key_or_refusal(&self, name: &str) -> Result<usize, String> {
        self.key().ok_or_else(|| {
            format!(
                "SQL: table {name} needs a PRIMARY KEY to be changed or locked in a transaction"
            )
        })
    }

    fn row(&self, key: &Cell) -> Option<&Vec<Cell>> {
        let at = self.key()?;
        self.rows.iter().find(|row| row[at] == *key)
    }

    /// Returns the primary keys of the rows that the conditions of a statement select: of a SELECT
    /// with LIMIT and without ORDER BY the first ones only.
    fn found(&self, prepared: &Prepared) -> Result<Vec<Cell>, String> {
        let (Some(at), Some(conditions)) = (self.key(), prepared.conditions()) else {
            return Ok(Vec::new());
        };
        let most = match &prepared.statement {
            Statement::Select { limit: Some(limit), order, .. } if order.is_empty() => {
                self.count(limit, &prepared.args)?
            }
            _ => usize::MAX,
        };
        let mut found = Vec::new();
        for row in &self.rows {
            if self.matches(row, conditions, &prepared.args)? && found.len() < most {
                found.push(row[at].clone());
            }
        }
        Ok(found)
    }

    /// Returns the rows that an INSERT or UPDATE would write.
    fn rows_made(&self, prepared: &Prepared) -> Result<Vec<Vec<Cell>>, String> {
        match &prepared.statement {
            Statement::Insert { columns, rows, .. } => {
                let new = |row: &Vec<Expr>| self.new_row(columns.as_deref(), row, &prepared.args);
                rows.iter().map(new).collect()
            }
            Statement::Update { set, conditions, .. } => {
                let (changed, _) = self.update(set, conditions, &prepared.args)?;
                let pairs = self.rows.iter().zip(changed.rows);
                Ok(pairs.filter(|(old, new)| *old != new).map(|(_, new)| new).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns true if two rows have the same primary key, or the same value in a UNIQUE.
    fn collide(&self, one: &[Cell], other: &[Cell]) -> bool {
        let is_same =
            |of: &[usize]| of.iter().all(|at| one[*at] == other[*at] && one[*at] != Cell::Null);
        self.key().is_some_and(|at| is_same(&[at])) || self.unique.iter().any(|of| is_same(of))
    }

    /// Returns true if a statement waits at a locked row because of its conditions. `old` is the
    /// committed version of the row, `new` the locked one.
    fn meets(&self, prepared: &Prepared, old: Option<&Vec<Cell>>, new: Option<&Vec<Cell>>) -> bool {
        let Some(conditions) = prepared.conditions() else { return false };
        let by_index = self.by_index(conditions);
        let is_met = |row: &Vec<Cell>, conditions: &[Condition]| {
            self.matches(row, conditions, &prepared.args).unwrap_or(true)
        };
        let is_one = by_index.iter().any(|one| one.op == Op::Eq);
        if let (Statement::Update { .. }, false) = (&prepared.statement, is_one) {
            return old.is_some_and(|row| is_met(row, conditions));
        }
        [old, new].into_iter().flatten().any(|row| is_met(row, &by_index))
    }

    /// Returns the conditions by which the rows are found without a look at others: `=` on the
    /// primary key, or else on a UNIQUE column, or else what the primary key is compared with.
    fn by_index(&self, conditions: &[Condition]) -> Vec<Condition> {
        let indexed = |one: &&Condition| self.index_of(one).is_some();
        let all: Vec<&Condition> = conditions.iter().filter(indexed).collect();
        let one = all.iter().filter(|one| one.op == Op::Eq);
        match one.min_by_key(|one| self.index_of(one)) {
            Some(one) => vec![(**one).clone()],
            None => all.into_iter().cloned().collect(),
        }
    }

    /// Returns 0 if this condition compares the primary key with a value, and 1 for `=` on a
    /// UNIQUE column.
    fn index_of(&self, condition: &Condition) -> Option<u8> {
        let Condition { left: Expr { first: Operand::Column(name), then: None }, op, right } =
            condition
        else {
            return None;
        };
        let is_column = |one: &Operand| matches!(one, Operand::Column(_));
        let reads = is_column(&right.first) || right.then.iter().any(|(_, one)| is_column(one));
        let at = self.column(name).ok().filter(|_| !reads && *op != Op::Ne)?;
        let is_unique = *op == Op::Eq && self.unique.iter().any(|of| *of == [at]);
        match self.columns[at].is_key {
            true => Some(0),
            false => is_unique.then_some(1),
        }
    }
}
