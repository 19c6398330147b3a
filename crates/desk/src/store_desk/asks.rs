//! Asks of a desk over a store: its side of the [`Desk`] interface.

use super::StoreDesk;
use super::key::{check_form_name, key_owner, key_use};
use super::opening::{OpenRequest, into_opened_ask};
use super::watch::StoreWatch;
use crate::api::offer::{Renderings, offer};
use crate::desk::{Desk, OpenedAsk, not_found};
use crate::draft::{Draft, DraftRev, OnConflict, SaveReport};
use crate::process;
use crate::query::{AskPage, AskQuery};
use crate::store::api::{BatchChange, ChangeOptions, ChangeTarget, CommittedChange, DecideFn};
use crate::store::upkeep;
use crate::watch::{ChangeCursor, Interest, Watch};
use jiff::Timestamp;
use sayso_core::lifecycle;
use sayso_core::sheet::{answer_path, unknown_question_problem};
use sayso_core::wire;
use sayso_core::{
    Actor, Ask, AskCommand, AskId, AskReader, Asker, Digest, LateSubmission, NewAsk, Person, Problem,
    ProblemCode, QuestionId, Reply, Sheet,
};

impl Desk for StoreDesk {
    fn open(&self, key: Option<&str>, new: NewAsk) -> Result<OpenedAsk, Problem> {
        let request = OpenRequest::prepare(key, new)?;
        let mut opened = self.open_once(&request)?;
        if !opened.is_new && key.is_none() && !opened.ask.is_live() {
            // Its deadline expired while it was found, so it has no answer: this is a new ask.
            opened = self.open_once(&request)?;
        }
        Ok(into_opened_ask(opened))
    }

    fn find_by_key(&self, who: &Asker, key: &str) -> Result<Option<AskId>, Problem> {
        self.store.find_by_key(&key_owner(&Actor::Asker(who.clone())), key)
    }

    fn act(&self, who: &Actor, id: AskId, key: Option<&str>, command: AskCommand) -> Result<Ask, Problem> {
        let late = Some(Box::new((who.clone(), command.clone())));
        let options = ChangeOptions { late, ..ChangeOptions::default() };
        let problem = match self.apply_command(who, id, key, &command, options) {
            Ok(change) => return Ok(change.ask),
            Err(problem) => problem,
        };
        // The next person on this ask, or on the same ask opened again, finds the typed text. The reported problem is
        // the refusal, even if saving the text fails.
        if let (Actor::Person(person), AskCommand::Submit { replies, .. }) = (who, command)
            && problem.code != ProblemCode::AskNotFound
        {
            let result = self.save_refused_replies(person, id, replies);
            report(id, "refused replies were not kept", result);
        }
        if problem.code == ProblemCode::AskExpired {
            let tick = AskCommand::Tick;
            let result = self.apply_command(&Actor::Desk, id, None, &tick, ChangeOptions::default());
            report(id, "a passed deadline was not recorded", result);
        }
        Err(problem)
    }

    fn save_with(
        &self,
        who: &Person,
        id: AskId,
        base: DraftRev,
        replies: Vec<(QuestionId, Reply)>,
        over: OnConflict,
    ) -> Result<SaveReport, Problem> {
        let ask = self.get_ask(id)?;
        let sheet = Sheet::new(ask.request.questionnaire.clone(), replies.iter().cloned().collect());
        let mut problems = Vec::new();
        for (question, reply) in &replies {
            if *question == QuestionId::FORM && reply.is_unanswered() {
                problems.extend(sheet.form_note_problem());
                continue;
            }
            let Some(index) = sheet.index_of(question) else {
                return Err(unknown_question_problem(question));
            };
            for problem in sheet.problems_at(index) {
                problems.push(problem.at(answer_path(question)));
            }
        }
        let (rev, overwritten) = self.store.save_draft(id, base, who, replies, over)?;
        Ok(SaveReport { rev, problems, overwritten })
    }

    fn draft(&self, id: AskId) -> Result<Draft, Problem> {
        let draft = self.store.draft(id)?;
        if draft.rev == DraftRev(0) {
            self.get_ask(id)?;
        }
        Ok(draft)
    }

    fn late_submissions(&self, id: AskId) -> Result<Vec<LateSubmission>, Problem> {
        let late = self.store.late_submissions(id)?;
        if late.is_empty() {
            self.get_ask(id)?;
        }
        Ok(late)
    }

