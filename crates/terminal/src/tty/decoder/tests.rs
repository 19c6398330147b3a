use super::{DecodedEvent, Decoder};
use crate::tty::{InputEvent, Key, KeyCode, MouseEvent, MouseKind};

/// Decodes bytes that arrive at once and alone.
fn decode_all(bytes: &[u8]) -> Vec<DecodedEvent> {
    let mut decoder = Decoder::default();
    let mut report = decoder.feed(bytes);
    report.extend(decoder.flush());
    assert_eq!(decoder.timeout(), None, "{bytes:?}");
    report
}

fn keys(bytes: &str) -> Vec<Key> {
    let key = |report| match report {
        DecodedEvent::Input(InputEvent::Key(key)) => key,
        other => panic!("{bytes:?} says {other:?}"),
    };
    decode_all(bytes.as_bytes()).into_iter().map(key).collect()
}

fn key(bytes: &str) -> Key {
    let keys = keys(bytes);
    assert_eq!(keys.len(), 1, "{bytes:?} says {keys:?}");
    keys[0]
}

const fn shifted(code: KeyCode) -> Key {
    Key { shift: true, ..Key::plain(code) }
}

#[test]
fn control_bytes_are_keys() {
    assert_eq!(key("\r"), Key::plain(KeyCode::Enter));
    assert_eq!(key("\n"), Key::ctrl('j'));
    assert_eq!(key("\t"), Key::plain(KeyCode::Tab));
    assert_eq!(key("\x1b"), Key::plain(KeyCode::Esc));
    assert_eq!(key("\x08"), Key::plain(KeyCode::Backspace));
    assert_eq!(key("\x7f"), Key::plain(KeyCode::Backspace));
    assert_eq!(key("\0"), Key::ctrl(' '));
    assert_eq!(key("\x03"), Key::ctrl('c'));
    assert_eq!(key("\x1a"), Key::ctrl('z'));
    assert_eq!(key("\x1c"), Key::ctrl('\\'));
    assert_eq!(key("\x1f"), Key::ctrl('_'));
}

#[test]
fn esc_prefix_is_alt() {
    assert_eq!(key("\x1bb"), Key::alt('b'));
    assert_eq!(key("\x1bé"), Key::alt('é'));
    assert_eq!(key("\x1b_"), Key::alt('_'));
    assert_eq!(key("\x1b["), Key::alt('['));
    assert_eq!(key("\x1bO"), Key::alt('O'));
    assert_eq!(key("\x1b]"), Key::alt(']'));
    assert_eq!(key("\x1b\r"), Key { alt: true, ..Key::plain(KeyCode::Enter) });
    assert_eq!(key("\x1b\x7f"), Key { alt: true, ..Key::plain(KeyCode::Backspace) });
    assert_eq!(key("\x1b\x1b[A"), Key { alt: true, ..Key::plain(KeyCode::Up) });
    assert_eq!(keys("\x1b\x1b"), [Key::plain(KeyCode::Esc); 2]);
}

#[test]
fn legacy_keys_are_decoded() {
    let same: [(KeyCode, &[&str]); 12] = [
        (KeyCode::Up, &["\x1b[A", "\x1bOA", "\x1b[1;1A"]),
        (KeyCode::Down, &["\x1b[B", "\x1bOB"]),
        (KeyCode::Home, &["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"]),
        (KeyCode::End, &["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"]),
        (KeyCode::Delete, &["\x1b[3~"]),
        (KeyCode::PageUp, &["\x1b[5~"]),
        (KeyCode::PageDown, &["\x1b[6~"]),
        (KeyCode::BackTab, &["\x1b[Z"]),
        (KeyCode::Enter, &["\x1bOM"]),
        (KeyCode::F(1), &["\x1bOP", "\x1b[11~", "\x1b[[A", "\x1b[P"]),
        (KeyCode::F(5), &["\x1b[15~", "\x1b[[E"]),
        (KeyCode::F(12), &["\x1b[24~"]),
    ];
    for (code, written) in same {
        for bytes in written {
            assert_eq!(key(bytes), Key::plain(code), "{bytes:?}");
        }
    }
    assert_eq!(key("\x1b[1;5C"), Key { ctrl: true, ..Key::plain(KeyCode::Right) });
    assert_eq!(key("\x1b[1;2A"), shifted(KeyCode::Up));
    assert_eq!(key("\x1b[3;3~"), Key { alt: true, ..Key::plain(KeyCode::Delete) });
}

