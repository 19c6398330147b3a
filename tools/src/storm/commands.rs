//! Commands that ask, wait, answer and cancel, each killed at its moment.

use sayso_core::{Lang, Message};
use serde_json::json;

use super::Lane;
use super::killable_process::{ExitReport, KillableProcess, Reads};
use super::ledger::{AskRecord, Door, ReportedEnd};

/// Returns the request with this title.
pub(super) fn questions(title: &str) -> serde_json::Value {
    json!({ "title": title, "questions": [
        { "id": "say", "prompt": "Say it." },
        { "id": "more", "prompt": "More?", "required": false },
    ] })
}

/// Name of the form in which the command line prints an outcome.
pub(super) const FORM: &str = "command";

impl Lane<'_> {
    /// Runs a command until it ends or is killed.
    fn run(&mut self, kind: &'static str, words: &[&str], reads: Reads) -> anyhow::Result<ExitReport> {
        let life = self.ledger.choose_lifetime(kind, &mut self.dice);
        let ended = KillableProcess::start(&mut self.stage.sayso(words), reads, life)?.wait_for_exit()?;
        self.ledger.record_exit(kind, ended.exit.is_some().then_some(ended.lived));
        Ok(ended)
    }

    /// Returns an ask that came in by this door: one of the last ones, or a new one.
    pub(super) fn asked_or_new(&mut self, door: Door) -> (usize, AskRecord) {
        let limit = self.dice.one_in(8).then_some("400ms");
        let known = if self.dice.one_in(3) { None } else { self.some(|record| record.door == door) };
        known.unwrap_or_else(|| self.ledger.new_ask(door, limit))
    }

    /// Asks without waiting.
    pub(super) fn ask_without_waiting(&mut self) -> anyhow::Result<()> {
        let (place, record) = self.asked_or_new(Door::Command);
        let ended = self.run_ask("leave", &record, &["--no-wait"])?;
        // A whole line is an acknowledgement, even if the program was killed after it.
        match ended.output.strip_suffix('\n') {
            Some(id) => self.ledger.record_id(place, id),
            None => Ok(()),
        }
    }

    /// Asks and waits.
    pub(super) fn ask_and_wait(&mut self) -> anyhow::Result<()> {
        let (place, record) = self.asked_or_new(Door::Command);
        let ended = self.run_ask("ask", &record, &[])?;
        self.record_output(place, &ended)
    }

    fn run_ask(
        &mut self,
        kind: &'static str,
        record: &AskRecord,
        more: &[&str],
    ) -> anyhow::Result<ExitReport> {
        let request = questions(&record.key).to_string();
        let mut words = vec!["ask", "--format", "sayso", "--key", &record.key, &request];
        words.extend(record.limit.iter().flat_map(|limit| ["--timeout", limit]));
        words.extend(more);
        self.run(kind, &words, Reads::Stdout)
    }

    /// Waits for an ask that is at the desk.
    pub(super) fn wait_for_known(&mut self) -> anyhow::Result<()> {
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        let ended = self.run("wait", &["wait", &id], Reads::Stdout)?;
        self.record_output(place, &ended)
    }

    fn record_output(&mut self, place: usize, ended: &ExitReport) -> anyhow::Result<()> {
        if let Some(text) = ended.output.strip_suffix('\n') {
            self.ledger.record_outcome(place, FORM, text)?;
        }
        if matches!(ended.exit, Some(0 | 3 | 5 | 6)) {
            self.ledger.record_delivery(place);
        }
        Ok(())
    }

    /// Answers, declines or cancels with one command.
    pub(super) fn end_known(&mut self) -> anyhow::Result<()> {
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        let words = self.words();
        let (line, end, text): (Vec<&str>, ReportedEnd, &str) = match self.dice.below(6) {
            0 => (
                vec!["answer", &id, "--decline", "--reason", &words],
                ReportedEnd::Declined(words.clone()),
                &words,
            ),
            1 => (vec!["cancel", &id], ReportedEnd::Cancelled, ""),
            _ => (Vec::new(), ReportedEnd::Answered(words.clone()), &words),
        };
        let answers = json!({ "answers": { "say": words } }).to_string();
        let line = if line.is_empty() { vec!["answer", &id, "--answers", &answers] } else { line };
        let ended = self.run("end", &line, Reads::Both)?;
        // A second decline ends the same way, and reports so.
        let is_done = match end {
            ReportedEnd::Declined(_) => ended.exit == Some(3) && ended.output.is_empty(),
            _ => ended.exit == Some(0),
        };
        if is_done {
            self.ledger.record_end(place, end);
        } else if ended.output.contains(Message::TextKept.plain(Lang::En)) && !text.is_empty() {
            self.ledger.record_late(place, text);
        }
        Ok(())
    }

    /// Sends an answer that is refused: what a person types at the same time must stay.
    pub(super) fn send_refused_answer(&mut self) -> anyhow::Result<()> {
        let Some((_, _, id)) = self.known() else { return Ok(()) };
        let answers = json!({ "answers": { "more": format!("refused {}", self.words()) } }).to_string();
        self.run("end", &["answer", &id, "--answers", &answers], Reads::Both).map(drop)
    }
}
