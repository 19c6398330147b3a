//! Page of the review.

use super::super::answer::{AskView, ReviewItem};
use super::super::app::App;
use super::super::widgets::line_builder::{HitTarget, LineBuilder, StyledSpan, display_width};
use super::super::widgets::theme::StyleRole;
use super::PageContent;
use crate::describe;
use ratatui::layout::Rect;
use sayso_core::{LocalizedText, Message, Problem, Question};

/// State of a review row.
#[derive(Clone, Copy)]
struct ReviewRowState {
    has_focus: bool,
    /// Number of the question, counted over the questions that are asked.
    number: usize,
    /// Number of problems.
    problems: usize,
}

impl ReviewRowState {
    /// Returns the focus role for the focused row, and else `other`.
    fn role(self, other: StyleRole) -> StyleRole {
        if self.has_focus { StyleRole::Focus } else { other }
    }
}

impl App {
    pub(super) fn review_page(&self, view: &AskView, body: Rect) -> PageContent {
        let lang = self.setup.lang;
        let mut builder =
            LineBuilder::new(&self.setup.theme, usize::from(body.width)).with_cache(&self.layout_cache);
        let items = view.review_items();
        let problems = items.iter().filter(|item| matches!(item, ReviewItem::Problem { .. })).count();
        builder.push_own(1, Message::CheckHead.plain(lang), StyleRole::Strong);
        if let Some(summary) = view.ask.feedback().and_then(|feedback| feedback.summary.as_deref()) {
            builder.push_own_with_quote(
                1,
                &describe::changes_heading(&view.ask, &view.sheet, lang),
                StyleRole::Warning,
            );
            builder.push_markdown(1, summary);
        }
        let mut page = PageContent::default();
        let at = view.review.row(items.len());
        let mut last: Option<&ReviewItem> = None;
        let mut number = 0;
        for (row, item) in items.iter().enumerate() {
            self.put_heading(last, item, problems, &items, &mut builder);
            last = Some(item);
            number += usize::from(matches!(item, ReviewItem::Question(_)));
            let start = builder.rows.len();
            builder.hit_target = Some(HitTarget::Item(row));
            let state = ReviewRowState { has_focus: row == at, number, problems };
            self.put_item(view, item, state, &mut builder);
            builder.hit_target = None;
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
        last: Option<&ReviewItem>,
        item: &ReviewItem,
        problems: usize,
        items: &[ReviewItem],
        builder: &mut LineBuilder<'_>,
    ) {
        let lang = self.setup.lang;
        if last.is_some_and(|last| std::mem::discriminant(last) == std::mem::discriminant(item)) {
            return;
        }
        let unsent = |item: &&ReviewItem| matches!(item, ReviewItem::Dormant(_) | ReviewItem::Aside(_));
        match (item, last) {
            (ReviewItem::Problem { .. }, _) => {
                let said = describe::count_message(
                    Message::ProblemCountOne,
                    Message::ProblemCount,
                    problems as u64,
                    lang,
                );
                builder.push_own(1, &said, StyleRole::Failure);
            }
            (ReviewItem::Dormant(_) | ReviewItem::Aside(_), last) if !last.as_ref().is_some_and(unsent) => {
                let count = items.iter().filter(unsent).count();
                builder.push_blank();
                builder.push_own(1, &Message::NotSentCount.render_with(lang, [count]), StyleRole::Warning);
            }
            (ReviewItem::Decline | ReviewItem::Dormant(_) | ReviewItem::Aside(_), _) => {}
            (ReviewItem::Question(_) | ReviewItem::Submit, _) => builder.push_blank(),
        }
    }

    fn put_item(
        &self,
        view: &AskView,
        item: &ReviewItem,
        state: ReviewRowState,
        builder: &mut LineBuilder<'_>,
    ) {
        let signs = self.setup.theme.symbols;
        let pointer = if state.has_focus { signs.pointer } else { " " };
        let lead = builder.span(format!(" {pointer} "), StyleRole::Strong);
        let hang = builder.continuation_gutter(6);
        let words = match item {
            ReviewItem::Problem { place, problem } => {
                self.describe_problem(view, *place, problem, state, builder)
            }
            // A question has its number in the margin, and continuation rows begin after it.
            ReviewItem::Question(place) => return self.put_question(view, *place, state, lead, builder),
            ReviewItem::Dormant(place) | ReviewItem::Aside(place) => {
                let Some(question) = view.question(*place) else { return };
                let words = self.describe_unsent(view, item, *place, question);
                vec![builder.span(words, state.role(StyleRole::Faint))]
            }
            ReviewItem::Submit => {
                let words = self.describe_submit(view, state.problems);
                let theirs = view.sheet.questionnaire().submit.as_deref();
                let words = builder.span(words, state.role(StyleRole::Strong));
                [words].into_iter().chain(askers_label(view, theirs, builder)).collect()
            }
            ReviewItem::Decline => {
                let words = format!("[ {} ]", Message::DeclineButton.plain(self.setup.lang));
                let theirs = view.sheet.questionnaire().cancel.as_deref();
                let words = builder.span(words, state.role(StyleRole::Plain));
                [words].into_iter().chain(askers_label(view, theirs, builder)).collect()
            }
        };
        builder.push_wrapped(&[lead], &hang, words);
    }

    fn describe_problem(
        &self,
        view: &AskView,
        place: Option<usize>,
        problem: &Problem,
        state: ReviewRowState,
        builder: &LineBuilder<'_>,
    ) -> Vec<StyledSpan> {
        let question = place.and_then(|place| view.question(place));
        let name =
            question.map(|question| describe::label_value(question.display_name(), "")).unwrap_or_default();
        let said = describe::problem_text(problem, self.setup.lang);
        let (said, voice) = match &problem.message {
            LocalizedText::Verbatim(_) => (format!("\"{said}\""), StyleRole::Agent),
            LocalizedText::Message(..) => (said, StyleRole::Failure),
        };
        let name = format!("{} {name}", self.setup.theme.symbols.wrong);
        vec![builder.span(name, state.role(StyleRole::Failure)), builder.span(said, state.role(voice))]
    }

    fn put_question(
        &self,
        view: &AskView,
        place: usize,
        state: ReviewRowState,
        lead: StyledSpan,
        builder: &mut LineBuilder<'_>,
    ) {
        let lang = self.setup.lang;
        let Some(question) = view.question(place) else { return };
        let follows = self.setup.theme.symbols.follow_up;
        let follows = if question.parent.is_some() { format!("{follows} ") } else { String::new() };
        let number = builder.span(format!("{follows}{}. ", state.number), StyleRole::Faint);
        let reply = describe::reply_at(&view.sheet, place, question, lang);
        let name = describe::label_value(question.display_name(), "");
        let mut words = vec![
            builder.span(format!("{} ", name.trim_end()), state.role(StyleRole::Plain)),
            builder.span(reply, state.role(StyleRole::Strong)),
        ];
        let mark = match () {
            () if view.needs_correction(place) => Some(Message::MarkToMend),
            () if view.suggested.contains(&place) => Some(Message::MarkSuggested),
            () if view.sheet.is_prefilled(place) => Some(Message::MarkFilledIn),
            () => None,
        };
        words.extend(mark.map(|mark| builder.span(format!("  [{}]", mark.plain(lang)), StyleRole::Warning)));
        let hang = builder.continuation_gutter(3 + display_width(&number.0));
        builder.push_wrapped(&[lead, number], &hang, words);
    }

    /// Describes an answer that will not be sent: its question is no longer asked, or it is an own answer that is not
    /// picked.
    fn describe_unsent(
        &self,
        view: &AskView,
        item: &ReviewItem,
        place: usize,
        question: &Question,
    ) -> String {
        let lang = self.setup.lang;
        if matches!(item, ReviewItem::Aside(_)) {
            let words = describe::brief(view.unpicked_own_answer(place).unwrap_or_default());
            return describe::label_value(
                question.display_name(),
                &Message::OwnAside.render_with(lang, [words]),
            );
        }
        let words = describe::reply_at(&view.sheet, place, question, lang);
        let because =
            view.sheet.deciding_question(place).map(|question| describe::brief(question.display_name()));
        let because = because.map(|name| Message::HiddenBy.render_with(lang, [name])).unwrap_or_default();
        format!("{}  {because}", describe::label_value(question.display_name(), &words))
    }

    /// Describes the submit button, and what disables it.
    fn describe_submit(&self, view: &AskView, problems: usize) -> String {
        let lang = self.setup.lang;
        let progress = view.sheet.progress();
        let words = Message::SubmitButton.render_with(lang, [progress.answered, progress.total]);
        let asker = describe::asker_name(&view.ask.request.shown_asker(), str::to_owned, lang);
        let behind = match (view.is_sending, problems) {
            (true, _) => Message::SendingNow.plain(lang).to_owned(),
            (false, 0) if !view.action_seen => Message::ActionUnread.plain(lang).to_owned(),
            (false, 0) => Message::SubmitTo.render_with(lang, [asker]),
            (false, problems) => {
                describe::count_message(Message::BlockedOne, Message::Blocked, problems as u64, lang)
            }
        };
        format!("[ {words} ]  {behind}")
    }
}

/// Returns the asker's label of a button, shown after ours. If the ask has an action, only our label is shown.
fn askers_label(view: &AskView, theirs: Option<&str>, builder: &LineBuilder<'_>) -> Option<StyledSpan> {
    let theirs = theirs.filter(|_| view.sheet.questionnaire().action.is_none())?;
    Some(builder.span(format!("  \"{}\"", describe::brief(theirs)), StyleRole::Agent))
}
