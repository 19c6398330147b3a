//! Translation from JavaScript syntax to the engine's. Every piece is parsed and written in the few forms that both
//! read alike, so no engine-only syntax passes.

use super::budget::{ASCII_STATES, GROUP_DEPTH, WIDE_STATES};
use super::captures::{self, CaptureGroups};
use super::char_set::{CharSet, LINE_ENDS, WORD, write_char};
use super::class::read_class;
use super::fault::PatternFault;
use super::group::{OpenGroup, RepeatTarget};
use super::scanner::{PatternEscape, PatternScanner};
use crate::limits;

/// A pattern in the engine's syntax.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PatternTranslation {
    pub(super) text: String,
    /// Set if matching needs backtracking; otherwise it takes time linear in the text.
    pub(super) backtracks: bool,
    /// Approximate number of states once repeats are expanded.
    pub(super) weight: u64,
}

/// Translates a pattern. `counting` writes a repeated set as a counted loop instead of expanding it: a smaller program
/// that must backtrack.
pub(super) fn translate(source: &str, counting: bool) -> Result<PatternTranslation, PatternFault> {
    let groups = captures::group_names(source)?;
    let mut writer = PatternWriter {
        scan: PatternScanner::new(source),
        out: String::with_capacity(source.len() * 2),
        counting,
        groups,
        numbers: Vec::new(),
        captures: CaptureGroups::default(),
        stack: Vec::new(),
        group: OpenGroup::default(),
        last: None,
        backtracks: false,
    };
    writer.run()?;
    Ok(PatternTranslation {
        text: writer.out,
        backtracks: writer.backtracks,
        weight: writer.group.weight.max(1),
    })
}

struct PatternWriter {
    scan: PatternScanner,
    out: String,
    counting: bool,
    groups: Vec<Option<String>>,
    /// Engine number of each group so far; none for groups in a lookbehind, which the engine cannot capture.
    numbers: Vec<Option<usize>>,
    captures: CaptureGroups,
    stack: Vec<OpenGroup>,
    group: OpenGroup,
    last: Option<RepeatTarget>,
    backtracks: bool,
}

impl PatternWriter {
    fn run(&mut self) -> Result<(), PatternFault> {
        while let Some(c) = self.scan.next() {
            let start = self.scan.at() - 1;
            match c {
                '|' => {
                    self.out.push('|');
                    self.captures.mark_skipped(self.group.first);
                    self.group.branches = true;
                    self.last = None;
                }
                '^' | '$' => {
                    self.out.push(c);
                    self.last = None;
                }
                '(' => self.open(start)?,
                ')' => self.close(start)?,
                '.' => self.put_set(&CharSet::complement(LINE_ENDS)),
                '[' => {
                    let set = read_class(&mut self.scan)?;
                    self.put_set(&set);
                }
                '\\' => self.put_escape(start)?,
                '*' => self.quantify(start, 0, None)?,
                '+' => self.quantify(start, 1, None)?,
                '?' => self.quantify(start, 0, Some(1))?,
                '{' => match self.scan.bounds() {
                    Some((low, high)) => self.quantify(start, low, high)?,
                    None => self.put_char(u32::from(c)),
                },
                c => self.put_char(u32::from(c)),
            }
        }
        if self.stack.is_empty() {
            return Ok(());
        }
        Err(PatternFault::Unclosed { construct: "(", place: self.group.at + 1 })
    }

    fn put_char(&mut self, code: u32) {
        let weight = if code < 0x80 { ASCII_STATES } else { WIDE_STATES };
        self.begin_item(weight, true);
        write_char(code, &mut self.out);
    }

    fn put_set(&mut self, set: &CharSet) {
        self.begin_item(set.weight(), true);
        set.write(&mut self.out);
    }

    /// Marks the next output as repeatable.
    fn begin_item(&mut self, weight: u64, single: bool) {
        let takes = weight > 0;
        self.last = Some(RepeatTarget {
            start: self.out.len(),
            first: self.captures.count(),
            looks_back: None,
            weight,
            takes,
            single,
            counts: false,
        });
        self.group.consumes |= takes;
        self.group.weight = self.group.weight.saturating_add(weight);
    }

