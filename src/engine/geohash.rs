//! Geohashes of 52 bits, distances on the sphere, and the boxes that cover a search area. The
//! algorithms and constants are Redis's, including the order in which boxes are visited.

pub const LON_MAX: f64 = 180.0;
pub const LAT_MAX: f64 = 85.051_128_78;
const STEP_MAX: u32 = 26;
const EARTH_RADIUS_M: f64 = 6_372_797.560_856;
const MERCATOR_MAX: f64 = 20_037_726.37;
/// The mask of the longitude's bits; the others are latitude.
const LON_BITS: u64 = 0xaaaa_aaaa_aaaa_aaaa;
const LAT_BITS: u64 = 0x5555_5555_5555_5555;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hash {
    pub bits: u64,
    pub step: u32,
}

#[derive(Debug, Clone, Copy)]
struct Area {
    lon: (f64, f64),
    lat: (f64, f64),
}

#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A circle; the radius is in meters.
    Circle {
        radius: f64,
    },
    Box {
        width: f64,
        height: f64,
    },
}

fn spread(n: u32) -> u64 {
    let mut x = u64::from(n);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, LAT_BITS),
    ] {
        x = (x | x << shift) & mask;
    }
    x
}

fn squeeze(bits: u64) -> u32 {
    let mut x = bits & LAT_BITS;
    for (shift, mask) in [
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0x0000_0000_ffff_ffff),
    ] {
        x = (x | x >> shift) & mask;
    }
    x as u32
}

fn encode_within(lon: f64, lat: f64, lat_max: f64, step: u32) -> Hash {
    let cells = (1u64 << step) as f64;
    let lat = ((lat + lat_max) / (2.0 * lat_max) * cells) as u32;
    let lon = ((lon + LON_MAX) / (2.0 * LON_MAX) * cells) as u32;
    Hash { bits: spread(lat) | spread(lon) << 1, step }
}

/// Returns the score of a position in a sorted set.
pub fn encode(lon: f64, lat: f64) -> u64 {
    encode_within(lon, lat, LAT_MAX, STEP_MAX).bits
}

fn area(hash: Hash) -> Area {
    let cells = (1u64 << hash.step) as f64;
    let range = |n: u32, max: f64| {
        let n = f64::from(n);
        (-max + n / cells * (2.0 * max), -max + (n + 1.0) / cells * (2.0 * max))
    };
    Area { lon: range(squeeze(hash.bits >> 1), LON_MAX), lat: range(squeeze(hash.bits), LAT_MAX) }
}

/// Returns longitude and latitude of a score: the middle of its cell.
pub fn decode(bits: u64) -> (f64, f64) {
    let area = area(Hash { bits, step: STEP_MAX });
    let middle = |(low, high): (f64, f64), max: f64| ((low + high) / 2.0).clamp(-max, max);
    (middle(area.lon, LON_MAX), middle(area.lat, LAT_MAX))
}

/// Returns the eleven characters of the standard geohash, which has other bounds of latitude.
pub fn text(bits: u64) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";
    let (lon, lat) = decode(bits);
    let bits = encode_within(lon, lat, 90.0, STEP_MAX).bits;
    // 52 bits are ten characters and a bit; the eleventh is zero by convention.
    let digit = |i: u32| if i == 10 { 0 } else { (bits >> (52 - (i + 1) * 5)) as usize & 31 };
    (0..11).map(|i| char::from(ALPHABET[digit(i)])).collect()
}

fn lat_distance(lat1: f64, lat2: f64) -> f64 {
    EARTH_RADIUS_M * (lat2.to_radians() - lat1.to_radians()).abs()
}

/// Returns the distance of two positions in meters, by the haversine formula.
pub fn distance(lon1: f64, lat1: f64, lon2: f64, lat2: f64) -> f64 {
    // libm's, as std's are the platform's and differ in the last digit.
    let v = libm::sin((lon2.to_radians() - lon1.to_radians()) / 2.0);
    if v == 0.0 {
        return lat_distance(lat1, lat2);
    }
    let (lat1r, lat2r) = (lat1.to_radians(), lat2.to_radians());
    let u = libm::sin((lat2r - lat1r) / 2.0);
    let a = u * u + libm::cos(lat1r) * libm::cos(lat2r) * v * v;
    2.0 * EARTH_RADIUS_M * libm::asin(a.sqrt())
}

impl Shape {
    /// Returns half the extents in meters: east and north.
    fn reach(self) -> (f64, f64) {
        match self {
            Shape::Circle { radius } => (radius, radius),
            Shape::Box { width, height } => (width / 2.0, height / 2.0),
        }
    }

