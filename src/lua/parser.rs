//! Scopes and statements, after `lparser.c`: one pass that emits code while reading. Expressions
//! are in [`expr`](super::expr).
//!
//! Nesting is limited to PUC's depth so that no source can exhaust the stack.

use std::borrow::Cow;
use std::rc::Rc;

use super::SyntaxError;
use super::code::{Exp, Kind, MULTI, NO_JUMP};
use super::func::{Block, Capture, Func};
use super::lexer::{Lexer, Token, Word};
use super::opcode::{LocVar, Op, Proto, Source, VARARG};
use super::value::Str;

/// The deepest nesting of blocks and expressions; PUC's `LUAI_MAXCCALLS`.
const LEVELS_MAX: usize = 200;
const LOCALS_MAX: usize = 200;
const UPVALUES_MAX: usize = 60;

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    pub(super) token: Token,
    ahead: Option<(Token, Cow<'a, [u8]>)>,
    spelling: Cow<'a, [u8]>,
    /// The line of the token last consumed.
    pub last_line: u32,
    pub(super) line: u32,
    pub func: Func,
    /// The functions around `func`, outermost first.
    pub(super) outer: Vec<Func>,
    pub(super) levels: usize,
    source: Rc<Source>,
    functions: u32,
}

pub(super) type Parsed<T> = Result<T, SyntaxError>;

/// Compiles a whole source.
pub(super) fn parse(source: &Rc<Source>) -> Parsed<Rc<Proto>> {
    let mut parser = Parser {
        lexer: Lexer::new(&source.text),
        token: Token::Eof,
        ahead: None,
        spelling: Cow::Borrowed(b""),
        last_line: 1,
        line: 1,
        func: Func::new(0),
        outer: Vec::new(),
        levels: 0,
        source: source.clone(),
        functions: 0,
    };
    parser.func.vararg = VARARG;
    parser.advance()?;
    parser.chunk()?;
    parser.check(&Token::Eof)?;
    let (proto, _) = parser.close_function(Func::new(0));
    Ok(Rc::new(proto))
}

impl<'a> Parser<'a> {
    pub(super) fn advance(&mut self) -> Parsed<()> {
        self.last_line = self.line;
        (self.token, self.spelling) = match self.ahead.take() {
            Some(token) => token,
            None => (self.lexer.next()?, std::mem::take(&mut self.lexer.spelling)),
        };
        self.line = self.lexer.line;
        Ok(())
    }

    pub(super) fn look_ahead(&mut self) -> Parsed<&Token> {
        if self.ahead.is_none() {
            let token = self.lexer.next()?;
            self.ahead = Some((token, std::mem::take(&mut self.lexer.spelling)));
            self.line = self.lexer.line;
        }
        Ok(self.ahead.as_ref().map_or(&Token::Eof, |(token, _)| token))
    }

    pub fn syntax_error(&self, message: &str) -> SyntaxError {
        let spelled = match self.token {
            Token::Name(_) | Token::String(_) | Token::Number(_) => true,
            // A byte of a character of several bytes is named as it is.
            Token::Char(c) => !c.is_ascii(),
            _ => false,
        };
        let text = self.token.text();
        let near = if spelled { &*self.spelling } else { text.as_bytes() };
        self.lexer.error(message, Some(near))
    }

