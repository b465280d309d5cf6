//! Expressions, after `lparser.c`.

use std::rc::Rc;

use super::code::{Binary, Exp, Kind, MULTI, Unary};
use super::lexer::{Token, Word};
use super::opcode::{Instr, Op, VARARG, VARARG_HAS_ARG, VARARG_NEEDS_ARG};
use super::parser::{Parsed, Parser};

/// The priority of unary operators: they bind tighter than every binary operator but `^`.
const UNARY_PRIORITY: u8 = 8;

/// A binary operator with its left and right priorities.
type Operator = (Binary, u8, u8);

impl Parser<'_> {
    pub(super) fn field(&mut self, e: &mut Exp) -> Parsed<()> {
        self.put_in_any(e)?;
        self.advance()?;
        let mut key = self.name_constant()?;
        self.index(e, &mut key)
    }

    fn name_constant(&mut self) -> Parsed<Exp> {
        let name = self.expect_name()?;
        Ok(Exp::new(Kind::Const, self.func.string_constant(&name)))
    }

    fn bracket_key(&mut self) -> Parsed<Exp> {
        self.advance()?;
        let mut key = self.expression()?;
        self.make_value(&mut key)?;
        self.expect(&Token::Char(b']'))?;
        Ok(key)
    }

    fn constructor(&mut self) -> Parsed<Exp> {
        let line = self.line;
        let at = self.emit_abc(Op::NewTable, 0, 0, 0);
        let mut table = Exp::new(Kind::Relocable, at);
        let mut item = Exp::new(Kind::Void, 0);
        self.put_in_next(&mut table)?;
        let (mut array, mut hash, mut pending) = (0usize, 0usize, 0i32);
        self.expect(&Token::Char(b'{'))?;
        while self.token != Token::Char(b'}') {
            // Stores what is pending before the registers run out.
            if item.kind != Kind::Void {
                self.put_in_next(&mut item)?;
                item.kind = Kind::Void;
                if pending as usize == super::opcode::FIELDS_PER_FLUSH {
                    self.set_list(table.info, array, pending)?;
                    pending = 0;
                }
            }
            let is_record = match self.token {
                Token::Name(_) => *self.look_ahead()? == Token::Char(b'='),
                Token::Char(b'[') => true,
                _ => false,
            };
            if is_record {
                self.record_field(&table)?;
                hash += 1;
            } else {
                item = self.expression()?;
                array += 1;
                pending += 1;
            }
            if !self.accept(&Token::Char(b','))? && !self.accept(&Token::Char(b';'))? {
                break;
            }
        }
        self.expect_match(&Token::Char(b'}'), &Token::Char(b'{'), line)?;
        if pending > 0 {
            if matches!(item.kind, Kind::Call | Kind::Vararg) {
                self.set_returns(&item, MULTI)?;
                self.set_list(table.info, array, MULTI)?;
                array -= 1;
            } else {
                if item.kind != Kind::Void {
                    self.put_in_next(&mut item)?;
                }
                self.set_list(table.info, array, pending)?;
            }
        }
        let instr = &mut self.func.code[at as usize];
        instr.b = float_byte(array);
        instr.c = float_byte(hash);
        Ok(table)
    }

    fn record_field(&mut self, table: &Exp) -> Parsed<()> {
        let free = self.func.free;
        let mut key = match self.token {
            Token::Name(_) => self.name_constant()?,
            _ => self.bracket_key()?,
        };
        self.expect(&Token::Char(b'='))?;
        let key = self.make_operand(&mut key)?;
        let mut value = self.expression()?;
        let value = self.make_operand(&mut value)?;
        self.emit_abc(Op::SetTable, table.info, key.into(), value.into());
        self.func.free = free;
        Ok(())
    }

    fn parameters(&mut self) -> Parsed<()> {
        let mut count = 0;
        if self.token != Token::Char(b')') {
            loop {
                match self.token {
                    Token::Name(_) => {
                        let name = self.expect_name()?;
                        self.new_local(name, count)?;
                        count += 1;
                    }
                    Token::Dots => {
                        self.advance()?;
                        // 5.0's `arg`, filled unless the function says `...`.
                        self.new_hidden_local("arg", count)?;
                        count += 1;
                        self.func.vararg = VARARG | VARARG_HAS_ARG | VARARG_NEEDS_ARG;
                    }
                    _ => return Err(self.syntax_error("<name> or '...' expected")),
                }
                if self.func.vararg != 0 || !self.accept(&Token::Char(b','))? {
                    break;
                }
            }
        }
        self.activate(count);
        self.func.params = (count as u8) - (self.func.vararg & VARARG_HAS_ARG);
        self.reserve(count)
    }

    pub(super) fn function_body(&mut self, is_method: bool, line: u32) -> Parsed<Exp> {
        self.open_function(line);
        self.expect(&Token::Char(b'('))?;
        if is_method {
            self.new_hidden_local("self", 0)?;
            self.activate(1);
        }
        self.parameters()?;
        if is_method {
            // `self` was in scope before the list was read; it counts as the first parameter.
            self.func.params += 1;
            self.reserve(1)?;
        }
        self.expect(&Token::Char(b')'))?;
        self.chunk()?;
        self.expect_match(&Token::Word(Word::End), &Token::Word(Word::Function), line)?;
        let outer = self.outer.pop().unwrap_or_default();
        let (proto, captures) = self.close_function(outer);
        self.func.protos.push(Rc::new(proto));
        let at = self.emit_abx(Op::Closure, 0, self.func.protos.len() as i32 - 1);
        for capture in captures {
            let op = if capture.kind == Kind::Local { Op::Move } else { Op::GetUpval };
            self.emit(Instr::new(op, 0, capture.index.into(), 0));
        }
        Ok(Exp::new(Kind::Relocable, at))
    }

    pub(super) fn expression_list(&mut self) -> Parsed<(usize, Exp)> {
        let mut count = 1;
        let mut e = self.expression()?;
        while self.accept(&Token::Char(b','))? {
            self.put_in_next(&mut e)?;
            e = self.expression()?;
            count += 1;
        }
        Ok((count, e))
    }

    fn call_arguments(&mut self, function: &mut Exp) -> Parsed<()> {
        let line = self.line;
        let mut args = Exp::new(Kind::Void, 0);
        match &self.token {
            Token::Char(b'(') => {
                if line != self.last_line {
                    let message = "ambiguous syntax (function call x new statement)";
                    return Err(self.syntax_error(message));
                }
                self.advance()?;
                if self.token != Token::Char(b')') {
                    args = self.expression_list()?.1;
                    self.set_returns(&args, MULTI)?;
                }
                self.expect_match(&Token::Char(b')'), &Token::Char(b'('), line)?;
            }
            Token::Char(b'{') => args = self.constructor()?,
            Token::String(text) => {
                let text = text.clone();
                args = Exp::new(Kind::Const, self.func.string_constant(&text));
                self.advance()?;
            }
            _ => return Err(self.syntax_error("function arguments expected")),
        }
        let base = function.info;
        let count = if matches!(args.kind, Kind::Call | Kind::Vararg) {
            MULTI
        } else {
            if args.kind != Kind::Void {
                self.put_in_next(&mut args)?;
            }
            self.func.free as i32 - (base + 1)
        };
        let at = self.emit_abc(Op::Call, base, count + 1, 2);
        *function = Exp::new(Kind::Call, at);
        self.fix_line(line);
        // The call removes function and arguments and leaves one result.
        self.func.free = base as usize + 1;
        Ok(())
    }

    fn prefix_expression(&mut self) -> Parsed<Exp> {
        match self.token {
            Token::Char(b'(') => {
                let line = self.line;
                self.advance()?;
                let mut e = self.expression()?;
                self.expect_match(&Token::Char(b')'), &Token::Char(b'('), line)?;
                self.discharge(&mut e);
                Ok(e)
            }
            Token::Name(_) => self.variable(),
            _ => Err(self.syntax_error("unexpected symbol")),
        }
    }

    pub(super) fn primary_expression(&mut self) -> Parsed<Exp> {
        let mut e = self.prefix_expression()?;
        loop {
            match self.token {
                Token::Char(b'.') => self.field(&mut e)?,
                Token::Char(b'[') => {
                    self.put_in_any(&mut e)?;
                    let mut key = self.bracket_key()?;
                    self.index(&mut e, &mut key)?;
                }
                Token::Char(b':') => {
                    self.advance()?;
                    let mut key = self.name_constant()?;
                    self.method(&mut e, &mut key)?;
                    self.call_arguments(&mut e)?;
                }
                Token::Char(b'(' | b'{') | Token::String(_) => {
                    self.put_in_next(&mut e)?;
                    self.call_arguments(&mut e)?;
                }
                _ => return Ok(e),
            }
        }
    }

    fn simple_expression(&mut self) -> Parsed<Exp> {
        let e = match &self.token {
            Token::Number(n) => Exp { num: *n, ..Exp::new(Kind::Number, 0) },
            Token::String(text) => {
                let text = text.clone();
                Exp::new(Kind::Const, self.func.string_constant(&text))
            }
            Token::Word(Word::Nil) => Exp::new(Kind::Nil, 0),
            Token::Word(Word::True) => Exp::new(Kind::True, 0),
            Token::Word(Word::False) => Exp::new(Kind::False, 0),
            Token::Dots => {
                if self.func.vararg == 0 {
                    return Err(self.syntax_error("cannot use '...' outside a vararg function"));
                }
                self.func.vararg &= !VARARG_NEEDS_ARG;
                Exp::new(Kind::Vararg, self.emit_abc(Op::Vararg, 0, 1, 0))
            }
            Token::Char(b'{') => return self.constructor(),
            Token::Word(Word::Function) => {
                let line = self.line;
                self.advance()?;
                return self.function_body(false, line);
            }
            _ => return self.primary_expression(),
        };
        self.advance()?;
        Ok(e)
    }

    pub(super) fn expression(&mut self) -> Parsed<Exp> {
        self.sub_expression(0).map(|(e, _)| e)
    }

    /// Reads operators that bind tighter than `limit`; also returns the first that does not.
    fn sub_expression(&mut self, limit: u8) -> Parsed<(Exp, Option<Operator>)> {
        self.enter_level()?;
        let unary = match self.token {
            Token::Word(Word::Not) => Some(Unary::Not),
            Token::Char(b'-') => Some(Unary::Minus),
            Token::Char(b'#') => Some(Unary::Len),
            _ => None,
        };
        let mut e = match unary {
            Some(op) => {
                self.advance()?;
                let (mut e, _) = self.sub_expression(UNARY_PRIORITY)?;
                self.prefix(op, &mut e)?;
                e
            }
            None => self.simple_expression()?,
        };
        let mut op = binary(&self.token);
        while let Some((operator, left, right)) = op
            && left > limit
        {
            self.advance()?;
            self.infix(operator, &mut e)?;
            let (mut second, next) = self.sub_expression(right)?;
            self.postfix(operator, &mut e, &mut second)?;
            op = next;
        }
        self.levels -= 1;
        Ok((e, op))
    }
}

