//! Fixture: a desk, an ask, and a person who types into a pipe.

use jiff::Timestamp;
use sayso_core::who::{Assurance, Surface};
use sayso_core::wire::questionnaire;
use sayso_core::{Ask, AskId, Asker, Lang, NewAsk, Person, Problem, Questionnaire, Replies, wire};
use sayso_desk::{Desk, LocalDesk};
use sayso_terminal::{Ended, Lines, Manner, Plain, Prompter};
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
pub(crate) const FOUR: &str = r#"{"title": "Deploy plan", "context": "Before the freeze.", "questions": [
    {"id": "when", "prompt": "When?", "options": [{"label": "Now"}, {"label": "Tonight", "description": "quiet"}], "other": true},
    {"id": "where", "prompt": "Where?", "options": [{"label": "EU"}, {"label": "US"}, {"label": "Asia"}], "multi": true, "other": true},
    {"id": "who", "prompt": "Who?"},
    {"id": "why", "prompt": "Why?", "long": true, "required": false}]}"#;

pub(crate) const ONE: &str = r#"{"questions": [{"id": "when", "prompt": "When?", "options": [{"label": "Now"}, {"label": "Later"}], "other": true}]}"#;

pub(crate) struct Stage {
    _folder: TempDir,
    pub(crate) desk: Arc<LocalDesk>,
    pub(crate) id: AskId,
}

/// Setup of the prompter.
#[derive(Clone, Copy, Default)]
pub(crate) struct Setup {
    pub(crate) guards: bool,
    pub(crate) quiet: bool,
    pub(crate) lang: Lang,
}

pub(crate) fn person(name: &str) -> Person {
    Person { name: name.into(), surface: Surface::Prompter, assurance: Assurance::Terminal }
}

pub(crate) fn asker() -> Asker {
    Asker { name: "claude".into(), folder: Some("~/api".into()), session: None, account: None }
}

/// Returns the real time: the desk checks deadlines.
#[expect(clippy::disallowed_methods, reason = "a test is its own caller")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

impl Stage {
    pub(crate) fn new(json: &str) -> Self {
        Self::with(json, None, false)
    }

    pub(crate) fn with(json: &str, time_limit_ms: Option<i64>, judged: bool) -> Self {
        let questionnaire = questionnaire::read(json).unwrap().questionnaire;
        Self::of(questionnaire, time_limit_ms, judged)
    }

    pub(crate) fn of(questionnaire: Questionnaire, time_limit_ms: Option<i64>, judged: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = LocalDesk::open(&folder.path().join("desk.sqlite")).unwrap();
        let new = NewAsk { judged, time_limit_ms, ..NewAsk::new(Arc::new(questionnaire), "sayso", asker()) };
        let id = desk.open(None, new).unwrap().ask().id;
        Self { _folder: folder, desk: Arc::new(desk), id }
    }

    pub(crate) fn ask(&self) -> Ask {
        self.desk.get(self.id).unwrap()
    }

    /// Returns the draft as JSON, to compare.
    pub(crate) fn draft(&self) -> String {
        replies(&self.desk.draft(self.id).unwrap().replies)
    }

    /// Returns the replies of the outcome as JSON, if it was answered.
    pub(crate) fn answers(&self) -> String {
        match self.ask().outcome() {
            Some(sayso_core::Outcome::Answered { replies: given, .. }) => replies(given),
            other => format!("{other:?}"),
        }
    }

    /// Types all of this at once and ends the input.
    pub(crate) fn typed(&self, text: &str) -> (Ended, String) {
        self.typed_to(&Plain::default(), Setup::default(), text)
    }

    pub(crate) fn typed_to(&self, manner: &dyn Manner, setup: Setup, text: &str) -> (Ended, String) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let text = text.to_owned();
        // A large text does not fit into the pipe before it is read.
        let typing = thread::spawn(move || (&ours).write_all(text.as_bytes()));
        let mut input = lines(theirs);
        let mut out = Vec::new();
        let ended = run(&*self.desk, self.id, manner, setup, &mut input, &mut out).unwrap();
        drop(input);
        let _ = typing.join();
        (ended, String::from_utf8(out).unwrap())
    }

    /// Starts a prompter in a thread, to talk to.
    pub(crate) fn talk(&self, setup: Setup) -> Talk {
        let (keys, theirs) = UnixStream::pair().unwrap();
        let (sender, said) = channel();
        let screen = Screen { said: sender, text: Arc::default() };
        let text = screen.text.clone();
        let (desk, id) = (self.desk.clone(), self.id);
        let thread = thread::spawn(move || {
            let plain = Plain { lang: setup.lang, now: None };
            run(&*desk, id, &plain, setup, &mut lines(theirs), &mut { screen })
        });
        Talk { keys: Some(keys), said, text, seen: 0, thread: Some(thread) }
    }
}

pub(crate) fn lines(stream: UnixStream) -> Lines {
    Lines::new(File::from(OwnedFd::from(stream)), None)
}

pub(crate) fn replies(replies: &Replies) -> String {
    wire::json::write(replies)
}

fn run(
    desk: &dyn Desk,
    id: AskId,
    manner: &dyn Manner,
    setup: Setup,
    input: &mut Lines,
    out: &mut dyn Write,
) -> Result<Ended, Problem> {
    let Setup { guards, quiet, lang } = setup;
    Prompter {
        desk,
        person: person("me"),
        manner,
        lang,
        clock: &now,
        out,
        input,
        guards,
        editor: None,
        wishing: |_, _, _, _| None,
        runs: |_| true,
        quiet,
        logs_questions: false,
    }
    .run(id)
}

/// Output of the prompter, with a signal for each write.
struct Screen {
    said: Sender<()>,
    text: Arc<Mutex<String>>,
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.lock().unwrap().push_str(std::str::from_utf8(bytes).unwrap());
        let _ = self.said.send(());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Conversation with a running prompter.
pub(crate) struct Talk {
    keys: Option<UnixStream>,
    said: Receiver<()>,
    text: Arc<Mutex<String>>,
    seen: usize,
    thread: Option<JoinHandle<Result<Ended, Problem>>>,
}

impl Talk {
    /// Waits until this text is printed, after the last awaited one.
    pub(crate) fn hears(&mut self, words: &str) -> &mut Self {
        loop {
            let text = self.text.lock().unwrap().clone();
            if let Some(at) = text[self.seen..].find(words) {
                self.seen += at + words.len();
                return self;
            }
            if self.said.recv_timeout(Duration::from_secs(20)).is_err() {
                panic!("never said {words:?}, but:\n{}", &text[self.seen..]);
            }
        }
    }

    pub(crate) fn types(&mut self, text: &str) -> &mut Self {
        self.keys.as_ref().unwrap().write_all(text.as_bytes()).unwrap();
        self
    }

    /// Returns the result; closes the input if nothing else ends the prompter.
    pub(crate) fn ends(&mut self) -> (Ended, String) {
        let ended = self.thread.take().unwrap().join().unwrap().unwrap();
        (ended, self.text.lock().unwrap().clone())
    }

    pub(crate) fn hangs_up(&mut self) -> (Ended, String) {
        self.keys = None;
        self.ends()
    }
}
