//! Fixture: a desk, an ask, and a person who types into a pipe.

use jiff::Timestamp;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::wire::questionnaire;
use sayso_core::{Ask, AskId, Asker, Lang, NewAsk, Person, Problem, Questionnaire, Replies, wire};
use sayso_desk::{Desk, ListScope, StoreDesk};
use sayso_terminal::{InputLines, LineInbox, LinePrompter, PlainStyle, PromptOutcome, PromptStyle};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tempfile::TempDir;

/// A choice, a multiple choice, a short text and an optional long text.
pub(crate) const FOUR_QUESTIONS: &str = r#"{"title": "Deploy plan", "context": "Before the freeze.", "questions": [
    {"id": "when", "prompt": "When?", "options": [{"label": "Now"}, {"label": "Tonight", "description": "quiet"}], "other": true},
    {"id": "where", "prompt": "Where?", "options": [{"label": "EU"}, {"label": "US"}, {"label": "Asia"}], "multi": true, "other": true},
    {"id": "who", "prompt": "Who?"},
    {"id": "why", "prompt": "Why?", "long": true, "required": false}]}"#;

pub(crate) const ONE_CHOICE: &str = r#"{"questions": [{"id": "when", "prompt": "When?", "options": [{"label": "Now"}, {"label": "Later"}], "other": true}]}"#;

pub(crate) struct PromptFixture {
    _folder: TempDir,
    pub(crate) desk: Arc<StoreDesk>,
    pub(crate) id: AskId,
}

/// Setup of the prompter.
#[derive(Clone, Copy, Default)]
pub(crate) struct PromptSetup {
    pub(crate) guards: bool,
    pub(crate) quiet: bool,
    pub(crate) lang: Lang,
}

pub(crate) fn person(name: &str) -> Person {
    Person {
        name: name.into(),
        surface: Surface::Prompter,
        assurance: AssuranceLevel::Terminal,
        access: None,
    }
}

pub(crate) fn asker() -> Asker {
    Asker { name: "claude".into(), folder: Some("/srv/api".into()), session: None, account: None }
}

/// Returns the real time: the desk checks deadlines.
#[expect(clippy::disallowed_methods, reason = "a test is its own caller")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

impl PromptFixture {
    pub(crate) fn new(json: &str) -> Self {
        Self::from_json(json, None, false)
    }

    pub(crate) fn from_json(json: &str, time_limit_ms: Option<i64>, judged: bool) -> Self {
        let questionnaire = questionnaire::read(json).unwrap().questionnaire;
        Self::from_questionnaire(questionnaire, time_limit_ms, judged)
    }

    pub(crate) fn from_questionnaire(
        questionnaire: Questionnaire,
        time_limit_ms: Option<i64>,
        judged: bool,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = StoreDesk::open(&folder.path().join("desk.sqlite")).unwrap();
        let new = NewAsk {
            needs_verdict: judged,
            time_limit_ms,
            ..NewAsk::new(Arc::new(questionnaire), "sayso", asker())
        };
        let id = desk.open(None, new).unwrap().ask().id;
        Self { _folder: folder, desk: Arc::new(desk), id }
    }

    pub(crate) fn ask(&self) -> Ask {
        self.desk.get(self.id).unwrap()
    }

    /// Returns the draft as JSON, to compare.
    pub(crate) fn draft(&self) -> String {
        replies_json(&self.desk.draft(self.id).unwrap().replies)
    }

    /// Returns the replies of the outcome as JSON, if it was answered.
    pub(crate) fn answers(&self) -> String {
        match self.ask().outcome() {
            Some(sayso_core::Outcome::Answered { replies: given, .. }) => replies_json(given),
            other => format!("{other:?}"),
        }
    }

    /// Types all of this at once and ends the input.
    pub(crate) fn type_all(&self, text: &str) -> (PromptOutcome, String) {
        self.type_all_with(&PlainStyle::default(), PromptSetup::default(), text)
    }

