//! LCS: the longest common subsequence of two strings.

use crate::args::{int, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::value::{Data, Obj};
use ground::resp::{Bytes, Value};

fn string_of(cx: &mut Ctx<'_>, key: &Bytes) -> Result<Vec<u8>, Fail> {
    match cx.read(key).map(Obj::data) {
        None => Ok(Vec::new()),
        Some(Data::Str(s)) => Ok(s.as_bytes().into_owned()),
        Some(_) => Err("ERR The specified keys must contain string values".into()),
    }
}

#[derive(Debug, Default)]
struct Options {
    len: bool,
    idx: bool,
    min_match: usize,
    with_len: bool,
}

fn options(args: &[Bytes]) -> Result<Options, Fail> {
    let mut options = Options::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match () {
            () if is(arg, "IDX") => options.idx = true,
            () if is(arg, "LEN") => options.len = true,
            () if is(arg, "WITHMATCHLEN") => options.with_len = true,
            () if is(arg, "MINMATCHLEN") && rest.len() > 0 => {
                let n = int(rest.next().map_or(&[][..], |n| n))?;
                options.min_match = usize::try_from(n).unwrap_or(0);
            }
            () => return syntax(),
        }
    }
    if options.idx && options.len {
        let text = "ERR If you want both the length and indexes, please just use IDX.";
        return Err(text.into());
    }
    Ok(options)
}

/// Computes the table of lengths, row by row, `(a.len() + 1) × (b.len() + 1)`.
fn lengths(a: &[u8], b: &[u8]) -> Result<Vec<u32>, Fail> {
    let width = b.len() as u64 + 1;
    let cells = (a.len() as u64 + 1) * width;
    let too_big = "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len";
    if cells * 4 > 512 * 1024 * 1024 {
        return Err(too_big.into());
    }
    let mut table: Vec<u32> = Vec::new();
    table.try_reserve_exact(cells as usize).map_err(|_| Fail::from(too_big))?;
    table.resize(cells as usize, 0);
    let width = width as usize;
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            table[i * width + j] = if a[i - 1] == b[j - 1] {
                table[(i - 1) * width + j - 1] + 1
            } else {
                table[(i - 1) * width + j].max(table[i * width + j - 1])
            };
        }
    }
    Ok(table)
}

pub fn lcs(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (a, b) = (string_of(cx, &argv[1])?, string_of(cx, &argv[2])?);
    let options = options(&argv[3..])?;
    let cells = (a.len() as u64 + 1).saturating_mul(b.len() as u64 + 1);
    // Both are copied, even if they are too long.
    let looks = (a.len() + b.len()) / 256;
    cx.inst.check_cells(cells).or_else(|fail| cx.visits(looks).and(Err(fail)))?;
    cx.visits(looks + cells as usize / 16)?;
    let table = lengths(&a, &b)?;
    let width = b.len() + 1;
    let total = table[a.len() * width + b.len()];
    if options.len {
        return Ok(Value::Int(total.into()));
    }
    let (mut i, mut j) = (a.len(), b.len());
    let mut common = Vec::new();
    // The match under way, ends included: `(a from, a to, b from, b to)`.
    let mut run: Option<(usize, usize, usize, usize)> = None;
    let mut matches = Vec::new();
    let mut emit = |run: (usize, usize, usize, usize)| {
        let (a0, a1, b0, b1) = run;
        let len = a1 - a0 + 1;
        if options.min_match == 0 || len >= options.min_match {
            let pair = |x, y| Value::Array(vec![Value::int(x), Value::int(y)]);
            let mut entry = vec![pair(a0, a1), pair(b0, b1)];
            entry.extend(options.with_len.then(|| Value::int(len)));
            matches.push(Value::Array(entry));
        }
    };
    while i > 0 && j > 0 {
        if a[i - 1] == b[j - 1] {
            common.push(a[i - 1]);
            run = Some(match run {
                None => (i - 1, i - 1, j - 1, j - 1),
                Some((a0, a1, b0, b1)) if a0 == i && b0 == j => (i - 1, a1, j - 1, b1),
                Some(done) => {
                    emit(done);
                    (i - 1, i - 1, j - 1, j - 1)
                }
            });
            (i, j) = (i - 1, j - 1);
        } else {
            let (up, left) = (table[(i - 1) * width + j], table[i * width + j - 1]);
            if up > left {
                i -= 1;
            } else {
                j -= 1;
            }
            if let Some(done) = run.take() {
                emit(done);
            }
        }
    }
    if let Some(done) = run {
        emit(done);
    }
    if options.idx {
        return Ok(cx.map(vec![
            (Value::bulk("matches"), Value::Array(matches)),
            (Value::bulk("len"), Value::Int(total.into())),
        ]));
    }
    common.reverse();
    Ok(Value::bulk(common))
}