    fn put_escape(&mut self, start: usize) -> Result<(), PatternFault> {
        match self.scan.escape(false)? {
            PatternEscape::Char(code) => self.put_char(code),
            PatternEscape::Set(set) => self.put_set(&set),
            PatternEscape::Boundary(_) if self.is_behind() => {
                return Err(PatternFault::Unsupported {
                    construct: format!("{} in (?<", self.scan.text_since(start)),
                });
            }
            PatternEscape::Boundary(is_boundary) => {
                self.put_boundary(is_boundary);
                self.last = None;
            }
            PatternEscape::Number(number) if number <= self.groups.len() => {
                self.put_reference(start, number)?;
            }
            PatternEscape::Number(_) => {
                return Err(PatternFault::NoGroup { construct: self.scan.text_since(start) });
            }
            PatternEscape::Name(name) => {
                let name = Some(name);
                let Some(index) = self.groups.iter().position(|group| *group == name) else {
                    return Err(PatternFault::NoGroup { construct: self.scan.text_since(start) });
                };
                self.put_reference(start, index + 1)?;
            }
        }
        Ok(())
    }

    /// Writes a word boundary. The engine's own knows letters of every script, JavaScript's only ASCII ones.
    fn put_boundary(&mut self, is_boundary: bool) {
        let mut word = String::new();
        CharSet::from_ranges(WORD).write(&mut word);
        let (start, end) = if is_boundary { ("!", "=") } else { ("=", "!") };
        self.out.push_str(&format!("(?:(?<={word})(?{start}{word})|(?<!{word})(?{end}{word}))"));
        self.backtracks = true;
        self.group.weight = self.group.weight.saturating_add(WIDE_STATES);
    }

    /// Writes a back-reference. A group that has not matched yet matches nothing, and succeeds.
    fn put_reference(&mut self, start: usize, number: usize) -> Result<(), PatternFault> {
        if self.is_behind() {
            return Err(PatternFault::Unsupported {
                construct: format!("{} in (?<", self.scan.text_since(start)),
            });
        }
        let is_open = self.stack.iter().chain([&self.group]).any(|group| group.capture == Some(number));
        if is_open || number > self.numbers.len() {
            self.begin_item(0, false);
            return Ok(());
        }
        let construct = self.scan.text_since(start);
        let index = number - 1;
        let number = self.numbers.get(index).copied().flatten();
        let Some(number) = number else {
            return Err(PatternFault::Unsupported { construct });
        };
        if !self.captures.matches_javascript(index) {
            return Err(PatternFault::Unsupported { construct });
        }
        if self.captures.matches_in_one_iteration(index) {
            for group in self.stack.iter_mut().chain([&mut self.group]) {
                if group.first <= index {
                    group.back_reference = Some(construct.clone());
                }
            }
        }
        self.begin_item(1, false);
        self.out.push_str(&format!("(?:(?({number})\\{number}))"));
        self.backtracks = true;
        Ok(())
    }

    /// Returns whether this is inside a lookbehind, in which the engine mishandles complex syntax.
    fn is_behind(&self) -> bool {
        self.group.is_lookbehind || self.stack.iter().any(|group| group.is_lookbehind)
    }