    pub(crate) fn type_all_with(
        &self,
        manner: &dyn PromptStyle,
        setup: PromptSetup,
        text: &str,
    ) -> (PromptOutcome, String) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let text = text.to_owned();
        // A large text does not fit into the pipe before it is read.
        let typing = thread::spawn(move || (&ours).write_all(text.as_bytes()));
        let mut input = lines(theirs);
        let mut out = Vec::new();
        let ended = run(&*self.desk, self.id, manner, setup, &mut input, &mut out).unwrap();
        drop(input);
        // A run may end before it has read everything; then the rest cannot be written.
        let _ = typing.join();
        (ended, String::from_utf8(out).unwrap())
    }

    /// Starts a prompter in a thread, to talk to.
    pub(crate) fn start_conversation(&self, setup: PromptSetup) -> Conversation {
        let (keys, theirs) = UnixStream::pair().unwrap();
        let (sender, signal) = channel();
        let screen = OutputRecorder { signal: sender, text: Arc::default() };
        let text = screen.text.clone();
        let (desk, id) = (self.desk.clone(), self.id);
        let thread = thread::spawn(move || {
            let plain = PlainStyle { lang: setup.lang, now: None };
            run(&*desk, id, &plain, setup, &mut lines(theirs), &mut { screen })
        });
        Conversation { keys: Some(keys), signal, text, seen: 0, thread: Some(thread) }
    }

    /// Starts the inbox in a thread, to talk to.
    pub(crate) fn start_inbox(&self, lang: Lang) -> Conversation {
        let (keys, theirs) = UnixStream::pair().unwrap();
        let (sender, signal) = channel();
        let mut screen = OutputRecorder { signal: sender, text: Arc::default() };
        let text = screen.text.clone();
        let desk = self.desk.clone();
        let thread = thread::spawn(move || {
            let inbox = LineInbox {
                desk: &*desk,
                person: person("me"),
                scope: ListScope::default(),
                style: PlainStyle { lang, now: None },
                home: "/srv".into(),
                clock: &now,
                editor: None,
                clarify: |_, _, _, _| None,
                carries_notes: |_| true,
                is_running: |_| true,
                always_reviews: false,
            };
            inbox.run(&mut screen, &mut lines(theirs))
        });
        Conversation { keys: Some(keys), signal, text, seen: 0, thread: Some(thread) }
    }

    /// Opens another ask.
    pub(crate) fn open_ask(&self, json: &str) -> AskId {
        let questionnaire = questionnaire::read(json).unwrap().questionnaire;
        let new = NewAsk::new(Arc::new(questionnaire), "sayso", asker());
        self.desk.open(None, new).unwrap().ask().id
    }
}

pub(crate) fn lines(stream: UnixStream) -> InputLines {
    InputLines::new(File::from(OwnedFd::from(stream)), None)
}

pub(crate) fn replies_json(replies: &Replies) -> String {
    wire::json::write(replies)
}

fn run(
    desk: &dyn Desk,
    id: AskId,
    manner: &dyn PromptStyle,
    setup: PromptSetup,
    input: &mut InputLines,
    out: &mut dyn Write,
) -> Result<PromptOutcome, Problem> {
    let PromptSetup { guards, quiet, lang } = setup;
    LinePrompter {
        desk,
        person: person("me"),
        style: manner,
        lang,
        clock: &now,
        out,
        input,
        guards,
        editor: None,
        clarify: |_, _, _, _| None,
        carries_notes: |_| true,
        is_running: |_| true,
        quiet,
        always_reviews: false,
        logs_questions: false,
    }
    .run(id)
}

/// Output of the prompter, with a signal for each write.
struct OutputRecorder {
    signal: Sender<()>,
    text: Arc<Mutex<String>>,
}

impl Write for OutputRecorder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.lock().unwrap().push_str(std::str::from_utf8(bytes).unwrap());
        // No test may be waiting for more output.
        let _ = self.signal.send(());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Conversation with a running prompter.
pub(crate) struct Conversation {
    keys: Option<UnixStream>,
    signal: Receiver<()>,
    text: Arc<Mutex<String>>,
    seen: usize,
    thread: Option<JoinHandle<Result<PromptOutcome, Problem>>>,
}

impl Conversation {
    /// Waits until this text is printed, after the last awaited one.
    pub(crate) fn expect_output(&mut self, words: &str) -> &mut Self {
        loop {
            let text = self.text.lock().unwrap().clone();
            if let Some(at) = text[self.seen..].find(words) {
                self.seen += at + words.len();
                return self;
            }
            if self.signal.recv_timeout(Duration::from_secs(20)).is_err() {
                panic!("never written {words:?}, but:\n{}", &text[self.seen..]);
            }
        }
    }

    pub(crate) fn type_text(&mut self, text: &str) -> &mut Self {
        self.keys.as_ref().unwrap().write_all(text.as_bytes()).unwrap();
        self
    }

    /// Returns the result; closes the input if nothing else ends the prompter.
    pub(crate) fn wait_for_end(&mut self) -> (PromptOutcome, String) {
        let ended = self.thread.take().unwrap().join().unwrap().unwrap();
        (ended, self.text.lock().unwrap().clone())
    }

    pub(crate) fn hang_up(&mut self) -> (PromptOutcome, String) {
        self.keys = None;
        self.wait_for_end()
    }
}
