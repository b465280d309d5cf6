//! A link as a QR code, in the form in which it is drawn.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

/// The modules of a QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qr {
    /// The number of modules on each side, without the quiet zone of [`QUIET`] around them.
    pub size: i32,
    /// The dark modules as the path of an SVG, in which a module is 1 wide.
    pub path: String,
}

/// The light modules that must stand around a code.
pub const QUIET: i32 = 4;

/// Returns the code of a text; `None` if it is too long for one.
#[inline(never)]
pub fn qr(text: &str) -> Option<Qr> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let wide = (x..size).take_while(|at| code.get_module(*at, y)).count() as i32;
            if wide > 0 {
                // Writing to a String cannot fail.
                let _ = write!(path, "M{x} {y}h{wide}v1h-{wide}z");
            }
            x += wide.max(1);
        }
    }
    Some(Qr { size, path })
}
