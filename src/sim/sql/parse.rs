//! Parses SQL statements. An error says what would be understood.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{COLUMNS_MAX, Cell, Column, ColumnKind, ROWS_MAX};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Statement {
    Create {
        table: String,
        columns: Vec<Column>,
        /// The columns of each UNIQUE.
        unique: Vec<Vec<String>>,
    },
    Insert {
        table: String,
        columns: Option<Vec<String>>,
        rows: Vec<Vec<Expr>>,
    },
    /// A SELECT; no items means all columns.
    Select {
        table: String,
        items: Vec<Item>,
        conditions: Vec<Condition>,
        /// The columns of ORDER BY; `true` for DESC.
        order: Vec<(String, bool)>,
        limit: Option<Operand>,
        /// FOR UPDATE.
        is_for_update: bool,
    },
    Update {
        table: String,
        set: Vec<(String, Expr)>,
        conditions: Vec<Condition>,
    },
    Delete {
        table: String,
        conditions: Vec<Condition>,
    },
    Begin,
    Commit,
    Rollback,
}

/// What a SELECT asks for, and the name that it gets in the answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Item {
    pub name: String,
    pub of: Source,
}

impl Item {
    /// Returns true if it makes one cell of all rows.
    pub fn is_sum(&self) -> bool {
        !matches!(self.of, Source::Column(_))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Source {
    Column(String),
    Count,
    Max(String),
    Min(String),
}

/// An operand, or a sum or difference of two.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expr {
    pub first: Operand,
    /// The second operand; `true` for minus.
    pub then: Option<(bool, Operand)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    Cell(Cell),
    /// A `?`, counted from 0.
    Arg(usize),
    Column(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Condition {
    pub left: Expr,
    pub op: Op,
    pub right: Expr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Op {
    pub fn accepts(self, order: Ordering) -> bool {
        match self {
            Op::Eq => order.is_eq(),
            Op::Ne => order.is_ne(),
            Op::Lt => order.is_lt(),
            Op::Le => order.is_le(),
            Op::Gt => order.is_gt(),
            Op::Ge => order.is_ge(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A word as it is written.
    Word(String),
    Int(i64),
    Text(Rc<[u8]>),
    Mark(&'static str),
}

/// The punctuation marks, longest first.
const MARKS: &[&str] =
    &["<=", ">=", "<>", "!=", "=", "<", ">", "(", ")", ",", "*", "+", "-", "?", ";"];

/// Returns the tokens of `text`, each with its first byte and the one behind it.
fn tokens(text: &str) -> Result<Vec<(Token, usize, usize)>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let mut push = |token: Token, len: usize| {
            tokens.push((token, start, start + len));
            len
        };
        let taken = if first == '\'' || first == '"' {
            let Some(end) = rest[1..].find(first) else {
                return Err("SQL: a string does not end: its quote is missing".into());
            };
            push(Token::Text(rest.as_bytes()[1..=end].into()), end + 2)
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse();
            push(Token::Int(number.map_err(|_| "SQL: a number is out of range")?), end)
        } else if first.is_ascii_alphabetic() || first == '_' || first == '`' {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '`';
            let end = rest.find(|c: char| !word(c)).unwrap_or(rest.len());
            push(Token::Word(rest[..end].replace('`', "")), end)
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
            let mark = mark.ok_or_else(|| format!("SQL: \"{first}\" has no meaning here"))?;
            push(Token::Mark(mark), mark.len())
        };
        rest = rest[taken..].trim_start();
    }
    if matches!(tokens.last(), Some((Token::Mark(";"), ..))) {
        tokens.pop();
    }
    Ok(tokens)
}

/// Parses the statement in `text`; also returns the number of `?` in it.
pub fn parse(text: &str) -> Result<(Statement, usize), String> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, args: 0 };
    let statement = parser.statement()?;
    match parser.peek(0) {
        None => Ok((statement, parser.args)),
        Some(token) => Err(format!(
            "SQL: {} is not understood; a statement ends after WHERE a = ? AND b > 1, a SELECT \
             after ORDER BY a DESC LIMIT 1 FOR UPDATE",
            shown(token)
        )),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("\"{word}\""),
        Token::Int(n) => format!("\"{n}\""),
        Token::Text(text) => format!("'{}'", String::from_utf8_lossy(text)),
        Token::Mark(mark) => format!("\"{mark}\""),
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, usize, usize)>,
    at: usize,
    args: usize,
}

impl Parser<'_> {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).map(|(token, ..)| token)
    }

    fn statement(&mut self) -> Result<Statement, String> {
        let known = "SQL: a statement is SELECT … FROM, INSERT INTO, UPDATE … SET, DELETE FROM, \
                     CREATE TABLE, BEGIN, COMMIT or ROLLBACK";
        let Some(Token::Word(word)) = self.next() else { return Err(known.into()) };
        match word.to_ascii_uppercase().as_str() {
            "SELECT" => self.select(),
            "INSERT" => self.insert(),
            "UPDATE" => {
                let table = self.name("a table")?;
                self.word("SET")?;
                let set = self.list(|parser| {
                    let column = parser.name("a column")?;
                    parser.mark("=")?;
                    Ok((column, parser.expr()?))
                })?;
                Ok(Statement::Update { table, set, conditions: self.conditions()? })
            }
            "DELETE" => {
                self.word("FROM")?;
                let table = self.name("a table")?;
                Ok(Statement::Delete { table, conditions: self.conditions()? })
            }
            "CREATE" => self.create(),
            "BEGIN" => Ok(self.work(Statement::Begin)),
            "START" => {
                self.word("TRANSACTION")?;
                Ok(Statement::Begin)
            }
            "COMMIT" => Ok(self.work(Statement::Commit)),
            "ROLLBACK" => Ok(self.work(Statement::Rollback)),
            other => Err(format!("{known}, not {other}")),
        }
    }

    fn work(&mut self, statement: Statement) -> Statement {
        self.takes_word("WORK");
        statement
    }

    fn select(&mut self) -> Result<Statement, String> {
        let items = match self.takes_mark("*") {
            true => Vec::new(),
            false => self.list(Self::item)?,
        };
        self.word("FROM")?;
        let table = self.name("a table")?;
        let conditions = self.conditions()?;
        let mut order = Vec::new();
        if self.takes_word("ORDER") {
            self.word("BY")?;
            order = self.list(|parser| {
                let column = parser.name("a column")?;
                let is_down = parser.takes_word("DESC");
                if !is_down {
                    parser.takes_word("ASC");
                }
                Ok((column, is_down))
            })?;
        }
        let limit = if self.takes_word("LIMIT") { Some(self.operand()?) } else { None };
        let is_for_update = self.takes_word("FOR");
        if is_for_update {
            self.word("UPDATE")?;
        }
        let sums = items.iter().filter(|item| item.is_sum()).count();
        if sums > 0 && (sums < items.len() || !order.is_empty()) {
            return Err("SQL: beside COUNT(*), MAX and MIN there can be no column and no ORDER \
                        BY: they make one row of all"
                .into());
        }
        Ok(Statement::Select { table, items, conditions, order, limit, is_for_update })
    }

    /// Parses what a SELECT asks for. As in MySQL its name is that of the column, or the text of
    /// the function as it is written, or what stands after AS.
    fn item(&mut self) -> Result<Item, String> {
        let start = self.tokens.get(self.at).map_or(0, |(_, start, _)| *start);
        let of = match (self.peek(0), self.peek(1)) {
            (Some(Token::Word(word)), Some(Token::Mark("("))) => {
                let word = word.to_ascii_uppercase();
                self.at += 2;
                let of = match word.as_str() {
                    "COUNT" => {
                        self.mark("*")?;
                        Source::Count
                    }
                    "MAX" => Source::Max(self.name("a column")?),
                    "MIN" => Source::Min(self.name("a column")?),
                    other => {
                        return Err(format!(
                            "SQL: the functions are COUNT(*), MAX(a) and MIN(a), not {other}"
                        ));
                    }
                };
                self.mark(")")?;
                of
            }
            _ => Source::Column(self.name("a column, *, COUNT(*), MAX(a) or MIN(a)")?),
        };
        let end = self.tokens.get(self.at - 1).map_or(start, |(.., end)| *end);
        let name = match &of {
            _ if self.takes_word("AS") => match self.next() {
                Some(Token::Word(word)) => word,
                _ => return Err("SQL: a name is missing after AS".into()),
            },
            Source::Column(name) => name.clone(),
            _ => self.text[start..end].to_owned(),
        };
        Ok(Item { name, of })
    }

    fn insert(&mut self) -> Result<Statement, String> {
        self.word("INTO")?;
        let table = self.name("a table")?;
        let columns = match self.takes_mark("(") {
            true => {
                let names = self.list(|parser| parser.name("a column"))?;
                self.mark(")")?;
                Some(names)
            }
            false => None,
        };
        self.word("VALUES")?;
        let rows = self.list(|parser| {
            parser.mark("(")?;
            let values = parser.list(Self::expr)?;
            parser.mark(")")?;
            Ok(values)
        })?;
        if rows.len() > ROWS_MAX {
            return Err(format!("SQL: a table has at most {ROWS_MAX} rows"));
        }
        Ok(Statement::Insert { table, columns, rows })
    }

    fn create(&mut self) -> Result<Statement, String> {
        self.word("TABLE")?;
        let table = self.name("a table")?;
        self.mark("(")?;
        let (mut columns, mut unique) = (Vec::new(), Vec::new());
        self.list(|parser| {
            if parser.takes_word("UNIQUE") {
                let _ = parser.takes_word("KEY") || parser.takes_word("INDEX");
                parser.mark("(")?;
                unique.push(parser.list(|parser| parser.name("a column"))?);
                return parser.mark(")");
            }
            let name = parser.name("a column")?;
            let kind = match parser.name("INT or TEXT")?.to_ascii_uppercase().as_str() {
                "INT" | "INTEGER" | "BIGINT" => ColumnKind::Int,
                "TEXT" | "VARCHAR" => ColumnKind::Text,
                other => return Err(format!("SQL: a column is INT or TEXT, not {other}")),
            };
            if parser.takes_mark("(") {
                parser.next();
                parser.mark(")")?;
            }
            let is_key = parser.takes_word("PRIMARY");
            if is_key {
                parser.word("KEY")?;
            } else if parser.takes_word("UNIQUE") {
                parser.takes_word("KEY");
                unique.push(vec![name.clone()]);
            }
            columns.push(Column { name, kind, is_key });
            Ok(())
        })?;
        self.mark(")")?;
        if columns.len() > COLUMNS_MAX {
            return Err(format!("SQL: a table has at most {COLUMNS_MAX} columns"));
        }
        if columns.iter().filter(|column| column.is_key).count() > 1 {
            return Err("SQL: a table has one PRIMARY KEY".into());
        }
        if unique.len() > COLUMNS_MAX {
            return Err(format!("SQL: a table has at most {COLUMNS_MAX} UNIQUE"));
        }
        let is_column = |name: &String| columns.iter().any(|column| column.name == *name);
        if let Some(name) = unique.iter().flatten().find(|name| !is_column(name)) {
            return Err(format!("SQL: there is no column {name} that could be UNIQUE"));
        }
        Ok(Statement::Create { table, columns, unique })
    }

    fn conditions(&mut self) -> Result<Vec<Condition>, String> {
        let mut conditions = Vec::new();
        if !self.takes_word("WHERE") {
            return Ok(conditions);
        }
        loop {
            let left = self.expr()?;
            let op = match self.next() {
                Some(Token::Mark("=")) => Op::Eq,
                Some(Token::Mark("<>" | "!=")) => Op::Ne,
                Some(Token::Mark("<")) => Op::Lt,
                Some(Token::Mark("<=")) => Op::Le,
                Some(Token::Mark(">")) => Op::Gt,
                Some(Token::Mark(">=")) => Op::Ge,
                _ => return Err("SQL: a condition is a = ?, with =, <>, <, <=, > or >=".into()),
            };
            conditions.push(Condition { left, op, right: self.expr()? });
            if !self.takes_word("AND") {
                return Ok(conditions);
            }
        }
    }

    fn expr(&mut self) -> Result<Expr, String> {
        let first = self.operand()?;
        let minus = match self.peek(0) {
            Some(Token::Mark("+")) => false,
            Some(Token::Mark("-")) => true,
            _ => return Ok(Expr { first, then: None }),
        };
        self.at += 1;
        Ok(Expr { first, then: Some((minus, self.operand()?)) })
    }

    fn operand(&mut self) -> Result<Operand, String> {
        Ok(match self.next() {
            Some(Token::Int(n)) => Operand::Cell(Cell::Int(n)),
            Some(Token::Text(text)) => Operand::Cell(Cell::Text(text)),
            Some(Token::Mark("?")) => {
                self.args += 1;
                Operand::Arg(self.args - 1)
            }
            Some(Token::Mark("-")) => match self.next() {
                Some(Token::Int(n)) => Operand::Cell(Cell::Int(-n)),
                _ => return Err("SQL: a number is missing after -".into()),
            },
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("NULL") => {
                Operand::Cell(Cell::Null)
            }
            Some(Token::Word(word)) => Operand::Column(word.to_ascii_lowercase()),
            _ => return Err("SQL: a value is missing: a number, a 'string', ? or a column".into()),
        })
    }

    fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut all = vec![one(self)?];
        while self.takes_mark(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn next(&mut self) -> Option<Token> {
        self.at += 1;
        self.tokens.get(self.at - 1).map(|(token, ..)| token.clone())
    }

    fn name(&mut self, what: &str) -> Result<String, String> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word.to_ascii_lowercase()),
            Some(token) => Err(format!("SQL: {what} should stand in place of {}", shown(&token))),
            None => Err(format!("SQL: {what} is missing at the end")),
        }
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = matches!(self.peek(0),
            Some(Token::Word(next)) if next.eq_ignore_ascii_case(word));
        self.at += usize::from(is);
        is
    }

    fn takes_mark(&mut self, mark: &str) -> bool {
        let is = matches!(self.peek(0), Some(Token::Mark(next)) if *next == mark);
        self.at += usize::from(is);
        is
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        if self.takes_word(word) { Ok(()) } else { Err(self.missing(word)) }
    }

    fn mark(&mut self, mark: &str) -> Result<(), String> {
        if self.takes_mark(mark) { Ok(()) } else { Err(self.missing(mark)) }
    }

    fn missing(&self, what: &str) -> String {
        match self.peek(0) {
            Some(token) => format!("SQL: {what} should stand in place of {}", shown(token)),
            None => format!("SQL: {what} is missing at the end"),
        }
    }
}
