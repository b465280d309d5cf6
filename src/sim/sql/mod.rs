//! A few tables beside Redis, for the lessons that compare it with MySQL: integers and strings,
//! four statements, each of them atomic.
//!
//! UPDATE and DELETE report the number of rows that their condition matched, as a MySQL client
//! library does (the `mysql` tool counts rows that became different). Absent: transactions, joins,
//! ORDER BY, indexes other than the primary key; they are refused with an error.

mod parse;

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use crate::lua::Data;
use crate::resp::{Bytes, Value, number::parse_int};

use parse::{Condition, Expr, Operand, Statement};

pub const TABLES_MAX: usize = 16;
pub const ROWS_MAX: usize = 1_000;
pub const COLUMNS_MAX: usize = 16;
/// The error of a client that did not get the answer: that of MySQL's client library (2013).
pub const LOST: &str = "SQL: Lost connection to MySQL server during query";
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
    /// The rows in the order of the primary key, or else of insertion.
    pub rows: Vec<Vec<Cell>>,
}

/// All tables, by name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Tables {
    tables: BTreeMap<String, Rc<Table>>,
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
        !matches!(self.statement, Statement::Select { .. })
    }

    /// Returns the table that it reads or changes.
    pub fn table(&self) -> &str {
        match &self.statement {
            Statement::Create { table, .. }
            | Statement::Insert { table, .. }
            | Statement::Select { table, .. }
            | Statement::Update { table, .. }
            | Statement::Delete { table, .. } => table,
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
        self.tables.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.tables.iter().map(|(name, table)| (name.as_str(), table.as_ref()))
    }

    pub fn get(&self, name: &str) -> Option<&Table> {
        self.tables.get(name).map(Rc::as_ref)
    }

    /// Executes a statement; an error leaves everything unchanged.
    pub fn execute(&mut self, prepared: &Prepared) -> Result<Answer, String> {
        let args = prepared.args.as_slice();
        match &prepared.statement {
            Statement::Create { table, columns } => {
                if self.tables.contains_key(table) {
                    return Err(format!("SQL: table {table} is there already"));
                }
                if self.tables.len() == TABLES_MAX {
                    return Err(format!("SQL: at most {TABLES_MAX} tables"));
                }
                let new = Table { columns: columns.clone(), rows: Vec::new() };
                self.tables.insert(table.clone(), Rc::new(new));
                Ok(Answer::Affected(0))
            }
            Statement::Insert { table, columns, rows } => {
                let table = self.changing(table)?;
                let mut changed = Table::clone(table);
                for row in rows {
                    changed.insert(columns.as_deref(), row, args)?;
                }
                *table = Rc::new(changed);
                Ok(Answer::Affected(rows.len()))
            }
            Statement::Select { .. } => self.select(prepared),
            Statement::Update { table, set, conditions } => {
                let table = self.changing(table)?;
                let (changed, matched) = table.update(set, conditions, args)?;
                if matched > 0 {
                    *table = Rc::new(changed);
                }
                Ok(Answer::Affected(matched))
            }
            Statement::Delete { table, conditions } => {
                let table = self.changing(table)?;
                let mut kept = Vec::new();
                for row in &table.rows {
                    if !table.matches(row, conditions, args)? {
                        kept.push(row.clone());
                    }
                }
                let removed = table.rows.len() - kept.len();
                if removed > 0 {
                    *table = Rc::new(Table { columns: table.columns.clone(), rows: kept });
                }
                Ok(Answer::Affected(removed))
            }
        }
    }

    /// Executes a SELECT.
    pub fn select(&self, prepared: &Prepared) -> Result<Answer, String> {
        let Statement::Select { table, columns, conditions } = &prepared.statement else {
            return Err("SQL: only SELECT can be asked here".into());
        };
        let found = self.get(table).ok_or_else(|| self.no_table(table))?;
        let mut rows = Vec::new();
        for row in &found.rows {
            if found.matches(row, conditions, &prepared.args)? {
                rows.push(row);
            }
        }
        let names: Vec<String> = match columns.as_slice() {
            [] => found.columns.iter().map(|column| column.name.clone()).collect(),
            [count] if count == parse::COUNT => {
                let count = Cell::Int(rows.len() as i64);
                return Ok(Answer::Rows(vec!["count".into()], vec![vec![count]]));
            }
            columns => columns.to_vec(),
        };
        let places = names.iter().map(|name| found.column(name)).collect::<Result<Vec<_>, _>>()?;
        let pick = |row: &Vec<Cell>| places.iter().map(|at| row[*at].clone()).collect();
        Ok(Answer::Rows(names, rows.into_iter().map(pick).collect()))
    }

    fn changing(&mut self, name: &str) -> Result<&mut Rc<Table>, String> {
        if !self.tables.contains_key(name) {
            return Err(self.no_table(name));
        }
        self.tables.get_mut(name).ok_or_else(String::new)
    }

    fn no_table(&self, name: &str) -> String {
        let names: Vec<&str> = self.tables.keys().map(String::as_str).collect();
        format!("SQL: there is no table {name}; the tables are: {}", names.join(", "))
    }
}

impl Table {
    fn column(&self, name: &str) -> Result<usize, String> {
        let at = self.columns.iter().position(|column| column.name == name);
        at.ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|c| c.name.as_str()).collect();
            format!("SQL: there is no column {name}; the columns are: {}", names.join(", "))
        })
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

    fn insert(
        &mut self,
        columns: Option<&[String]>,
        values: &[Expr],
        args: &[Cell],
    ) -> Result<(), String> {
        let places = match columns {
            Some(names) => names.iter().map(|n| self.column(n)).collect::<Result<Vec<_>, _>>()?,
            None => (0..self.columns.len()).collect(),
        };
        if places.len() != values.len() {
            let (columns, values) = (places.len(), values.len());
            return Err(format!("SQL: {columns} columns but {values} values"));
        }
        if self.rows.len() == ROWS_MAX {
            return Err(format!("SQL: a table has at most {ROWS_MAX} rows"));
        }
        let mut row = vec![Cell::Null; self.columns.len()];
        for (at, value) in places.into_iter().zip(values) {
            let nothing = vec![Cell::Null; self.columns.len()];
            row[at] = self.fitting(at, self.value(value, &nothing, args)?)?;
        }
        if let Some(at) = self.columns.iter().position(|column| column.is_key) {
            self.fitting(at, row[at].clone())?;
        }
        self.rows.push(row);
        self.order()
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
        changed.order()?;
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

    /// Sorts the rows by the primary key; the error names a duplicate.
    fn order(&mut self) -> Result<(), String> {
        let Some(at) = self.columns.iter().position(|column| column.is_key) else { return Ok(()) };
        self.rows.sort_by(|a, b| a[at].cmp(&b[at]));
        match self.rows.windows(2).find(|pair| pair[0][at] == pair[1][at]) {
            Some(pair) => Err(format!("SQL: duplicate entry {} for the primary key", pair[0][at])),
            None => Ok(()),
        }
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
