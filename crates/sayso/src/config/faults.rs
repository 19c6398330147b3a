//! Invalid settings files and values.

use super::sources::SourcedText;
use super::table::{self, SettingSpec};
use super::{DescribeProblem, Setting};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};

/// Invalid setting, replaced by its default.
#[derive(Debug)]
pub(crate) struct SettingFault {
    /// Name of the setting; [`SettingFault::FILE`] for the user's whole file.
    pub(crate) setting: &'static str,
    pub(crate) problem: Problem,
}

impl SettingFault {
    /// Name of the setting for the desk.
    pub(crate) const DESK: &str = table::DESK.name;
    /// Name that represents the user's file.
    pub(super) const FILE: &str = "";
}

/// Collector of faults, in the order read.
#[derive(Default)]
pub(super) struct FaultCollector(Vec<SettingFault>);

impl FaultCollector {
    pub(super) fn into_vec(self) -> Vec<SettingFault> {
        self.0
    }

    /// Returns the value, or else records the fault and returns the default.
    pub(super) fn value_or<T>(
        &mut self,
        setting: &'static str,
        value: Result<T, Problem>,
        default: impl FnOnce() -> T,
    ) -> T {
        match value {
            Ok(value) => value,
            Err(problem) => {
                self.0.push(SettingFault { setting, problem });
                default()
            }
        }
    }

    /// Returns the value, or else records the fault and returns the default of its type.
    pub(super) fn value_or_default<T: Default>(
        &mut self,
        setting: &'static str,
        value: Result<T, Problem>,
    ) -> T {
        self.value_or(setting, value, T::default)
    }

    /// Returns the parsed value, or else the default.
    pub(super) fn parsed_or<T>(
        &mut self,
        spec: &SettingSpec,
        text: Option<SourcedText>,
        parse: impl Fn(&str) -> Result<T, Problem>,
        default: impl FnOnce() -> Setting<T>,
        say: DescribeProblem<'_>,
    ) -> Setting<T> {
        let Some((text, origin)) = text else { return default() };
        let value = match parse(&text) {
            Ok(value) => Ok(Setting { value, origin }),
            Err(problem)
                if matches!(problem.code, ProblemCode::InvalidSetting | ProblemCode::UnknownDialect) =>
            {
                let args = [own(spec.name), own(&origin), own(say(&problem))];
                Err(Problem::new(ProblemCode::InvalidSetting, Message::InvalidSetting.with(args)))
            }
            Err(problem) => Err(problem),
        };
        self.value_or(spec.name, value, default)
    }
}
