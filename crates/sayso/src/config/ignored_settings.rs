//! Unknown names and invalid values in settings files. Commands ignore them, so that an older program accepts a newer
//! file. `sayso doctor` reports them, so that a typo can be found.

use super::auq::AuqTable;
use super::files::{ProjectFile, read_toml};
use super::table::names_in_file;
use super::{SettingOrigin, Settings, table};
use sayso_core::i18n::{foreign, own};
use sayso_core::{Lang, Message, Problem, ProblemCode, i18n::spelling, limits};
use sayso_dialects::Dialect;
use std::path::Path;
use toml::Table;

/// Known names of a file, each after its table.
type KnownNames = [(&'static str, &'static str)];

/// Returns a problem for each ignored setting in the files.
pub(crate) fn find_all(settings: &Settings) -> Vec<Problem> {
    let mut slips = unknown_in_file(&settings.user_file, &names_in_file(false));
    if let Some(file) = &settings.project_file {
        match read_toml::<ProjectFile>(file) {
            Ok(project) => {
                slips.extend(invalid_project_values(&project, file, settings.language.value));
                slips.extend(unknown_in_file(file, &names_in_file(true)));
            }
            Err(problem) => slips.push(problem),
        }
    }
    slips.truncate(limits::PROBLEMS);
    slips
}

/// Returns a problem for each invalid value in a project's file.
fn invalid_project_values(project: &ProjectFile, file: &Path, lang: Lang) -> Vec<Problem> {
    let mut faults = Vec::new();
    if let Some(format) = &project.format
        && let Err(problem) = Dialect::from_name(format)
    {
        faults.push((table::FORMAT.name, problem));
    }
    if let Err(problem) = AuqTable::limits(&project.auq) {
        faults.push((table::AUQ.name, problem));
    }
    let mut problems = Vec::new();
    for (name, fault) in faults {
        let origin = SettingOrigin::File(file.to_owned());
        let details = [own(name), own(origin), own(fault.message.render(lang))];
        problems.push(Problem::new(ProblemCode::InvalidSetting, Message::InvalidSetting.with(details)));
    }
    problems
}

fn unknown_in_file(file: &Path, names: &KnownNames) -> Vec<Problem> {
    let table: Table = read_toml(file).unwrap_or_default();
    let mut slips = unknown_in_table(&table, "", names, file);
    for (key, value) in &table {
        let is_known = names.iter().any(|(table, _)| table == key);
        if let Some(table) = value.as_table()
            && is_known
        {
            slips.extend(unknown_in_table(table, key, names, file));
        }
    }
    slips
}

/// Returns a problem for each unknown name in a table.
fn unknown_in_table(table: &Table, name: &str, names: &KnownNames, file: &Path) -> Vec<Problem> {
    let mut table_keys = Vec::new();
    for (other_table, key) in names {
        if *other_table == name {
            table_keys.push(*key);
        }
    }
    let mut problems = Vec::new();
    for key in table.keys() {
        if table_keys.contains(&key.as_str()) {
            continue;
        }
        let details = [foreign(dotted_name(name, key)), own(file.display())];
        let is_user_setting = names_in_file(false).contains(&(name, key.as_str()));
        let message = if is_user_setting { Message::SettingNotProjects } else { Message::SettingUnknown };
        let problem = Problem::new(ProblemCode::UnknownMember, message.with(details));
        problems.push(match likely_name(name, key, &table_keys, names) {
            Some(likely_name) if !is_user_setting => {
                problem.with_hint(Message::DidYouMean.with([own(likely_name)]))
            }
            _ => problem,
        });
    }
    problems
}

/// Returns the name that was most likely meant: a similar one of the same table, or the same one in another. In TOML,
/// every line after a table's header belongs to that table, so a line at the end is easily in the wrong one.
fn likely_name(table: &str, key: &str, table_keys: &[&str], names: &KnownNames) -> Option<String> {
    if let Some((other_table, _)) = names.iter().find(|(_, other_key)| *other_key == key) {
        return Some(dotted_name(other_table, key));
    }
    let nearest_key = spelling::nearest_word(key, table_keys.iter().copied())?;
    Some(dotted_name(table, nearest_key))
}

fn dotted_name(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_file_has_every_name() {
        let page = include_str!("../../../../docs/settings.md");
        let sample = page.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        let table: Table = sample.parse().unwrap();
        let mut reported: Vec<String> = Vec::new();
        for (key, value) in &table {
            reported.push(key.clone());
            reported.extend(value.as_table().into_iter().flatten().map(|(name, _)| dotted_name(key, name)));
        }
        let mut known: Vec<_> =
            names_in_file(false).into_iter().map(|(table, name)| dotted_name(table, name)).collect();
        reported.sort();
        known.sort();
        assert_eq!(reported, known);
    }
}
