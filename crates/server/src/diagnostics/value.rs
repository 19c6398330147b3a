//! Values that a log line may hold.

use sayso_core::{AskId, ProblemCode};
use std::io;
use std::time::Duration;
use tracing::Value;
use tracing::field::{DebugValue, DisplayValue, debug, display};

/// Value that a log line may hold: a number, an id, a code, or a word of this program.
///
/// Text that lives shorter than the program does not implement it, since it may come from an asker or a person.
pub(crate) trait LogValue {
    /// The value as `tracing` takes it.
    type Field<'v>: Value
    where
        Self: 'v;

    /// Returns the value as `tracing` takes it.
    fn to_field(&self) -> Self::Field<'_>;
}

/// Returns a value as `tracing` takes it.
pub(crate) fn log_value<T: LogValue>(value: &T) -> T::Field<'_> {
    value.to_field()
}

macro_rules! plain_values {
    ($($kind:ty)*) => {
        $(impl LogValue for $kind {
            type Field<'v> = Self;

            fn to_field(&self) -> Self {
                *self
            }
        })*
    };
}

plain_values! { bool u8 u16 u32 u64 usize i64 &'static str }

impl LogValue for Duration {
    type Field<'v> = u64;

    /// Returns milliseconds.
    fn to_field(&self) -> u64 {
        u64::try_from(self.as_millis()).unwrap_or(u64::MAX)
    }
}

impl LogValue for ProblemCode {
    type Field<'v> = &'static str;

    fn to_field(&self) -> &'static str {
        self.as_str()
    }
}

impl LogValue for AskId {
    type Field<'v> = DisplayValue<Self>;

    fn to_field(&self) -> DisplayValue<Self> {
        display(*self)
    }
}

impl LogValue for io::ErrorKind {
    type Field<'v> = DebugValue<Self>;

    fn to_field(&self) -> DebugValue<Self> {
        debug(*self)
    }
}
