//! Words that agree and refuse, in English, Chinese, German, French and Spanish.

use crate::limits;
use unicode_normalization::UnicodeNormalization as _;

/// Words that agree, in lower case.
pub const AGREEING_WORDS: [&str; 66] = [
    "continue",
    "approve",
    "approved",
    "accept",
    "accepted",
    "allow",
    "allowed",
    "agree",
    "agreed",
    "confirm",
    "confirmed",
    "proceed",
    "go",
    "go ahead",
    "yes",
    "y",
    "yeah",
    "yep",
    "yes please",
    "sure",
    "of course",
    "ok",
    "okay",
    "true",
    "继续",
    "批准",
    "同意",
    "允许",
    "确认",
    "接受",
    "确定",
    "通过",
    "可以",
    "好",
    "好的",
    "是",
    "是的",
    "对",
    "ja",
    "ja bitte",
    "genehmigen",
    "zustimmen",
    "bestätigen",
    "erlauben",
    "zulassen",
    "akzeptieren",
    "fortfahren",
    "einverstanden",
    "oui",
    "d'accord",
    "approuver",
    "accepter",
    "autoriser",
    "confirmer",
    "continuer",
    "valider",
    "sí",
    "si",
    "de acuerdo",
    "claro",
    "aprobar",
    "aceptar",
    "autorizar",
    "permitir",
    "confirmar",
    "continuar",
];
/// Words that refuse, in lower case.
pub const REFUSING_WORDS: [&str; 69] = [
    "cancel",
    "cancelled",
    "canceled",
    "reject",
    "rejected",
    "deny",
    "denied",
    "decline",
    "declined",
    "refuse",
    "refused",
    "disagree",
    "disallow",
    "abort",
    "aborted",
    "stop",
    "no",
    "n",
    "nope",
    "no thanks",
    "don't",
    "do not",
    "not",
    "never",
    "false",
    "取消",
    "拒绝",
    "否决",
    "否",
    "不",
    "不是",
    "不要",
    "不同意",
    "不批准",
    "不允许",
    "不接受",
    "不可以",
    "停止",
    "中止",
    "终止",
    "放弃",
    "不行",
    "nein",
    "nein danke",
    "ablehnen",
    "abbrechen",
    "verweigern",
    "verbieten",
    "stopp",
    "niemals",
    "nicht",
    "non",
    "non merci",
    "annuler",
    "refuser",
    "rejeter",
    "interdire",
    "arrêter",
    "jamais",
    "no gracias",
    "cancelar",
    "rechazar",
    "denegar",
    "negar",
    "prohibir",
    "detener",
    "nunca",
    "jamás",
    "abortar",
];
/// First words that agree in whatever follows them.
const AGREEING_OPENINGS: [&str; 15] = [
    "yes",
    "sure",
    "approve",
    "approved",
    "agree",
    "agreed",
    "批准",
    "同意",
    "是的",
    "ja",
    "genehmigen",
    "oui",
    "approuver",
    "sí",
    "aprobar",
];
/// First words that refuse in whatever follows them.
const REFUSING_OPENINGS: [&str; 5] = ["no", "nope", "nein", "non", "否决"];
/// Words that turn the agreeing word after them into a refusal.
const NEGATIONS: [&str; 13] = [
    "don't", "do not", "not", "never", "cannot", "不", "不要", "别", "nicht", "niemals", "ne pas", "nunca",
    "jamais",
];
/// Objects of a verb that add nothing to it.
const OBJECTS: [&str; 11] = ["it", "this", "that", "them", "它", "他们", "这个", "es", "das", "cela", "esto"];
/// Separators of the first words of a label from the rest.
const LABEL_SEPARATORS: [char; 19] =
    [',', '.', ':', ';', '!', '?', '(', '[', '/', '|', '–', '—', '·', '，', '。', '：', '；', '！', '（'];

/// Returns whether these words agree, as a whole.
pub fn is_agreeing(words: &str) -> bool {
    AGREEING_WORDS.contains(&words.trim().to_lowercase().as_str())
}

/// Returns whether these words refuse, as a whole.
pub fn is_refusing(words: &str) -> bool {
    REFUSING_WORDS.contains(&words.trim().to_lowercase().as_str())
}

/// Returns whether a label clearly refuses: by its words as a whole or before the first punctuation mark, by its first
/// word, or since it denies an agreement.
pub fn clearly_refuses(label: &str) -> bool {
    let label = fold(label);
    denies(&label) || reads_as(&label, &REFUSING_WORDS, &REFUSING_OPENINGS)
}

/// Returns whether a label clearly agrees, in the same sense.
pub fn clearly_agrees(label: &str) -> bool {
    reads_as(&fold(label), &AGREEING_WORDS, &AGREEING_OPENINGS)
}

