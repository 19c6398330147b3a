//! Head of an ask's page: who asks, from where and since when.

use super::agent_text::{markdown, one_line};
use sayso_core::model::ask::AskerPresence;
use sayso_core::model::outcome::format_record_time;
use sayso_core::{Ask, Lang, Message};
use std::borrow::Cow;

/// Head of an ask's page.
#[derive(Debug)]
pub(crate) struct AskHead {
    /// Name of the asker.
    pub(crate) agent: String,
    pub(crate) folder: Option<String>,
    pub(crate) asked_at: String,
    pub(crate) is_waited_for: bool,
    pub(crate) deadline: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) context: String,
}

impl AskHead {
    pub(crate) fn new(ask: &Ask, lang: Lang) -> Self {
        let (asker, questionnaire) = (ask.request.shown_asker(), &ask.request.questionnaire);
        let is_open = ask.outcome().is_none();
        let ends = |at| Message::PageEndsAt.render_with(lang, [format_record_time(at)]);
        Self {
            agent: asker.name(one_line, lang),
            folder: asker.folder(Cow::Borrowed).map(|folder| one_line(&folder)),
            asked_at: format_record_time(ask.request.created_at),
            is_waited_for: is_open && matches!(ask.state.presence, AskerPresence::Attached { .. }),
            deadline: ask.state.deadline.filter(|_| is_open).map(ends),
            title: questionnaire.title.as_deref().filter(|title| !title.trim().is_empty()).map(one_line),
            context: questionnaire.context.as_deref().map(markdown).unwrap_or_default(),
        }
    }
}

/// Notice of ours, with an agent's or a person's words as a quotation.
#[derive(Debug)]
pub(crate) struct Notice {
    pub(crate) words: String,
    pub(crate) quotation: String,
    pub(crate) is_problem: bool,
}

impl Notice {
    pub(crate) const fn new(words: String) -> Self {
        Self { words, quotation: String::new(), is_problem: false }
    }

    pub(crate) const fn problem(words: String) -> Self {
        Self { words, quotation: String::new(), is_problem: true }
    }
}