/// A binary operator with its left and right priorities; right-associative where right < left.
fn binary(token: &Token) -> Option<Operator> {
    use Binary::{Arith, Compare};
    Some(match token {
        Token::Char(b'+') => (Arith(Op::Add), 6, 6),
        Token::Char(b'-') => (Arith(Op::Sub), 6, 6),
        Token::Char(b'*') => (Arith(Op::Mul), 7, 7),
        Token::Char(b'/') => (Arith(Op::Div), 7, 7),
        Token::Char(b'%') => (Arith(Op::Mod), 7, 7),
        Token::Char(b'^') => (Arith(Op::Pow), 10, 9),
        Token::Concat => (Binary::Concat, 5, 4),
        Token::Ne => (Compare(Op::Eq, false), 3, 3),
        Token::Eq => (Compare(Op::Eq, true), 3, 3),
        Token::Char(b'<') => (Compare(Op::Lt, true), 3, 3),
        Token::Le => (Compare(Op::Le, true), 3, 3),
        Token::Char(b'>') => (Compare(Op::Lt, false), 3, 3),
        Token::Ge => (Compare(Op::Le, false), 3, 3),
        Token::Word(Word::And) => (Binary::And, 2, 2),
        Token::Word(Word::Or) => (Binary::Or, 1, 1),
        _ => return None,
    })
}

/// Encodes a size for `NewTable`: eeeeexxx, rounded up, for (1xxx) * 2^(eeeee - 1).
fn float_byte(mut x: usize) -> u16 {
    let mut exponent = 0;
    while x >= 16 {
        x = x.div_ceil(2);
        exponent += 1;
    }
    if x < 8 { x as u16 } else { ((exponent + 1) << 3) | (x as u16 - 8) }
}

/// Decodes the size of a float byte.
pub(super) fn from_float_byte(x: u16) -> usize {
    match usize::from(x >> 3) & 31 {
        0 => x.into(),
        exponent => (usize::from(x & 7) + 8) << (exponent - 1),
    }
}
