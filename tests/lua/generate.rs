//! Programs made from a seed, for comparison with the reference.
//!
//! They compute with whatever types come along, so most statements either print something odd or
//! fail with a message that names a variable; both must be the same in both interpreters. What
//! depends on addresses (printing or hashing references) and what may take for ever is avoided.

/// The program of `seed`.
pub fn program(seed: u64) -> String {
    let mut maker = Maker {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635,
        out: String::new(),
        depth: 0,
    };
    maker.program();
    maker.out
}

const PROLOGUE: &str = r##"
local function q(v) local t = type(v) if t == "table" or t == "function" or t == "thread" then
  return t end return v end
local function p(...) local r = {} for i = 1, select("#", ...) do r[i] = tostring(q((select(i,
  ...)))) end print(unpack(r, 1, select("#", ...))) end
local function dump(t) local r = {} if type(t) ~= "table" then return p(t) end for k, v in
  pairs(t) do r[#r + 1] = tostring(q(k)) .. "=" .. tostring(q(v)) end print(#t, table.concat(r, "
  ")) end
local a, b, c, d = 1, "x", {}, { x = { y = 1 }, 4, 2 }
local t = { 1, 2, 3, x = 1, y = "two" }
local u = setmetatable({ n = 5 }, { __index = function(_, k) if k == "bad" then return nil .. k
  end return k end,
  __add = function(x, y) return "add" end, __concat = function(x, y) return "cat" end,
  __call = function(self, ...) return select("#", ...), ... end, __lt = function() return true end,
  __eq = function() return true end, __unm = function() return "neg" end })
local function f(x, y, ...) if x == nil then return y, ... end return x end
"##;

struct Maker {
    state: u64,
    out: String,
    depth: usize,
}

impl Maker {
    fn next(&mut self, bound: usize) -> usize {
        // splitmix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick(&mut self, words: &[&str]) -> String {
        words[self.next(words.len())].to_owned()
    }

    fn program(&mut self) {
        self.out.push_str(PROLOGUE);
        for _ in 0..8 + self.next(8) {
            match self.next(6) {
                0 => {
                    let block = self.block(2);
                    self.line(&format!("p(pcall(function(...) {block} end, a, b))"));
                }
                1 => {
                    let e = self.expression(3);
                    self.line(&format!("p(pcall(function() return {e} end))"));
                }
                2 => {
                    let block = self.block(2);
                    self.line(&format!(
                        "p(coroutine.resume(coroutine.create(function(...) {block} end), t, 2))"
                    ));
                }
                3 => {
                    let (s, e) = (self.statement(2), self.expression(2));
                    self.line(&format!("p(pcall(function()\n{s}\nreturn {e} end))"));
                }
                4 => self.table_history(),
                _ => {
                    let block = self.block(1);
                    self.line(&format!(
                        "p(xpcall(function() {block} end, function(e) return 'H', e end))"
                    ));
                }
            }
        }
        self.line("p(a, b, c, d) dump(t) dump(c)");
        if self.next(8) == 0 {
            let s = self.statement(2);
            self.line(&s);
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Insertions and removals in random order, then what `pairs` and `#` make of them.
    fn table_history(&mut self) {
        let name = self.pick(&["t", "c"]);
        let mut text = format!("if type({name}) ~= 'table' then {name} = {{}} end ");
        for _ in 0..1 + self.next(25) {
            let key = match self.next(5) {
                0 => format!("'k{}'", self.next(30)),
                1 => format!("{}", self.next(8) as f64 / 2.0),
                _ => format!("{}", 1 + self.next(20)),
            };
            match self.next(6) {
                0 => text.push_str(&format!("{name}[{key}] = nil ")),
                1 => text.push_str(&format!("table.insert({name}, {}) ", self.next(50))),
                2 => text.push_str(&format!("table.remove({name}) ")),
                _ => text.push_str(&format!("{name}[{key}] = {} ", self.next(100))),
            }
        }
        self.line(&text);
        self.line(&format!("dump({name})"));
    }

    fn block(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.next(3) {
            text.push_str(&self.statement(depth));
            text.push_str(if self.next(2) == 0 { "\n" } else { " ; " });
        }
        if self.next(2) == 0 {
            let (x, y) = (self.expression(2), self.expression(1));
            text.push_str(&match self.next(4) {
                0 => format!("return {x}, {y}"),
                1 => format!("return f({x}, {y})"),
                2 => format!("return (f({x}))"),
                _ => format!("return {x}"),
            });
        }
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            let e = self.expression(2);
            return format!("p({e})");
        }
        let choice = self.next(14);
        let e = self.expression(2);
        match choice {
            0 => {
                let name = self.pick(&["a", "b", "d", "g"]);
                format!("{name} = {e}")
            }
            1 => {
                let (place, key) = (self.pick(&["t", "c", "u", "d", "g"]), self.key());
                format!("{place}[{key}] = {e}")
            }
            2 => {
                let name = self.pick(&["l", "m", "a", "t"]);
                let rest = self.block(depth - 1);
                format!("do local {name} = {e} p({name}) do {rest} end end")
            }
            3 => {
                let (x, y) = (self.block(depth - 1), self.block(depth - 1));
                format!("if {e} then {x} else {y} end")
            }
            4 => {
                let body = self.block(depth - 1);
                let (from, to) = (self.next(4), self.next(5));
                let step = self.pick(&["1", "2", "-1", "0.5"]);
                format!(
                    "for i = {from}, {to}, {step} do p(i) do {body} end if i > 2 then break end end"
                )
            }
            5 => {
                let body = self.statement(depth - 1);
                let source =
                    self.pick(&["t", "c", "{ 1, nil, 3, z = 2 }", "d", "{ f(1, 2), f(nil, 3) }"]);
                let iterator = self.pick(&["pairs", "ipairs"]);
                format!(
                    "for k, v in {iterator}({source}) do p(k, v) if k == 2 then do {body} end \
                     break end end"
                )
            }
            6 => {
                let body = self.statement(depth - 1);
                format!("local n = 0 while n < {} do n = n + 1 do {body} end end", 1 + self.next(3))
            }
            7 => {
                let body = self.statement(depth - 1);
                format!(
                    "local n = 0 repeat local z = n n = n + 1 do {body} end until z >= {} or {e}",
                    self.next(3)
                )
            }
            8 => {
                let body = self.block(depth - 1);
                let args = self.expression(1);
                format!("local function h(x, ...) {body} end p(h({e}, {args}))")
            }
            9 => {
                let (x, y) = (self.expression(1), self.expression(1));
                let (v, w) = (
                    self.pick(&["a", "t.x", "c[1]", "d", "b"]),
                    self.pick(&["b", "t[2]", "g", "d.x"]),
                );
                format!("{v}, {w} = {x}, {y}")
            }
            10 => format!("p({e})"),
            11 => {
                let body = self.block(depth - 1);
                format!(
                    "for x, y in coroutine.wrap(function() coroutine.yield(1, 2) do {body} end \
                     end) do p(x, y) end"
                )
            }
            12 => format!("error({e}, {})", self.next(3)),
            _ => {
                let body = self.block(depth - 1);
                format!("p(pcall(function(x) {body} end, {e}))")
            }
        }
    }

    /// A key that hashes the same everywhere.
    fn key(&mut self) -> String {
        let e = self.expression(1);
        match self.next(3) {
            0 => format!("q({e})"),
            1 => self.pick(&["1", "2", "'x'", "'y'", "4", "-1", "1.5", "true", "nil", "#t + 1"]),
            _ => format!("{}", self.next(6)),
        }
    }

    fn atom(&mut self) -> String {
        self.pick(&[
            "a",
            "b",
            "c",
            "d",
            "t",
            "u",
            "g",
            "f",
            "t.x",
            "t.y",
            "t[1]",
            "c.z",
            "d.x",
            "u.n",
            "u.bad",
            "1",
            "2",
            "0",
            "-1",
            "0.5",
            "10",
            "1e15",
            "3.25",
            "'a'",
            "'10'",
            "'0x1F'",
            "''",
            "'abc def'",
            "\"q\\n\"",
            "nil",
            "true",
            "false",
            "{}",
            "{ 1, 2 }",
            "{ x = 1, 2 }",
            "f()",
            "f(1)",
            "(f(nil, 1, 2))",
            "#t",
            "math.pi",
            "t[#t]",
            "undefined",
            "b.x",
            "string.upper",
        ])
    }

    fn expression(&mut self, depth: usize) -> String {
        self.depth += 1;
        let text = if depth == 0 || self.depth > 60 { self.atom() } else { self.compound(depth) };
        self.depth -= 1;
        text
    }

    fn compound(&mut self, depth: usize) -> String {
        let x = self.expression(depth - 1);
        match self.next(12) {
            0..=2 => self.atom(),
            3..=5 => {
                let y = self.expression(depth - 1);
                let op = self.pick(&[
                    "+", "-", "*", "/", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and",
                    "or", "..", "+", "or",
                ]);
                if self.next(3) == 0 {
                    format!("{x} {op} {y}")
                } else {
                    format!("({x}) {op} ({y})")
                }
            }
            6 => {
                let op = self.pick(&["- ", "not ", "#"]);
                format!("{op}({x})")
            }
            7 => self.table(depth - 1),
            8 => {
                let call = self.pick(&["f", "u", "t.x", "d", "a", "b", "c.m"]);
                let y = self.expression(depth - 1);
                format!("{call}({x}, {y})")
            }
            9 => {
                let key = self.key();
                let place = self.pick(&["t", "c", "u", "d", "b", "({ 5, 6, x = 7 })"]);
                format!("{place}[{key}]")
            }
            10 => {
                let body = self.expression(depth - 1);
                format!("(function(x, ...) return {body} end)({x})")
            }
            _ => self.library(depth - 1),
        }
    }

    fn table(&mut self, depth: usize) -> String {
        let mut items = Vec::new();
        for _ in 0..self.next(5) {
            let e = self.expression(depth.min(1));
            items.push(match self.next(4) {
                0 => format!("x{} = {e}", self.next(4)),
                1 => format!("[{}] = {e}", 1 + self.next(5)),
                _ => e,
            });
        }
        format!("{{ {} }}", items.join(", "))
    }

    fn library(&mut self, depth: usize) -> String {
        let (x, y, z) = (self.expression(depth), self.expression(depth.min(1)), self.atom());
        let n = self.next(9) as i64 - 3;
        let pattern = self.pick(&[
            "'.'",
            "'%a+'",
            "'(%w)(%w*)'",
            "'^%s*(.-)%s*$'",
            "'()'",
            "'[^%d]'",
            "'x*'",
            "'%b()'",
            "'(a)%1'",
            "'%f[%w]%w+'",
            "'['",
            "'%'",
            "'(.-)c'",
            "'%d+$'",
            "''",
        ]);
        match self.next(26) {
            0 => format!("string.sub({x}, {n}, {z})"),
            1 => format!("string.rep({x}, {n})"),
            2 => format!("string.find({x}, {pattern}, {n})"),
            3 => format!("string.match({x}, {pattern})"),
            4 => format!("string.gsub({x}, {pattern}, {y})"),
            5 => format!("string.gsub({x}, {pattern}, '<%0>', {n})"),
            6 => format!("string.byte({x}, {n})"),
            7 => {
                let spec = self.pick(&[
                    "'%d'", "'%5.2f|'", "'%s'", "'%q'", "'%x'", "'%-6s|'", "'%g %s'", "'%c'",
                    "'%05d'", "'%e'",
                ]);
                format!("string.format({spec}, {x}, {y})")
            }
            8 => format!("tonumber({x})"),
            9 => format!("tostring(q({x}))"),
            10 => format!("type({x})"),
            11 => format!("select({n}, {x}, {y})"),
            12 => format!("select('#', {x}, {y}, {z})"),
            13 => format!("table.concat({x}, {y})"),
            14 => format!("unpack({x}, {n}, {})", n + 3),
            15 => format!("math.floor({x})"),
            16 => format!("math.max({x}, {y})"),
            17 => format!("rawget({x}, q({y}))"),
            18 => format!("rawequal({x}, {y})"),
            19 => format!("next({{ {x} }})"),
            20 => format!("pcall({x}, {y}, {z})"),
            21 => format!("setmetatable({{ {x} }}, {z})[1]"),
            22 => format!("({x}):upper()"),
            23 => format!("({x}):len({y})"),
            24 => format!("table.remove({{ {x}, {y}, {z} }}, {n})"),
            _ => format!("assert({x}, {y})"),
        }
    }
}
