//! `sayso desk`: checks the desk, backs it up and restores it.

use crate::cli::Desk;
use crate::console::{self, print};
use crate::exit::Exit;
use crate::progress_bar::ProgressBar;
use crate::session::Session;
use crate::settings::Address;
use sayso_core::{Code, Lang, Message, Problem, display, wire};
use sayso_desk::maintenance::{self, Copied, Findings};
use std::fmt::Write as _;
use std::path::Path;

pub(super) fn run(session: &Session, args: Desk) -> Result<Exit, Problem> {
    let Address::Sqlite(path) = &session.settings.desk.value else { return Err(session.lies_elsewhere()) };
    let lang = session.lang();
    match args {
        Desk::Check { accept, json } => {
            must_be_there(path)?;
            let findings = with_bar(|bar| maintenance::check(path, accept, bar))?;
            Ok(report(&findings, json, lang))
        }
        Desk::Backup { file, json } => {
            let copied = with_bar(|bar| maintenance::backup(path, &file, bar))?;
            Ok(done(&copied, Message::BackedUp, json, lang))
        }
        Desk::Restore { file, replace, json } => {
            let copied = with_bar(|bar| maintenance::restore(path, &file, replace, bar))?;
            Ok(done(&copied, Message::Restored, json, lang))
        }
    }
}

/// Checks that the desk exists, as checking it must not create one.
fn must_be_there(path: &Path) -> Result<(), Problem> {
    if path.try_exists().unwrap_or(true) {
        return Ok(());
    }
    let said = Message::NoDeskThere.with([path.display()]);
    Err(Problem::new(Code::DeskUnreachable, said).hint(Message::NoDeskThereHint))
}

/// Runs a long task with a progress bar.
fn with_bar<T>(work: impl FnOnce(&dyn Fn(u64, u64)) -> T) -> T {
    let bar = ProgressBar::default();
    let done = work(&|done, total| bar.show(done, total));
    bar.clear();
    done
}

fn report(findings: &Findings, json: bool, lang: Lang) -> Exit {
    let exit = if findings.is_sound() { Exit::Done } else { Exit::of_problem(Code::DeskDamaged) };
    if json {
        return print(&wire::json::write(findings)).then(exit);
    }
    if findings.is_sound() {
        return print(&Message::NothingDamaged.say(lang, [findings.asks])).then(exit);
    }
    let mut text = String::new();
    let mut line = |said: &str| {
        // Writing to a `String` can't fail.
        let _ = writeln!(text, "{}", display::line(said));
    };
    if let Some(problem) = &findings.incomplete {
        problem.lines(lang).iter().for_each(|said| line(said));
    }
    for id in &findings.damaged_asks {
        line(&format!("{}  {}", id.handle(), Message::AskDamaged.say(lang, [id])));
    }
    findings.other.iter().chain(&findings.file).for_each(|said| line(said));
    let exit = print(&text).then(exit);
    if findings.incomplete.is_none() || !findings.damaged_asks.is_empty() {
        console::say(Message::RowDamagedHint.plain(lang));
    }
    exit
}

fn done(copied: &Copied, said: Message, json: bool, lang: Lang) -> Exit {
    if json {
        return print(&wire::json::write(copied));
    }
    let file = copied.file.display().to_string();
    let exit = print(&said.say(lang, [copied.asks.to_string(), file]));
    if let Some(kept) = &copied.kept {
        console::say(&Message::KeptNextToIt.say(lang, [kept.display()]));
    }
    exit
}
