//! Sources of settings, in the order of their priority.

use super::environment::ProcessEnv;
use super::table::SettingSpec;
use super::{GlobalFlags, Setting, SettingOrigin};
use std::path::{Path, PathBuf};

/// Value as text with its origin.
pub(super) type SourcedText = (String, SettingOrigin);

/// Flags, environment and files that settings come from.
pub(super) struct SettingSources<'s> {
    pub(super) flags: &'s GlobalFlags,
    pub(super) environment: &'s ProcessEnv,
    pub(super) user_file: &'s Path,
    pub(super) project_file: Option<&'s PathBuf>,
}

impl SettingSources<'_> {
    /// Returns the values of a setting, the highest priority first. `user` and `project` are those in the files.
    pub(super) fn values(
        &self,
        spec: &SettingSpec,
        user: Option<String>,
        project: Option<String>,
    ) -> impl Iterator<Item = SourcedText> {
        let flag = spec.flag.and_then(|name| Some((self.flags.get(name)?, SettingOrigin::Flag(name))));
        let user = user.map(|value| (value, SettingOrigin::File(self.user_file.to_owned())));
        let project = if spec.in_project { project } else { None };
        let project = project.zip(self.project_file.cloned().map(SettingOrigin::File));
        flag.into_iter().chain(self.variable(spec)).chain(user).chain(project)
    }

    /// Returns the value of the first variable that is set.
    pub(super) fn variable(&self, spec: &SettingSpec) -> Option<SourcedText> {
        for name in spec.variables {
            if let Some(value) = self.environment.get(name) {
                return Some((value.to_owned(), SettingOrigin::Variable(name)));
            }
        }
        None
    }

    /// Returns a setting that only the user's file can set.
    pub(super) fn user_or<T>(&self, value: Option<T>, default: T) -> Setting<T> {
        match value {
            Some(value) => Setting { value, origin: SettingOrigin::File(self.user_file.to_owned()) },
            None => default.into(),
        }
    }
}
