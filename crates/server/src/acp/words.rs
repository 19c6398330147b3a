//! Command of an agent as it is written on a command line: words, which quotes may hold together.

use sayso_core::{Message, Problem, ProblemCode};

/// Splits a command into words. `'…'` and `"…"` keep spaces; a backslash keeps the next character, except in `'…'`. No
/// shell runs, so nothing else is special.
///
/// # Errors
/// Fails if there is no word, or a quote is not closed.
pub fn split_words(command: &str) -> Result<Vec<String>, Problem> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    let mut rest = command.chars();
    while let Some(letter) = rest.next() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(rest.next()),
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if words.is_empty() || quote.is_some() {
        let message = Message::AgentCommandUnclear.with([command]);
        return Err(Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::AgentCommandHint));
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn quotes_hold_words_together() {
        let words = |command: &str| split_words(command).unwrap();
        assert_eq!(words(" opencode   acp "), ["opencode", "acp"]);
        assert_eq!(
            words(r#"'/a b/agent' --name "x y" '' a\ b "\"" "#),
            ["/a b/agent", "--name", "x y", "", "a b", "\""]
        );
        assert_eq!(words("a'b c'd"), ["ab cd"]);
        for unclear in ["", "  ", "'a", "a \"b"] {
            assert!(split_words(unclear).is_err(), "{unclear}");
        }
    }
}