/// Returns whether a value for a program contains a word that agrees or refuses, as `APPROVE_ALL` and `doNotDeploy`
/// do.
pub fn speaks_of_consent(value: &str) -> bool {
    if is_agreeing(value) || is_refusing(value) {
        return true;
    }
    let mut words = String::with_capacity(value.len());
    let mut previous = ' ';
    for letter in value.chars().take(limits::LABEL_COMPARED_CHARS) {
        if previous.is_lowercase() && letter.is_uppercase() || !letter.is_alphanumeric() {
            words.push(' ');
        }
        words.push(letter);
        previous = letter;
    }
    for word in words.split(|c: char| !c.is_alphanumeric()) {
        // A single letter is more often a name.
        if word.len() > 1 && (is_agreeing(word) || is_refusing(word)) {
            return true;
        }
    }
    false
}

/// Returns whether a label mixes letters of Latin, Greek and Cyrillic, which imitate each other.
pub fn mixes_alphabets(label: &str) -> bool {
    let mut has_latin = false;
    let mut has_greek = false;
    let mut has_cyrillic = false;
    for c in label.chars() {
        if !c.is_alphabetic() {
            continue;
        }
        match c {
            '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => has_latin = true,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => has_greek = true,
            '\u{400}'..='\u{52f}' => has_cyrillic = true,
            _ => {}
        }
    }
    usize::from(has_latin) + usize::from(has_greek) + usize::from(has_cyrillic) > 1
}

/// Returns the beginning of a label in lower case, without the signs and quotation marks around it.
fn fold(label: &str) -> String {
    let start: String = label.chars().take(limits::LABEL_COMPARED_CHARS).nfkc().collect();
    let start = start.replace('’', "'");
    start.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn reads_as(label: &str, words: &[&str], openings: &[&str]) -> bool {
    let opening = label.split(LABEL_SEPARATORS).next().unwrap_or_default();
    let opening = opening.split(" - ").next().unwrap_or_default().trim();
    if words.contains(&label) || words.contains(&opening) || begins_with_any(opening, openings) {
        return true;
    }
    for word in words {
        if let Some(rest) = rest_after(opening, word)
            && OBJECTS.contains(&rest)
        {
            return true;
        }
    }
    false
}

fn begins_with_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| rest_after(text, word).is_some())
}

/// Returns whether a label denies an agreement: "Don't approve".
fn denies(label: &str) -> bool {
    for negation in NEGATIONS {
        if let Some(rest) = rest_after(label, negation)
            && begins_with_any(rest, &AGREEING_WORDS)
        {
            return true;
        }
    }
    false
}

/// Returns the rest of a text that begins with this word. Chinese has no spaces between words.
fn rest_after<'l>(text: &'l str, word: &str) -> Option<&'l str> {
    let rest = text.strip_prefix(word)?;
    let is_chinese = word.ends_with(|c: char| !c.is_ascii() && !c.is_lowercase());
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '\'');
    if goes_on && !is_chinese { None } else { Some(rest.trim_start()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_labels_are_recognized() {
        let refusing = [
            "No, cancel|Cancel| CANCEL |No|no thanks|Don't|don’t: keep it|取消|不，取消|Ｎｏ|❌ No|\"No\"|",
            "Abort - now|No way|Don't approve|Don’t allow it|Not approved|Do not allow|Refuse it|",
            "Reject this|否决它|不要批准|Nein, abbrechen|Nicht genehmigen|Non, annuler|No, cancelar|",
            "Rechazar",
        ]
        .concat();
        for label in refusing.split('|') {
            assert!(clearly_refuses(label), "{label}");
            assert!(!clearly_agrees(label), "{label}");
        }
        let agreeing = [
            "Yes, keep|OK|Go ahead|同意|是的，保留|✅ Yes|Yes please|Oui|Sure|Approve later|Accept it|",
            "批准它|Ja, bitte|Sí, claro|D’accord",
        ]
        .concat();
        for label in agreeing.split('|') {
            assert!(clearly_agrees(label), "{label}");
            assert!(!clearly_refuses(label), "{label}");
        }
        let neither = [
            "Cancel the order|Delete|Not now|Nothing|取消订单|Yesterday||…|Don't ask again|Surely not|",
            "Jacket|Keep waiting|不限|Go back",
        ]
        .concat();
        for label in neither.split('|') {
            assert!(!clearly_refuses(label) && !clearly_agrees(label), "{label}");
        }
    }

    #[test]
    fn mixed_alphabets_are_recognized() {
        for label in ["Nо, cancel", "Yеs", "Νο, cancel", "Да (Yes)"] {
            assert!(mixes_alphabets(label), "{label}");
        }
        for label in ["No, cancel", "Да, удалить", "Όχι", "Ja, löschen", "是 (yes)", "100 µm", "✓ 1"]
        {
            assert!(!mixes_alphabets(label), "{label}");
        }
    }

    #[test]
    fn values_that_consent_are_recognized() {
        for value in ["APPROVE_ALL", "no", "do-not-deploy", "denyAll", "go ahead", "同意", "force:yes"] {
            assert!(speaks_of_consent(value), "{value}");
        }
        for value in ["tonight", "eu-west-1", "postgres", "north", "nothing", "golang", "plan-y", "o1", ""] {
            assert!(!speaks_of_consent(value), "{value}");
        }
    }
}
