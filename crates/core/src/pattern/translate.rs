//! Translation from JavaScript syntax to the engine's. Every piece is parsed and written in the few forms that both
//! read alike, so no engine-only syntax passes.

use super::captures::{self, Captures};
use super::class::class;
use super::fault::Fault;
use super::scan::{Escape, Scan};
use super::set::{LINE_ENDS, Set, WORD, write_char};
use crate::limits;

/// A pattern in the engine's syntax.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Translation {
    pub(super) text: String,
    /// Set if matching needs backtracking; otherwise it takes time linear in the text.
    pub(super) backtracks: bool,
    /// Approximate number of states once repeats are expanded.
    pub(super) weight: u64,
}

/// Translates a pattern. `counting` writes a repeated set as a counted loop instead of expanding it: a smaller program
/// that must backtrack.
pub(super) fn translate(source: &str, counting: bool) -> Result<Translation, Fault> {
    let groups = captures::names(source)?;
    let root = Group {
        at: 0,
        capture: None,
        looks: false,
        behind: false,
        takes: false,
        weight: 0,
        counts: false,
        start: 0,
        branches: false,
        first: 0,
        looks_back: None,
    };
    let mut writer = Writer {
        scan: Scan::new(source),
        out: String::with_capacity(source.len() * 2),
        counting,
        groups,
        numbers: Vec::new(),
        captures: Captures::default(),
        stack: Vec::new(),
        group: root,
        last: None,
        backtracks: false,
    };
    writer.run()?;
    Ok(Translation { text: writer.out, backtracks: writer.backtracks, weight: writer.group.weight.max(1) })
}

struct Group {
    at: usize,
    capture: Option<usize>,
    /// Set for lookarounds, which consume no characters.
    looks: bool,
    behind: bool,
    /// Set if anything in it consumes characters.
    takes: bool,
    weight: u64,
    /// Set if it contains a counted loop.
    counts: bool,
    /// Start of the group in the output.
    start: usize,
    branches: bool,
    /// Index of the first capture group inside it.
    first: usize,
    /// Reference in it that in a second iteration finds the capture of the first.
    looks_back: Option<String>,
}

/// Item that a following quantifier repeats.
struct Last {
    start: usize,
    /// Index of the first capture group in it.
    first: usize,
    looks_back: Option<String>,
    weight: u64,
    takes: bool,
    /// Set for one character or set.
    single: bool,
    counts: bool,
}

struct Writer {
    scan: Scan,
    out: String,
    counting: bool,
    groups: Vec<Option<String>>,
    /// Engine number of each group so far; none for groups in a lookbehind, which the engine cannot capture.
    numbers: Vec<Option<usize>>,
    captures: Captures,
    stack: Vec<Group>,
    group: Group,
    last: Option<Last>,
    backtracks: bool,
}

impl Writer {
    fn run(&mut self) -> Result<(), Fault> {
        while let Some(c) = self.scan.next() {
            let start = self.scan.at() - 1;
            match c {
                '|' => {
                    self.out.push('|');
                    self.captures.pass_by(self.group.first);
                    self.group.branches = true;
                    self.last = None;
                }
                '^' | '$' => {
                    self.out.push(c);
                    self.last = None;
                }
                '(' => self.open(start)?,
                ')' => self.close(start)?,
                '.' => self.put_set(&Set::without(LINE_ENDS)),
                '[' => {
                    let set = class(&mut self.scan)?;
                    self.put_set(&set);
                }
                '\\' => self.put_escape(start)?,
                '*' => self.quantify(start, 0, None)?,
                '+' => self.quantify(start, 1, None)?,
                '?' => self.quantify(start, 0, Some(1))?,
                '{' => match self.bounds() {
                    Some((low, high)) => self.quantify(start, low, high)?,
                    None => self.put_char(u32::from(c)),
                },
                c => self.put_char(u32::from(c)),
            }
        }
        if self.stack.is_empty() {
            return Ok(());
        }
        Err(Fault::Unclosed { construct: "(", place: self.group.at + 1 })
    }

    fn put_char(&mut self, code: u32) {
        self.begin(if code < 0x80 { 1 } else { 4 }, true);
        write_char(code, &mut self.out);
    }

    fn put_set(&mut self, set: &Set) {
        self.begin(set.weight(), true);
        set.write(&mut self.out);
    }

    /// Marks the next output as repeatable.
    fn begin(&mut self, weight: u64, single: bool) {
        let takes = weight > 0;
        let (start, first) = (self.out.len(), self.captures.count());
        self.last = Some(Last { start, first, looks_back: None, weight, takes, single, counts: false });
        self.group.takes |= takes;
        self.group.weight = self.group.weight.saturating_add(weight);
    }

