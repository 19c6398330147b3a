//! Rule: pages for users, messages and the API's document use one vocabulary.

use super::Finding;
use super::workspace::Workspace;

/// Folders and files whose English people read. Pages for developers are left out.
pub(crate) const PLACES: &[(&str, &str)] = &[
    ("README.md", ""),
    ("SECURITY.md", ""),
    ("CHANGELOG.md", ""),
    ("web/README.md", ""),
    ("docs", ".md"),
    ("crates/core/src/i18n/catalogue", ".rs"),
    ("crates/core/src/problem/explanation.rs", ""),
    ("schemas/openapi.json", ""),
];

/// Pages below these folders are for developers.
pub(crate) const DEVELOPER_PAGES: [&str; 2] = ["docs/architecture/", "docs/decisions/"];

/// Words that a native reader stumbles over, or that name our own parts; and what to write in their place.
const FORBIDDEN: &[(&str, &str)] = &[
    ("afresh", "again"),
    ("anew", "again"),
    ("beside", "next to"),
    ("dialect", "format"),
    ("dialects", "formats"),
    ("door", "what it is: command, MCP, HTTP"),
    ("doors", "what they are: command, MCP, HTTP"),
    ("heard", "received"),
    ("lies", "is"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("mends", "fixes"),
    ("nobody", "no one"),
    ("said", "answered, reported or declined"),
    ("sheet", "form"),
    ("sheets", "forms"),
    ("stands", "is"),
    ("surface", "where it is: terminal, page, form"),
    ("surfaces", "where they are: terminal, page, form"),
    ("told", "informed"),
    ("whoever", "anyone who"),
];

/// Forbidden words in the texts, outside of code.
pub(crate) fn find(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in &workspace.public_texts {
        for (at, sentence) in sentences(path, text) {
            for word in sentence.split(|c: char| !c.is_alphanumeric()) {
                let known = FORBIDDEN.iter().find(|(forbidden, _)| word.eq_ignore_ascii_case(forbidden));
                if let Some((forbidden, instead)) = known {
                    let advice = format!("write {instead} for {forbidden:?}");
                    findings.push(Finding::new(path, at, "vocabulary", advice));
                }
            }
        }
    }
    findings
}

/// Returns the English of a file, with the number of its line.
fn sentences(path: &str, text: &str) -> Vec<(usize, String)> {
    let mut sentences = Vec::new();
    let mut is_code = false;
    for (at, line) in text.lines().enumerate() {
        let sentence = if path.ends_with(".md") {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            }
            if is_code { String::new() } else { without_code(line) }
        } else if path.ends_with(".json") {
            let line = line.trim_start();
            let is_text = line.starts_with("\"description\":") || line.starts_with("\"summary\":");
            if is_text { without_code(line) } else { String::new() }
        } else {
            // Each entry is a name, its English and its Chinese; a name of code is in backticks.
            without_code(line.replace("\\\"", " ").split('"').nth(1).unwrap_or_default())
        };
        sentences.push((at + 1, sentence));
    }
    sentences
}

/// Returns a line without its code spans and the targets of its links.
fn without_code(line: &str) -> String {
    let words: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let mut parts = words.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.split_once(')').map_or("", |(_, rest)| rest);
        format!("{text} {rest}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_words_are_found_outside_code() {
        let texts = [
            ("README.md", "A dialect.\n`surface` [a](docs/dialect.md)\n```\nnobody\n```\nNobody waits.\n"),
            ("crates/core/src/i18n/catalogue/a.rs", "Name: \"A \\\"b\\\" lies.\", \"谎 lies\";\n// told\n"),
            ("schemas/openapi.json", "{\n\"description\": \"Told.\",\n\"name\": \"surface\"\n}\n"),
        ];
        let public_texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned())).into();
        let found = find(&Workspace { public_texts, ..Workspace::default() });
        let places: Vec<_> = found.iter().map(|finding| (finding.path.as_str(), finding.line)).collect();
        let expected = [
            ("README.md", 1),
            ("README.md", 6),
            ("crates/core/src/i18n/catalogue/a.rs", 1),
            ("schemas/openapi.json", 2),
        ];
        assert_eq!(places, expected);
    }
}
