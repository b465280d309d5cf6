//! A few tables beside Redis, for the lessons that compare it with MySQL: integers and strings,
//! statements of one table, each of them atomic, and transactions (`open`).
//!
//! UPDATE and DELETE report the number of rows that their condition matched, as a MySQL client
//! library does (the `mysql` tool counts rows that became different). Rows come in the order of the
//! primary key, or else of insertion, where MySQL promises none without ORDER BY. Strings are
//! compared by their bytes, as in a binary collation. Absent: joins, OR, IS NULL, GROUP BY;
//! they are refused with an error.

mod open;
mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use super::ClientId;
use crate::lua::Data;
use crate::resp::{Bytes, Value, number::parse_int};

use open::Transaction;
use parse::{Condition, Expr, Item, Operand, Source, Statement};

pub const TABLES_MAX: usize = 16;
pub const ROWS_MAX: usize = 1_000;
pub const COLUMNS_MAX: usize = 16;
/// The error of a client that did not get the answer: that of MySQL's client library (2013).
pub const LOST: &str = "SQL: Lost connection to MySQL server during query";
/// MySQL's error 1213, for the client whose transaction is given up.
pub const DEADLOCK: &str =
    "SQL: Deadlock found when trying to get lock; try restarting transaction";
/// The most bytes of a statement.
pub const TEXT_MAX: usize = 2_000;

/// One value of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    Null,
    Int(i64),
    Text(Bytes),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Null => f.write_str("NULL"),
            Cell::Int(n) => write!(f, "{n}"),
            Cell::Text(text) => write!(f, "'{}'", String::from_utf8_lossy(text)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    Int,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Column {
    pub name: String,
    pub kind: ColumnKind,
    pub is_key: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Table {
    pub columns: Vec<Column>,
    /// The columns of each UNIQUE, by their places.
    unique: Vec<Vec<usize>>,
    /// The rows in the order of the primary key, or else of insertion.
    pub rows: Vec<Vec<Cell>>,
}

/// All tables, by name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Tables {
    /// What is committed.
    tables: BTreeMap<String, Rc<Table>>,
    open: BTreeMap<ClientId, Transaction>,
}

/// A statement with its arguments, ready to be executed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prepared {
    text: Rc<str>,
    args: Vec<Cell>,
    statement: Statement,
}

impl fmt::Display for Prepared {
    /// Writes the statement with its arguments filled in.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut args = self.args.iter();
        let mut quoted = false;
        for c in self.text.chars() {
            quoted ^= c == '\'';
            match args.len() {
                n if n > 0 && c == '?' && !quoted => match args.next() {
                    Some(cell) => write!(f, "{cell}")?,
                    None => f.write_str("?")?,
                },
                _ => write!(f, "{}", if c.is_control() { ' ' } else { c })?,
            }
        }
        Ok(())
    }
}

/// The answer to a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Names of the columns, and the rows.
    Rows(Vec<String>, Vec<Vec<Cell>>),
    /// The number of rows inserted, matched or removed.
    Affected(usize),
}

impl Answer {
    /// Returns the answer as a program gets it: a list of `{column = value}`, or a number.
    pub fn to_lua(&self) -> Data {
        let cell = |cell: &Cell| match cell {
            Cell::Null => Data::Nil,
            Cell::Int(n) => Data::Num(*n as f64),
            Cell::Text(text) => Data::Str(text.clone()),
        };
        match self {
            Answer::Affected(count) => Data::Num(*count as f64),
            Answer::Rows(names, rows) => Data::list(rows.iter().map(|row| {
                let fields = names.iter().zip(row);
                Data::Table(fields.map(|(name, value)| (Data::str(name), cell(value))).collect())
            })),
        }
    }

