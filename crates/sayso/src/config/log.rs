//! Filter of the servers' log, from the environment.

use super::environment::ProcessEnv;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_server::diagnostics::LogFilter;

const VARIABLE: &str = "SAYSO_LOG";

/// Returns the filter that the environment sets.
///
/// # Errors
/// Fails if it is no filter.
pub(crate) fn log_filter(environment: &ProcessEnv, default: LogFilter) -> Result<LogFilter, Problem> {
    let Some(text) = environment.get(VARIABLE) else { return Ok(default) };
    let invalid = || {
        let message = Message::InvalidSetting.with([own("log"), own(VARIABLE), own(text)]);
        Problem::new(ProblemCode::InvalidSetting, message)
            .with_hint(Message::OneOf.with([own(LogFilter::SYNTAX)]))
    };
    default.parse(text).ok_or_else(invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_log_filter_is_refused() {
        let filter = |text: &str| log_filter(&ProcessEnv::from([(VARIABLE, text)]), LogFilter::INFO);
        assert_eq!(filter("warn").unwrap(), LogFilter::WARN);
        assert_eq!(filter("").unwrap(), LogFilter::INFO);
        assert_eq!(filter("loud").unwrap_err().code, ProblemCode::InvalidSetting);
    }
}
