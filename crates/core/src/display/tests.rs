//! Escaped display of a text, in lines and in Markdown.

use super::*;
use proptest::prelude::*;

/// Internal characters of the Markdown filter must not appear in its output.
const GAP: char = '\u{fdd0}';

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(escape_line(text), *expected, "{text:?}");
    }
}

#[test]
fn control_characters_show_as_tokens() {
    check(&[
        ("a\u{1b}[2Jb", "a⟦U+001B⟧[2Jb"),
        ("rm -rf /\rls", "rm -rf /⟦U+000D⟧ls"),
        ("\u{9b}2J", "⟦U+009B⟧2J"),
        ("a\nb", "a⟦U+000A⟧b"),
        ("a\tb", "a b"),
    ]);
}

#[test]
fn invisible_characters_show_as_tokens() {
    check(&[
        ("pay\u{200b}pal", "pay⟦U+200B⟧pal"),
        ("delete \u{202e}txt", "delete ⟦U+202E⟧txt"),
        ("a\u{200d}b\u{200c}c", "a⟦U+200D⟧b⟦U+200C⟧c"),
        ("a\u{2800}b", "a⟦U+2800⟧b"),
        ("葛\u{e0100}", "葛⟦U+E0100⟧"),
        ("\u{fffe}\u{1fffe}", "⟦U+FFFE⟧⟦U+1FFFE⟧"),
        ("\u{13430}\u{1d159}", "⟦U+13430⟧⟦U+1D159⟧"),
    ]);
}

#[test]
fn typed_marks_show_as_tokens() {
    check(&[
        ("⋮ 41 spaces ⋮", "⟦U+22EE⟧ 41 spaces ⟦U+22EE⟧"),
        ("⟦U+001B⟧", "⟦U+27E6⟧U+001B⟦U+27E7⟧"),
        ("⟦⟦", "⟦U+27E6⟧⟦U+27E6⟧"),
    ]);
    assert_eq!(escape_and_count("⟦\u{7}").token_count, 1, "a mark is not hidden");
    assert_eq!(escape_composed("⟦U+001B⟧\u{1b} ⋮"), "⟦U+001B⟧⟦U+001B⟧ ⋮");
    assert_eq!(quotable("⟦\u{1b}"), "⟦U+27E6⟧⟦U+001B⟧");
    let page = |text: &str| markdown_lines(text).concat();
    for text in ["⟦U+001B⟧", "`⟦U+001B⟧`", "```\n⟦U+001B⟧\n```", "<b>⟦U+001B⟧</b>", "[a](http://x/⟦U+001B⟧)"]
    {
        assert!(page(text).contains("⟦U+27E6⟧U+001B⟦U+27E7⟧"), "{text}: {}", page(text));
    }
    for entity in
        ["&#10214;", "&#x0027e6;", "&#X27E7;", "&lobrk;", "&RightDoubleBracket;", "&vellip;", "&#8942;"]
    {
        assert_eq!(page(entity), entity);
    }
}

#[test]
fn scripts_and_emoji_stay_unchanged() {
    for text in [
        "Which database?",
        "你好，世界",
        "고객 공지",
        "é",
        "e\u{301}",
        "ที่นี่",
        "نص\u{600}١٢",
        "« prix »",
        "a\u{a0}b\u{3000}c",
        "👨\u{200d}👩\u{200d}👧",
        "❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "👩🏽\u{200d}💻",
        "❤\u{fe0f}\u{200d}🔥",
    ] {
        assert_eq!(escape_and_count(text), EscapedLine { text: Cow::Borrowed(text), token_count: 0 });
    }
}

#[test]
fn joiners_stay_in_emoji_only() {
    check(&[
        ("👨\u{200d}", "👨⟦U+200D⟧"),
        ("👨\u{200d}a", "👨⟦U+200D⟧a"),
        ("a\u{fe0f}", "a⟦U+FE0F⟧"),
        ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}⟦U+FE0F⟧"),
        ("❤\u{200d}\u{200d}🔥", "❤⟦U+200D⟧⟦U+200D⟧🔥"),
        ("中\u{fe00}", "中⟦U+FE00⟧"),
    ]);
}

#[test]
fn marks_do_not_pile_up() {
    let many = format!("a{}b", "\u{301}".repeat(6));
    assert_eq!(escape_line(&many), "a\u{301}\u{301}\u{301}\u{301}⟦U+0301⟧⟦U+0301⟧b");
    assert_eq!(escape_and_count(&many).token_count, 2);
    check(&[
        ("\u{301}a", "⟦U+0301⟧a"),
        ("\u{1b}\u{301}", "⟦U+001B⟧⟦U+0301⟧"),
        ("a\u{301}\u{302}\u{303}\u{304}\u{305}\u{20dd}", "a\u{301}\u{302}\u{303}\u{304}⟦U+0305⟧⟦U+20DD⟧"),
    ]);
}

