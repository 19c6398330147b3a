//! Bodies that are no JSON, told as the original server tells it: in the words of Python's `json` and with the place
//! in characters.

use sayso_core::{Code, Path, Problem};
use serde::de::IgnoredAny;

/// What is wrong with a text, and where: the place in characters from the beginning, and the words.
pub(super) fn fault(text: &str, problem: &Problem) -> (usize, String) {
    let error = serde_json::from_str::<IgnoredAny>(text).err();
    let told = matches!(problem.code, Code::TooLarge | Code::TooDeep) && problem.path == Path::root();
    let Some(error) = error.filter(|_| !told) else { return (0, problem.message.to_string()) };
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let at = before + error.column().saturating_sub(usize::from(!error.is_eof()));
    let place = text.char_indices().take_while(|(byte, _)| *byte < at).count();
    (place, words(&error.to_string()).to_owned())
}

fn words(said: &str) -> &'static str {
    const KNOWN: [(&str, &str); 10] = [
        ("key must be a string", "Expecting property name enclosed in double quotes"),
        ("EOF while parsing an object", "Expecting property name enclosed in double quotes"),
        ("trailing comma", "Expecting value"),
        ("expected `:`", "Expecting ':' delimiter"),
        ("expected `,`", "Expecting ',' delimiter"),
        ("EOF while parsing a list", "Expecting ',' delimiter"),
        ("EOF while parsing a string", "Unterminated string starting at"),
        ("control character", "Invalid control character at"),
        ("invalid escape", "Invalid \\escape"),
        ("trailing characters", "Extra data"),
    ];
    KNOWN.iter().find(|(ours, _)| said.starts_with(ours)).map_or("Expecting value", |(_, theirs)| theirs)
}

#[cfg(test)]
mod tests {
    use super::fault;
    use sayso_core::wire::json;

    #[test]
    fn the_words_and_the_place_are_pythons() {
        let cases = [
            ("{nope", 1, "Expecting property name enclosed in double quotes"),
            ("", 0, "Expecting value"),
            ("字", 0, "Expecting value"),
            ("{\n\"字\" 1}", 6, "Expecting ':' delimiter"),
            ("{} x", 3, "Extra data"),
            ("[1 2]", 3, "Expecting ',' delimiter"),
            ("{", 1, "Expecting property name enclosed in double quotes"),
        ];
        for (text, place, words) in cases {
            let problem = json::check(text).unwrap_err();
            assert_eq!(fault(text, &problem), (place, words.to_owned()), "{text}");
        }
        let deep = "[".repeat(100);
        assert_eq!(fault(&deep, &json::check(&deep).unwrap_err()).0, 0);
    }
}
