//! Page of the review.

use super::super::answering::{Answering, Item};
use super::super::app::App;
use super::super::paper::{Hit, Paper, Span, width};
use super::super::theme::Role;
use super::Page;
use crate::recap;
use ratatui::layout::Rect;
use sayso_core::{Message, Problem, Question, Text};

/// State of a review row.
#[derive(Clone, Copy)]
struct Standing {
    has_keys: bool,
    /// Number of the question, counted over the questions that are asked.
    number: usize,
    /// Number of problems.
    problems: usize,
}

impl Standing {
    /// Returns the focus role for the focused row, and else `other`.
    fn role(self, other: Role) -> Role {
        if self.has_keys { Role::Focus } else { other }
    }
}

impl App {
    pub(super) fn review_page(&self, view: &Answering, body: Rect) -> Page {
        let lang = self.setup.lang;
        let mut builder = Paper::new(&self.setup.theme, usize::from(body.width)).keeping(&self.laid);
        let items = view.review();
        let problems = items.iter().filter(|item| matches!(item, Item::Problem { .. })).count();
        builder.ours(1, Message::CheckHead.plain(lang), Role::Strong);
        if let Some(summary) = view.ask.feedback().and_then(|feedback| feedback.summary.as_deref()) {
            builder.quoting(1, &recap::wants_changes(&view.ask, &view.sheet, lang), Role::Warn);
            builder.markdown(1, summary);
        }
        let mut page = Page::default();
        let at = view.row.min(items.len().saturating_sub(1));
        let mut last: Option<&Item> = None;
        let mut number = 0;
        for (row, item) in items.iter().enumerate() {
            self.put_heading(last, item, problems, &items, &mut builder);
            last = Some(item);
            number += usize::from(matches!(item, Item::Question(_)));
            let start = builder.rows.len();
            builder.hit = Some(Hit::Item(row));
            let state = Standing { has_keys: row == at, number, problems };
            self.put_item(view, item, state, &mut builder);
            builder.hit = None;
            if row == at {
                page.focus = Some((start, builder.rows.len()));
            }
        }
        page.rows = builder.rows;
        page
    }

    /// Adds the heading above the first row of each kind.
    fn put_heading(
        &self,
        last: Option<&Item>,
        item: &Item,
        problems: usize,
        items: &[Item],
        builder: &mut Paper<'_>,
    ) {
        let lang = self.setup.lang;
        if last.is_some_and(|last| std::mem::discriminant(last) == std::mem::discriminant(item)) {
            return;
        }
        let unsent = |item: &&Item| matches!(item, Item::Dormant(_) | Item::Aside(_));
        match (item, last) {
            (Item::Problem { .. }, _) => {
                let said =
                    recap::counted(Message::ProblemCountOne, Message::ProblemCount, problems as u64, lang);
                builder.ours(1, &said, Role::Wrong);
            }
            (Item::Dormant(_) | Item::Aside(_), last) if !last.as_ref().is_some_and(unsent) => {
                let count = items.iter().filter(unsent).count();
                builder.blank();
                builder.ours(1, &Message::NotSentCount.say(lang, [count]), Role::Warn);
            }
            (Item::Decline | Item::Dormant(_) | Item::Aside(_), _) => {}
            (Item::Question(_) | Item::Submit, _) => builder.blank(),
        }
    }

    fn put_item(&self, view: &Answering, item: &Item, state: Standing, builder: &mut Paper<'_>) {
        let signs = self.setup.theme.signs;
        let pointer = if state.has_keys { signs.pointer } else { " " };
        let lead = builder.span(format!(" {pointer} "), Role::Strong);
        let hang = builder.hang(6);
        let words = match item {
            Item::Problem { place, problem } => self.problem_words(view, *place, problem, state, builder),
            // A question has its number in the margin, and continuation rows begin after it.
            Item::Question(place) => return self.put_question(view, *place, state, lead, builder),
            Item::Dormant(place) | Item::Aside(place) => {
                let Some(question) = view.question(*place) else { return };
                let words = self.unsent_words(view, item, *place, question);
                vec![builder.span(words, state.role(Role::Faint))]
            }
            Item::Submit => {
                let words = self.submit_words(view, state.problems);
                let theirs = view.sheet.questionnaire().submit.as_deref();
                let words = builder.span(words, state.role(Role::Strong));
                [words].into_iter().chain(askers_words(view, theirs, builder)).collect()
            }
            Item::Decline => {
                let words = format!("[ {} ]", Message::DeclineButton.plain(self.setup.lang));
                let theirs = view.sheet.questionnaire().cancel.as_deref();
                let words = builder.span(words, state.role(Role::Plain));
                [words].into_iter().chain(askers_words(view, theirs, builder)).collect()
            }
        };
        builder.wrapped(&[lead], &hang, words);
    }

