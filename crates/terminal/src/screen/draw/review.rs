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
    pub(super) fn review_page(&self, answering: &Answering, body: Rect) -> Page {
        let lang = self.setup.lang;
        let mut paper = Paper::new(&self.setup.theme, usize::from(body.width)).keeping(&self.laid);
        let items = answering.review();
        let problems = items.iter().filter(|item| matches!(item, Item::Problem { .. })).count();
        paper.ours(1, Message::CheckHead.plain(lang), Role::Strong);
        if let Some(summary) = answering.ask.feedback().and_then(|feedback| feedback.summary.as_deref()) {
            paper.quoting(1, &recap::wants_changes(&answering.ask, &answering.sheet, lang), Role::Warn);
            paper.markdown(1, summary);
        }
        let mut page = Page::default();
        let at = answering.row.min(items.len().saturating_sub(1));
        let mut last: Option<&Item> = None;
        let mut number = 0;
        for (row, item) in items.iter().enumerate() {
            self.put_heading(last, item, problems, &items, &mut paper);
            last = Some(item);
            number += usize::from(matches!(item, Item::Question(_)));
            let start = paper.rows.len();
            paper.hit = Some(Hit::Item(row));
            let standing = Standing { has_keys: row == at, number, problems };
            self.put_item(answering, item, standing, &mut paper);
            paper.hit = None;
            if row == at {
                page.focus = Some((start, paper.rows.len()));
            }
        }
        page.rows = paper.rows;
        page
    }

    /// Adds the heading above the first row of each kind.
    fn put_heading(
        &self,
        last: Option<&Item>,
        item: &Item,
        problems: usize,
        items: &[Item],
        paper: &mut Paper<'_>,
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
                paper.ours(1, &said, Role::Wrong);
            }
            (Item::Dormant(_) | Item::Aside(_), last) if !last.as_ref().is_some_and(unsent) => {
                let count = items.iter().filter(unsent).count();
                paper.blank();
                paper.ours(1, &Message::NotSentCount.say(lang, [count]), Role::Warn);
            }
            (Item::Decline | Item::Dormant(_) | Item::Aside(_), _) => {}
            (Item::Question(_) | Item::Submit, _) => paper.blank(),
        }
    }

    fn put_item(&self, answering: &Answering, item: &Item, standing: Standing, paper: &mut Paper<'_>) {
        let signs = self.setup.theme.signs;
        let pointer = if standing.has_keys { signs.pointer } else { " " };
        let lead = paper.span(format!(" {pointer} "), Role::Strong);
        let hang = paper.hang(6);
        let words = match item {
            Item::Problem { place, problem } => {
                self.problem_words(answering, *place, problem, standing, paper)
            }
            // A question has its number in the margin, and continuation rows begin after it.
            Item::Question(place) => return self.put_question(answering, *place, standing, lead, paper),
            Item::Dormant(place) | Item::Aside(place) => {
                let Some(question) = answering.question(*place) else { return };
                let words = self.unsent_words(answering, item, *place, question);
                vec![paper.span(words, standing.role(Role::Faint))]
            }
            Item::Submit => {
                let words = self.submit_words(answering, standing.problems);
                let theirs = answering.sheet.questionnaire().submit.as_deref();
                let words = paper.span(words, standing.role(Role::Strong));
                [words].into_iter().chain(askers_words(answering, theirs, paper)).collect()
            }
            Item::Decline => {
                let words = format!("[ {} ]", Message::DeclineButton.plain(self.setup.lang));
                let theirs = answering.sheet.questionnaire().cancel.as_deref();
                let words = paper.span(words, standing.role(Role::Plain));
                [words].into_iter().chain(askers_words(answering, theirs, paper)).collect()
            }
        };
        paper.wrapped(&[lead], &hang, words);
    }

    fn problem_words(
        &self,
        answering: &Answering,
        place: Option<usize>,
        problem: &Problem,
        standing: Standing,
        paper: &Paper<'_>,
    ) -> Vec<Span> {
        let question = place.and_then(|place| answering.question(place));
        let name = question.map(|question| recap::named(question.name(), "")).unwrap_or_default();
        let said = recap::problem(problem, self.setup.lang);
        let (said, voice) = match &problem.message {
            Text::Verbatim(_) => (format!("\"{said}\""), Role::Agent),
            Text::Said(..) => (said, Role::Wrong),
        };
        let name = format!("{} {name}", self.setup.theme.signs.wrong);
        vec![paper.span(name, standing.role(Role::Wrong)), paper.span(said, standing.role(voice))]
    }

    fn put_question(
        &self,
        answering: &Answering,
        place: usize,
        standing: Standing,
        lead: Span,
        paper: &mut Paper<'_>,
    ) {
        let lang = self.setup.lang;
        let Some(question) = answering.question(place) else { return };
        let follows = self.setup.theme.signs.follows;
        let follows = if question.parent.is_some() { format!("{follows} ") } else { String::new() };
        let number = paper.span(format!("{follows}{}. ", standing.number), Role::Faint);
        let reply = recap::reply_at(&answering.sheet, place, question, lang);
        let name = recap::named(question.name(), "");
        let mut words = vec![
            paper.span(format!("{} ", name.trim_end()), standing.role(Role::Plain)),
            paper.span(reply, standing.role(Role::Strong)),
        ];
        let mark = match () {
            () if answering.is_to_mend(place) => Some(Message::MarkToMend),
            () if answering.suggested.contains(&place) => Some(Message::MarkSuggested),
            () if answering.sheet.is_prefilled(place) => Some(Message::MarkFilledIn),
            () => None,
        };
        words.extend(mark.map(|mark| paper.span(format!("  [{}]", mark.plain(lang)), Role::Warn)));
        let hang = paper.hang(3 + width(&number.0));
        paper.wrapped(&[lead, number], &hang, words);
    }

    /// Describes an answer that will not be sent: its question is no longer asked, or it is an own answer that is not
    /// picked.
    fn unsent_words(&self, answering: &Answering, item: &Item, place: usize, question: &Question) -> String {
        let lang = self.setup.lang;
        if matches!(item, Item::Aside(_)) {
            let words = recap::brief(answering.aside(place).unwrap_or_default());
            return recap::named(question.name(), &Message::OwnAside.say(lang, [words]));
        }
        let words = recap::reply_at(&answering.sheet, place, question, lang);
        let because = answering.sheet.because(place).map(|question| recap::brief(question.name()));
        let because = because.map(|name| Message::HiddenBy.say(lang, [name])).unwrap_or_default();
        format!("{}  {because}", recap::named(question.name(), &words))
    }

    /// Describes the submit button, and what disables it.
    fn submit_words(&self, answering: &Answering, problems: usize) -> String {
        let lang = self.setup.lang;
        let progress = answering.sheet.progress();
        let words = Message::SubmitButton.say(lang, [progress.answered, progress.total]);
        let asker = recap::asker(&answering.ask.request.shown_asker(), str::to_owned, lang);
        let behind = match (answering.sending, problems) {
            (true, _) => Message::SendingNow.plain(lang).to_owned(),
            (false, 0) if !answering.action_seen => Message::ActionUnread.plain(lang).to_owned(),
            (false, 0) => Message::SubmitTo.say(lang, [asker]),
            (false, problems) => recap::counted(Message::BlockedOne, Message::Blocked, problems as u64, lang),
        };
        format!("[ {words} ]  {behind}")
    }
}

/// Returns the asker's label of a button, shown after ours. If the ask has an action, only our label is shown.
fn askers_words(answering: &Answering, theirs: Option<&str>, paper: &Paper<'_>) -> Option<Span> {
    let theirs = theirs.filter(|_| answering.sheet.questionnaire().action.is_none())?;
    Some(paper.span(format!("  \"{}\"", recap::brief(theirs)), Role::Agent))
}