    /// Returns the answer as the diagram shows it.
    pub fn to_reply(&self) -> Value {
        let line = |names: &[String], row: &[Cell]| {
            let fields = names.iter().zip(row).map(|(name, value)| format!("{name} = {value}"));
            Value::status(&fields.collect::<Vec<_>>().join(", "))
        };
        match self {
            Answer::Affected(count) => Value::int(*count),
            Answer::Rows(names, rows) => match rows.as_slice() {
                [row] => line(names, row),
                rows => Value::Array(rows.iter().map(|row| line(names, row)).collect()),
            },
        }
    }
}

impl Prepared {
    /// Parses `text`, with `args` for its `?`. The error says what would be right.
    pub fn new(text: &[u8], args: &[Data]) -> Result<Prepared, String> {
        let Some(text) = std::str::from_utf8(text).ok().filter(|text| text.len() <= TEXT_MAX)
        else {
            return Err(format!("SQL: a statement is at most {TEXT_MAX} bytes of UTF-8"));
        };
        let (statement, wanted) = parse::parse(text)?;
        if wanted != args.len() {
            let given = args.len();
            return Err(format!("SQL: {wanted} ? in the statement, but {given} values for them"));
        }
        let args = args.iter().map(argument).collect::<Result<_, _>>()?;
        Ok(Prepared { text: text.into(), args, statement })
    }

    /// Returns true if the statement changes tables.
    pub fn writes(&self) -> bool {
        use Statement::{Begin, Rollback, Select};
        !matches!(self.statement, Select { .. } | Begin | Rollback)
    }

    /// Returns true if the statement begins or ends a transaction.
    pub fn is_of_transaction(&self) -> bool {
        use Statement::{Begin, Commit, Rollback};
        matches!(self.statement, Begin | Commit | Rollback)
    }

    /// Returns true if the statement waits where another client has locked a row that it meets.
    pub fn may_wait(&self) -> bool {
        match &self.statement {
            Statement::Select { is_for_update, .. } => *is_for_update,
            Statement::Insert { .. } | Statement::Update { .. } | Statement::Delete { .. } => true,
            _ => false,
        }
    }

    /// Returns the conditions of WHERE.
    fn conditions(&self) -> Option<&[Condition]> {
        match &self.statement {
            Statement::Select { conditions, .. }
            | Statement::Update { conditions, .. }
            | Statement::Delete { conditions, .. } => Some(conditions),
            _ => None,
        }
    }

    /// Returns true if it is a SELECT that makes one row of many.
    pub fn sums(&self) -> bool {
        matches!(&self.statement, Statement::Select { items, .. } if items.iter().any(Item::is_sum))
    }

    /// Returns the table that it reads or changes.
    pub fn table(&self) -> Option<&str> {
        match &self.statement {
            Statement::Create { table, .. }
            | Statement::Insert { table, .. }
            | Statement::Select { table, .. }
            | Statement::Update { table, .. }
            | Statement::Delete { table, .. } => Some(table),
            Statement::Begin | Statement::Commit | Statement::Rollback => None,
        }
    }
}

fn argument(data: &Data) -> Result<Cell, String> {
    match data {
        Data::Nil => Ok(Cell::Null),
        Data::Bool(b) => Ok(Cell::Int((*b).into())),
        Data::Num(n) if n.fract() == 0.0 && n.abs() < 9e15 => Ok(Cell::Int(*n as i64)),
        Data::Str(text) => Ok(Cell::Text(text.clone())),
        other => {
            Err(format!("SQL: {} cannot stand for a ?: integers and strings can", other.short()))
        }
    }
}

