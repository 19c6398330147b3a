//! Short forms of durations, folders and text for lists.

use jiff::SignedDuration;
use std::borrow::Cow;

/// Returns a duration as `5s`, `12m`, `3h`, `4d`: the largest whole unit. A negative one is `0s`.
pub fn short_duration(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Returns a remaining duration as `2d23h`, `1h59m`, `12m`, `5s`. It has a second unit if the largest one would leave
/// out much. A negative one is `0s`.
pub fn short_remaining(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (large, large_unit, small, small_unit) = match seconds {
        60..600 => (seconds / 60, "m", seconds % 60, "s"),
        3_600..86_400 => (seconds / 3_600, "h", seconds % 3_600 / 60, "m"),
        86_400..864_000 => (seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
        _ => return short_duration(duration),
    };
    if small == 0 {
        return format!("{large}{large_unit}");
    }
    format!("{large}{large_unit}{small}{small_unit}")
}

/// Returns a folder with `~` for the home folder. The result is not escaped.
pub fn short_folder<'f>(folder: &'f str, home: &str) -> Cow<'f, str> {
    match folder.strip_prefix(home) {
        Some(rest) if !home.is_empty() && (rest.is_empty() || rest.starts_with('/')) => {
            Cow::Owned(format!("~{rest}"))
        }
        _ => Cow::Borrowed(folder),
    }
}

/// Returns at most this many characters of a text; an ellipsis marks a longer one. The result is not escaped.
pub fn truncate_chars(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_show_their_largest_unit() {
        assert_eq!(short_duration(SignedDuration::from_secs(59)), "59s");
        assert_eq!(short_duration(SignedDuration::from_secs(3_599)), "59m");
        assert_eq!(short_duration(SignedDuration::from_hours(49)), "2d");
        assert_eq!(short_duration(SignedDuration::from_secs(-5)), "0s");
    }

    #[test]
    fn remaining_time_is_not_rounded_down() {
        let left = |seconds| short_remaining(SignedDuration::from_secs(seconds));
        assert_eq!([left(-5), left(59), left(60), left(119)], ["0s", "59s", "1m", "1m59s"]);
        assert_eq!([left(3_599), left(7_199), left(7_200)], ["59m", "1h59m", "2h"]);
        assert_eq!([left(259_199), left(259_200), left(2_678_399)], ["2d23h", "3d", "30d"]);
    }

    #[test]
    fn only_the_home_folder_is_abbreviated() {
        assert_eq!(short_folder("/home/ada/api", "/home/ada"), "~/api");
        assert_eq!(short_folder("/home/ada", "/home/ada"), "~");
        assert_eq!(short_folder("/home/adam", "/home/ada"), "/home/adam");
        assert_eq!(short_folder("/srv", ""), "/srv");
    }

    #[test]
    fn only_longer_text_is_truncated() {
        assert_eq!(
            [truncate_chars("äöü", 3), truncate_chars("äöü", 2), truncate_chars("", 0)],
            ["äöü", "äö…", ""]
        );
    }
}
