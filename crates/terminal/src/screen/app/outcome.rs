//! Transitions of an ask: opened, submitted here, ended elsewhere, or left by the person.

use super::super::answering::Answering;
use super::super::dialog::{Dialog, Pager, Theirs};
use super::super::effect::{Call, Effect};
use super::super::inbox::Shown;
use super::super::now::Now;
use super::App;
use crate::awaited::Awaited;
use crate::prompter::Ended;
use crate::recap;
use sayso_core::ask::Phase;
use sayso_core::{Ask, AskId, Message, Outcome, Problem};
use sayso_desk::Draft;

impl App {
    pub(super) fn opened(&mut self, id: AskId, opened: Result<(Ask, Draft), Problem>) -> Vec<Effect> {
        self.opens = self.opens.saturating_sub(1);
        if self.is_here(id) {
            return self.read(id, opened);
        }
        match opened {
            // The person left it meanwhile, or another open call is in flight.
            _ if self.opening != Some(id) => Vec::new(),
            Err(_) if self.opens > 0 => Vec::new(),
            Ok((ask, draft)) => self.take_in(ask, draft),
            Err(problem) => {
                self.opening = None;
                if self.setup.only.is_some() {
                    return vec![Effect::Fail(problem)];
                }
                self.told = Some(problem.lines(self.setup.lang).join(" "));
                Vec::new()
            }
        }
    }

    /// Handles a read of the open ask. Ignores asks that are not open: an open call has a result of its own.
    pub(super) fn read(&mut self, id: AskId, read: Result<(Ask, Draft), Problem>) -> Vec<Effect> {
        if !self.is_here(id) {
            self.tell_verdict(id, read);
            return Vec::new();
        }
        match (read, &mut self.answering) {
            // The next key, or the next minute, reads it again.
            (Err(problem), Some(view)) => {
                view.is_unread = true;
                view.told = Some(problem.lines(self.setup.lang).join(" "));
                Vec::new()
            }
            (Ok((ask, draft)), Some(_)) if self.closing.is_none() => self.take_in(ask, draft),
            _ => Vec::new(),
        }
    }

    fn is_here(&self, id: AskId) -> bool {
        self.answering.as_ref().is_some_and(|view| view.ask.id == id)
    }

    /// Shows the open ask, or the one being opened, as the desk has it.
    fn take_in(&mut self, ask: Ask, draft: Draft) -> Vec<Effect> {
        let (cx, id) = (self.moment(), ask.id);
        let is_here = self.is_here(id);
        self.opening = None;
        let is_over = recap::ending(&ask, cx.lang).is_some();
        if is_over && (is_here || self.setup.only.is_some()) {
            return self.ended_elsewhere(ask);
        }
        if is_over {
            return self.look_at(&ask);
        }
        match &mut self.answering {
            Some(view) => view.read(ask, draft, &cx),
            None => {
                let mut view = Answering::of(ask, draft, &cx, self.setup.only.is_some());
                self.reasons.of(id).clone_into(&mut view.declining);
                self.answering = Some(view);
            }
        }
        Vec::new()
    }

    /// Shows an ended ask and how it ended.
    fn look_at(&mut self, ask: &Ask) -> Vec<Effect> {
        let lang = self.setup.lang;
        let ours = recap::ended_by(ask, lang).unwrap_or_default() + "\n\n";
        let pager = Pager::new(Message::SeenTitle, ours, Theirs::Text(recap::settled(ask, lang)));
        self.over = Some((None, Dialog::Pager(pager)));
        Vec::new()
    }

    pub(super) fn acted(&mut self, id: AskId, acted: Result<Ask, Problem>) -> Vec<Effect> {
        let lang = self.setup.lang;
        self.take_note(id, &acted);
        if self.declining.remove(&id) {
            let said = match acted {
                Ok(_) => Message::DeclinedNow.plain(lang).to_owned(),
                Err(problem) => problem.lines(lang).join(" "),
            };
            // The result of an earlier decline stays visible.
            let before = self.told.take().map(|told| told + recap::between(lang)).unwrap_or_default();
            self.told = Some(before + &said);
            return self.inbox.list();
        }
        let Some(view) = self.answering.as_mut().filter(|view| view.ask.id == id) else {
            return Vec::new();
        };
        view.sending = false;
        if self.closing.is_some() {
            return Vec::new();
        }
        match acted {
            Ok(ask) if matches!(ask.state.phase, Phase::Open { .. }) => {
                view.ask = ask;
                Vec::new()
            }
            Ok(ask) => self.settled(ask),
            Err(problem) => self.refused(id, &problem),
        }
    }

    /// Handles the desk's verdict on the deadline. A submit in flight is independent of it and has its own result.
    pub(super) fn ticked(&mut self, id: AskId, ticked: Result<Ask, Problem>) -> Vec<Effect> {
        let Some(view) = self.answering.as_mut().filter(|view| view.ask.id == id) else {
            return Vec::new();
        };
        match ticked {
            _ if self.closing.is_some() => Vec::new(),
            Ok(ask) if matches!(ask.state.phase, Phase::Open { .. }) => {
                view.ask = ask;
                Vec::new()
            }
            Ok(ask) => self.ended_elsewhere(ask),
            Err(problem) => self.refused(id, &problem),
        }
    }

    /// Shows why the desk refused, and reads the ask again.
    fn refused(&mut self, id: AskId, problem: &Problem) -> Vec<Effect> {
        let lang = self.setup.lang;
        let mut said = problem.lines(lang);
        let mut causes: Vec<_> =
            problem.causes.iter().map(|cause| recap::problem_as_ours(cause, lang)).collect();
        causes.dedup();
        said.extend(causes);
        if let Some(view) = &mut self.answering {
            view.told = Some(said.join(" "));
        }
        vec![Effect::Call(Call::Read(id))]
    }