impl Tables {
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.open.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.tables.iter().map(|(name, table)| (name.as_str(), table.as_ref()))
    }

    pub fn get(&self, name: &str) -> Option<&Table> {
        self.tables.get(name).map(Rc::as_ref)
    }

    /// Executes a statement by itself; an error leaves everything unchanged.
    pub fn execute(&mut self, prepared: &Prepared) -> Result<Answer, String> {
        match &prepared.statement {
            Statement::Create { table, columns, unique } => {
                if self.tables.contains_key(table) {
                    return Err(format!("SQL: table {table} is there already"));
                }
                if self.tables.len() == TABLES_MAX {
                    return Err(format!("SQL: at most {TABLES_MAX} tables"));
                }
                let mut new = Table { columns: columns.clone(), ..Table::default() };
                let places =
                    |names: &Vec<String>| names.iter().map(|one| new.column(one)).collect();
                new.unique = unique.iter().map(places).collect::<Result<_, _>>()?;
                self.tables.insert(table.clone(), Rc::new(new));
                Ok(Answer::Affected(0))
            }
            Statement::Select { .. } => self.select(prepared),
            Statement::Insert { table, .. }
            | Statement::Update { table, .. }
            | Statement::Delete { table, .. } => {
                let found = self.get(table).ok_or_else(|| self.no_table(table))?;
                let (changed, count) = found.written(table, prepared)?;
                if count > 0 {
                    self.tables.insert(table.clone(), Rc::new(changed));
                }
                Ok(Answer::Affected(count))
            }
            Statement::Begin | Statement::Commit | Statement::Rollback => {
                Err("SQL: only a program has transactions".into())
            }
        }
    }

    /// Executes a SELECT: what is committed.
    pub fn select(&self, prepared: &Prepared) -> Result<Answer, String> {
        match &prepared.statement {
            Statement::Select { table, .. } => {
                self.get(table).ok_or_else(|| self.no_table(table))?.select(prepared)
            }
            _ => Err("SQL: only SELECT can be asked here".into()),
        }
    }

    fn no_table(&self, name: &str) -> String {
        let names: Vec<&str> = self.tables.keys().map(String::as_str).collect();
        format!("SQL: there is no table {name}; the tables are: {}", names.join(", "))
    }
}

impl Table {
    /// Executes a SELECT of this table.
    fn select(&self, prepared: &Prepared) -> Result<Answer, String> {
        let Statement::Select { items, conditions, order, limit, .. } = &prepared.statement else {
            return Err("SQL: only SELECT can be asked here".into());
        };
        let mut rows = Vec::new();
        for row in &self.rows {
            if self.matches(row, conditions, &prepared.args)? {
                rows.push(row);
            }
        }
        // Rows that are equal stay as they are, so the last column is sorted by first.
        for (name, is_down) in order.iter().rev() {
            let at = self.column(name)?;
            let order = |a: &&Vec<Cell>, b: &&Vec<Cell>| a[at].cmp(&b[at]);
            rows.sort_by(|a, b| if *is_down { order(b, a) } else { order(a, b) });
        }
        let limit = match limit {
            Some(limit) => self.count(limit, &prepared.args)?,
            None => usize::MAX,
        };
        let all: Vec<Item>;
        let items = match items.as_slice() {
            [] => {
                all = self.columns.iter().map(Item::of_column).collect();
                &all
            }
            items => items,
        };
        let names = items.iter().map(|item| item.name.clone()).collect();
        let mut cells = Vec::new();
        for item in items {
            cells.push(self.asked(&item.of, &rows)?);
        }
        let rows = (0..cells[0].len().min(limit))
            .map(|row| cells.iter().map(|column| column[row].clone()).collect());
        Ok(Answer::Rows(names, rows.collect()))
    }

    /// Returns the table after an INSERT, UPDATE or DELETE, and the number of rows inserted,
    /// matched or removed. It is called `name`.
    fn written(&self, name: &str, prepared: &Prepared) -> Result<(Table, usize), String> {
        let args = prepared.args.as_slice();
        match &prepared.statement {
            Statement::Insert { columns, rows, .. } => {
                let mut changed = self.clone();
                for row in rows {
                    if changed.rows.len() == ROWS_MAX {
                        return Err(format!("SQL: a table has at most {ROWS_MAX} rows"));
                    }
                    changed.rows.push(self.new_row(columns.as_deref(), row, args)?);
                }
                changed.order(name)?;
                Ok((changed, rows.len()))
            }
            Statement::Update { set, conditions, .. } => {
                let (mut changed, matched) = self.update(set, conditions, args)?;
                changed.order(name)?;
                Ok((changed, matched))
            }
            Statement::Delete { conditions, .. } => {
                let mut changed = Table { rows: Vec::new(), ..self.clone() };
                for row in &self.rows {
                    if !self.matches(row, conditions, args)? {
                        changed.rows.push(row.clone());
                    }
                }
                let removed = self.rows.len() - changed.rows.len();
                Ok((changed, removed))
            }
            _ => Err("SQL: this statement writes nothing".into()),
        }
    }

