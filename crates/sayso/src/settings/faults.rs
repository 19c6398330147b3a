//! Invalid settings files and values.

use super::{Layer, Say, Setting};
use sayso_core::{Code, Message, Problem};

/// Invalid setting, replaced by its default.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Name of the setting; [`Fault::FILE`] for the user's whole file.
    pub(crate) setting: &'static str,
    pub(crate) problem: Problem,
}

impl Fault {
    /// Name of the setting for the desk.
    pub(crate) const DESK: &str = "desk";
    /// Name that represents the user's file.
    pub(super) const FILE: &str = "";
}

/// Collector of faults, in the order read.
#[derive(Default)]
pub(super) struct Faults(Vec<Fault>);

impl Faults {
    pub(super) fn into_vec(self) -> Vec<Fault> {
        self.0
    }

    /// Returns the value, or else records the fault and returns the default.
    pub(super) fn value_or<T>(
        &mut self,
        setting: &'static str,
        read: Result<T, Problem>,
        default: impl FnOnce() -> T,
    ) -> T {
        read.unwrap_or_else(|problem| {
            self.0.push(Fault { setting, problem });
            default()
        })
    }

    /// Returns the value, or else records the fault and returns the default of its type.
    pub(super) fn value_or_default<T: Default>(
        &mut self,
        setting: &'static str,
        read: Result<T, Problem>,
    ) -> T {
        self.value_or(setting, read, T::default)
    }

    /// Returns the parsed value of the first layer that is set, or else the default.
    pub(super) fn chosen<T>(
        &mut self,
        setting: &'static str,
        layer: Layer,
        parse: impl Fn(&str) -> Result<T, Problem>,
        default: impl FnOnce() -> Setting<T>,
        say: Say<'_>,
    ) -> Setting<T> {
        let Some((text, origin)) = layer else { return default() };
        let read = match parse(&text) {
            Ok(value) => Ok(Setting { value, origin }),
            Err(problem) if matches!(problem.code, Code::InvalidSetting | Code::UnknownDialect) => {
                let args = [setting.to_owned(), origin.to_string(), say(&problem)];
                Err(Problem::new(Code::InvalidSetting, Message::InvalidSetting.with(args)))
            }
            Err(problem) => Err(problem),
        };
        self.value_or(setting, read, default)
    }
}