#[test]
fn extended_keys_are_decoded() {
    for enter in ["\x1b[13;2u", "\x1b[27;2;13~", "\x1b[57414;2u", "\x1b[13;2:1u", "\x1b[13;66u"] {
        assert_eq!(key(enter), shifted(KeyCode::Enter), "{enter:?}");
    }
    assert_eq!(key("\x1b[27u"), Key::plain(KeyCode::Esc));
    assert_eq!(key("\x1b[9;2u"), Key::plain(KeyCode::BackTab));
    assert_eq!(key("\x1b[99;5u"), Key::ctrl('c'));
    assert_eq!(key("\x1b[13;2:2u"), Key { repeat: true, ..shifted(KeyCode::Enter) });
    assert_eq!(decode_all(b"\x1b[13;2:3u"), [], "the key was let go");
    assert_eq!(decode_all(b"\x1b[99;9u"), [], "that is the desktop's");
    assert_eq!(key("\x1b[97:65;4u"), Key::alt('A'));
    assert_eq!(key("\x1b[57400u"), Key::plain(KeyCode::Char('1')));
}

#[test]
fn extended_and_legacy_keys_agree() {
    assert_eq!(key("\x1b[106;5u"), key("\n"));
    assert_eq!(key("\x1b[104;5u"), key("\x08"));
    assert_eq!(key("\x1b[109;5u"), key("\r"));
    assert_eq!(key("\x1b[105;5u"), key("\t"));
    assert_eq!(key("\x1b[45:95;6u"), key("\x1f"));
    assert_eq!(key("\x1b[47;5u"), key("\x1f"));
    assert_eq!(key("\x1b[95;3u"), key("\x1b_"));
    assert_eq!(key("\x1b[45:95;4u"), key("\x1b_"));
}

#[test]
fn shortcut_uses_the_latin_layout() {
    // Ctrl and the key of Cyrillic es, at the position of c.
    assert_eq!(key("\x1b[1089::99;5u"), Key::ctrl('c'));
    assert_eq!(key("с"), Key::plain(KeyCode::Char('с')));
}

#[test]
fn emoji_sequence_is_complete() {
    let family = "👨‍👩‍👧";
    let typed: String = keys(family).into_iter().filter_map(Key::typed_char).collect();
    assert_eq!(typed, family);
}

