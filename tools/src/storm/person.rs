//! A person at a terminal, at the line prompter and at the inbox: what the screen shows as saved is acknowledged.

use std::io::Write;
use std::num::NonZeroU16;

use vt100::Parser;

use super::Lane;
use super::killable_process::KillableProcess;

/// Most prompts that a person answers in one run.
const PROMPTS: usize = 4;

impl Lane<'_> {
    /// Answers line by line.
    pub(super) fn answer_prompts(&mut self) -> anyhow::Result<()> {
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        if !self.ledger.begin_typing(place) {
            return Ok(());
        }
        let life = self.ledger.choose_lifetime("prompter", &mut self.dice);
        let command = self.stage.sayso_on("dumb", &["answer", "--plain", &id]);
        let (mut prompter, mut keyboard) = KillableProcess::start_on_terminal(command, life)?;
        let mut looked = 0;
        for _ in 0..PROMPTS {
            let mut asked = None;
            prompter.read_until(|output| {
                asked = prompt_in(output.get(looked..).unwrap_or_default());
                asked.is_some()
            });
            looked = prompter.output().len();
            match asked {
                Some("review") => {
                    type_line(&mut keyboard, "/submit");
                    if shows(&mut prompter, looked, "Sent.") {
                        self.ledger.record_submit(place);
                    }
                    break;
                }
                Some(question) => {
                    let words = self.words();
                    let line = self.ledger.begin_line(place, question, &words);
                    type_line(&mut keyboard, &words);
                    if shows(&mut prompter, looked, &format!("Recorded: {words}.")) {
                        self.ledger.acknowledge_line(place, line);
                    }
                }
                None => break,
            }
        }
        let ended = prompter.wait_for_exit()?;
        self.ledger.record_exit("prompter", ended.exit.is_some().then_some(ended.lived));
        self.ledger.end_typing(place);
        Ok(())
    }

    /// Types on the full screen.
    pub(super) fn type_in_inbox(&mut self) -> anyhow::Result<()> {
        let Some((place, record, id)) = self.known() else { return Ok(()) };
        // It begins at the first question only where nothing was answered yet.
        if !record.typed.is_empty() || !self.ledger.begin_typing(place) {
            return Ok(());
        }
        let life = self.ledger.choose_lifetime("inbox", &mut self.dice);
        let command = self.stage.sayso_on("xterm-256color", &["answer", &id]);
        let (mut inbox, mut keyboard) = KillableProcess::start_on_terminal(command, life)?;
        let is_at = |words: &'static str| {
            let mut screen = Parser::new(at_least_one(24), at_least_one(80), 0);
            let mut read = 0;
            move |output: &[u8]| {
                screen.process(output.get(read..).unwrap_or_default());
                read = output.len();
                screen.screen().contents().contains(words)
            }
        };
        if inbox.read_until(is_at("Question 1 of 2")) {
            let words = self.words();
            let line = self.ledger.begin_line(place, "say", &words);
            let _ = keyboard.write_all(words.as_bytes()).and_then(|()| keyboard.flush());
            if inbox.read_until(is_at("Draft saved")) {
                self.ledger.acknowledge_line(place, line);
            }
        }
        let ended = inbox.kill_and_wait()?;
        self.ledger.record_exit("inbox", ended.exit.is_some().then_some(ended.lived));
        self.ledger.end_typing(place);
        Ok(())
    }
}

fn at_least_one(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}

fn type_line(keyboard: &mut dyn Write, line: &str) {
    // A killed program reads nothing.
    let _ = write!(keyboard, "{line}\r").and_then(|()| keyboard.flush());
}

/// Waits until these words show after a place.
fn shows(prompter: &mut KillableProcess, after: usize, words: &str) -> bool {
    let shown = |output: &[u8]| {
        let new = output.get(after..).unwrap_or_default();
        new.windows(words.len()).any(|window| window == words.as_bytes())
    };
    prompter.read_until(shown)
}

/// The question that waits for a line, or the review.
fn prompt_in(output: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(output);
    if text.trim_end().ends_with("Review>") {
        return Some("review");
    }
    if !text.trim_end().ends_with("/help):") {
        return None;
    }
    let places = [("say", text.rfind("| Say it.")), ("more", text.rfind("| More?"))];
    places.into_iter().filter(|(_, at)| at.is_some()).max_by_key(|(_, at)| *at).map(|(question, _)| question)
}