    /// Drops a reason that the asker or the desk now has: the ask was declined with it, or it was kept as late.
    fn take_note(&mut self, id: AskId, acted: &Result<Ask, Problem>) {
        let is_kept = match acted {
            Ok(ask) => ask.outcome().is_some(),
            Err(problem) => problem.hint == Some(Message::TextKept.into()),
        };
        if !is_kept {
            return;
        }
        self.reasons.forget(id);
        if let Some(view) = self.answering.as_mut().filter(|view| view.ask.id == id) {
            view.declining.clear();
        }
    }

    /// Handles an ask that was settled here.
    fn settled(&mut self, ask: Ask) -> Vec<Effect> {
        let lang = self.setup.lang;
        let awaited = self.answering.as_ref().and_then(|view| view.awaited);
        let is_awaited = Awaited::by_somebody(awaited, &ask);
        let said = match &ask.state.phase {
            Phase::Settled(Outcome::Declined { .. }) => Message::DeclinedNow.plain(lang),
            Phase::Settled(Outcome::Expired { .. }) => Message::AskExpired.plain(lang),
            _ => recap::sent(&ask, is_awaited, lang),
        };
        self.told = Some(said.to_owned());
        let id = ask.id;
        self.unjudged = matches!(ask.state.phase, Phase::Submitted { .. }).then_some(id);
        let mut effects = self.left(Ended::Settled { ask, is_awaited });
        if self.unjudged.is_some() {
            // The verdict may have arrived before the reply to the submit.
            effects.push(Effect::Call(Call::Read(id)));
        }
        effects
    }

    /// Replaces the sentence that announces a verdict, once the verdict has arrived.
    fn tell_verdict(&mut self, id: AskId, read: Result<(Ask, Draft), Problem>) {
        let lang = self.setup.lang;
        let Ok((ask, _)) = read else { return };
        if self.unjudged != Some(id) || matches!(ask.state.phase, Phase::Submitted { .. }) {
            return;
        }
        self.unjudged = None;
        if self.told.as_deref() == Some(Message::SentForVerdict.plain(lang)) {
            self.told = Some(recap::sent(&ask, true, lang).to_owned());
        }
    }

    /// Handles an ask that was settled elsewhere while it was open here.
    fn ended_elsewhere(&mut self, ask: Ask) -> Vec<Effect> {
        let cx = self.moment();
        let mut effects = Vec::new();
        if let Some(view) = &mut self.answering {
            effects.extend(view.close(&cx));
            effects.extend(view.too_late(&ask));
        }
        let said = self.words_of_end(&ask);
        if self.show_end(&ask, &said) {
            return effects;
        }
        self.told = Some(said);
        self.taken_away = Some(cx.at());
        effects.extend(self.left(Ended::SettledElsewhere(ask)));
        effects
    }

    /// Leaves the open ask once all typed text is stored.
    pub(super) fn leave(&mut self, ended: Ended) -> Vec<Effect> {
        let cx = self.moment();
        if let Some(view) = &mut self.answering {
            view.settle_text(&cx);
            view.drafting.hurry();
        }
        self.leaving = Some(ended);
        Vec::new()
    }

    /// Exits because the terminal is gone or a signal arrived, even if the desk has not confirmed the last save.
    pub(super) fn hang_up(&mut self) -> Vec<Effect> {
        let cx = self.moment();
        let saves = self.answering.as_mut().and_then(|view| view.close(&cx));
        let ended = self.closed().unwrap_or(Ended::Left);
        saves.into_iter().chain([Effect::End(ended)]).collect()
    }

    /// Stops a screen that cannot go on. Returns the last save and the problem to exit with, which names what may be
    /// lost.
    pub fn break_off(&mut self, now: Now, problem: Problem) -> (Option<Call>, Problem) {
        self.set_now(now);
        let cx = self.moment();
        let Some(view) = &mut self.answering else { return (None, problem) };
        let lost = view.lost(&cx);
        let save = view.close(&cx).and_then(|effect| match effect {
            Effect::Call(call) => Some(call),
            _ => None,
        });
        let problem = match lost {
            Some(lost) => Problem { code: problem.code, hint: Some(problem.message), ..lost },
            None => problem,
        };
        (save, problem)
    }

    /// Leaves although not all typed text is stored, and shows the person what is lost.
    pub(super) fn give_up(&mut self) -> Vec<Effect> {
        let cx = self.moment();
        let lost = self.answering.as_mut().and_then(|view| view.lost(&cx));
        lost.map_or_else(|| self.left(Ended::Interrupted), |problem| vec![Effect::Fail(problem)])
    }

    /// Returns to the inbox, or leaves the screen.
    pub(super) fn left(&mut self, ended: Ended) -> Vec<Effect> {
        self.leaving = None;
        self.closing = None;
        let open = self.answering.take();
        let was_open = open.is_some();
        if let Some(view) = open {
            // After an ask was settled here, its reason is obsolete.
            let unsent = if matches!(ended, Ended::Settled { .. }) { "" } else { view.reason() };
            self.reasons.keep(view.ask.id, unsent);
        }
        if self.setup.only.is_some() || ended == Ended::Interrupted || !was_open {
            return vec![Effect::End(ended)];
        }
        self.inbox.shown = Shown::Waiting;
        self.inbox.list()
    }
}
