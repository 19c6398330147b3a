//! Pictures at the top of the page, drawn from the figures of the run: dots on a logarithmic scale.

use super::figure::first_micros;
use crate::table::Measured;
use std::fmt::Write as _;

/// Picture at the top of the page.
pub(super) struct Picture {
    /// File name, below `docs/performance/`.
    pub(super) file: &'static str,
    pub(super) caption: &'static str,
    lines: fn(&[Measured]) -> Vec<Line>,
}

/// The pictures, in their order.
pub(super) const PICTURES: [Picture; 2] = [
    Picture {
        file: "compared.svg",
        caption: "Times of Sayso beside the floor of the machine and other programs, same run",
        lines: compared,
    },
    Picture {
        file: "growth.svg",
        caption: "Times with more open asks and more waiting programs",
        lines: growth,
    },
];

impl Picture {
    /// Draws it from the rows of a run.
    pub(super) fn draw(&self, rows: &[Measured]) -> String {
        chart(&(self.lines)(rows))
    }
}

/// Rows of the first picture, by the beginning of their descriptions.
const COMPARED: [&str; 10] = [
    "ask → visible to another process",
    "ask over HTTP → seen by a reader",
    "start of `sayso ask --plain`",
    "ask over HTTP → seen by a reader of events → answered",
    "a piece of text, from publishing",
    "`sayso --version`",
    "durable ask + answer, one after another",
    "sayso request of",
    "schema from an ask",
    "1,000 questions, five deep",
];

/// Groups of rows of the second picture: a label, and the beginnings of their descriptions.
const GROWTH: [(&str, &[&str]); 4] = [
    ("`sayso list`", &["`sayso list` with"]),
    ("a page of 200 asks", &["a page of 200"]),
    ("one durable ask", &["ask → visible to another process", "one durable ask with"]),
    ("answer → waiting program", &["answer → waiting program"]),
];

/// A dot: its name, its time in microseconds, and whether it is ours.
struct Dot {
    name: String,
    micros: f64,
    is_ours: bool,
}

/// A line of a picture.
struct Line {
    label: String,
    dots: Vec<Dot>,
}

fn compared(rows: &[Measured]) -> Vec<Line> {
    let chosen = rows.iter().filter(|row| COMPARED.iter().any(|begin| row.what.starts_with(begin)));
    let lines = chosen.filter_map(|row| {
        let ours = Dot { name: "Sayso".to_owned(), micros: first_micros(&row.figures)?, is_ours: true };
        let beside = row.beside.split("<br>").next().unwrap_or_default();
        let others = beside.split([';', '·']).filter_map(|part| {
            let part = part.trim();
            let at = part.find(|c: char| c.is_ascii_digit()).filter(|_| !part.starts_with("p99"))?;
            // The number follows the last word of the name: "zod 4" has none of its own in these cells.
            let name = part.split_at_checked(at)?.0.trim_matches([' ', ':', ',']);
            let micros = first_micros(part.get(at..)?)?;
            (!name.is_empty()).then(|| Dot { name: name.to_owned(), micros, is_ours: false })
        });
        let dots: Vec<_> = std::iter::once(ours).chain(others).collect();
        (dots.len() > 1).then(|| Line { label: row.what.clone(), dots })
    });
    lines.collect()
}

fn growth(rows: &[Measured]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (label, beginnings) in GROWTH {
        let steps = rows.iter().filter(|row| beginnings.iter().any(|begin| row.what.starts_with(begin)));
        for row in steps {
            let Some(micros) = first_micros(&row.figures) else { continue };
            let dots = vec![Dot { name: String::new(), micros, is_ours: true }];
            lines.push(Line { label: format!("{label}: {}", row.what), dots });
        }
    }
    lines
}

/// Place of the scale, and its length, in pixels.
const SCALE: (f64, f64) = (430.0, 560.0);
const LINE: f64 = 46.0;

fn chart(lines: &[Line]) -> String {
    let times = || lines.iter().flat_map(|line| &line.dots).map(|dot| dot.micros);
    let low = times().fold(f64::INFINITY, f64::min).log10().floor();
    let high = times().fold(0.0, f64::max).log10().ceil();
    let x = |micros: f64| SCALE.0 + SCALE.1 * (micros.log10() - low) / (high - low).max(1.0);
    // Far below 2^53.
    let height = LINE.mul_add(lines.len() as f64, 40.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1040 {height}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"12\"><style>text{{fill:#222}}.g{{stroke:#ddd}}.o{{fill:#0a7}}.p{{fill:#999}}\
         @media (prefers-color-scheme:dark){{text{{fill:#ddd}}.g{{stroke:#444}}.o{{fill:#3d9}}}}</style>\n"
    );
    let mut power = low;
    while power <= high {
        let at = x(10_f64.powf(power));
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<line class=\"g\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"24\" y2=\"{height}\"/>\
             <text x=\"{at:.1}\" y=\"16\" text-anchor=\"middle\">{}</text>",
            time(10_f64.powf(power))
        );
        power += 1.0;
    }
    for (index, line) in lines.iter().enumerate() {
        let y = LINE.mul_add(index as f64 + 0.5, 40.0);
        let label: String = line.label.chars().take(64).collect();
        let _ = writeln!(svg, "<text x=\"8\" y=\"{:.1}\">{}</text>", y + 4.0, escaped(&label));
        for (place, dot) in line.dots.iter().enumerate() {
            let (at, class) = (x(dot.micros), if dot.is_ours { "o" } else { "p" });
            // Names take turns above and below their dots, so that near ones stay legible.
            let text = if place % 2 == 0 { y - 9.0 } else { y + 18.0 };
            let name = format!("{} {}", dot.name, time(dot.micros));
            let _ = writeln!(
                svg,
                "<circle class=\"{class}\" cx=\"{at:.1}\" cy=\"{y:.1}\" r=\"5\"/>\
                 <text x=\"{at:.1}\" y=\"{text:.1}\" text-anchor=\"middle\" font-size=\"10\">{}</text>",
                escaped(name.trim())
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('`', "")
}

fn time(micros: f64) -> String {
    match micros {
        micros if micros < 1e3 => format!("{} µs", (micros * 10.0).round() / 10.0),
        micros if micros < 1e6 => format!("{} ms", (micros / 10.0).round() / 100.0),
        micros => format!("{} s", (micros / 1e4).round() / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Table, Target};

    #[test]
    fn dots_are_ours_floor_and_peers() {
        let mut table = Table::default();
        table.row(
            "`sayso --version`",
            "1.2 ms · p99 2 ms",
            Target::none(),
            "hello 0.9 ms<br>beside: hello 9 ms",
        );
        table.row("sayso request of 9 bytes", "8 µs", Target::none(), "ajv 10 µs (1.2 ×) · zod 30 µs (4 ×)");
        let lines = compared(&table.rows);
        let dots =
            |line: &Line| line.dots.iter().map(|dot| (dot.name.clone(), dot.micros)).collect::<Vec<_>>();
        let named = |name: &str, micros| (name.to_owned(), micros);
        assert_eq!(dots(&lines[0]), [named("Sayso", 1_200.0), named("hello", 900.0)]);
        assert_eq!(dots(&lines[1]), [named("Sayso", 8.0), named("ajv", 10.0), named("zod", 30.0)]);
        let svg = PICTURES[0].draw(&table.rows);
        assert!(svg.contains(">zod 30 µs<") && svg.contains(">1 ms<"), "{svg}");
    }
}