#[test]
fn focus_mouse_and_replies_are_decoded() {
    let mouse = |kind| DecodedEvent::Input(InputEvent::Mouse(MouseEvent { kind, column: 4, row: 9 }));
    assert_eq!(
        decode_all(b"\x1b[I\x1b[O"),
        [true, false].map(|has| DecodedEvent::Input(InputEvent::Focus(has)))
    );
    assert_eq!(decode_all(b"\x1b[<0;5;10M"), [mouse(MouseKind::Press)]);
    assert_eq!(decode_all(b"\x1b[<0;5;10m"), [], "the button was let go");
    assert_eq!(
        decode_all(b"\x1b[<64;5;10M\x1b[<69;5;10M"),
        [MouseKind::WheelUp, MouseKind::WheelDown].map(mouse)
    );
    assert_eq!(decode_all(b"\x1b[<0;0;0M"), []);
    assert_eq!(decode_all(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"), [DecodedEvent::Background { dark: false }]);
    assert_eq!(decode_all(b"\x1b]11;rgb:0/0/0\x07"), [DecodedEvent::Background { dark: true }]);
    assert_eq!(decode_all(b"\x1b[?1u\x1b[?62;4c"), [DecodedEvent::QueryReply]);
}

#[test]
fn unknown_sequences_are_dropped() {
    for bytes in [
        "\x1b[99~",
        "\x1b[?2026;2$y",
        "\x1b[24;80n",
        "\x1b]52;c;cm0gLXJm\x07",
        "\x1b[M !!",
        "\x1b[32;10;5M",
        "\x1b[200;1",
        "\x1b[57441;2u",
        "\u{85}",
        "\x1b[999999999999u",
        "\x1b[;;;u",
    ] {
        assert_eq!(decode_all(bytes.as_bytes()), [], "{bytes:?}");
    }
    assert_eq!(decode_all(&[0xff, 0xc3]), []);
    assert_eq!(keys("\x1b[1;\x1b[A"), [Key::plain(KeyCode::Up)], "the first one was broken off");
}

#[test]
fn paste_is_one_verbatim_text() {
    let text = "one\r\ntwo\r\x1b[31mred\x1b[0m \x1b]0;x\x07 👨‍👩‍👧 \x03\x1b";
    let bytes = format!("a\x1b[200~{text}\x1b[201~b");
    let whole = [
        DecodedEvent::Input(InputEvent::Key(Key::plain(KeyCode::Char('a')))),
        DecodedEvent::Input(InputEvent::Paste(text.to_owned())),
        DecodedEvent::Input(InputEvent::Key(Key::plain(KeyCode::Char('b')))),
    ];
    assert_eq!(decode_all(bytes.as_bytes()), whole);
    for at in 1..bytes.len() {
        let mut decoder = Decoder::default();
        let (first, second) = bytes.as_bytes().split_at(at);
        let report = [decoder.feed(first), decoder.feed(second)].concat();
        assert_eq!(report, whole, "in two pieces at {at}");
    }
}

#[test]
fn unterminated_paste_times_out() {
    let pasted = |text: &str| DecodedEvent::Input(InputEvent::Paste(text.to_owned()));
    let mut decoder = Decoder::default();
    assert_eq!(decoder.feed("\x1b[200~grün\u{fc}".as_bytes().split_last().unwrap().1), []);
    assert_eq!(decoder.flush(), [pasted("grün")]);
    assert_eq!(decoder.feed(b"\xbc and more\x1b[2"), []);
    assert_eq!(decoder.flush(), [pasted("ü and more")]);
    assert_eq!(decoder.feed(b"01~"), []);
    assert_eq!(decoder.feed(b"x"), [DecodedEvent::Input(InputEvent::Key(Key::plain(KeyCode::Char('x'))))]);
    assert_eq!(decoder.feed(b"\x1b[200~lost"), []);
    assert_eq!(decoder.feed(&[3]), [pasted("lost"), DecodedEvent::Input(InputEvent::Key(Key::ctrl('c')))]);
}

#[test]
fn chunk_size_does_not_matter() {
    let bytes = "é\x1b[1;5C\x1b]11;rgb:0/0/0\x1b\\\x1bOP\x1b[<0;1;1M👨‍👩‍👧\x1b[13;2u\x1bé\r";
    let mut whole = Decoder::default();
    let whole = whole.feed(bytes.as_bytes());
    let mut pieces = Decoder::default();
    let texts: Vec<_> = bytes.as_bytes().iter().flat_map(|byte| pieces.feed(&[*byte])).collect();
    assert_eq!(texts, whole);
    assert_eq!(texts.len(), 13);
}

proptest::proptest! {
    #[test]
    fn no_bytes_stay_pending(bytes: Vec<u8>, at: proptest::sample::Index) {
        let mut decoder = Decoder::default();
        let (first, second) = bytes.split_at(at.index(bytes.len() + 1).min(bytes.len()));
        let pasted: usize = [decoder.feed(first), decoder.feed(second)].concat().len();
        let given_up = decoder.flush().len();
        proptest::prop_assert!(pasted + given_up <= 2 * bytes.len());
        proptest::prop_assert!(decoder.timeout().is_none());
    }
}