    fn put_escape(&mut self, start: usize) -> Result<(), Fault> {
        match self.scan.escape(false)? {
            Escape::Char(code) => self.put_char(code),
            Escape::Set(set) => self.put_set(&set),
            Escape::Boundary(_) if self.is_behind() => {
                return Err(Fault::Unsupported { construct: format!("{} in (?<", self.scan.since(start)) });
            }
            Escape::Boundary(is_boundary) => {
                self.put_boundary(is_boundary);
                self.last = None;
            }
            Escape::Number(number) if number <= self.groups.len() => self.put_reference(start, number)?,
            Escape::Number(_) => return Err(Fault::NoGroup { construct: self.scan.since(start) }),
            Escape::Name(name) => {
                let index = self.groups.iter().position(|group| group.as_ref() == Some(&name));
                let index = index.ok_or_else(|| Fault::NoGroup { construct: self.scan.since(start) })?;
                self.put_reference(start, index + 1)?;
            }
        }
        Ok(())
    }

    /// Writes a word boundary. The engine's own knows letters of every script, JavaScript's only ASCII ones.
    fn put_boundary(&mut self, is_boundary: bool) {
        let mut word = String::new();
        Set::of(WORD).write(&mut word);
        let (start, end) = if is_boundary { ("!", "=") } else { ("=", "!") };
        self.out.push_str(&format!("(?:(?<={word})(?{start}{word})|(?<!{word})(?{end}{word}))"));
        self.backtracks = true;
        self.group.weight = self.group.weight.saturating_add(4);
    }

    /// Writes a back-reference. A group that has not matched yet matches nothing, and succeeds.
    fn put_reference(&mut self, start: usize, number: usize) -> Result<(), Fault> {
        if self.is_behind() {
            return Err(Fault::Unsupported { construct: format!("{} in (?<", self.scan.since(start)) });
        }
        let is_open = self.stack.iter().chain([&self.group]).any(|group| group.capture == Some(number));
        if is_open || number > self.numbers.len() {
            self.begin(0, false);
            return Ok(());
        }
        let construct = self.scan.since(start);
        let index = number - 1;
        let Some(number) =
            self.numbers.get(index).copied().flatten().filter(|_| self.captures.is_same(index))
        else {
            return Err(Fault::Unsupported { construct });
        };
        if self.captures.is_same_in_one_round(index) {
            for around in self.stack.iter_mut().chain([&mut self.group]).filter(|group| group.first <= index)
            {
                around.looks_back = Some(construct.clone());
            }
        }
        self.begin(1, false);
        self.out.push_str(&format!("(?:(?({number})\\{number}))"));
        self.backtracks = true;
        Ok(())
    }

    /// Returns whether this is inside a lookbehind, in which the engine mishandles complex syntax.
    fn is_behind(&self) -> bool {
        self.group.behind || self.stack.iter().any(|group| group.behind)
    }

    fn open(&mut self, at: usize) -> Result<(), Fault> {
        let opened = ["?:", "?=", "?!", "?<=", "?<!", "?<"].into_iter().find(|opened| self.scan.eat(opened));
        let opened = match opened {
            Some(opened) => opened,
            None if self.scan.peek() == Some('?') => return Err(self.foreign_group(at)),
            None => "",
        };
        if opened == "?<" {
            self.scan.name('>');
        }
        if self.stack.len() >= limits::PATTERN_GROUPS {
            return Err(Fault::TooBig);
        }
        let captures = matches!(opened, "" | "?<");
        let is_behind = self.is_behind();
        if captures {
            let number = self.numbers.iter().flatten().count() + 1;
            self.numbers.push((!is_behind).then_some(number));
            self.captures.open();
        }
        let capture = captures.then_some(self.numbers.len());
        let behind = opened.starts_with("?<") && capture.is_none();
        let looks = capture.is_none() && opened != "?:";
        if looks && is_behind {
            return Err(Fault::Unsupported { construct: format!("({opened} in (?<") });
        }
        self.backtracks |= looks;
        let start = self.out.len();
        self.out.push('(');
        match capture {
            Some(_) if is_behind => self.out.push_str("?:"),
            Some(_) => {}
            None => self.out.push_str(opened),
        }
        let group = Group {
            at,
            capture,
            looks,
            behind,
            takes: false,
            weight: 0,
            counts: false,
            start,
            branches: false,
            first: self.captures.count(),
            looks_back: None,
        };
        self.stack.push(std::mem::replace(&mut self.group, group));
        self.last = None;
        Ok(())
    }

