//! Unknown names and invalid values in settings files. Commands ignore them, so that an older program accepts a newer
//! file. `sayso doctor` reports them, so that a typo can be found.

use super::{AuqTable, Origin, ProjectFile, Settings, language, read_toml};
use sayso_core::{Code, Lang, Message, Problem, limits, spelling};
use sayso_dialects::Dialect;
use std::path::Path;
use toml::Table;

/// Known names: of the file itself, and of each table in it.
type Names = [(&'static str, &'static [&'static str])];

const AUQ: (&str, &[&str]) = ("auq", &["compat", "max_questions", "max_options"]);

const USERS: &Names = &[
    (
        "",
        &[
            "desk",
            "token_file",
            "language",
            "dialect",
            "from",
            "scripted_answers",
            "screen",
            "retention",
            "server",
            "auq",
        ],
    ),
    ("screen", &["theme", "plain", "mouse", "notify"]),
    ("retention", &["settled_days", "draft_days"]),
    ("server", &["kept_mib", "asks_per_hour", "turn_silence_seconds"]),
    AUQ,
];

const PROJECTS: &Names = &[("", &["language", "dialect", "auq"]), AUQ];

/// Returns a problem for each ignored setting in the files.
pub(crate) fn of(settings: &Settings) -> Vec<Problem> {
    let mut slips = in_file(&settings.user_file, USERS);
    if let Some(file) = &settings.project_file {
        match read_toml::<ProjectFile>(file) {
            Ok(project) => {
                slips.extend(passed_over(&project, file, settings.language.value));
                slips.extend(in_file(file, PROJECTS));
            }
            Err(problem) => slips.push(problem),
        }
    }
    slips.truncate(limits::PROBLEMS);
    slips
}

/// Returns a problem for each invalid value in a project's file.
fn passed_over(project: &ProjectFile, file: &Path, lang: Lang) -> Vec<Problem> {
    let wrong = |name: &str, problem: Option<Problem>| {
        let args =
            [name.to_owned(), Origin::File(file.to_owned()).to_string(), problem?.message.render(lang)];
        Some(Problem::new(Code::InvalidSetting, Message::InvalidSetting.with(args)))
    };
    let language = project.language.as_deref().and_then(|name| language::parse(name).err());
    let dialect = project.dialect.as_deref().and_then(|name| Dialect::named(name).err());
    let auq = AuqTable::limits(&project.auq).err();
    let all = [wrong("language", language), wrong("dialect", dialect), wrong("auq", auq)];
    all.into_iter().flatten().collect()
}

fn in_file(file: &Path, names: &Names) -> Vec<Problem> {
    let table: Table = read_toml(file).unwrap_or_default();
    let mut slips = unknown(&table, "", names, file);
    for (key, value) in &table {
        if let Some(table) = value.as_table().filter(|_| names.iter().any(|(table, _)| table == key)) {
            slips.extend(unknown(table, key, names, file));
        }
    }
    slips
}

/// Returns a problem for each unknown name in a table.
fn unknown(table: &Table, name: &str, names: &Names, file: &Path) -> Vec<Problem> {
    let known = names.iter().find(|(table, _)| *table == name).map_or(&[][..], |(_, known)| known);
    let keys = table.keys().filter(|key| !known.contains(&key.as_str()));
    let problem = |key: &String| {
        let args = [dotted(name, key), file.display().to_string()];
        if is_users(name, key) {
            return Problem::new(Code::UnknownMember, Message::SettingNotProjects.with(args));
        }
        let problem = Problem::new(Code::UnknownMember, Message::SettingUnknown.with(args));
        match meant(name, key, known, names) {
            Some(meant) => problem.hint(Message::DidYouMean.with([meant])),
            None => problem,
        }
    };
    keys.map(problem).collect()
}

/// Returns whether it is a setting of the user's file.
fn is_users(table: &str, key: &str) -> bool {
    let known = USERS.iter().find(|(name, _)| *name == table);
    known.is_some_and(|(_, known)| known.contains(&key))
}

/// Returns the name that was most likely meant: a similar one of the same table, or the same one in another. In TOML,
/// every line after a table's header belongs to that table, so a line at the end is easily in the wrong one.
fn meant(table: &str, key: &str, known: &[&str], names: &Names) -> Option<String> {
    let near = || spelling::nearest(key, known.iter().copied()).map(|near| dotted(table, near));
    let elsewhere = names.iter().find(|(_, known)| known.contains(&key));
    elsewhere.map(|(table, _)| dotted(table, key)).or_else(near)
}

fn dotted(table: &str, key: &str) -> String {
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
        let mut told: Vec<String> = Vec::new();
        for (key, value) in &table {
            told.push(key.clone());
            told.extend(value.as_table().into_iter().flatten().map(|(name, _)| dotted(key, name)));
        }
        let mut known: Vec<String> = Vec::new();
        for (table, names) in USERS {
            known.extend(names.iter().map(|name| dotted(table, name)));
        }
        told.sort();
        known.sort();
        assert_eq!(told, known);
    }
}
