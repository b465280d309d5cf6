//! Work on long texts and large tables is bounded: it costs fuel, or takes linear time.

use super::*;

static SCRIPT: Profile = Profile { host: &["redis.call"], kind: ProfileKind::Script };

/// Returns how often `body` runs in a loop after `setup` with 1,000,000 fuel.
fn rounds(setup: &str, body: &str) -> f64 {
    let source = format!("local n, s, t = 0 {setup} while true do n = n + 1 {body} end");
    let chunk = compile(source.as_bytes(), "test").unwrap();
    let mut vm = Vm::new(&chunk, &SCRIPT, Limits::default());
    assert_eq!(vm.run(&mut 1_000_000, None), Pause::OutOfFuel, "{body}");
    let frames = vm.frames();
    let main = frames.last().unwrap();
    main.locals.iter().find(|local| local.name == "n").unwrap().short.parse().unwrap()
}

/// Each body, of some instructions that look at a megabyte or more, runs a few times only.
fn are_charged(setup: &str, bodies: &[&str]) {
    for body in bodies {
        let rounds = rounds(setup, body);
        assert!(rounds <= 120.0, "{body}: {rounds}");
    }
}

#[test]
fn what_reads_a_long_text_costs_fuel() {
    let setup = "s, t = ('1'):rep(1e6), ('1'):rep(1e6) local keys = {[t] = 1} \
                 local packed = cmsgpack.pack(s)";
    let bodies = [
        "local less = s < t",
        "local same = s == t",
        "rawequal(s, t)",
        "local value = keys[s]",
        "keys[s] = 2",
        "rawget(keys, s)",
        "next(keys, s)",
        "table.sort({s, t})",
        "local number = s + 1",
        "for i = s, 1 do end",
        "tonumber(s)",
        "tonumber(s, 16)",
        "math.floor(s)",
        "bit.tobit(s)",
        "pcall(error, s)",
        "pcall(string.find, 'x', s .. '[')",
        "('x'):find(s)",
        "struct.unpack('c1000000', s)",
        "pcall(struct.unpack, 's', s)",
        "pcall(struct.size, s)",
        "cmsgpack.unpack_one(packed, 0)",
        "redis.error_reply(s)",
        "loadstring('', s)",
    ];
    are_charged(setup, &bodies);
    // A short text is a part of its instruction.
    let (short, plain) = (rounds("s = ('1'):rep(39)", "tonumber(s)"), rounds("", "tonumber(1)"));
    assert!((short - plain).abs() < 10.0, "{short} {plain}");
    assert!(rounds("", "tonumber('1e-300')") < 30_000.0);
}

#[test]
fn what_is_refused_in_the_end_costs_fuel_too() {
    let setup = "s = ('a'):rep(6e6) t = {s, s, s, {}}";
    let bodies = [
        "pcall(function() return s .. s .. s end)",
        "pcall(table.concat, t)",
        "pcall(table.concat, t, '', 2)",
        "pcall(string.format, '%s%s%s', s, s, s)",
        "pcall(struct.pack, 'sss', s, s, s)",
        "pcall(cmsgpack.pack, s, s, s)",
        "pcall(cjson.encode, {s, s, s})",
        "pcall(string.gsub, 'aaaa', '.', s)",
        "pcall(string.gsub, 'aaaa', '.', function() return s end)",
        "pcall(string.find, s, ('.-'):rep(100) .. 'b')",
        "pcall(string.gsub, s, ('.-'):rep(100) .. 'b', '')",
    ];
    are_charged(setup, &bodies);
    // Not built first: 800 GB, and 900 MB.
    are_charged("s = ('%0'):rep(1e5)", &["pcall(string.gsub, ('a'):rep(8e6), '.*', s)"]);
    let many = format!("pcall(function() return {}s end)", "s .. ".repeat(150));
    are_charged(setup, &[&many]);
}

#[test]
fn the_empty_places_of_a_table_cost_fuel() {
    let setup = "t = {} for i = 1, 1e5 do t[i] = 1 end for i = 1, 1e5 do t[i] = nil end";
    let bodies = ["next(t)", "table.foreach(t, type)", "cjson.encode(t)", "cmsgpack.pack(t)"];
    for body in bodies {
        let rounds = rounds(setup, body);
        assert!(rounds <= 300.0, "{body}: {rounds}");
    }
}

#[test]
fn a_pattern_is_charged_for_its_sets_and_captures() {
    let long = "s, t = ('b'):rep(10), '[^' .. ('a'):rep(1e6) .. ']'";
    are_charged(long, &["pcall(string.find, s, t .. '*c')", "pcall(string.find, s, '%f' .. t)"]);
    are_charged("", &["pcall(string.gsub, ('a'):rep(1e3), '(x*)', ('%1'):rep(5e4))"]);
}

/// Each of these took the square of the length.
#[test]
fn long_texts_are_searched_and_compiled_in_linear_time() {
    for (source, expected) in [
        ("local s = ('a'):rep(2e6) return s:find(('a'):rep(1e6) .. 'b', 1, true)", Data::Nil),
        ("return (('a'):rep(99) .. '\\255'):find(('a'):rep(50) .. '\\255')", Data::Num(50.0)),
        ("return loadstring('return ' .. ('1 and '):rep(140000) .. '7')()", Data::Num(7.0)),
        ("return loadstring('return ' .. ('nil or '):rep(140000) .. '7')()", Data::Num(7.0)),
        (
            "return loadstring('if x then ' .. ('elseif x then '):rep(70000) .. 'else return 7 \
             end')()",
            Data::Num(7.0),
        ),
        (
            "return loadstring('while true do ' .. ('if x then break end '):rep(40000) .. 'return \
             7 end')()",
            Data::Num(7.0),
        ),
    ] {
        assert_eq!(result(source), expected, "{source}");
    }
}
