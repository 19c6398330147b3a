//! A screen as a picture, cell by cell. What differs from one minute to the next is the same in every picture.

use std::fmt::Write as _;
use std::sync::LazyLock;

use vt100::{Cell, Color, Screen};

/// Width and height of a cell.
const CELL: (f32, f32) = (8.4, 18.0);
/// The room around the screen.
const MARGIN: f32 = 12.0;
const GROUND: &str = "#1b1e28";
/// Around several screens.
const FRAME: &str = "#101219";
const INK: &str = "#d7dae0";
const FAINT: &str = "#7d8590";
/// The sixteen colours of a terminal.
const COLOURS: [&str; 16] = [
    "#1b1e28", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0", "#6b7280",
    "#ff7b86", "#b5e890", "#ffd68a", "#8cc8ff", "#dfa3f5", "#7fdbe6", "#ffffff",
];

/// The other colours, which are the same in every terminal.
static FIXED_COLOURS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    let cube = (0..216u8).map(|at| [level(at / 36), level(at / 6 % 6), level(at % 6)]);
    let greys = (0..24u8).map(|step| [8 + 10 * step; 3]);
    cube.chain(greys).map(|[red, green, blue]| format!("#{red:02x}{green:02x}{blue:02x}")).collect()
});

fn fixed_colour(number: u8) -> Option<&'static str> {
    FIXED_COLOURS.get(usize::from(number).checked_sub(COLOURS.len())?).map(String::as_str)
}

/// Neighbouring cells that look the same.
struct Run {
    column: u16,
    columns: u16,
    words: String,
    ink: &'static str,
    ground: Option<&'static str>,
    bold: bool,
}

/// Height of the line above a moving picture.
pub(super) const CAPTION: f32 = 40.0;
/// Room between two screens of a picture.
pub(super) const GAP: f32 = 10.0;

/// Place of a screen in a picture.
pub(super) struct Band {
    top: f32,
    rows: u16,
}

impl Band {
    /// Below this much of the picture.
    pub(super) const fn below(top: f32, rows: u16) -> Self {
        Self { top, rows }
    }

    /// The same, this much lower.
    pub(super) fn moved(&self, by: f32) -> Self {
        Self { top: self.top + by, rows: self.rows }
    }

    /// Position of its end.
    pub(super) fn end(&self) -> f32 {
        self.top + f32::from(self.rows).mul_add(CELL.1, 2.0 * MARGIN)
    }
}

/// The picture of a screen.
pub(super) fn of(screen: &Screen) -> String {
    let (rows, columns) = screen.size();
    let band = Band::below(0.0, rows.get());
    document(std::slice::from_ref(&band), columns.get(), "", &self::rows(screen, &band).concat())
}

/// A document with the grounds of these screens, the last of which ends it.
pub(super) fn document(bands: &[Band], columns: u16, style: &str, body: &str) -> String {
    let wide = f32::from(columns).mul_add(CELL.0, 2.0 * MARGIN);
    let high = bands.last().map(Band::end).unwrap_or_default();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {high:.0}\" width=\"{wide:.0}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\" \
         style=\"white-space:pre\">\n"
    );
    // Writing to a String cannot fail.
    if !style.is_empty() {
        let _ = writeln!(svg, "<style>{style}</style>");
    }
    match bands {
        [_] => svg.push_str(&format!("<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n")),
        several => {
            let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{FRAME}\"/>");
            for band in several {
                let (top, high) = (band.top, band.end() - band.top);
                let _ = writeln!(
                    svg,
                    "<rect y=\"{top:.1}\" width=\"100%\" height=\"{high:.1}\" rx=\"8\" fill=\"{GROUND}\"/>"
                );
            }
        }
    }
    svg.push_str(body);
    svg.push_str("</svg>\n");
    svg
}

/// The line above a moving picture.
pub(super) fn caption(words: &str) -> String {
    format!("<text x=\"{MARGIN:.1}\" y=\"26.0\" fill=\"{INK}\" font-weight=\"bold\">{words}</text>\n")
}

/// The rows of a screen, each drawn.
pub(super) fn rows(screen: &Screen, band: &Band) -> Vec<String> {
    let (rows, columns) = screen.size();
    let columns = columns.get();
    let draw_row = |row| {
        let line: String = (0..columns).map(|column| words(screen.cell(row, column))).collect();
        let steady = steady(&line);
        let changed = steady != line;
        let mut drawn = String::new();
        for run in runs(screen, row, columns) {
            let words = if changed { steadied(&line, &steady, &run.words) } else { run.words.clone() };
            draw(&mut drawn, band.top, row, &run, &words);
        }
        drawn
    };
    (0..rows.get()).map(draw_row).collect()
}

fn words(cell: Option<&Cell>) -> String {
    match cell {
        Some(cell) if cell.is_wide_continuation() => String::new(),
        Some(cell) if cell.has_contents() => cell.contents().to_owned(),
        _ => " ".to_owned(),
    }
}