    fn column(&self, name: &str) -> Result<usize, String> {
        let at = self.columns.iter().position(|column| column.name == name);
        at.ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
            format!("SQL: there is no column {name}; the columns are: {}", names.join(", "))
        })
    }

    /// Returns the cells that a SELECT gets of `rows`: one for each, or one of all. NULL is in no
    /// maximum and no minimum.
    fn asked(&self, of: &Source, rows: &[&Vec<Cell>]) -> Result<Vec<Cell>, String> {
        let cells = |name: &str| {
            let at = self.column(name)?;
            Ok::<_, String>(rows.iter().map(move |row| row[at].clone()))
        };
        let there = |name: &str| Ok::<_, String>(cells(name)?.filter(|cell| *cell != Cell::Null));
        Ok(match of {
            Source::Column(name) => cells(name)?.collect(),
            Source::Count => vec![Cell::Int(rows.len() as i64)],
            Source::Max(name) => vec![there(name)?.max().unwrap_or(Cell::Null)],
            Source::Min(name) => vec![there(name)?.min().unwrap_or(Cell::Null)],
        })
    }

    /// Returns the number of a LIMIT.
    fn count(&self, limit: &Operand, args: &[Cell]) -> Result<usize, String> {
        let count = match limit {
            Operand::Cell(cell) => number(cell)?,
            Operand::Arg(at) => number(args.get(*at).unwrap_or(&Cell::Null))?,
            Operand::Column(_) => None,
        };
        let count = count.and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| "SQL: LIMIT takes a number from 0".into())
    }

    fn value(&self, expr: &Expr, row: &[Cell], args: &[Cell]) -> Result<Cell, String> {
        let operand = |operand: &Operand| {
            Ok::<Cell, String>(match operand {
                Operand::Cell(cell) => cell.clone(),
                Operand::Arg(number) => args.get(*number).cloned().unwrap_or(Cell::Null),
                Operand::Column(name) => row.get(self.column(name)?).cloned().unwrap_or(Cell::Null),
            })
        };
        let first = operand(&expr.first)?;
        let Some((minus, second)) = &expr.then else { return Ok(first) };
        let (first, second) = (number(&first)?, number(&operand(second)?)?);
        // NULL in an operand makes the result NULL.
        let (Some(first), Some(second)) = (first, second) else { return Ok(Cell::Null) };
        let sum = if *minus { first.checked_sub(second) } else { first.checked_add(second) };
        sum.map(Cell::Int).ok_or_else(|| "SQL: a number is out of range".into())
    }

    fn matches(
        &self,
        row: &[Cell],
        conditions: &[Condition],
        args: &[Cell],
    ) -> Result<bool, String> {
        for condition in conditions {
            let left = self.value(&condition.left, row, args)?;
            let right = self.value(&condition.right, row, args)?;
            if !compare(&left, &right).is_some_and(|order| condition.op.accepts(order)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the row that an INSERT makes of these values.
    fn new_row(
        &self,
        columns: Option<&[String]>,
        values: &[Expr],
        args: &[Cell],
    ) -> Result<Vec<Cell>, String> {
        let places = match columns {
            Some(names) => names.iter().map(|n| self.column(n)).collect::<Result<Vec<_>, _>>()?,
            None => (0..self.columns.len()).collect(),
        };
        if places.len() != values.len() {
            let (columns, values) = (places.len(), values.len());
            return Err(format!("SQL: {columns} columns but {values} values"));
        }
        let mut row = vec![Cell::Null; self.columns.len()];
        for (at, value) in places.into_iter().zip(values) {
            let nothing = vec![Cell::Null; self.columns.len()];
            row[at] = self.fitting(at, self.value(value, &nothing, args)?)?;
        }
        if let Some(at) = self.key() {
            self.fitting(at, row[at].clone())?;
        }
        Ok(row)
    }

    fn update(
        &self,
        set: &[(String, Expr)],
        conditions: &[Condition],
        args: &[Cell],
    ) -> Result<(Table, usize), String> {
        let mut changed = self.clone();
        let mut matched = 0;
        for row in &mut changed.rows {
            if !self.matches(row, conditions, args)? {
                continue;
            }
            matched += 1;
            for (name, value) in set {
                let at = self.column(name)?;
                // As in MySQL, a later assignment sees what an earlier one has set.
                row[at] = self.fitting(at, self.value(value, row, args)?)?;
            }
        }
        Ok((changed, matched))
    }

    /// Converts `cell` to the type of column `at`.
    fn fitting(&self, at: usize, cell: Cell) -> Result<Cell, String> {
        let column = &self.columns[at];
        match (column.kind, cell) {
            (_, Cell::Null) if column.is_key => {
                Err(format!("SQL: column {} cannot be NULL: it is the primary key", column.name))
            }
            (ColumnKind::Int, cell) => Ok(number(&cell)?.map_or(Cell::Null, Cell::Int)),
            (ColumnKind::Text, Cell::Int(n)) => Ok(Cell::Text(n.to_string().as_bytes().into())),
            (ColumnKind::Text, cell) => Ok(cell),
        }
    }

    /// Sorts the rows by the primary key. The error is MySQL's (1062), for the primary key or a
    /// UNIQUE of this table, `name`. NULL is equal to nothing.
    fn order(&mut self, name: &str) -> Result<(), String> {
        let key = self.key();
        if let Some(at) = key {
            self.rows.sort_by(|a, b| a[at].cmp(&b[at]));
        }
        let keys = key.map(|at| ("PRIMARY", vec![at]));
        let unique = self.unique.iter().map(|of| (self.columns[of[0]].name.as_str(), of.clone()));
        for (key, of) in keys.into_iter().chain(unique) {
            let mut met = BTreeSet::new();
            for row in &self.rows {
                let cells: Vec<&Cell> = of.iter().map(|at| &row[*at]).collect();
                if cells.contains(&&Cell::Null) || met.insert(cells.clone()) {
                    continue;
                }
                let cells = cells.iter().map(|cell| cell.to_string().replace('\'', ""));
                let cells = cells.collect::<Vec<_>>().join("-");
                return Err(format!("SQL: Duplicate entry '{cells}' for key '{name}.{key}'"));
            }
        }
        Ok(())
    }
}

impl Item {
    fn of_column(column: &Column) -> Item {
        Item { name: column.name.clone(), of: Source::Column(column.name.clone()) }
    }
}

/// Returns the integer that a cell is or spells; `None` for NULL.
fn number(cell: &Cell) -> Result<Option<i64>, String> {
    match cell {
        Cell::Null => Ok(None),
        Cell::Int(n) => Ok(Some(*n)),
        Cell::Text(text) => {
            parse_int(text).map(Some).ok_or_else(|| format!("SQL: {cell} is not an integer"))
        }
    }
}

/// Compares two cells; `None` if one is NULL. A string that spells a number is compared as a
/// number.
fn compare(left: &Cell, right: &Cell) -> Option<std::cmp::Ordering> {
    match (left, right) {
        (Cell::Null, _) | (_, Cell::Null) => None,
        (Cell::Text(a), Cell::Text(b)) => Some(a.cmp(b)),
        (a, b) => Some(number(a).ok()??.cmp(&number(b).ok()??)),
    }
}

#[cfg(test)]
mod tests;