    fn problem_words(
        &self,
        view: &Answering,
        place: Option<usize>,
        problem: &Problem,
        state: Standing,
        builder: &Paper<'_>,
    ) -> Vec<Span> {
        let question = place.and_then(|place| view.question(place));
        let name = question.map(|question| recap::named(question.name(), "")).unwrap_or_default();
        let said = recap::problem(problem, self.setup.lang);
        let (said, voice) = match &problem.message {
            Text::Verbatim(_) => (format!("\"{said}\""), Role::Agent),
            Text::Said(..) => (said, Role::Wrong),
        };
        let name = format!("{} {name}", self.setup.theme.signs.wrong);
        vec![builder.span(name, state.role(Role::Wrong)), builder.span(said, state.role(voice))]
    }

    fn put_question(
        &self,
        view: &Answering,
        place: usize,
        state: Standing,
        lead: Span,
        builder: &mut Paper<'_>,
    ) {
        let lang = self.setup.lang;
        let Some(question) = view.question(place) else { return };
        let follows = self.setup.theme.signs.follows;
        let follows = if question.parent.is_some() { format!("{follows} ") } else { String::new() };
        let number = builder.span(format!("{follows}{}. ", state.number), Role::Faint);
        let reply = recap::reply_at(&view.sheet, place, question, lang);
        let name = recap::named(question.name(), "");
        let mut words = vec![
            builder.span(format!("{} ", name.trim_end()), state.role(Role::Plain)),
            builder.span(reply, state.role(Role::Strong)),
        ];
        let mark = match () {
            () if view.is_to_mend(place) => Some(Message::MarkToMend),
            () if view.suggested.contains(&place) => Some(Message::MarkSuggested),
            () if view.sheet.is_prefilled(place) => Some(Message::MarkFilledIn),
            () => None,
        };
        words.extend(mark.map(|mark| builder.span(format!("  [{}]", mark.plain(lang)), Role::Warn)));
        let hang = builder.hang(3 + width(&number.0));
        builder.wrapped(&[lead, number], &hang, words);
    }

    /// Describes an answer that will not be sent: its question is no longer asked, or it is an own answer that is not
    /// picked.
    fn unsent_words(&self, view: &Answering, item: &Item, place: usize, question: &Question) -> String {
        let lang = self.setup.lang;
        if matches!(item, Item::Aside(_)) {
            let words = recap::brief(view.aside(place).unwrap_or_default());
            return recap::named(question.name(), &Message::OwnAside.say(lang, [words]));
        }
        let words = recap::reply_at(&view.sheet, place, question, lang);
        let because = view.sheet.because(place).map(|question| recap::brief(question.name()));
        let because = because.map(|name| Message::HiddenBy.say(lang, [name])).unwrap_or_default();
        format!("{}  {because}", recap::named(question.name(), &words))
    }

    /// Describes the submit button, and what disables it.
    fn submit_words(&self, view: &Answering, problems: usize) -> String {
        let lang = self.setup.lang;
        let progress = view.sheet.progress();
        let words = Message::SubmitButton.say(lang, [progress.answered, progress.total]);
        let asker = recap::asker(&view.ask.request.shown_asker(), str::to_owned, lang);
        let behind = match (view.sending, problems) {
            (true, _) => Message::SendingNow.plain(lang).to_owned(),
            (false, 0) if !view.action_seen => Message::ActionUnread.plain(lang).to_owned(),
            (false, 0) => Message::SubmitTo.say(lang, [asker]),
            (false, problems) => recap::counted(Message::BlockedOne, Message::Blocked, problems as u64, lang),
        };
        format!("[ {words} ]  {behind}")
    }
}

/// Returns the asker's label of a button, shown after ours. If the ask has an action, only our label is shown.
fn askers_words(view: &Answering, theirs: Option<&str>, builder: &Paper<'_>) -> Option<Span> {
    let theirs = theirs.filter(|_| view.sheet.questionnaire().action.is_none())?;
    Some(builder.span(format!("  \"{}\"", recap::brief(theirs)), Role::Agent))
}
