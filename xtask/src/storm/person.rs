//! A person at a terminal, at the line prompter and at the inbox: what shows there as kept is an acknowledgement.

use std::io::Write;
use std::num::NonZeroU16;

use vt100::Parser;

use super::Lane;
use super::doomed::Doomed;

/// A person goes on for so many prompts at most.
const PROMPTS: usize = 4;

impl Lane<'_> {
    /// Answers line by line.
    pub(super) fn prompts(&mut self) -> anyhow::Result<()> {
        let Some((place, _, id)) = self.known() else { return Ok(()) };
        if !self.ledger.begin_typing(place) {
            return Ok(());
        }
        let life = self.ledger.life("prompter", &mut self.dice);
        let command = self.stage.sayso_on("dumb", &["answer", "--plain", &id]);
        let (mut prompter, mut keyboard) = Doomed::start_on_terminal(command, life)?;
        let mut looked = 0;
        for _ in 0..PROMPTS {
            let mut asked = None;
            prompter.says(|said| {
                asked = prompt_in(said.get(looked..).unwrap_or_default());
                asked.is_some()
            });
            looked = prompter.said().len();
            match asked {
                Some("review") => {
                    type_line(&mut keyboard, "/submit");
                    if shows(&mut prompter, looked, "Sent.") {
                        self.ledger.has_sent(place);
                    }
                    break;
                }
                Some(question) => {
                    let words = self.words();
                    let line = self.ledger.types(place, question, &words);
                    type_line(&mut keyboard, &words);
                    if shows(&mut prompter, looked, &format!("Recorded: {words}.")) {
                        self.ledger.typed(place, line);
                    }
                }
                None => break,
            }
        }
        let ended = prompter.end()?;
        self.ledger.ended("prompter", ended.exit.is_some().then_some(ended.lived));
        self.ledger.end_typing(place);
        Ok(())
    }

    /// Types on the full screen.
    pub(super) fn types_in_inbox(&mut self) -> anyhow::Result<()> {
        let Some((place, note, id)) = self.known() else { return Ok(()) };
        // It begins at the first question only where nothing was answered yet.
        if !note.typed.is_empty() || !self.ledger.begin_typing(place) {
            return Ok(());
        }
        let life = self.ledger.life("inbox", &mut self.dice);
        let command = self.stage.sayso_on("xterm-256color", &["answer", &id]);
        let (mut inbox, mut keyboard) = Doomed::start_on_terminal(command, life)?;
        let is_at = |words: &'static str| {
            let mut screen = Parser::new(at_least_one(24), at_least_one(80), 0);
            let mut read = 0;
            move |said: &[u8]| {
                screen.process(said.get(read..).unwrap_or_default());
                read = said.len();
                screen.screen().contents().contains(words)
            }
        };
        if inbox.says(is_at("Question 1 of 2")) {
            let words = self.words();
            let line = self.ledger.types(place, "say", &words);
            let _ = keyboard.write_all(words.as_bytes()).and_then(|()| keyboard.flush());
            if inbox.says(is_at("Draft saved")) {
                self.ledger.typed(place, line);
            }
        }
        let ended = inbox.end_now()?;
        self.ledger.ended("inbox", ended.exit.is_some().then_some(ended.lived));
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
fn shows(prompter: &mut Doomed, after: usize, words: &str) -> bool {
    let shown = |said: &[u8]| {
        let new = said.get(after..).unwrap_or_default();
        new.windows(words.len()).any(|window| window == words.as_bytes())
    };
    prompter.says(shown)
}

/// The question that waits for a line, or the review.
fn prompt_in(said: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(said);
    if text.trim_end().ends_with("Review>") {
        return Some("review");
    }
    if !text.trim_end().ends_with("/help):") {
        return None;
    }
    let places = [("say", text.rfind("| Say it.")), ("more", text.rfind("| More?"))];
    places.into_iter().filter(|(_, at)| at.is_some()).max_by_key(|(_, at)| *at).map(|(question, _)| question)
}
