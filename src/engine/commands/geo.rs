//! Geo commands: positions on the earth in sorted sets.

use crate::args::{float, float_or, int, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::geohash::{self, LAT_MAX, LON_MAX, Shape};
use crate::longdouble::LongDouble;
use crate::value::ZSetVal;
use ground::resp::{Bytes, Value};
use ground::sorted::sort_by;

use super::zset_ranges::store_as;
use super::zsets::zadd;

fn place(lon: &[u8], lat: &[u8]) -> Result<(f64, f64), Fail> {
    let (lon, lat) = (float(lon)?, float(lat)?);
    if lon.abs() > LON_MAX || lat.abs() > LAT_MAX {
        let text = format!("ERR invalid longitude,latitude pair {lon:.6},{lat:.6}");
        return Err(text.into());
    }
    Ok((lon, lat))
}

/// Returns the length of a unit in meters.
fn unit(arg: &[u8]) -> Result<f64, Fail> {
    match () {
        () if is(arg, "m") => Ok(1.0),
        () if is(arg, "km") => Ok(1000.0),
        () if is(arg, "ft") => Ok(0.3048),
        () if is(arg, "mi") => Ok(1609.34),
        () => Err("ERR unsupported unit provided. please use M, KM, FT, MI".into()),
    }
}

/// Converts a score to a geohash. Scores that GEOADD did not make are converted as x86 does it.
fn bits(score: f64) -> u64 {
    const TOP: f64 = 9_223_372_036_854_775_808.0;
    let signed = |d: f64| if (-TOP..TOP).contains(&d) { d as i64 } else { i64::MIN };
    if score < TOP { signed(score) as u64 } else { (signed(score - TOP) ^ i64::MIN) as u64 }
}

pub fn geoadd(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut at = 2;
    let (mut nx, mut xx) = (false, false);
    while let Some(arg) = argv.get(at) {
        match () {
            () if is(arg, "NX") => nx = true,
            () if is(arg, "XX") => xx = true,
            () if is(arg, "CH") => {}
            () => break,
        }
        at += 1;
    }
    let places = &argv[at..];
    if !places.len().is_multiple_of(3) || (nx && xx) {
        return syntax();
    }
    let mut zadd_argv: Vec<Bytes> = argv[..at].to_vec();
    for triple in places.chunks_exact(3) {
        let (lon, lat) = place(&triple[0], &triple[1])?;
        zadd_argv.push(geohash::encode(lon, lat).to_string().as_bytes().into());
        zadd_argv.push(triple[2].clone());
    }
    zadd(cx, &zadd_argv)
}

pub fn geohash(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let zset = cx.zset(&argv[1])?;
    let text = |member: &Bytes| match zset.and_then(|zset| zset.score(member)) {
        Some(score) => Value::bulk(geohash::text(bits(score))),
        None => Value::NilBulk,
    };
    Ok(Value::Array(argv[2..].iter().map(text).collect()))
}

fn coordinates(cx: &Ctx<'_>, (lon, lat): (f64, f64)) -> Value {
    let number = |d: f64| match cx.resp3() {
        true => Value::Double(d),
        false => Value::bulk(LongDouble::from_double(d).to_text()),
    };
    Value::Array(vec![number(lon), number(lat)])
}

fn score_of(zset: Option<&ZSetVal>, member: &[u8]) -> Option<f64> {
    zset.and_then(|zset| zset.score(member))
}

pub fn geopos(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let zset = cx.zset(&argv[1])?;
    let scores: Vec<Option<f64>> = argv[2..].iter().map(|m| score_of(zset, m)).collect();
    let position = |score: Option<f64>| match score {
        Some(score) => coordinates(cx, geohash::decode(bits(score))),
        None => Value::NilArray,
    };
    Ok(Value::Array(scores.into_iter().map(position).collect()))
}

pub fn geodist(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let meters = match &argv[4..] {
        [] => 1.0,
        [name] => unit(name)?,
        _ => return syntax(),
    };
    let zset = cx.zset(&argv[1])?;
    let ends = score_of(zset, &argv[2]).zip(score_of(zset, &argv[3]));
    let Some((a, b)) = ends else { return Ok(Value::NilBulk) };
    let (a, b) = (geohash::decode(bits(a)), geohash::decode(bits(b)));
    Ok(distance_value(geohash::distance(a.0, a.1, b.0, b.1) / meters))
}

fn distance_value(d: f64) -> Value {
    Value::bulk(format!("{d:.4}"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// GEORADIUS and its read-only twin.
    Radius {
        by_member: bool,
        stores: bool,
    },
    Search,
    SearchStore,
}

#[derive(Debug, Default)]
struct Query<'a> {
    center: Option<(f64, f64)>,
    shape: Option<Shape>,
    unit: f64,
    with_dist: bool,
    with_hash: bool,
    with_coord: bool,
    sort: Option<bool>,
    count: usize,
    any: bool,
    store: Option<&'a Bytes>,
    store_dist: bool,
}

/// Parses a length: returns it in meters, and its unit.
fn length(arg: &[u8], name: &[u8], what: &str) -> Result<(f64, f64), Fail> {
    let n = float_or(arg, &format!("ERR need numeric {what}"))?;
    if n < 0.0 {
        let text = if what == "radius" { "radius" } else { "height or width" };
        return Err(format!("ERR {text} cannot be negative").into());
    }
    let meters = unit(name)?;
    Ok((n * meters, meters))
}

fn member_place(zset: Option<&ZSetVal>, member: &[u8]) -> Result<(f64, f64), Fail> {
    match score_of(zset, member) {
        Some(score) => Ok(geohash::decode(bits(score))),
        None => Err("ERR could not decode requested zset member".into()),
    }
}

/// Parses the fixed arguments of GEORADIUS and GEORADIUSBYMEMBER.
fn radius_head<'a>(
    query: &mut Query<'a>,
    zset: Option<&ZSetVal>,
    argv: &'a [Bytes],
    by_member: bool,
) -> Result<usize, Fail> {
    let at = if by_member {
        if zset.is_none() {
            // Of a key that is not there, nothing is asked.
            return Ok(5);
        }
        query.center = Some(member_place(zset, &argv[2])?);
        3
    } else {
        query.center = Some(place(&argv[2], &argv[3])?);
        4
    };
    let (radius, unit) = length(&argv[at], &argv[at + 1], "radius")?;
    query.shape = Some(Shape::Circle { radius });
    query.unit = unit;
    Ok(at + 2)
}

fn parse<'a>(zset: Option<&ZSetVal>, argv: &'a [Bytes], form: Form) -> Result<Query<'a>, Fail> {
    let mut query = Query { unit: 1.0, ..Query::default() };
    let search = matches!(form, Form::Search | Form::SearchStore);
    let mut at = match form {
        Form::Radius { by_member, .. } => radius_head(&mut query, zset, argv, by_member)?,
        Form::Search => 2,
        Form::SearchStore => {
            query.store = Some(&argv[1]);
            3
        }
    };
    let (mut by_member, mut by_place, mut by_radius, mut by_box) = (false, false, false, false);
    while let Some(word) = argv.get(at) {
        let rest = &argv[at + 1..];
        at += 1;
        match () {
            () if is(word, "WITHDIST") => query.with_dist = true,
            () if is(word, "WITHHASH") => query.with_hash = true,
            () if is(word, "WITHCOORD") => query.with_coord = true,
            () if is(word, "ANY") => query.any = true,
            () if is(word, "ASC") => query.sort = Some(true),
            () if is(word, "DESC") => query.sort = Some(false),
            () if is(word, "COUNT") && !rest.is_empty() => {
                let n = int(&rest[0])?;
                if n <= 0 {
                    return Err("ERR COUNT must be > 0".into());
                }
                query.count = usize::try_from(n).unwrap_or(usize::MAX);
                at += 1;
            }
            () if matches!(form, Form::Radius { stores: true, .. })
                && (is(word, "STORE") || is(word, "STOREDIST"))
                && !rest.is_empty() =>
            {
                query.store = Some(&rest[0]);
                query.store_dist = is(word, "STOREDIST");
                at += 1;
            }
            () if form == Form::SearchStore && is(word, "STOREDIST") => query.store_dist = true,
            () if search && is(word, "FROMMEMBER") && !rest.is_empty() && !by_place => {
                // Of a key that is not there, nothing is asked.
                if zset.is_some() {
                    query.center = Some(member_place(zset, &rest[0])?);
                }
                by_member = true;
                at += 1;
            }
            () if search && is(word, "FROMLONLAT") && rest.len() >= 2 && !by_member => {
                query.center = Some(place(&rest[0], &rest[1])?);
                by_place = true;
                at += 2;
            }
            () if search && is(word, "BYRADIUS") && rest.len() >= 2 && !by_box => {
                let (radius, unit) = length(&rest[0], &rest[1], "radius")?;
                (query.shape, query.unit) = (Some(Shape::Circle { radius }), unit);
                by_radius = true;
                at += 2;
            }
            () if search && is(word, "BYBOX") && rest.len() >= 3 && !by_radius => {
                let (width, _) = length(&rest[0], &rest[2], "width")?;
                let (height, unit) = length(&rest[1], &rest[2], "height")?;
                (query.shape, query.unit) = (Some(Shape::Box { width, height }), unit);
                by_box = true;
                at += 3;
            }
            () => return syntax(),
        }
    }
    check(&query, argv, form, by_member || by_place, by_radius || by_box)?;
    if query.count > 0 && query.sort.is_none() && !query.any {
        // A count wants the nearest.
        query.sort = Some(true);
    }
    Ok(query)
}

