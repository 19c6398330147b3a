//! Contrast of each role on the backgrounds of known palettes.

use super::{StyleRole, Theme};
use ratatui::style::{Color, Modifier};

/// Minimum contrast of text, as WCAG 2.2 has it (1.4.3).
const MIN_CONTRAST: f64 = 4.5;

/// Dark palettes: their background and their usual text.
const DARK: [(&str, u32, u32); 11] = [
    ("Solarized Dark", 0x002b36, 0x839496),
    ("Gruvbox Dark", 0x282828, 0xebdbb2),
    ("Nord", 0x2e3440, 0xd8dee9),
    ("Dracula", 0x282a36, 0xf8f8f2),
    ("One Dark", 0x282c34, 0xabb2bf),
    ("Tango Dark", 0x2e3436, 0xd3d7cf),
    ("GNOME Dark", 0x171421, 0xd0cfcc),
    ("xterm", 0x000000, 0xe5e5e5),
    ("Campbell", 0x0c0c0c, 0xcccccc),
    ("macOS Pro", 0x000000, 0xf2f2f2),
    ("VGA", 0x000000, 0xaaaaaa),
];

/// Light palettes. Solarized Light gives its own usual text a contrast of 4.1 only.
const LIGHT: [(&str, u32, u32); 6] = [
    ("Solarized Light", 0xfdf6e3, 0x657b83),
    ("Gruvbox Light", 0xfbf1c7, 0x3c3836),
    ("Tango Light", 0xffffff, 0x000000),
    ("GNOME Light", 0xffffff, 0x171421),
    ("macOS Basic", 0xffffff, 0x000000),
    ("One Light", 0xfafafa, 0x383a42),
];

/// Returns the colour of an entry from 16 on, which every terminal with 256 colours has.
fn fixed_colour(index: u8) -> u32 {
    let index = u32::from(index);
    if let Some(step) = index.checked_sub(232) {
        return (8 + 10 * step) * 0x0001_0101;
    }
    let cube = index.checked_sub(16).expect("a palette chooses the look of the first 16 colours");
    let level = |step: u32| if step == 0 { 0 } else { 55 + 40 * step };
    (level(cube / 36) << 16) | (level(cube / 6 % 6) << 8) | level(cube % 6)
}

fn luminance(colour: u32) -> f64 {
    let part = |shift: u32| {
        let value = f64::from((colour >> shift) & 0xff) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let weighted = [(0.2126, 16), (0.7152, 8), (0.0722, 0)].map(|(weight, shift)| weight * part(shift));
    weighted.iter().sum()
}

fn contrast(one: u32, other: u32) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

#[test]
fn every_role_is_legible_on_known_palettes() {
    assert!((contrast(0, 0x00ff_ffff) - 21.0).abs() < 0.01);
    let themes = [("dark", &DARK[..]), ("light", &LIGHT[..]), ("mono", &DARK[..]), ("mono", &LIGHT[..])];
    let high = ["high-contrast"].into_iter().flat_map(|name| [(name, &DARK[..]), (name, &LIGHT[..])]);
    for (name, palettes) in themes.into_iter().chain(high) {
        let theme = Theme::from_name(name).unwrap();
        for ((role_name, role), (palette, background, text)) in
            StyleRole::ALL.iter().flat_map(|role| palettes.iter().map(move |palette| (role, palette)))
        {
            let style = theme.style(*role);
            let resolve = |colour: Option<Color>, usual: u32| match colour {
                None => usual,
                Some(Color::Indexed(index)) => fixed_colour(index),
                Some(other) => panic!("{name}: {role_name} has {other:?}, whose look is the palette's"),
            };
            assert!(!style.add_modifier.contains(Modifier::DIM), "{name}: {role_name}");
            let (front, back) = (resolve(style.fg, *text), resolve(style.bg, *background));
            let is_usual = style.fg.is_none() && style.bg.is_none();
            let found = contrast(front, back);
            assert!(is_usual || found >= MIN_CONTRAST, "{name}: {role_name} on {palette}: {found:.2}");
        }
    }
}
