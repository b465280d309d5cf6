//! Parses SQL statements. An error says what would be understood.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{COLUMNS_MAX, Cell, Column, ColumnKind, ROWS_MAX};

/// The name that stands for COUNT(*) among the columns of a SELECT.
pub const COUNT: &str = "COUNT(*)";

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Statement {
    Create {
        table: String,
        columns: Vec<Column>,
    },
    Insert {
        table: String,
        columns: Option<Vec<String>>,
        rows: Vec<Vec<Expr>>,
    },
    /// A SELECT; no columns means all.
    Select {
        table: String,
        columns: Vec<String>,
        conditions: Vec<Condition>,
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

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let taken = if first == '\'' || first == '"' {
            let Some(end) = rest[1..].find(first) else {
                return Err("SQL: a string does not end: its quote is missing".into());
            };
            tokens.push(Token::Text(rest.as_bytes()[1..=end].into()));
            end + 2
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse();
            tokens.push(Token::Int(number.map_err(|_| "SQL: a number is out of range")?));
            end
        } else if first.is_ascii_alphabetic() || first == '_' || first == '`' {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '`';
            let end = rest.find(|c: char| !word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].replace('`', "")));
            end
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
            let mark = mark.ok_or_else(|| format!("SQL: \"{first}\" has no meaning here"))?;
            tokens.push(Token::Mark(mark));
            mark.len()
        };
        rest = rest[taken..].trim_start();
    }
    if tokens.last() == Some(&Token::Mark(";")) {
        tokens.pop();
    }
    Ok(tokens)
}

/// Parses the statement in `text`; also returns the number of `?` in it.
pub fn parse(text: &str) -> Result<(Statement, usize), String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, args: 0 };
    let statement = parser.statement()?;
    match parser.tokens.get(parser.at) {
        None => Ok((statement, parser.args)),
        Some(token) => Err(format!(
            "SQL: {} is not understood; a statement ends after WHERE a = ? AND b > 1",
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

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    args: usize,
}

impl Parser {
    fn statement(&mut self) -> Result<Statement, String> {
        let known = "SQL: a statement is SELECT … FROM, INSERT INTO, UPDATE … SET, DELETE FROM or \
                     CREATE TABLE";
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
            "BEGIN" | "START" | "COMMIT" | "ROLLBACK" => Err(
                "SQL: there are no transactions here; one UPDATE … SET n = n - 1 WHERE n > 0 is \
                 atomic by itself"
                    .into(),
            ),
            other => Err(format!("{known}, not {other}")),
        }
    }

    fn select(&mut self) -> Result<Statement, String> {
        let columns = if self.takes_mark("*") {
            Vec::new()
        } else if self.takes_word("COUNT") {
            for mark in ["(", "*", ")"] {
                self.mark(mark)?;
            }
            vec![COUNT.to_owned()]
        } else {
            self.list(|parser| parser.name("a column, * or COUNT(*)"))?
        };
        self.word("FROM")?;
        let table = self.name("a table")?;
        Ok(Statement::Select { table, columns, conditions: self.conditions()? })
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
            let values = parser.list(Parser::expr)?;
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
        let columns = self.list(|parser| {
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
            }
            Ok(Column { name, kind, is_key })
        })?;
        self.mark(")")?;
        if columns.len() > COLUMNS_MAX {
            return Err(format!("SQL: a table has at most {COLUMNS_MAX} columns"));
        }
        if columns.iter().filter(|column| column.is_key).count() > 1 {
            return Err("SQL: a table has one PRIMARY KEY".into());
        }
        Ok(Statement::Create { table, columns })
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
        let minus = match self.tokens.get(self.at) {
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
        mut one: impl FnMut(&mut Parser) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut all = vec![one(self)?];
        while self.takes_mark(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn next(&mut self) -> Option<Token> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    fn name(&mut self, what: &str) -> Result<String, String> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word.to_ascii_lowercase()),
            Some(token) => Err(format!("SQL: {what} should stand in place of {}", shown(&token))),
            None => Err(format!("SQL: {what} is missing at the end")),
        }
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = matches!(self.tokens.get(self.at),
            Some(Token::Word(next)) if next.eq_ignore_ascii_case(word));
        self.at += usize::from(is);
        is
    }

    fn takes_mark(&mut self, mark: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Mark(next)) if *next == mark);
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
        match self.tokens.get(self.at) {
            Some(token) => format!("SQL: {what} should stand in place of {}", shown(token)),
            None => format!("SQL: {what} is missing at the end"),
        }
    }
}