fn check(
    query: &Query<'_>,
    argv: &[Bytes],
    form: Form,
    has_center: bool,
    has_shape: bool,
) -> Result<(), Fail> {
    let name = String::from_utf8_lossy(&argv[0]).into_owned();
    if query.store.is_some() && (query.with_dist || query.with_hash || query.with_coord) {
        let what =
            if form == Form::SearchStore { "GEOSEARCHSTORE" } else { "STORE option in GEORADIUS" };
        return Err(format!(
            "ERR {what} is not compatible with WITHDIST, WITHHASH and WITHCOORD options"
        )
        .into());
    }
    let search = matches!(form, Form::Search | Form::SearchStore);
    if search && !has_center {
        return Err(format!(
            "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for {name}"
        )
        .into());
    }
    if search && !has_shape {
        return Err(
            format!("ERR exactly one of BYRADIUS and BYBOX can be specified for {name}").into()
        );
    }
    if query.any && query.count == 0 {
        return Err("ERR the ANY argument requires COUNT argument".into());
    }
    Ok(())
}

#[derive(Debug)]
struct Found {
    member: Bytes,
    score: f64,
    place: (f64, f64),
    distance: f64,
}

fn find(zset: &ZSetVal, query: &Query<'_>) -> Vec<Found> {
    let (Some(center), Some(shape)) = (query.center, query.shape) else { return Vec::new() };
    let mut found = Vec::new();
    'areas: for (low, high) in geohash::covering(center, shape) {
        let start = zset.partition_point(|_, score| score < low as f64);
        let end = zset.partition_point(|_, score| score < high as f64);
        for (member, score) in zset.range(start, end.max(start)) {
            let place = geohash::decode(bits(score));
            if let Some(distance) = shape.distance_within(center, place) {
                found.push(Found { member: member.clone(), score, place, distance });
                if query.any && found.len() >= query.count {
                    break 'areas;
                }
            }
        }
    }
    if let Some(ascending) = query.sort {
        sort_by(&mut found, |a, b| {
            let order = a.distance.total_cmp(&b.distance);
            if ascending { order } else { order.reverse() }
        });
    }
    if query.count > 0 {
        found.truncate(query.count);
    }
    found
}

