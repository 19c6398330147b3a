//! Lines about calls to the desk, and about errors that no one is told.

use super::log_event;
use super::span::desk_span;
use sayso_core::{Problem, ProblemCode};
use std::any::type_name;
use std::time::{Duration, Instant};
use tracing::Span;

/// Duration from which a call is slow.
const SLOW_CALL: Duration = Duration::from_millis(500);

/// Error that is logged by its code.
pub(crate) trait LoggedError {
    /// Returns the code; `None` if no one waits for the result.
    fn code(&self) -> Option<ProblemCode>;
}

impl LoggedError for Problem {
    fn code(&self) -> Option<ProblemCode> {
        Some(self.code)
    }
}

/// Call to the desk, from its request until its end.
#[derive(Debug)]
pub(crate) struct DeskCall {
    requested_at: Instant,
    span: Span,
}

impl DeskCall {
    /// Begins a call with the name of the function that its closure is in.
    pub(crate) fn new<W>(_: &W) -> Self {
        let span = desk_span(function_name(type_name::<W>()));
        Self { requested_at: Instant::now(), span }
    }

    /// Makes the call, on whichever thread, and logs it if it is slow or fails.
    ///
    /// # Errors
    /// Returns the error of `work`.
    pub(crate) fn run<T, E: LoggedError>(self, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let _span_guard = self.span.enter();
        let queue_time = self.requested_at.elapsed();
        let result = work();
        let time = self.requested_at.elapsed();
        match result.as_ref().err().and_then(LoggedError::code) {
            Some(code) if is_fault(code) => {
                log_event!(WARN, Desk, "desk call failed", code = code, ms = time, queued_ms = queue_time);
            }
            Some(code) => log_event!(DEBUG, Desk, "desk call refused", code = code, ms = time),
            None if time >= SLOW_CALL => {
                log_event!(WARN, Desk, "desk call was slow", ms = time, queued_ms = queue_time);
            }
            None => log_event!(DEBUG, Desk, "desk call", ms = time, queued_ms = queue_time),
        }
        result
    }
}

/// Returns the function that a closure is in, from the name of its type, without the crate.
fn function_name(closure: &'static str) -> &'static str {
    let path = closure.split("::{{closure}}").next().unwrap_or_default();
    path.split_once("::").map_or(path, |(_, path)| path)
}

/// Logs the error of a step that the server goes on without.
pub(crate) fn log_failure<T, E: LoggedError>(step: &'static str, result: Result<T, E>) {
    let Err(error) = result else { return };
    let Some(code) = error.code() else { return };
    if is_fault(code) {
        log_event!(WARN, Desk, "a step failed; the server goes on", step = step, code = code);
    } else {
        log_event!(DEBUG, Desk, "a step had no effect", step = step, code = code);
    }
}

/// Logs the problem that a request is answered with.
pub(crate) fn log_problem(problem: &Problem) {
    match problem.code {
        code if is_fault(code) => log_event!(WARN, Http, "request failed", code = code),
        code => log_event!(DEBUG, Http, "request refused", code = code),
    }
}

/// Returns whether an operator can do something about this code.
const fn is_fault(code: ProblemCode) -> bool {
    code.is_desk_fault() || matches!(code, ProblemCode::UnreadableFile)
}

#[cfg(test)]
mod tests {
    use super::function_name;
    use std::any::type_name_of_val;

    #[test]
    fn call_has_the_name_of_its_function() {
        let nested = || || ();
        assert_eq!(
            function_name(type_name_of_val(&nested())),
            "diagnostics::desk_call::tests::call_has_the_name_of_its_function"
        );
    }
}