    fn foreign_group(&mut self, at: usize) -> Fault {
        self.scan.eat("?");
        let instead = match self.scan.peek() {
            Some('P') => {
                let name = self.scan.ahead(1);
                self.scan.next();
                if name == Some('<') { Some("(?<name>…)") } else { Some(r"\k<name>") }
            }
            Some('i') => Some("[Aa]"),
            _ => None,
        };
        while self.scan.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '-') {}
        Fault::Foreign { construct: self.scan.since(at), instead }
    }

    fn close(&mut self, at: usize) -> Result<(), Fault> {
        let outer = self.stack.pop().ok_or_else(|| self.scan.broken(at))?;
        let group = std::mem::replace(&mut self.group, outer);
        self.out.push(')');
        if group.branches {
            self.captures.pass_by(group.first);
        }
        self.group.weight = self.group.weight.saturating_add(group.weight);
        self.group.counts |= group.counts;
        let takes = group.takes && !group.looks;
        self.group.takes |= takes;
        // JavaScript repeats a lookahead, for compatibility, but never a lookbehind.
        self.last = (!group.behind).then_some(Last {
            start: group.start,
            first: group.first.saturating_sub(usize::from(group.capture.is_some())),
            looks_back: group.looks_back,
            weight: group.weight,
            takes,
            single: false,
            counts: group.counts,
        });
        Ok(())
    }

    /// Reads `{2}`, `{2,}` or `{2,3}` after its brace. Any other text is a literal brace.
    fn bounds(&mut self) -> Option<(usize, Option<usize>)> {
        let start = self.scan.at();
        let bounds = self.read_bounds();
        if bounds.is_none() {
            self.scan.go_to(start);
        }
        bounds
    }

    fn read_bounds(&mut self) -> Option<(usize, Option<usize>)> {
        let low = self.scan.number()?;
        let high = if self.scan.eat(",") { self.scan.number() } else { Some(low) };
        self.scan.eat("}").then_some((low, high))
    }

    fn quantify(&mut self, start: usize, low: usize, high: Option<usize>) -> Result<(), Fault> {
        let construct = self.scan.since(start);
        let last = self.last.take().ok_or(Fault::NothingToRepeat { construct, place: start + 1 })?;
        let lazy = self.scan.eat("?");
        if high.is_some_and(|high| high < low) {
            return Err(self.scan.broken(start));
        }
        // No answer is longer.
        let high = high.filter(|high| *high < limits::TEXT_ANSWER_BYTES);
        if low >= limits::TEXT_ANSWER_BYTES {
            return Err(Fault::TooBig);
        }
        self.captures.repeat(last.first, low, high);
        if let Some(construct) = last.looks_back.filter(|_| high.is_none_or(|high| high > 1)) {
            return Err(Fault::Unsupported { construct });
        }
        if !last.takes {
            self.repeat_nothing(last.start, low);
            return Ok(());
        }
        let times = high.unwrap_or(low).max(1);
        if last.counts && times.max(high.unwrap_or(2)) > 1 {
            return Err(Fault::TooBig);
        }
        let more = last.weight.saturating_mul(times as u64).saturating_sub(last.weight);
        self.group.weight = self.group.weight.saturating_add(more);
        if self.counting && last.single && times > 1 && !self.is_behind() {
            self.out.insert_str(last.start, "(?:(?=)");
            self.out.push(')');
            self.group.counts = true;
            self.backtracks = true;
        }
        self.repeat(last.start, low, high, lazy);
        Ok(())
    }

    /// Writes a repeat. "None or more" becomes "one or more, or nothing": an optimizer of the engine rewrites `a+b?a+`
    /// to `a+(?:ba+)?`, which matches a single `a`.
    fn repeat(&mut self, start: usize, low: usize, high: Option<usize>, lazy: bool) {
        if high == Some(0) {
            self.out.push_str("{0}");
            return;
        }
        let at_least = low.max(1);
        match high {
            Some(high) if at_least == high && high == 1 => {}
            Some(high) => self.out.push_str(&format!("{{{at_least},{high}}}")),
            None => self.out.push_str(&format!("{{{at_least},}}")),
        }
        if lazy && high != Some(1) {
            self.out.push('?');
        }
        if low == 0 {
            self.out.insert_str(start, if lazy { "(?:|" } else { "(?:" });
            self.out.push_str(if lazy { ")" } else { "|)" });
        }
    }

    /// Writes the repeat of an item that consumes no characters: it matches once, or not at all if optional.
    fn repeat_nothing(&mut self, start: usize, low: usize) {
        if low == 0 {
            self.out.insert_str(start, "(?:");
            self.out.push_str("|)");
        }
    }
}
