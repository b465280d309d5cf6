//! Arguments of library functions, after `lauxlib.c`: checks and their errors.

use crate::call::Args;
use crate::state::{State, Thrown};
use crate::value::{Str, TableId, Value};

/// Stands for an argument that was not passed.
const NIL: &Value = &Value::Nil;

/// Truncates a double to a C integer; a value that does not fit becomes the smallest one, as on
/// x86-64.
pub(crate) fn to_integer(n: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&n) {
        n as i64
    } else {
        i64::MIN
    }
}

impl State {
    /// Returns argument `n`, from 1; nil if it is absent.
    #[inline]
    pub fn arg(&self, args: Args, n: usize) -> &Value {
        if n <= args.len { &self.stack[args.func + n] } else { NIL }
    }

    /// Returns an error at the position of the caller.
    pub fn lib_error(&self, message: &str) -> Thrown {
        self.run_error(message)
    }

    /// Returns the error "bad argument #n to 'f' (…)".
    pub fn arg_error(&self, n: usize, message: &str) -> Thrown {
        let name = self.frames.len().checked_sub(1).and_then(|at| self.callee_name(at));
        let mut n = n;
        let name = match name {
            Some(("method", name)) => {
                n -= 1;
                if n == 0 {
                    let text = format!("calling '{}' on bad self ({message})", name.lossy());
                    return self.lib_error(&text);
                }
                name.lossy()
            }
            Some((_, name)) => name.lossy(),
            None => "?".to_owned(),
        };
        self.lib_error(&format!("bad argument #{n} to '{name}' ({message})"))
    }

    /// Returns the error "number expected, got nil".
    pub fn arg_type_error(&self, args: Args, n: usize, expected: &str) -> Thrown {
        let got = if n > args.len { "no value" } else { self.arg(args, n).type_name() };
        self.arg_error(n, &format!("{expected} expected, got {got}"))
    }

    pub fn check_any(&self, args: Args, n: usize) -> Result<&Value, Thrown> {
        if n > args.len { Err(self.arg_error(n, "value expected")) } else { Ok(self.arg(args, n)) }
    }

    pub fn check_table(&self, args: Args, n: usize) -> Result<TableId, Thrown> {
        match self.arg(args, n) {
            Value::Table(id) => Ok(*id),
            _ => Err(self.arg_type_error(args, n, "table")),
        }
    }

    pub fn check_function(&self, args: Args, n: usize) -> Result<Value, Thrown> {
        match self.arg(args, n) {
            value if value.is_function() => Ok(value.clone()),
            _ => Err(self.arg_type_error(args, n, "function")),
        }
    }

    #[inline]
    pub fn check_num(&mut self, args: Args, n: usize) -> Result<f64, Thrown> {
        if let Value::Num(number) = self.arg(args, n) {
            return Ok(*number);
        }
        self.number_arg(args, n).ok_or_else(|| self.arg_type_error(args, n, "number"))
    }

    /// Returns argument `n` as a number, if it is one or the text of one.
    pub fn number_arg(&mut self, args: Args, n: usize) -> Option<f64> {
        let value = self.arg(args, n).clone();
        self.parses(&value);
        value.to_number()
    }

    pub fn check_int(&mut self, args: Args, n: usize) -> Result<i64, Thrown> {
        self.check_num(args, n).map(to_integer)
    }

    /// Returns an argument as a C `int`.
    pub fn check_int32(&mut self, args: Args, n: usize) -> Result<i32, Thrown> {
        self.check_int(args, n).map(|n| n as i32)
    }

    pub fn opt_int(&mut self, args: Args, n: usize, default: i64) -> Result<i64, Thrown> {
        if self.arg(args, n).is_nil() { Ok(default) } else { self.check_int(args, n) }
    }

    /// Returns a string argument; a number is converted.
    #[inline]
    pub fn check_str(&self, args: Args, n: usize) -> Result<Str, Thrown> {
        match self.arg(args, n) {
            Value::Str(s) => Ok(s.clone()),
            Value::Num(number) => Ok(Str::new(&crate::number::format(*number))),
            _ => Err(self.arg_type_error(args, n, "string")),
        }
    }

    pub fn opt_str(&self, args: Args, n: usize, default: &str) -> Result<Str, Thrown> {
        if self.arg(args, n).is_nil() {
            Ok(Str::new(default.as_bytes()))
        } else {
            self.check_str(args, n)
        }
    }

    /// Refuses a result that is too long; to build so much was work too.
    pub fn check_size(&mut self, len: usize) -> Result<(), Thrown> {
        if len <= self.limits.string as usize {
            return Ok(());
        }
        self.spend(len / 16);
        Err(self.lib_error("resulting string too large"))
    }

    /// Pushes a new string, if it is within the bound on strings.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Thrown> {
        self.check_size(bytes.len())?;
        self.spend(bytes.len() / 16);
        let value = self.new_str(bytes);
        self.push(value);
        Ok(())
    }
}