#[test]
fn repetitions_show_as_counts() {
    let spaces = |count| " ".repeat(count);
    let bells = |count| "\u{7}".repeat(count);
    check(&[
        (&format!("a{}b", spaces(40)), &format!("a{}b", spaces(40))),
        (&format!("a{}b", spaces(498)), "a ⋮ 498 spaces ⋮ b"),
        (&format!("{}b", spaces(41)), "⋮ 41 spaces ⋮ b"),
        (&format!("a{}", "\t ".repeat(50)), "a ⋮ 100 spaces ⋮"),
        (&format!("ok{}x", "\u{2800}\u{a0}\u{3000}".repeat(14)), "ok ⋮ 42 spaces ⋮ x"),
        (&format!("{}\u{301}", spaces(41)), "⋮ 41 spaces ⋮ ⟦U+0301⟧"),
        (&bells(2), "⟦U+0007⟧⟦U+0007⟧"),
        (&format!("{}x", bells(4096)), "⟦U+0007⟧ ⋮ 4096 times ⋮x"),
    ]);
    assert_eq!(escape_and_count(&bells(4096)).token_count, 4096);
}

#[test]
fn lines_are_escaped_separately() {
    let shown = |text: &str| escape_lines(text).map(Cow::into_owned).collect::<Vec<_>>();
    assert_eq!(shown("a\r\nb\u{7}"), ["a", "b⟦U+0007⟧"]);
    assert_eq!(shown("a\n\n  \nb\n"), ["a", "", "  ", "b", ""]);
    assert_eq!(shown("a\n\n\r\n\u{a0}\nb"), ["a", "⋮ 3 blank lines", "b"]);
    assert_eq!(shown("a\n\u{2800}\n\u{200b}\n\nb"), ["a", "⟦U+2800⟧", "⟦U+200B⟧", "", "b"]);
    assert_eq!(shown(&"\n".repeat(11)), ["⋮ 12 blank lines"]);
    assert_eq!(shown(""), [""]);
    assert_eq!(count_tokens("a\r\n\u{7}\u{7}\n\u{200b}"), 3);
}

fn block(kind: BlockKind) -> MarkdownMark {
    MarkdownMark::Block(MarkdownBlock { kind, quotes: 0, lists: 0 })
}

fn text(words: &str) -> MarkdownMark {
    MarkdownMark::Text { text: words.to_owned(), style: TextStyle::default() }
}

fn styled(words: &str, emphasis: bool, strong: bool, code: bool) -> MarkdownMark {
    MarkdownMark::Text { text: words.to_owned(), style: TextStyle { emphasis, strong, code } }
}

fn link(label: &str, url: &str) -> MarkdownMark {
    MarkdownMark::Link { label: label.to_owned(), url: url.to_owned() }
}

#[test]
fn running_text_and_its_styles() {
    let marks = markdown("a *b **c*** `d`\ne\\\nf &amp;");
    let expected = [
        block(BlockKind::Paragraph),
        text("a "),
        styled("b ", true, false, false),
        styled("c", true, true, false),
        text(" "),
        styled("d", false, false, true),
        MarkdownMark::Break,
        text("e"),
        MarkdownMark::Break,
        text("f &"),
    ];
    assert_eq!(marks, expected);
    assert_eq!(markdown("## H\n\n---"), [block(BlockKind::Heading(2)), text("H"), block(BlockKind::Rule)]);
}

#[test]
fn lists_quotes_and_code() {
    let at = |kind, quotes, lists| MarkdownMark::Block(MarkdownBlock { kind, quotes, lists });
    let marks = markdown("3. a\n\n   b\n   - c\n\n> d\n\n```sh\n[e]: f\n\n\tg");
    let expected = [
        at(BlockKind::Item(Some(3)), 0, 1),
        text("a"),
        at(BlockKind::Paragraph, 0, 1),
        text("b"),
        at(BlockKind::Item(None), 0, 2),
        text("c"),
        at(BlockKind::Paragraph, 1, 0),
        text("d"),
        block(BlockKind::Code("sh".to_owned())),
        styled("[e]: f", false, false, true),
        MarkdownMark::Break,
        MarkdownMark::Break,
        styled("    g", false, false, true),
    ];
    assert_eq!(marks, expected);
}

