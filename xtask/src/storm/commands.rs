//! Commands that ask, wait, answer and take back, each killed when its moment comes.

use sayso_core::{Lang, Message};
use serde_json::json;

use super::Lane;
use super::doomed::{Doomed, Ended, Reads};
use super::ledger::{Door, End, Note};

/// Returns the request with this title.
pub(super) fn questions(title: &str) -> serde_json::Value {
    json!({ "title": title, "questions": [
        { "id": "say", "prompt": "Say it." },
        { "id": "more", "prompt": "More?", "required": false },
    ] })
}

/// The form in which the command line gives an outcome.
pub(super) const FORM: &str = "command";

impl Lane<'_> {
    /// Runs a command to its end or to its moment.
    fn run(&mut self, kind: &'static str, words: &[&str], reads: Reads) -> anyhow::Result<Ended> {
        let life = self.ledger.life(kind, &mut self.dice);
        let ended = Doomed::start(&mut self.stage.sayso(words), reads, life)?.end()?;
        self.ledger.ended(kind, ended.exit.is_some().then_some(ended.lived));
        Ok(ended)
    }

    /// An ask that came in by this door: one of the last ones, or a new one.
    pub(super) fn asked_or_new(&mut self, door: Door) -> (usize, Note) {
        let limit = self.dice.one_in(8).then_some("400ms");
        let known = if self.dice.one_in(3) { None } else { self.some(|note| note.door == door) };
        known.unwrap_or_else(|| self.ledger.new_ask(door, limit))
    }

    /// Asks without waiting.
    pub(super) fn leaves(&mut self) -> anyhow::Result<()> {
        let (place, note) = self.asked_or_new(Door::Command);
        let ended = self.asks("leave", &note, &["--no-wait"])?;
        // A line that is whole is an acknowledgement, also of somebody who was killed thereafter.
        match ended.said.strip_suffix('\n') {
            Some(id) => self.ledger.asked(place, id),
            None => Ok(()),
        }
    }

    /// Asks and waits.
    pub(super) fn asks_and_waits(&mut self) -> anyhow::Result<()> {
        let (place, note) = self.asked_or_new(Door::Command);
        let ended = self.asks("ask", &note, &[])?;
        self.was_given(place, &ended)
    }

    fn asks(&mut self, kind: &'static str, note: &Note, more: &[&str]) -> anyhow::Result<Ended> {
        let request = questions(&note.key).to_string();
        let mut words = vec!["ask", "--dialect", "sayso", "--key", &note.key, &request];
        words.extend(note.limit.iter().flat_map(|limit| ["--timeout", limit]));
        words.extend(more);
        self.run(kind, &words, Reads::Stdout)
    }

    /// Waits for an ask that is there.
    pub(super) fn waits(&mut self) -> anyhow::Result<()> {
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        let ended = self.run("wait", &["wait", &id], Reads::Stdout)?;
        self.was_given(place, &ended)
    }

    fn was_given(&mut self, place: usize, ended: &Ended) -> anyhow::Result<()> {
        if let Some(said) = ended.said.strip_suffix('\n') {
            self.ledger.given(place, FORM, said)?;
        }
        if matches!(ended.exit, Some(0 | 3 | 5 | 6)) {
            self.ledger.delivered(place);
        }
        Ok(())
    }

    /// Answers, declines or takes back, all by itself.
    pub(super) fn ends(&mut self) -> anyhow::Result<()> {
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        let words = self.words();
        let (line, end, said): (Vec<&str>, End, &str) = match self.dice.below(6) {
            0 => (vec!["answer", &id, "--decline", "--reason", &words], End::Declined(words.clone()), &words),
            1 => (vec!["cancel", &id], End::Cancelled, ""),
            _ => (Vec::new(), End::Answered(words.clone()), &words),
        };
        let answers = json!({ "answers": { "say": words } }).to_string();
        let line = if line.is_empty() { vec!["answer", &id, "--answers", &answers] } else { line };
        let ended = self.run("end", &line, Reads::Both)?;
        // A second decline ends the same way, and reports so.
        let is_done = match end {
            End::Declined(_) => ended.exit == Some(3) && ended.said.is_empty(),
            _ => ended.exit == Some(0),
        };
        if is_done {
            self.ledger.has_ended(place, end);
        } else if ended.said.contains(Message::TextKept.plain(Lang::En)) && !said.is_empty() {
            self.ledger.came_late(place, said);
        }
        Ok(())
    }

    /// Sends an answer that is refused: what somebody types there at the same time must stay.
    pub(super) fn is_refused(&mut self) -> anyhow::Result<()> {
        let Some((_, _, id)) = self.known() else { return Ok(()) };
        let answers = json!({ "answers": { "more": format!("refused {}", self.words()) } }).to_string();
        self.run("end", &["answer", &id, "--answers", &answers], Reads::Both).map(drop)
    }
}
