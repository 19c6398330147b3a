//! Sentences of the page, in a script of their own in the person's language: a browser keeps it, and the page itself
//! stays small.

use sayso_core::{Lang, Message};
use serde_json::{Map, Value};

/// Sentences that the page's script uses, by their names.
const SENTENCES: &[Message] = &[
    Message::AnsweredInHost,
    Message::AnswersChanged,
    Message::AnswersChangedHint,
    Message::ChangeAnswer,
    Message::CheckHead,
    Message::ClaimsToBe,
    Message::DeclineButton,
    Message::DeclineNow,
    Message::DeclineReason,
    Message::DeclineSays,
    Message::DeclineTitle,
    Message::GivenBackToHost,
    Message::GuessedProgram,
    Message::HiddenBy,
    Message::HostEnded,
    Message::HostSessionEnded,
    Message::IsAllowed,
    Message::IsAnswered,
    Message::IsAnsweredNo,
    Message::ItsValue,
    Message::LinesNotShown,
    Message::NotProvided,
    Message::NothingEnded,
    Message::NothingFits,
    Message::PageAllowedBy,
    Message::PageAnsweredBy,
    Message::PageAnsweredOf,
    Message::PageAskedAgain,
    Message::PageAwaitsVerdict,
    Message::PageBackToQuestions,
    Message::PageBringBack,
    Message::PageBroken,
    Message::PageBrokenKept,
    Message::PageCancelledAt,
    Message::PageChangedElsewhere,
    Message::PageDamaged,
    Message::PageDeclinedBy,
    Message::PageDelivered,
    Message::PageAnsweredNoBy,
    Message::PageEndedHint,
    Message::PageEndedKept,
    Message::PageEndedNothing,
    Message::PageEnds,
    Message::PageEndsAt,
    Message::PageExpiredAt,
    Message::PageFilter,
    Message::PageInbox,
    Message::PageKeepThis,
    Message::PageKeptAsTyped,
    Message::PageKeptForAgent,
    Message::PageDiscard,
    Message::PageKeptHere,
    Message::PageKeptOpen,
    Message::PageKeysClose,
    Message::PageKeysFilter,
    Message::PageKeysHelp,
    Message::PageKeysMark,
    Message::PageKeysOn,
    Message::PageKeysOpen,
    Message::PageKeysStep,
    Message::PageKeysTitle,
    Message::PageMoreRows,
    Message::PageMoreWait,
    Message::PageNext,
    Message::PageShelfPermissions,
    Message::PageShelfPlans,
    Message::PageShelfQuestions,
    Message::PageNotFetched,
    Message::PageNoAsk,
    Message::PageNotConnected,
    Message::PageNotSent,
    Message::PageNotTaken,
    Message::PageNote,
    Message::AddFormNote,
    Message::FormNoteHead,
    Message::FormNoteLabel,
    Message::NotesNotCarried,
    Message::PageNothing,
    Message::PageOneQuestion,
    Message::PageOtherAnswerElsewhere,
    Message::PageOutline,
    Message::PageProgress,
    Message::PageQuestions,
    Message::PageReason,
    Message::PageReceiptDetails,
    Message::PageReceiptSurface,
    Message::PageSavedAt,
    Message::PageSaving,
    Message::PageSendTo,
    Message::PageShowChange,
    Message::PageShownDigest,
    Message::PageSignedOut,
    Message::PageSkipped,
    Message::PageStateCancelled,
    Message::PageStateDeclined,
    Message::PageStateExpired,
    Message::PageStateSubmitted,
    Message::PageTabHistory,
    Message::PageTabWaiting,
    Message::PageTryAgain,
    Message::PageUnread,
    Message::PageUnsavedOffline,
    Message::PageUnsavedSignedOut,
    Message::PageUseOther,
    Message::PageWelcome,
    Message::PageWelcomeHow,
    Message::PageYourText,
    Message::PageYourWordsReplaced,
    Message::ProblemCount,
    Message::ProblemCountOne,
    Message::Quoted,
    Message::RowBlocks,
    Message::ShowUnseen,
    Message::SomeAsker,
    Message::SomeProgram,
    Message::KeepAnswering,
    Message::WindowTitle,
    Message::WindowTitleAlone,
    Message::SurfaceCommand,
    Message::SurfaceDialog,
    Message::SurfaceElement,
    Message::SurfaceHttp,
    Message::SurfaceInbox,
    Message::SurfacePage,
    Message::SurfacePipe,
    Message::SurfacePrompter,
    Message::YesUnread,
];

/// Returns the script with the sentences in a language.
pub(super) fn sentences_script(lang: Lang) -> String {
    let mut sentences = Map::new();
    for message in SENTENCES {
        sentences.insert(format!("{message:?}"), Value::from(message.template(lang)));
    }
    format!("globalThis.saysoWords={};\n", Value::Object(sentences))
}

#[cfg(test)]
mod tests {
    use super::SENTENCES;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns the names in calls of `say`, and in tables of names, of all sources below a folder of the page.
    fn used_names(folder: &Path) -> BTreeSet<String> {
        let names_in = |path: PathBuf| match path.is_dir() {
            true => used_names(&path),
            false => fs::read_to_string(path).unwrap().split('"').map(str::to_owned).collect(),
        };
        fs::read_dir(folder).unwrap().flat_map(|entry| names_in(entry.unwrap().path())).collect()
    }

    #[test]
    fn page_uses_every_sentence() {
        let used = used_names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/page"));
        let named: BTreeSet<_> = SENTENCES.iter().map(|one| format!("{one:?}")).collect();
        let unused: Vec<_> = named.iter().filter(|name| !used.contains(*name)).collect();
        assert!(unused.is_empty(), "{unused:?}");
        let missing: Vec<_> =
            used.iter().filter(|name| name.starts_with("Page") && !named.contains(*name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
