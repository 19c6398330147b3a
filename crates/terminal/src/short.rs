//! Spans of time and folders in a few characters, as lists have room for.

use jiff::SignedDuration;
use std::borrow::Cow;

/// A duration as `5s`, `12m`, `3h`, `4d`: the largest whole unit. One that is over is `0s`.
pub fn span(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// A folder with `~` for the home folder. It is not made safe to show.
pub fn folder<'f>(folder: &'f str, home: &str) -> Cow<'f, str> {
    match folder.strip_prefix(home) {
        Some(rest) if !home.is_empty() && (rest.is_empty() || rest.starts_with('/')) => {
            Cow::Owned(format!("~{rest}"))
        }
        _ => Cow::Borrowed(folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_show_their_largest_unit() {
        assert_eq!(span(SignedDuration::from_secs(59)), "59s");
        assert_eq!(span(SignedDuration::from_secs(3_599)), "59m");
        assert_eq!(span(SignedDuration::from_hours(49)), "2d");
        assert_eq!(span(SignedDuration::from_secs(-5)), "0s");
    }

    #[test]
    fn only_the_home_folder_itself_is_cut_short() {
        assert_eq!(folder("/home/ada/api", "/home/ada"), "~/api");
        assert_eq!(folder("/home/ada", "/home/ada"), "~");
        assert_eq!(folder("/home/adam", "/home/ada"), "/home/adam");
        assert_eq!(folder("/srv", ""), "/srv");
    }
}
