//! Detection of a dark background.

/// Parses the variable `COLORFGBG` (`15;0`: white on black); true means dark.
pub fn parse_colorfgbg(value: &str) -> Option<bool> {
    let (_, background) = value.rsplit_once(';')?;
    match background.parse().ok()? {
        7 | 9..=15 => Some(false),
        0..=6 | 8 => Some(true),
        16_u8.. => None,
    }
}

/// Parses a terminal's reply to the background query: `11;rgb:ffff/ffff/ffff`; true means dark.
pub(super) fn parse_reply(text: &[u8]) -> Option<bool> {
    let colour = str::from_utf8(text).ok()?.strip_prefix("11;")?;
    let parts = colour.strip_prefix("rgb:").or(colour.strip_prefix("rgba:"))?;
    let mut parts = parts.split('/').map(parse_fraction);
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    Some(0.299_f32.mul_add(red, 0.587_f32.mul_add(green, 0.114 * blue)) < 0.5)
}

/// Parses one to four hexadecimal digits as a fraction of their maximum.
fn parse_fraction(digits: &str) -> Option<f32> {
    let value = u16::from_str_radix(digits, 16).ok()?;
    let max = u16::try_from((1_u32 << (4 * digits.len().min(4))) - 1).ok()?;
    if max == 0 { None } else { Some(f32::from(value) / f32::from(max)) }
}

#[cfg(test)]
mod tests {
    use super::{parse_colorfgbg, parse_reply};

    #[test]
    fn colorfgbg_is_dark_or_light() {
        assert_eq!(parse_colorfgbg("15;0"), Some(true));
        assert_eq!(parse_colorfgbg("0;15"), Some(false));
        assert_eq!(parse_colorfgbg("0;default;15"), Some(false));
        for unclear in ["", "15", "15;default", "15;200", "15;999", "\u{1b}[;m"] {
            assert_eq!(parse_colorfgbg(unclear), None, "{unclear}");
        }
    }

    #[test]
    fn background_reply_has_any_precision() {
        assert_eq!(parse_reply(b"11;rgb:0000/0000/0000"), Some(true));
        assert_eq!(parse_reply(b"11;rgb:fd/f6/e3"), Some(false));
        assert_eq!(parse_reply(b"11;rgba:2e2e/3434/4040/ffff"), Some(true));
        assert_eq!(parse_reply(b"11;rgb:f/f/f"), Some(false));
        for strange in
            ["", "11;?", "10;rgb:0/0/0", "11;rgb:0/0", "11;rgb:/0/0", "11;rgb:fffff/0/0", "11;#ffffff"]
        {
            assert_eq!(parse_reply(strange.as_bytes()), None, "{strange}");
        }
    }
}