fn runs(screen: &Screen, row: u16, columns: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column) else { continue };
        if cell.is_wide_continuation() {
            continue;
        }
        let (ink, ground) = colours(cell);
        let columns = if cell.is_wide() { 2 } else { 1 };
        let words = words(Some(cell));
        // Letters of two columns and words after a gap stand by themselves, so that each stands where it should.
        let joins = |last: &&mut Run| {
            let looks = (last.ink, last.ground, last.bold) == (ink, ground, cell.bold());
            let same = last.words.ends_with(&words);
            let gap = last.words.ends_with("  ") && words != " ";
            looks && columns == 1 && !gap && (same || last.words.is_ascii() && words.is_ascii())
        };
        if let Some(last) = runs.last_mut().filter(joins) {
            last.words.push_str(&words);
            last.columns += 1;
        } else {
            runs.push(Run { column, columns, words, ink, ground, bold: cell.bold() });
        }
    }
    runs
}

fn colours(cell: &Cell) -> (&'static str, Option<&'static str>) {
    let named = |colour: Color| match colour {
        Color::Default => None,
        Color::Idx(number) => COLOURS.get(usize::from(number)).copied().or_else(|| fixed_colour(number)),
        Color::Rgb(..) => None,
    };
    let ink = named(cell.fgcolor()).unwrap_or(if cell.dim() { FAINT } else { INK });
    let ground = named(cell.bgcolor());
    if cell.inverse() { (ground.unwrap_or(GROUND), Some(ink)) } else { (ink, ground) }
}

fn draw(svg: &mut String, top: f32, row: u16, run: &Run, words: &str) {
    let x = f32::from(run.column).mul_add(CELL.0, MARGIN);
    let y = f32::from(row).mul_add(CELL.1, top + MARGIN);
    let wide = |columns: u16| f32::from(columns) * CELL.0;
    // Writing to a String cannot fail.
    if let Some(ground) = run.ground {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{}\" fill=\"{ground}\" shape-rendering=\"crispEdges\"/>",
            wide(run.columns),
            CELL.1
        );
    }
    // Space at the ends of a text is not drawn, and would be stretched away.
    let spaces = |words: &str, rest: &str| u16::try_from(words.len() - rest.len()).unwrap_or_default();
    let rest = words.trim_start_matches(' ');
    let before = spaces(words, rest);
    let shown = rest.trim_end_matches(' ');
    if shown.is_empty() {
        return;
    }
    let columns = run.columns - before - spaces(rest, shown);
    let escaped = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let bold = if run.bold { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\"{bold} textLength=\"{:.1}\">{escaped}</text>",
        x + wide(before),
        y + 13.5,
        run.ink,
        wide(columns)
    );
}

/// The short id in every picture.
const ID: &str = "9f3a2c11";

/// The same line with every clock at one time, every age of seconds at two minutes and every short id the same one.
fn steady(line: &str) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    for at in 0..letters.len() {
        let hex = |place: usize| letters.get(place).is_some_and(char::is_ascii_hexdigit);
        let ends = |place: usize| letters.get(place).is_none_or(|letter| !letter.is_alphanumeric());
        if (at..at + ID.len()).all(hex) && ends(at + ID.len()) && (at == 0 || ends(at - 1)) {
            letters.splice(at..at + ID.len(), ID.chars());
            continue;
        }
        let digit = |place: usize| letters.get(place).is_some_and(char::is_ascii_digit);
        let is = |place: usize, wanted: char| letters.get(place) == Some(&wanted);
        let clock =
            [0, 1, 3, 4, 6, 7].iter().all(|place| digit(at + place)) && is(at + 2, ':') && is(at + 5, ':');
        let seconds =
            is(at, 's') && at > 1 && digit(at - 1) && letters.get(at + 1).is_none_or(|next| *next == ' ');
        let whole = "09:41:07";
        if clock {
            letters.splice(at..at + 8, whole.chars());
        } else if seconds {
            let first =
                if at > 1 && letters.get(at - 2).is_some_and(char::is_ascii_digit) { at - 2 } else { at - 1 };
            let aged: Vec<char> = format!("{:>width$}", "2m", width = at + 1 - first).chars().collect();
            letters.splice(first..=at, aged);
        }
    }
    letters.into_iter().collect()
}

/// The words of a run as they are in the steady line.
fn steadied(line: &str, steady: &str, words: &str) -> String {
    let Some(at) = line.find(words) else { return words.to_owned() };
    let before = line.get(..at).map(|before| before.chars().count()).unwrap_or_default();
    steady.chars().skip(before).take(words.chars().count()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_ages_are_the_same_in_every_picture() {
        assert_eq!(steady("saved 12:34:56. x"), "saved 09:41:07. x");
        assert_eq!(steady("5 q   3s  claude"), "5 q   2m  claude");
        assert_eq!(steady("5 q  13s  claude"), "5 q   2m  claude");
        assert_eq!(steady("questions 1s2"), "questions 1s2");
        assert_eq!(steady("wait 0badcafe"), "wait 9f3a2c11");
        assert_eq!(steady("defaced1 is abadcafe0"), "9f3a2c11 is abadcafe0");
    }

    #[test]
    fn a_picture_has_the_words_with_their_colours() {
        let mut parser =
            vt100::Parser::new(std::num::NonZeroU16::MIN, std::num::NonZeroU16::new(20).unwrap(), 0);
        parser.process("\u{1b}[7mon\u{1b}[m <&> 字".as_bytes());
        let svg = of(parser.screen());
        for part in ["fill=\"#d7dae0\" shape-rendering", ">on</text>", "&lt;&amp;&gt;", ">字</text>"] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }
}