    fn open(&mut self, at: usize) -> Result<(), PatternFault> {
        let prefix = self.group_prefix(at)?;
        if prefix == "?<" {
            self.scan.name('>');
        }
        if self.stack.len() >= GROUP_DEPTH {
            return Err(PatternFault::TooBig);
        }
        let is_behind = self.is_behind();
        let mut capture = None;
        if matches!(prefix, "" | "?<") {
            let number = self.numbers.iter().flatten().count() + 1;
            self.numbers.push(if is_behind { None } else { Some(number) });
            self.captures.open();
            capture = Some(self.numbers.len());
        }
        let is_lookaround = capture.is_none() && prefix != "?:";
        if is_lookaround && is_behind {
            return Err(PatternFault::Unsupported { construct: format!("({prefix} in (?<") });
        }
        self.backtracks |= is_lookaround;
        let start = self.out.len();
        self.out.push('(');
        match capture {
            Some(_) if is_behind => self.out.push_str("?:"),
            Some(_) => {}
            None => self.out.push_str(prefix),
        }
        let group = OpenGroup {
            at,
            capture,
            is_lookaround,
            is_lookbehind: is_lookaround && prefix.starts_with("?<"),
            start,
            first: self.captures.count(),
            ..OpenGroup::default()
        };
        self.stack.push(std::mem::replace(&mut self.group, group));
        self.last = None;
        Ok(())
    }

    /// Reads what follows the parenthesis of a group: nothing for a plain capture.
    fn group_prefix(&mut self, at: usize) -> Result<&'static str, PatternFault> {
        for prefix in ["?:", "?=", "?!", "?<=", "?<!", "?<"] {
            if self.scan.eat(prefix) {
                return Ok(prefix);
            }
        }
        if self.scan.peek() == Some('?') {
            return Err(self.foreign_group(at));
        }
        Ok("")
    }

    fn foreign_group(&mut self, at: usize) -> PatternFault {
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
        PatternFault::Foreign { construct: self.scan.text_since(at), instead }
    }

    fn close(&mut self, at: usize) -> Result<(), PatternFault> {
        let Some(outer) = self.stack.pop() else { return Err(self.scan.broken(at)) };
        let group = std::mem::replace(&mut self.group, outer);
        self.out.push(')');
        if group.branches {
            self.captures.mark_skipped(group.first);
        }
        self.group.weight = self.group.weight.saturating_add(group.weight);
        self.group.is_counted |= group.is_counted;
        let takes = group.consumes && !group.is_lookaround;
        self.group.consumes |= takes;
        // JavaScript repeats a lookahead, for compatibility, but never a lookbehind.
        self.last = None;
        if !group.is_lookbehind {
            self.last = Some(RepeatTarget {
                start: group.start,
                first: group.first.saturating_sub(usize::from(group.capture.is_some())),
                looks_back: group.back_reference,
                weight: group.weight,
                takes,
                single: false,
                counts: group.is_counted,
            });
        }
        Ok(())
    }

    fn quantify(&mut self, start: usize, low: usize, high: Option<usize>) -> Result<(), PatternFault> {
        let construct = self.scan.text_since(start);
        let Some(target) = self.last.take() else {
            return Err(PatternFault::NothingToRepeat { construct, place: start + 1 });
        };
        let lazy = self.scan.eat("?");
        if let Some(high) = high
            && high < low
        {
            return Err(self.scan.broken(start));
        }
        if low >= limits::TEXT_ANSWER_BYTES {
            return Err(PatternFault::TooBig);
        }
        let high = match high {
            Some(high) if high < limits::TEXT_ANSWER_BYTES => Some(high),
            // No answer is longer.
            _ => None,
        };
        self.captures.mark_repeated(target.first, low, high);
        if let Some(construct) = target.looks_back
            && !matches!(high, Some(0 | 1))
        {
            return Err(PatternFault::Unsupported { construct });
        }
        if !target.takes {
            self.repeat_nothing(target.start, low);
            return Ok(());
        }
        let times = high.unwrap_or(low).max(1);
        if target.counts && times.max(high.unwrap_or(2)) > 1 {
            return Err(PatternFault::TooBig);
        }
        let more = target.weight.saturating_mul(times as u64).saturating_sub(target.weight);
        self.group.weight = self.group.weight.saturating_add(more);
        if self.counting && target.single && times > 1 && !self.is_behind() {
            self.out.insert_str(target.start, "(?:(?=)");
            self.out.push(')');
            self.group.is_counted = true;
            self.backtracks = true;
        }
        self.repeat(target.start, low, high, lazy);
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