#[test]
fn links_show_their_targets() {
    let cases = [
        ("[a *b*](https://x.y)", vec![link("a b", "https://x.y")]),
        ("<HTTP://x.y>", vec![link("HTTP://x.y", "HTTP://x.y")]),
        ("<me@x.y>", vec![link("me@x.y", "mailto:me@x.y")]),
        ("[](http://[::1]:80/)", vec![link("http://[::1]:80/", "http://[::1]:80/")]),
        ("[a](http://x.y \"t\")", vec![link("a", "http://x.y"), text(" \"t\"")]),
        ("[a](javascript:alert(1))", vec![text("a (javascript:alert(1))")]),
        ("[a](/etc/passwd)", vec![text("a (/etc/passwd)")]),
        ("<file:///etc>", vec![text("file:///etc")]),
        ("[a](http://x.y/&#27;&rlm;)", vec![link("a", "http://x.y/⟦U+001B⟧⟦U+200F⟧")]),
        ("![b *c*](http://x.y \"t\")", vec![text("[image: b c] (http://x.y) \"t\"")]),
        ("[![b](i)](http://x.y)", vec![link("[image: b] (i)", "http://x.y")]),
    ];
    for (source, expected) in cases {
        let marks = markdown(source);
        assert_eq!(
            marks.split_first(),
            Some((&block(BlockKind::Paragraph), expected.as_slice())),
            "{source}"
        );
    }
}

#[test]
fn swallowed_markdown_stays_visible() {
    let page = |text: &str| markdown_lines(text).join("\n");
    assert_eq!(page("Approve?\n<!-- deletes prod -->"), "Approve?\n\n<!-- deletes prod -->");
    assert_eq!(page("<div\nhidden>a</div>\n\nb <b\nx>c"), "<div\nhidden>a</div>\n\nb <b\nx>c");
    assert_eq!(
        page("a\n\n[//]: # (deletes prod)\n\n[a]: http://x.y"),
        "a\n\n[//]: # (deletes prod)\n\n[a]: http://x.y"
    );
    assert_eq!(page("&#27;[2J&#x200b;&nbsp;x"), "⟦U+001B⟧[2J⟦U+200B⟧\u{a0}x");
    assert_eq!(page(&format!("a{}b", "&nbsp;".repeat(50))), "a ⋮ 50 spaces ⋮ b");
    assert_eq!(page("a\0b\rc"), "a⟦U+0000⟧b⟦U+000D⟧c");
}

#[test]
fn markdown_as_plain_lines() {
    let source = "# T\n\na *b* `c` [d](http://x.y) <http://z>\n- e\n- f\n  1. g\n\n     h\n\n> i\n> > j\n\n~~~\nk\n\n\n\n\n l\n~~~\n| m |\n|---|\n| n |\n***\n- ";
    let expected = "# T\n\na b `c` d (http://x.y) http://z\n\n- e\n- f\n  1. g\n\n    h\n\n> i\n\n> > j\n\n    k\n    ⋮ 4 blank lines\n     l\n\nm\nn\n\n---\n\n-";
    assert_eq!(markdown_lines(source).join("\n"), expected);
    assert_eq!(markdown_lines("```sh\nask ends here\n"), ["[sh]", "    ask ends here"]);
    assert_eq!(markdown_lines(""), [""; 0]);
}

#[test]
fn tables_keep_every_cell() {
    let table = "Some text:\n\n| a | `b` |\n|:--|--|\n| 1 \\| 2 | **x** | more | and |\n| 3\n\nAfter.";
    let lines = ["Some text:", "", "a | `b`", "1 | 2 | x | more | and", "3 |", "", "After."];
    assert_eq!(markdown_lines(table), lines);
    assert!(matches!(
        &markdown("a|b\n-|-\nc|d")[..],
        [
            MarkdownMark::Block(MarkdownBlock { kind: BlockKind::TableRow { is_head: true }, .. }),
            MarkdownMark::Cell,
            MarkdownMark::Text { .. },
            MarkdownMark::Cell,
            ..
        ]
    ));
    let wide = format!("{}\n{}\n{}", "a|".repeat(1_000), "-|".repeat(1_000), "b\n".repeat(1_000));
    assert!(markdown(&wide).len() < 1 << 18, "a table grows with its source only");
    let padded = format!("a|b\n-|-\n1|2\n{}x|y", "| |\n".repeat(400));
    assert!(markdown_lines(&padded).len() < 8, "{:?}", markdown_lines(&padded));
}

