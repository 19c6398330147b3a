//! Fixture: an ask in front of the plain prompter.

use crate::{PlainStyle, PromptContext, PromptStyle as _};
use sayso_core::{Ask, AskId, Asker, Lang, NewAsk, QuestionId, Replies, Reply, Sheet, lifecycle, wire};
use std::sync::Arc;
use std::time::Duration;

/// The examples that agents copy.
pub(super) const EXAMPLES: [(&str, &str); 9] = [
    ("approve-command", include_str!("../../../../../../examples/approve-command.json")),
    ("choose-database", include_str!("../../../../../../examples/choose-database.json")),
    ("onboard-service", include_str!("../../../../../../examples/onboard-service.json")),
    ("pick-checks", include_str!("../../../../../../examples/pick-checks.json")),
    ("plan-maintenance", include_str!("../../../../../../examples/plan-maintenance.json")),
    ("project-setup", include_str!("../../../../../../examples/project-setup.json")),
    ("rate-review", include_str!("../../../../../../examples/rate-review.json")),
    ("release-notes", include_str!("../../../../../../examples/release-notes.json")),
    ("set-limits", include_str!("../../../../../../examples/set-limits.json")),
];

/// Fixture of an ask on a screen.
pub(super) struct PlainFixture {
    pub(super) ask: Ask,
    pub(super) sheet: Sheet,
    lang: Lang,
    columns: usize,
}

impl PlainFixture {
    pub(super) fn from_json(json: &str, columns: usize) -> Self {
        let questionnaire = Arc::new(wire::questionnaire::read(json).unwrap().questionnaire);
        let asker = Asker {
            name: "claude".to_owned(),
            folder: Some("/srv".to_owned()),
            session: None,
            account: None,
        };
        let new = NewAsk::new(questionnaire.clone(), "sayso", asker);
        let id = AskId::parse("01890a5d-ac96-774b-bcce-b302099a8057").unwrap();
        let ask = lifecycle::open_ask(id, new, jiff::Timestamp::UNIX_EPOCH).unwrap().ask;
        let sheet = Sheet::new(questionnaire, Replies::new()).with_prefill();
        Self { ask, sheet, lang: Lang::En, columns }
    }

    pub(super) fn from_example(name: &str, columns: usize) -> Self {
        let (_, json) = EXAMPLES.iter().find(|(other, _)| *other == name).unwrap();
        Self::from_json(json, columns)
    }

    /// Returns the fixture in Chinese.
    pub(super) fn in_chinese(mut self) -> Self {
        self.lang = Lang::Zh;
        self
    }

    /// Returns the fixture with a reply.
    pub(super) fn with_reply(mut self, id: &str, reply: Reply) -> Self {
        self.sheet.set_reply(&QuestionId::new(id), reply);
        self
    }

    pub(super) fn scene(&self) -> PromptContext<'_> {
        let age = Duration::from_secs(120);
        PromptContext { ask: &self.ask, sheet: &self.sheet, age, columns: Some(self.columns) }
    }

    pub(super) fn intro(&self) -> String {
        PlainStyle { lang: self.lang, now: None }.intro(&self.scene())
    }

    /// Returns the page of the question with this id.
    pub(super) fn render_page(&self, id: &str) -> String {
        let place = self.sheet.index_of(&QuestionId::new(id)).unwrap();
        PlainStyle { lang: self.lang, now: None }.render(&self.scene(), place)
    }
}
