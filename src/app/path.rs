//! The path of a token through its points with rounded corners, sampled at equal intervals of time
//! with ease-in and ease-out.

pub type Point = (f64, f64);

/// The number of pieces of a path.
pub const SAMPLES: usize = 16;
/// The radius of a corner, in px.
const CORNER: f64 = 16.0;

/// Returns the fraction of the path that is done at a fraction of the time.
pub fn eased(part: f64) -> f64 {
    part * part * (3.0 - 2.0 * part)
}

fn far((ax, ay): Point, (bx, by): Point) -> f64 {
    (ax - bx).hypot(ay - by)
}

/// Returns `SAMPLES` + 1 points; the first and the last are the ends of `way`.
pub fn sampled(way: &[Point]) -> Vec<Point> {
    let (Some(first), Some(last)) = (way.first(), way.last()) else { return Vec::new() };
    let mut points = vec![*first];
    for three in way.windows(3) {
        let [a, b, c] = [three[0], three[1], three[2]];
        let (before, after) = (far(a, b).max(1.0), far(b, c).max(1.0));
        let radius = CORNER.min(before / 2.0).min(after / 2.0);
        let on = |to: Point, length: f64| {
            (b.0 + (to.0 - b.0) * radius / length, b.1 + (to.1 - b.1) * radius / length)
        };
        let (start, end) = (on(a, before), on(c, after));
        for at in 0..=4 {
            let u = f64::from(at) / 4.0;
            let curve = |s: f64, m: f64, e: f64| {
                (1.0 - u) * (1.0 - u) * s + 2.0 * u * (1.0 - u) * m + u * u * e
            };
            points.push((curve(start.0, b.0, end.0), curve(start.1, b.1, end.1)));
        }
    }
    points.push(*last);
    let mut lengths = vec![0.0];
    for pair in points.windows(2) {
        lengths.push(lengths[lengths.len() - 1] + far(pair[0], pair[1]));
    }
    let whole = lengths[lengths.len() - 1];
    let mut at = 1;
    (0..=SAMPLES)
        .map(|sample| {
            let length = eased(sample as f64 / SAMPLES as f64) * whole;
            while at + 1 < points.len() && lengths[at] < length {
                at += 1;
            }
            let (from, to) = (points[at - 1], points[at]);
            let step = (lengths[at] - lengths[at - 1]).max(f64::MIN_POSITIVE);
            let part = ((length - lengths[at - 1]) / step).clamp(0.0, 1.0);
            (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_begins_and_ends_at_its_ends_and_keeps_to_its_road() {
        let way = [(0.0, 0.0), (100.0, 0.0), (100.0, 80.0)];
        let points = sampled(&way);
        assert_eq!(points.len(), SAMPLES + 1);
        assert_eq!((points[0], points[SAMPLES]), (way[0], way[2]));
        for (x, y) in &points {
            let near =
                y.abs() < 1e-9 || (x - 100.0).abs() < 1e-9 || far((*x, *y), way[1]) <= CORNER;
            assert!(near, "{x} {y}");
        }
        let steps: Vec<f64> = points.windows(2).map(|two| far(two[0], two[1])).collect();
        assert!(steps[0] < steps[SAMPLES / 2] / 4.0, "it begins gently");
    }

    #[test]
    fn a_way_of_one_place_stands_still() {
        assert!(sampled(&[]).is_empty());
        assert!(sampled(&[(3.0, 4.0), (3.0, 4.0)]).iter().all(|point| *point == (3.0, 4.0)));
    }
}
