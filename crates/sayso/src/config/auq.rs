//! Generation of AUQ, with its limits: the table `[auq]` of a settings file.

use super::table::AUQ;
use super::{DescribeProblem, Setting, SettingOrigin};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_dialects::{AuqCompat, AuqLimits};
use serde::Deserialize;
use std::path::PathBuf;

/// Table `[auq]` as written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct AuqTable {
    compat: Option<String>,
    max_questions: Option<usize>,
    max_options: Option<usize>,
}

impl AuqTable {
    /// Returns the limits that the table sets.
    ///
    /// # Errors
    /// Fails for an unknown generation, or a limit above the maximum.
    pub(super) fn limits(&self) -> Result<AuqLimits, Problem> {
        let invalid =
            || Problem::new(ProblemCode::InvalidSetting, Message::AuqSetting.with([AuqLimits::SETTABLE_MAX]));
        let compat = self
            .compat
            .as_deref()
            .map_or(Ok(AuqCompat::default()), |name| AuqCompat::parse(name).ok_or_else(invalid))?;
        let usual = AuqLimits::from_compat(compat);
        let questions = self.max_questions.unwrap_or(usual.questions());
        usual.with_limits(questions, self.max_options.unwrap_or(usual.options())).ok_or_else(invalid)
    }
}

/// Returns the limits of the first file that sets any.
pub(super) fn choose_limits(
    tables: &[(AuqTable, Option<&PathBuf>)],
    say: DescribeProblem<'_>,
) -> Result<Setting<AuqLimits>, Problem> {
    let Some((table, Some(file))) = tables.iter().find(|(table, _)| *table != AuqTable::default()) else {
        return Ok(AuqLimits::default().into());
    };
    let origin = SettingOrigin::File((*file).clone());
    let value = table.limits().map_err(|problem| {
        let args = [own(AUQ.name), own(&origin), own(say(&problem))];
        Problem::new(ProblemCode::InvalidSetting, Message::InvalidSetting.with(args))
    })?;
    Ok(Setting { value, origin })
}
