//! Filter of log lines by level and target.

use super::target::LogTarget;
use tracing::Metadata;
use tracing::level_filters::LevelFilter;

/// Levels of the log: one for each target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogFilter([(LogTarget, LevelFilter); LogTarget::ALL.len()]);

impl LogFilter {
    /// Filter that passes lines about requests, refusals and failures.
    pub const INFO: Self = Self::uniform(LevelFilter::INFO);
    /// Filter that passes only lines about failures.
    pub const WARN: Self = Self::uniform(LevelFilter::WARN);
    /// Form of the text that [`parse`](Self::parse) reads, for messages.
    pub const SYNTAX: &'static str = "off, error, warn, info, debug, trace, and TARGET=LEVEL with the targets request, http, desk, mcp, interaction, \
         threads, separated by commas";

    const fn uniform(level: LevelFilter) -> Self {
        let [request, http, desk, mcp, interaction, threads] = LogTarget::ALL;
        Self([
            (request, level),
            (http, level),
            (desk, level),
            (mcp, level),
            (interaction, level),
            (threads, level),
        ])
    }

    /// Parses a filter: levels, and levels of single targets, separated by commas. A level without a target replaces
    /// those of `self`. Returns `None` if a part is neither.
    #[must_use]
    pub fn parse(self, text: &str) -> Option<Self> {
        let mut filter = self;
        let mut target_levels = Vec::new();
        for part in text.split(',').map(str::trim) {
            if let Some((target, level)) = part.split_once('=') {
                target_levels.push((LogTarget::from_name(target.trim())?, parse_level(level.trim())?));
            } else if !part.is_empty() {
                filter = Self::uniform(parse_level(part)?);
            }
        }
        // The levels of single targets count wherever they are.
        for (target, level) in target_levels {
            for entry in &mut filter.0 {
                if entry.0 == target {
                    entry.1 = level;
                }
            }
        }
        Some(filter)
    }

    /// Returns whether an event is written, or a span is recorded. Spans are, with any filter: lines of other targets
    /// may be in them.
    pub(super) fn allows(&self, metadata: &Metadata<'_>) -> bool {
        let Some(target) = LogTarget::from_path(metadata.target()) else { return false };
        metadata.is_span() || self.0.iter().any(|(one, level)| *one == target && *metadata.level() <= *level)
    }

    /// Returns the lowest level that a line may have.
    pub(super) fn max_level(&self) -> LevelFilter {
        self.0.iter().map(|(_, level)| *level).max().unwrap_or(LevelFilter::OFF)
    }
}

fn parse_level(name: &str) -> Option<LevelFilter> {
    let names = ["off", "error", "warn", "info", "debug", "trace"];
    if names.contains(&name) { name.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_sets_targets_after_levels() {
        let level = |filter: LogFilter, target| {
            filter.0.iter().find(|(one, _)| *one == target).map(|(_, level)| *level).unwrap()
        };
        let filter = LogFilter::INFO.parse("desk=debug, warn").unwrap();
        assert_eq!(level(filter, LogTarget::Desk), LevelFilter::DEBUG);
        assert_eq!(level(filter, LogTarget::Http), LevelFilter::WARN);
        let filter = LogFilter::INFO.parse("request=off").unwrap();
        assert_eq!(level(filter, LogTarget::Request), LevelFilter::OFF);
        assert_eq!(level(filter, LogTarget::Mcp), LevelFilter::INFO);
        assert_eq!(filter.max_level(), LevelFilter::INFO);
        for wrong in ["loud", "desk", "rmcp=debug", "desk=", "3", "desk=debug=x"] {
            assert_eq!(LogFilter::INFO.parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn syntax_names_every_target() {
        for target in LogTarget::ALL {
            assert!(LogFilter::SYNTAX.contains(target.name()), "{target:?}");
        }
    }
}