    fn get(&self, id: AskId) -> Result<Ask, Problem> {
        let ask = self.get_ask(id)?;
        if !ask.is_due(self.store.now()) {
            return Ok(ask);
        }
        match self.apply_command(&Actor::Desk, id, None, &AskCommand::Tick, ChangeOptions::default()) {
            Ok(change) => Ok(change.ask),
            // It is due where the desk goes on.
            Err(problem) if problem.code == ProblemCode::DeskMoved => Ok(ask),
            Err(problem) => Err(problem),
        }
    }

    fn find(&self, text: &str) -> Result<AskId, Problem> {
        self.find_in_scope(text, &AskReader::Desk)
    }

    fn list(&self, query: &AskQuery) -> Result<AskPage, Problem> {
        let mut page = self.store.list(query, self.run_due_for_list())?;
        for row in &mut page.rows {
            row.attached = row.is_waiting(process::is_alive);
        }
        Ok(page)
    }

    fn offer(
        &self,
        who: &Asker,
        ask: &Ask,
        form: &str,
        render: &dyn Fn(&Ask) -> Vec<u8>,
    ) -> Result<Vec<u8>, Problem> {
        check_form_name(form)?;
        offer(self, (who, ask), form, render)
    }

    fn ack(&self, who: &Asker, id: AskId) -> Result<(), Problem> {
        let asker = Actor::Asker(who.clone());
        self.apply_command(&asker, id, None, &AskCommand::Ack, ChangeOptions::default())?;
        Ok(())
    }

    fn watch(&self, interest: Interest, since: Option<ChangeCursor>) -> Result<Box<dyn Watch>, Problem> {
        Ok(Box::new(StoreWatch::begin(self.store.clone(), interest, since)?))
    }
}

impl Renderings for StoreDesk {
    fn read_rendering(&self, ask: &Ask, form: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.store.rendering(ask.id, form)
    }

    fn store_rendering(&self, who: &Asker, ask: &Ask, form: &str, body: Vec<u8>) -> Result<Vec<u8>, Problem> {
        let asker = Actor::Asker(who.clone());
        let options = ChangeOptions { rendering: Some((form.to_owned(), body)), ..ChangeOptions::default() };
        let change = self.apply_command(&asker, ask.id, None, &AskCommand::Offer, options)?;
        Ok(change.rendering.unwrap_or_default())
    }
}

impl StoreDesk {
    fn open_once(&self, request: &OpenRequest) -> Result<CommittedChange, Problem> {
        let BatchChange { target, key, decide } = request.change();
        self.store.change(target, key, ChangeOptions::default(), decide)
    }

    pub(super) fn get_ask(&self, id: AskId) -> Result<Ask, Problem> {
        self.store.read(id)?.ok_or_else(|| not_found(&id.to_string()))
    }

    /// Runs what is due. If that takes longer than a list may wait, it returns the time up to which asks are left out.
    fn run_due_for_list(&self) -> Option<Timestamp> {
        let due_until = self.store.now();
        // Another thread runs it.
        let Ok(_guard) = self.due.try_lock() else { return Some(due_until) };
        let result = match self.store.adjust_for_clock_change() {
            Ok(()) => upkeep::run_due_for_list(&*self.store),
            Err(problem) => Err(problem),
        };
        match result {
            Ok(true) => Some(due_until),
            Ok(false) => None,
            // A desk that cannot be written can still be read; asks past their deadline then show as open.
            Err(problem) => {
                tracing::debug!(code = ?problem.code, "what is due was not recorded");
                None
            }
        }
    }

    fn apply_command(
        &self,
        who: &Actor,
        id: AskId,
        key: Option<&str>,
        command: &AskCommand,
        options: ChangeOptions,
    ) -> Result<CommittedChange, Problem> {
        let draft_rev = match command {
            AskCommand::Submit { shown, .. } => shown.draft_rev.map(DraftRev),
            _ => None,
        };
        let options = ChangeOptions { skip_sync: !command.must_be_durable(), draft_rev, ..options };
        let key = match key {
            Some(key) => {
                let request = format!("{id}{}", wire::command::write(command));
                Some(key_use(who, key, Digest::compute(request.as_bytes()))?)
            }
            None => None,
        };
        let who = who.clone();
        let command = command.clone();
        let decide: DecideFn = Box::new(move |ask, now| {
            let Some(ask) = ask else { return Err(not_found(&id.to_string())) };
            lifecycle::apply_command(ask, &who, command.clone(), now)
        });
        self.store.change(ChangeTarget::Ask(id), key, options, decide)
    }
}

/// Leaves a trace of a failure that its caller does not need to know. The problem's text may quote replies, so only
/// its code is recorded.
fn report<T>(ask: AskId, message: &str, result: Result<T, Problem>) {
    if let Err(problem) = result {
        tracing::warn!(%ask, code = ?problem.code, "{message}");
    }
}