fn search(cx: &mut Ctx<'_>, argv: &[Bytes], form: Form) -> Reply {
    let source = if form == Form::SearchStore { &argv[2] } else { &argv[1] };
    let zset = cx.zset(source)?.cloned();
    let query = parse(zset.as_ref(), argv, form)?;
    let found = zset.map(|zset| find(&zset, &query)).unwrap_or_default();
    if query.sort.is_none() {
        cx.has_no_order(found.len());
    }
    if let Some(to) = query.store {
        let score = |f: &Found| if query.store_dist { f.distance / query.unit } else { f.score };
        let members: Vec<(Bytes, f64)> =
            found.iter().map(|f| (f.member.clone(), score(f))).collect();
        let len = members.len();
        let event = if form == Form::SearchStore { "geosearchstore" } else { "georadiusstore" };
        store_as(cx, to, members, event)?;
        return Ok(Value::int(len));
    }
    let plain = !(query.with_dist || query.with_hash || query.with_coord);
    let entry = |f: Found| {
        if plain {
            return Value::Bulk(f.member);
        }
        let mut parts = vec![Value::Bulk(f.member)];
        if query.with_dist {
            parts.push(distance_value(f.distance / query.unit));
        }
        if query.with_hash {
            parts.push(Value::Int(f.score as i64));
        }
        if query.with_coord {
            parts.push(coordinates(cx, f.place));
        }
        Value::Array(parts)
    };
    Ok(Value::Array(found.into_iter().map(entry).collect()))
}

pub fn georadius(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    search(cx, argv, Form::Radius { by_member: false, stores: true })
}

pub fn georadius_ro(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    search(cx, argv, Form::Radius { by_member: false, stores: false })
}

pub fn georadiusbymember(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    search(cx, argv, Form::Radius { by_member: true, stores: true })
}

pub fn georadiusbymember_ro(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    search(cx, argv, Form::Radius { by_member: true, stores: false })
}

pub fn geosearch(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    search(cx, argv, Form::Search)
}

pub fn geosearchstore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    search(cx, argv, Form::SearchStore)
}
