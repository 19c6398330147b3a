//! Files and values of settings that are wrong.

use super::{Layer, Say, Setting};
use sayso_core::{Code, Message, Problem};

/// A setting that is wrong, so that a default takes its place.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The name of the setting; [`Fault::FILE`] for the user's whole file.
    pub(crate) setting: &'static str,
    pub(crate) problem: Problem,
}

impl Fault {
    /// The setting that names the desk.
    pub(crate) const DESK: &str = "desk";
    /// The user's file.
    pub(super) const FILE: &str = "";
}

/// Collector of what is wrong, in the order read.
#[derive(Default)]
pub(super) struct Faults(Vec<Fault>);

impl Faults {
    pub(super) fn into_vec(self) -> Vec<Fault> {
        self.0
    }

    /// Returns the value, or else notes what is wrong and returns the default.
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

    /// Returns the value, or else notes what is wrong and returns the default of its type.
    pub(super) fn value_or_default<T: Default>(
        &mut self,
        setting: &'static str,
        read: Result<T, Problem>,
    ) -> T {
        self.value_or(setting, read, T::default)
    }

    /// Returns the first layer that is set, read; or else the default.
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