    /// Returns the distance of a position from the center, if it is within the shape.
    pub fn distance_within(self, center: (f64, f64), place: (f64, f64)) -> Option<f64> {
        let from_center = || distance(center.0, center.1, place.0, place.1);
        match self {
            Shape::Circle { radius } => Some(from_center()).filter(|d| *d <= radius),
            Shape::Box { width, height } => {
                let north = lat_distance(place.1, center.1);
                let east = distance(place.0, place.1, center.0, place.1);
                (north <= height / 2.0 && east <= width / 2.0).then(from_center)
            }
        }
    }

    /// Returns `(lon min, lat min, lon max, lat max)`.
    fn bounds(self, (lon, lat): (f64, f64)) -> (f64, f64, f64, f64) {
        let (east, north) = self.reach();
        let lat_delta = (north / EARTH_RADIUS_M).to_degrees();
        let lon_delta =
            |lat: f64| (east / EARTH_RADIUS_M / libm::cos(lat.to_radians())).to_degrees();
        let delta = if lat < 0.0 { lon_delta(lat - lat_delta) } else { lon_delta(lat + lat_delta) };
        (lon - delta, lat - lat_delta, lon + delta, lat + lat_delta)
    }
}

fn shifted(hash: Hash, east: i32, north: i32) -> Hash {
    let width = 64 - hash.step * 2;
    let (mut x, mut y) = (hash.bits & LON_BITS, hash.bits & LAT_BITS);
    let (x_ones, y_ones) = (LAT_BITS >> width, LON_BITS >> width);
    x = match east {
        1 => x.wrapping_add(x_ones + 1),
        -1 => (x | x_ones).wrapping_sub(x_ones + 1),
        _ => x,
    } & LON_BITS >> width;
    y = match north {
        1 => y.wrapping_add(y_ones + 1),
        -1 => (y | y_ones).wrapping_sub(y_ones + 1),
        _ => y,
    } & LAT_BITS >> width;
    Hash { bits: x | y, step: hash.step }
}

fn steps_for(radius_m: f64, lat: f64) -> u32 {
    if radius_m == 0.0 {
        return STEP_MAX;
    }
    let (mut radius, mut step) = (radius_m, 1i32);
    while radius < MERCATOR_MAX {
        radius *= 2.0;
        step += 1;
    }
    step -= 2;
    if lat.abs() > 66.0 {
        step -= 1;
        if lat.abs() > 80.0 {
            step -= 1;
        }
    }
    step.clamp(1, STEP_MAX as i32) as u32
}

/// Returns the ranges of scores, `low..high`, that cover `shape` around `center`, in Redis's order.
pub fn covering(center: (f64, f64), shape: Shape) -> Vec<(u64, u64)> {
    let (lon, lat) = center;
    let (min_lon, min_lat, max_lon, max_lat) = shape.bounds(center);
    let radius = match shape {
        Shape::Circle { radius } => radius,
        Shape::Box { .. } => {
            let (east, north) = shape.reach();
            (east * east + north * north).sqrt()
        }
    };
    let mut step = steps_for(radius, lat);
    let mut hash = encode_within(lon, lat, LAT_MAX, step);
    let too_small = area(shifted(hash, 0, 1)).lat.1 < max_lat
        || area(shifted(hash, 0, -1)).lat.0 > min_lat
        || area(shifted(hash, 1, 0)).lon.1 < max_lon
        || area(shifted(hash, -1, 0)).lon.0 > min_lon;
    if step > 1 && too_small {
        step -= 1;
        hash = encode_within(lon, lat, LAT_MAX, step);
    }
    let middle = area(hash);
    // The cell itself, then N, S, E, W, NE, NW, SE, SW.
    let moves = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];
    let needless = |(east, north): (i32, i32)| {
        step >= 2
            && ((north == -1 && middle.lat.0 < min_lat)
                || (north == 1 && middle.lat.1 > max_lat)
                || (east == -1 && middle.lon.0 < min_lon)
                || (east == 1 && middle.lon.1 > max_lon))
    };
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for (east, north) in moves {
        if needless((east, north)) {
            continue;
        }
        let cell = shifted(hash, east, north);
        let shift = 52 - step * 2;
        let range = (cell.bits << shift, (cell.bits + 1) << shift);
        // In a very large area neighbours coincide.
        if ranges.last() != Some(&range) {
            ranges.push(range);
        }
    }
    ranges
}