#[test]
fn nesting_depth_is_bounded() {
    for opener in [">", "> ", "- ", "1. ", "> - "] {
        let deep = format!("{}a\n{}", opener.repeat(20_000), "b\n".repeat(20_000));
        let is_shallow = |mark: &MarkdownMark| !matches!(mark, MarkdownMark::Block(block) if block.quotes.max(block.lists) > 8);
        assert!(markdown(&deep).iter().all(is_shallow), "{opener}");
        let indents: usize = markdown_lines(&deep).iter().skip(1).map(|line| line.len().min(100)).sum();
        assert!(indents < 50 * 20_000, "{opener}");
    }
}

/// Letters that are shown by their numbers, as those of a link's host that may be taken for others, as letters again.
fn decoded(shown: &str) -> String {
    let mut parts = shown.split("⟦U+");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let code = part
            .split_once('⟧')
            .and_then(|(code, rest)| Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, rest)));
        match code {
            Some((c, rest)) => format!("{all}{c}{rest}"),
            None => all + "⟦U+" + part,
        }
    })
}

/// Returns true if all letters of a text are shown, in the same order.
fn keeps_letters(text: &str, shown: &str) -> bool {
    let shown = decoded(shown);
    let mut shown = shown.chars();
    let is_letter =
        |c: &char| c.is_alphabetic() && !unicode::is_combining_mark(*c) && !unicode::is_hidden(*c);
    text.chars().filter(is_letter).all(|c| shown.any(|other| other == c))
}

/// Texts with what matters to Markdown.
fn source() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "é",
        " ",
        "\n",
        "\n\n",
        "*",
        "**",
        "`",
        "```",
        "[",
        "]",
        "](",
        "]:",
        "(",
        ")",
        "!",
        "<",
        ">",
        "<!--",
        "-->",
        "- ",
        "1. ",
        "> ",
        "#",
        "\t",
        "    ",
        "|",
        "http://x",
        "\\",
        "~~~",
        "\"",
        "\u{1b}",
        "\u{200b}",
        "<a ",
        "---",
        "=",
        "\r",
        "\0",
        "\u{301}",
        "\na|b\n-|-\n",
        "\n|c|d|e\n",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..30).prop_map(|pieces| pieces.concat())
}

#[test]
fn host_letters_keep_their_code_points() {
    let page = markdown_lines("<http://xé>").concat();
    assert!(page.contains("⟦U+00E9⟧"), "{page}");
    assert!(keeps_letters("http://xé", &page));
    assert!(!keeps_letters("http://xéé", &page));
}

proptest! {
    #[test]
    fn lines_hide_nothing(text in prop_oneof![any::<String>(), source()]) {
        let shown = escape_line(&text);
        prop_assert!(!shown.chars().any(|c| c.is_control()));
        prop_assert!(keeps_letters(&text, &shown));
        prop_assert_eq!(escape_composed(&shown), shown.as_ref(), "safe text stays as it is");
        prop_assert!(escape_lines(&text).all(|part| !part.chars().any(|c| c.is_control())));
        prop_assert!(keeps_letters(&text, &escape_lines(&text).collect::<String>()));
    }

    #[test]
    fn markdown_hides_nothing(text in prop_oneof![source(), any::<String>()]) {
        let text = text.replace('&', "");
        let page = markdown_lines(&text);
        prop_assert!(page.iter().all(|part| !part.chars().any(|c| c.is_control() || c == GAP)));
        prop_assert!(keeps_letters(&text, &page.concat()), "{:?} shows as {:?}", text, page);
    }
}

#[test]
fn blank_rows_of_markdown_are_counted() {
    let rows = |text: &str| markdown_lines(text);
    assert_eq!(rows("a\n\n\n\nb"), ["a", "", "b"], "blank lines between paragraphs are one");
    assert_eq!(rows("a\\\nb\\\n\\\nc"), ["a", "b", "", "c"]);
    let padded = format!("a{}b", "\\\n".repeat(400));
    assert_eq!(rows(&padded).len(), 3, "{:?}", rows(&padded));
    assert!(rows(&padded).concat().contains("⋮ 399 blank lines"), "{:?}", rows(&padded));
    for blank in ["&nbsp;\n\n", "&#32;&nbsp;\n\n", "#\n", "```\n```\n", "\u{3000}\n\n&emsp;\n\n"] {
        let padded = format!("a\n\n{}b", blank.repeat(400));
        let rows = rows(&padded);
        assert!(rows.len() < 8 && rows.concat().contains(" blank lines"), "{blank:?}: {} rows", rows.len());
        assert_eq!(rows.last().map(String::as_str), Some("b"));
    }
}

#[test]
fn titles_are_joined_to_one_line() {
    assert_eq!(join_lines("One\n\n  two\r\nthree\u{2028}"), "One two three");
    assert_eq!(join_lines(" plain\u{1b} "), " plain\u{1b} ");
}
