//! Times as stores keep them: microseconds since 1970.

use jiff::Timestamp;

/// Converts stored microseconds to a time.
pub(crate) fn to_timestamp(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
}