    pub(super) fn accept(&mut self, token: &Token) -> Parsed<bool> {
        let found = self.token == *token;
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn check(&self, token: &Token) -> Parsed<()> {
        if self.token == *token {
            return Ok(());
        }
        Err(self.syntax_error(&format!("'{}' expected", token.text())))
    }

    pub(super) fn expect(&mut self, token: &Token) -> Parsed<()> {
        self.check(token)?;
        self.advance()
    }

    pub(super) fn expect_match(&mut self, what: &Token, who: &Token, line: u32) -> Parsed<()> {
        if self.accept(what)? {
            return Ok(());
        }
        if line == self.line {
            return self.check(what);
        }
        let (what, who) = (what.text(), who.text());
        Err(self.syntax_error(&format!("'{what}' expected (to close '{who}' at line {line})")))
    }

    pub(super) fn expect_name(&mut self) -> Parsed<Str> {
        let Token::Name(name) = &self.token else {
            return Err(self.syntax_error("'<name>' expected"));
        };
        let name = name.clone();
        self.advance()?;
        Ok(name)
    }

    pub(super) fn check_limit(&self, value: usize, limit: usize, what: &str) -> Parsed<()> {
        self.check_limit_of(self.func.line_defined, value, limit, what)
    }

    fn check_limit_of(&self, line: u32, value: usize, limit: usize, what: &str) -> Parsed<()> {
        if value <= limit {
            return Ok(());
        }
        let whose = match line {
            0 => "main function".to_owned(),
            line => format!("function at line {line}"),
        };
        Err(self.lexer.error(&format!("{whose} has more than {limit} {what}"), None))
    }

    pub(super) fn enter_level(&mut self) -> Parsed<()> {
        self.levels += 1;
        if self.levels > LEVELS_MAX {
            return Err(self.lexer.error("chunk has too many syntax levels", None));
        }
        Ok(())
    }

    // Scopes.

    pub(super) fn new_local(&mut self, name: Str, pending: usize) -> Parsed<()> {
        self.check_limit(self.func.active.len() + pending + 1, LOCALS_MAX, "local variables")?;
        self.func.locals.push(LocVar { name, start: 0, end: 0 });
        Ok(())
    }

    pub(super) fn new_hidden_local(&mut self, name: &str, pending: usize) -> Parsed<()> {
        self.new_local(Str::new(name.as_bytes()), pending)
    }

    /// Brings the last `count` locals declared into scope. Declarations and activations nest, so
    /// the locals to activate are always the newest.
    pub(super) fn activate(&mut self, count: usize) {
        let first = self.func.locals.len() - count;
        for at in first..self.func.locals.len() {
            self.func.locals[at].start = self.func.code.len() as u32;
            self.func.active.push(at);
        }
    }

    fn remove_locals(&mut self, to: usize) {
        let end = self.func.code.len() as u32;
        for at in self.func.active.split_off(to) {
            self.func.locals[at].end = end;
        }
    }

    fn find_variable(&mut self, depth: usize, name: &Str, is_base: bool) -> Parsed<Exp> {
        // `depth` counts from the outermost function; the innermost is `self.func`.
        let func = if depth == self.outer.len() { &mut self.func } else { &mut self.outer[depth] };
        let found = func.active.iter().rposition(|&at| func.locals[at].name == *name);
        if let Some(register) = found {
            if !is_base
                && let Some(block) = func.blocks.iter_mut().rev().find(|b| b.active <= register)
            {
                block.has_upvalue = true;
            }
            return Ok(Exp::new(Kind::Local, register as i32));
        }
        if depth == 0 {
            return Ok(Exp::new(Kind::Global, 0));
        }
        let captured = self.find_variable(depth - 1, name, false)?;
        if captured.kind == Kind::Global {
            return Ok(captured);
        }
        let capture = Capture { kind: captured.kind, index: captured.info as u8 };
        let func = if depth == self.outer.len() { &mut self.func } else { &mut self.outer[depth] };
        let known = func.captures.iter().position(|c| *c == capture);
        let index = known.unwrap_or_else(|| {
            func.captures.push(capture);
            func.upvalues.push(name.clone());
            func.captures.len() - 1
        });
        let (count, line) = (func.captures.len(), func.line_defined);
        self.check_limit_of(line, count, UPVALUES_MAX, "upvalues")?;
        Ok(Exp::new(Kind::Upval, index as i32))
    }

    pub(super) fn variable(&mut self) -> Parsed<Exp> {
        let name = self.expect_name()?;
        let mut e = self.find_variable(self.outer.len(), &name, true)?;
        if e.kind == Kind::Global {
            e.info = self.func.string_constant(&name);
        }
        Ok(e)
    }

    fn enter_block(&mut self, breakable: bool) {
        let active = self.func.active.len();
        let block = Block { breaks: NO_JUMP, active, has_upvalue: false, breakable };
        self.func.blocks.push(block);
    }

    fn leave_block(&mut self) {
        let Some(block) = self.func.blocks.pop() else { return };
        self.remove_locals(block.active);
        if block.has_upvalue {
            self.emit_abc(Op::Close, block.active as i32, 0, 0);
        }
        self.func.free = self.func.active.len();
        self.func.patch_to_here(block.breaks);
    }

    pub(super) fn open_function(&mut self, line: u32) {
        let outer = std::mem::replace(&mut self.func, Func::new(line));
        self.outer.push(outer);
    }

    /// Finishes the current function and goes back to `outer`.
    pub(super) fn close_function(&mut self, outer: Func) -> (Proto, Vec<Capture>) {
        self.emit_return(0, 0);
        // After the return, so that an inspection there still shows the last line's locals.
        self.remove_locals(0);
        let func = std::mem::replace(&mut self.func, outer);
        self.functions += 1;
        let proto = Proto {
            code: func.code,
            constants: func.constants,
            protos: func.protos,
            lines: func.lines,
            locals: func.locals,
            upvalues: func.upvalues,
            params: func.params,
            vararg: func.vararg,
            registers: func.registers as u8,
            live: Default::default(),
            line_defined: func.line_defined,
            id: self.functions,
            source: self.source.clone(),
        };
        proto.check();
        (proto, func.captures)
    }

    // Statements.

    fn block_follows(&self) -> bool {
        use Word::{Else, ElseIf, End, Until};
        matches!(self.token, Token::Eof | Token::Word(Else | ElseIf | End | Until))
    }

    pub(super) fn chunk(&mut self) -> Parsed<()> {
        self.enter_level()?;
        let mut is_last = false;
        while !is_last && !self.block_follows() {
            is_last = self.statement()?;
            self.accept(&Token::Char(b';'))?;
            self.func.free = self.func.active.len();
        }
        self.levels -= 1;
        Ok(())
    }

    fn block(&mut self) -> Parsed<()> {
        self.enter_block(false);
        self.chunk()?;
        self.leave_block();
        Ok(())
    }

    /// Parses one statement; true if it must be the last of its block.
    fn statement(&mut self) -> Parsed<bool> {
        let line = self.line;
        match self.token {
            Token::Word(Word::If) => self.if_statement(line)?,
            Token::Word(Word::While) => self.while_statement(line)?,
            Token::Word(Word::Do) => {
                self.advance()?;
                self.block()?;
                self.expect_match(&Token::Word(Word::End), &Token::Word(Word::Do), line)?;
            }
            Token::Word(Word::For) => self.for_statement(line)?,
            Token::Word(Word::Repeat) => self.repeat_statement(line)?,
            Token::Word(Word::Function) => self.function_statement(line)?,
            Token::Word(Word::Local) => {
                self.advance()?;
                if self.accept(&Token::Word(Word::Function))? {
                    self.local_function()?;
                } else {
                    self.local_statement()?;
                }
            }
            Token::Word(Word::Return) => {
                self.return_statement()?;
                return Ok(true);
            }
            Token::Word(Word::Break) => {
                self.advance()?;
                self.break_statement()?;
                return Ok(true);
            }
            _ => self.expression_statement()?,
        }
        Ok(false)
    }

    fn condition(&mut self) -> Parsed<i32> {
        let mut e = self.expression()?;
        if e.kind == Kind::Nil {
            // All falses are equal here.
            e.kind = Kind::False;
        }
        self.go_if_true(&mut e)?;
        Ok(e.f)
    }

    fn if_statement(&mut self, line: u32) -> Parsed<()> {
        let mut escapes = NO_JUMP;
        let mut on_false = self.then_block()?;
        while self.token == Token::Word(Word::ElseIf) {
            let jump = self.jump();
            self.func.join(&mut escapes, jump);
            self.func.patch_to_here(on_false);
            on_false = self.then_block()?;
        }
        if self.token == Token::Word(Word::Else) {
            let jump = self.jump();
            self.func.join(&mut escapes, jump);
            self.func.patch_to_here(on_false);
            self.advance()?;
            self.block()?;
        } else {
            self.func.join(&mut escapes, on_false);
        }
        self.func.patch_to_here(escapes);
        self.expect_match(&Token::Word(Word::End), &Token::Word(Word::If), line)
    }

    fn then_block(&mut self) -> Parsed<i32> {
        self.advance()?;
        let on_false = self.condition()?;
        self.expect(&Token::Word(Word::Then))?;
        self.block()?;
        Ok(on_false)
    }

    fn while_statement(&mut self, line: u32) -> Parsed<()> {
        self.advance()?;
        let start = self.func.label();
        let exit = self.condition()?;
        self.enter_block(true);
        self.expect(&Token::Word(Word::Do))?;
        self.block()?;
        let back = self.jump();
        self.func.patch_list(back, start);
        self.expect_match(&Token::Word(Word::End), &Token::Word(Word::While), line)?;
        self.leave_block();
        self.func.patch_to_here(exit);
        Ok(())
    }

    fn repeat_statement(&mut self, line: u32) -> Parsed<()> {
        let start = self.func.label();
        self.enter_block(true);
        self.enter_block(false);
        self.advance()?;
        self.chunk()?;
        self.expect_match(&Token::Word(Word::Until), &Token::Word(Word::Repeat), line)?;
        // The condition sees the body's locals.
        let exit = self.condition()?;
        if self.func.blocks.last().is_some_and(|block| block.has_upvalue) {
            self.break_statement()?;
            self.func.patch_to_here(exit);
            self.leave_block();
            let back = self.jump();
            self.func.patch_list(back, start);
        } else {
            self.leave_block();
            self.func.patch_list(exit, start);
        }
        self.leave_block();
        Ok(())
    }

    fn break_statement(&mut self) -> Parsed<()> {
        let mut has_upvalue = false;
        let mut target = None;
        for (at, block) in self.func.blocks.iter().enumerate().rev() {
            if block.breakable {
                target = Some((at, block.active));
                break;
            }
            has_upvalue |= block.has_upvalue;
        }
        let Some((at, active)) = target else {
            return Err(self.syntax_error("no loop to break"));
        };
        if has_upvalue {
            self.emit_abc(Op::Close, active as i32, 0, 0);
        }
        let jump = self.jump();
        let mut breaks = self.func.blocks[at].breaks;
        self.func.join(&mut breaks, jump);
        self.func.blocks[at].breaks = breaks;
        Ok(())
    }

    fn for_statement(&mut self, line: u32) -> Parsed<()> {
        self.enter_block(true);
        self.advance()?;
        let name = self.expect_name()?;
        match self.token {
            Token::Char(b'=') => self.numeric_for(name, line)?,
            Token::Char(b',') | Token::Word(Word::In) => self.generic_for(name)?,
            _ => return Err(self.syntax_error("'=' or 'in' expected")),
        }
        self.expect_match(&Token::Word(Word::End), &Token::Word(Word::For), line)?;
        self.leave_block();
        Ok(())
    }

    fn loop_bound(&mut self) -> Parsed<()> {
        let mut e = self.expression()?;
        self.put_in_next(&mut e)
    }

    fn numeric_for(&mut self, name: Str, line: u32) -> Parsed<()> {
        let base = self.func.free;
        self.advance()?;
        self.loop_bound()?;
        self.expect(&Token::Char(b','))?;
        self.loop_bound()?;
        if self.accept(&Token::Char(b','))? {
            self.loop_bound()?;
        } else {
            let mut step = Exp { num: 1.0, ..Exp::new(Kind::Number, 0) };
            self.put_in_next(&mut step)?;
        }
        for (at, hidden) in ["(for index)", "(for limit)", "(for step)"].into_iter().enumerate() {
            self.new_hidden_local(hidden, at)?;
        }
        self.activate(3);
        self.for_body(base, line, vec![name], true)
    }

    fn generic_for(&mut self, name: Str) -> Parsed<()> {
        let base = self.func.free;
        let mut names = vec![name];
        while self.accept(&Token::Char(b','))? {
            self.check_limit(
                self.func.active.len() + names.len() + 4,
                LOCALS_MAX,
                "local variables",
            )?;
            names.push(self.expect_name()?);
        }
        self.expect(&Token::Word(Word::In))?;
        let line = self.line;
        let (count, mut e) = self.expression_list()?;
        self.adjust(3, count, &mut e)?;
        self.check_stack(3)?;
        for (at, hidden) in
            ["(for generator)", "(for state)", "(for control)"].into_iter().enumerate()
        {
            self.new_hidden_local(hidden, at)?;
        }
        self.activate(3);
        self.for_body(base, line, names, false)
    }

    fn for_body(&mut self, base: usize, line: u32, names: Vec<Str>, numeric: bool) -> Parsed<()> {
        let a = base as i32;
        self.expect(&Token::Word(Word::Do))?;
        let prepare = if numeric { self.emit_abx(Op::ForPrep, a, NO_JUMP) } else { self.jump() };
        self.enter_block(false);
        let count = names.len();
        for (at, name) in names.into_iter().enumerate() {
            self.new_local(name, at)?;
        }
        self.activate(count);
        self.reserve(count)?;
        self.block()?;
        self.leave_block();
        self.func.patch_to_here(prepare);
        let end = if numeric {
            self.emit_abx(Op::ForLoop, a, NO_JUMP)
        } else {
            self.emit_abc(Op::TForLoop, a, 0, count as i32)
        };
        self.fix_line(line);
        let back = if numeric { end } else { self.jump() };
        self.func.patch_list(back, prepare + 1);
        Ok(())
    }

    fn local_function(&mut self) -> Parsed<()> {
        let name = self.expect_name()?;
        self.new_local(name, 0)?;
        let register = self.func.free;
        self.reserve(1)?;
        self.activate(1);
        let mut body = self.function_body(false, self.line)?;
        self.store(&Exp::new(Kind::Local, register as i32), &mut body)?;
        // For the debugger the name lives from here on.
        let pc = self.func.code.len() as u32;
        if let Some(&at) = self.func.active.last() {
            self.func.locals[at].start = pc;
        }
        Ok(())
    }

    fn local_statement(&mut self) -> Parsed<()> {
        // Declared now, in scope after the values: the names wait here.
        let mut names = Vec::new();
        loop {
            self.check_limit(
                self.func.active.len() + names.len() + 1,
                LOCALS_MAX,
                "local variables",
            )?;
            names.push(self.expect_name()?);
            if !self.accept(&Token::Char(b','))? {
                break;
            }
        }
        let (count, mut e) = if self.accept(&Token::Char(b'='))? {
            self.expression_list()?
        } else {
            (0, Exp::new(Kind::Void, 0))
        };
        self.adjust(names.len(), count, &mut e)?;
        let declared = names.len();
        for (at, name) in names.into_iter().enumerate() {
            self.new_local(name, at)?;
        }
        self.activate(declared);
        Ok(())
    }

    /// Adjusts `given` values, the last of them `e`, to `wanted` values.
    fn adjust(&mut self, wanted: usize, given: usize, e: &mut Exp) -> Parsed<()> {
        let extra = wanted as i32 - given as i32;
        if matches!(e.kind, Kind::Call | Kind::Vararg) {
            let results = (extra + 1).max(0);
            self.set_returns(e, results)?;
            if results > 1 {
                self.reserve(results as usize - 1)?;
            }
            return Ok(());
        }
        if e.kind != Kind::Void {
            self.put_in_next(e)?;
        }
        if extra > 0 {
            let from = self.func.free;
            self.reserve(extra as usize)?;
            self.emit_nil(from, extra as usize);
        }
        Ok(())
    }

    fn function_statement(&mut self, line: u32) -> Parsed<()> {
        self.advance()?;
        let mut var = self.variable()?;
        let mut is_method = false;
        while self.token == Token::Char(b'.') {
            self.field(&mut var)?;
        }
        if self.token == Token::Char(b':') {
            is_method = true;
            self.field(&mut var)?;
        }
        let mut body = self.function_body(is_method, line)?;
        self.store(&var, &mut body)?;
        self.fix_line(line);
        Ok(())
    }

    fn return_statement(&mut self) -> Parsed<()> {
        self.advance()?;
        if self.block_follows() || self.token == Token::Char(b';') {
            self.emit_return(0, 0);
            return Ok(());
        }
        let (count, mut e) = self.expression_list()?;
        let active = self.func.active.len();
        if matches!(e.kind, Kind::Call | Kind::Vararg) {
            self.set_returns(&e, MULTI)?;
            if e.kind == Kind::Call && count == 1 {
                self.func.code[e.info as usize].op = Op::TailCall;
            }
            self.emit_return(active, MULTI);
        } else if count == 1 {
            let first = self.put_in_any(&mut e)?;
            self.emit_return(first as usize, 1);
        } else {
            self.put_in_next(&mut e)?;
            self.emit_return(active, count as i32);
        }
        Ok(())
    }

    fn expression_statement(&mut self) -> Parsed<()> {
        let e = self.primary_expression()?;
        if e.kind == Kind::Call {
            self.func.code[e.info as usize].c = 1;
            return Ok(());
        }
        let mut targets = vec![e];
        loop {
            let assignable =
                |kind| matches!(kind, Kind::Local | Kind::Upval | Kind::Global | Kind::Indexed);
            if !targets.last().is_some_and(|target| assignable(target.kind)) {
                return Err(self.syntax_error("syntax error"));
            }
            if !self.accept(&Token::Char(b','))? {
                break;
            }
            let e = self.primary_expression()?;
            if e.kind == Kind::Local {
                self.protect_targets(&mut targets, &e)?;
            }
            let limit = LEVELS_MAX - self.levels;
            self.check_limit(targets.len(), limit, "variables in assignment")?;
            targets.push(e);
        }
        self.assignment(&targets)
    }

    /// Copies a local that is assigned in the same statement that indexes with it: `a[i], i = ...`
    /// must use the old `i`.
    fn protect_targets(&mut self, targets: &mut [Exp], local: &Exp) -> Parsed<()> {
        let copy = self.func.free as i32;
        let mut conflict = false;
        for target in targets.iter_mut().filter(|target| target.kind == Kind::Indexed) {
            if target.info == local.info {
                conflict = true;
                target.info = copy;
            }
            if i32::from(target.aux) == local.info {
                conflict = true;
                target.aux = copy as u16;
            }
        }
        if conflict {
            self.emit_abc(Op::Move, copy, local.info, 0);
            self.reserve(1)?;
        }
        Ok(())
    }

    fn assignment(&mut self, targets: &[Exp]) -> Parsed<()> {
        self.expect(&Token::Char(b'='))?;
        let (count, mut e) = self.expression_list()?;
        let mut rest = targets;
        if count == targets.len() {
            self.set_one_return(&mut e);
            if let Some((last, before)) = targets.split_last() {
                self.store(last, &mut e)?;
                rest = before;
            }
        } else {
            self.adjust(targets.len(), count, &mut e)?;
            if count > targets.len() {
                self.func.free -= count - targets.len();
            }
        }
        for target in rest.iter().rev() {
            let mut value = Exp::new(Kind::Fixed, self.func.free as i32 - 1);
            self.store(target, &mut value)?;
        }
        Ok(())
    }
}
