//! Codes of problems, which programs may test for.

use std::fmt;

macro_rules! codes {
    ($(#[$meta:meta])* $code:ident { $($(#[$doc:meta])* $name:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $code { $($(#[$doc])* $name,)* }

        impl $code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the stable text.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Parses the stable text.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }
        }
    };
}

codes! {
    /// Kind of a problem. The text is stable: programs may test for it.
    ProblemCode {
        /// No request was given.
        MissingRequest = "missing_request",
        /// The request is not JSON.
        InvalidJson = "invalid_json",
        /// Bytes that are not UTF-8.
        NotText = "not_text",
        /// Larger than a limit allows.
        TooLarge = "too_large",
        /// Nested deeper than a limit allows.
        TooDeep = "too_deep",
        /// The request has problems; they are in `causes`.
        InvalidRequest = "invalid_request",
        /// A required value is missing.
        Required = "required",
        /// A value of another type than expected.
        InvalidType = "invalid_type",
        /// Fewer or shorter than allowed.
        TooSmall = "too_small",
        /// More or longer than allowed.
        TooBig = "too_big",
        /// An id that another question or option has already.
        DuplicateId = "duplicate_id",
        /// A pattern that does not compile, or differs from JavaScript.
        BadPattern = "bad_pattern",
        /// A condition on a later question, or one that no answer can fulfil.
        BadCondition = "bad_condition",
        /// A constraint that does not apply to answers of this kind, or that is impossible to meet.
        BadConstraint = "bad_constraint",
        /// A label of yes that refuses, or of no that agrees.
        ContraryLabel = "contrary_label",
        /// Consent that the asker prefilled or recommended.
        PresetConsent = "preset_consent",
        /// A yes or no among other questions, without a mark for consent.
        UnmarkedConfirm = "unmarked_confirm",
        /// An unknown member.
        UnknownMember = "unknown_member",
        /// An answer that does not match the pattern.
        PatternUnmet = "pattern_unmet",
        /// An answer whose pattern exceeded the step budget, if unchecked answers are refused.
        PatternNotChecked = "pattern_not_checked",
        /// A value that is not allowed.
        InvalidValue = "invalid_value",
        /// A dialect that is unknown, or not clear from the request.
        UnknownDialect = "unknown_dialect",
        /// The answers have problems; they are in `causes`.
        InvalidAnswers = "invalid_answers",
        /// A question without an answer.
        NeedsAnswer = "needs_answer",
        /// An option that the question does not have.
        NoSuchOption = "no_such_option",
        /// A question that the questionnaire does not have.
        NoSuchQuestion = "no_such_question",
        /// No ask has this id, or none that is visible to the asker.
        AskNotFound = "ask_not_found",
        /// Several asks match a short id.
        AmbiguousId = "ambiguous_id",
        /// Another person answered first.
        AskAnswered = "ask_answered",
        /// A person declined first.
        AskDeclined = "ask_declined",
        /// The asker cancelled the question.
        AskCancelled = "ask_cancelled",
        /// The deadline passed.
        AskExpired = "ask_expired",
        /// An answer awaits its asker's verdict.
        AskSubmitted = "ask_submitted",
        /// The ask is still open, so there is no outcome to deliver.
        AskOpen = "ask_open",
        /// The answered question is not the current one.
        AskChanged = "ask_changed",
        /// A verdict on another round than the one submitted.
        WrongRound = "wrong_round",
        /// No thread has this id, or none that this agent took part in.
        ThreadNotFound = "thread_not_found",
        /// The turn of a thread ended, or belongs to another process of its agent.
        TurnOver = "turn_over",
        /// No agent can take a message in a thread, or the choice is ambiguous.
        NoAgent = "no_agent",
        /// The key was used for another request before.
        KeyReused = "key_reused",
        /// The role does not permit this.
        NotAllowed = "not_allowed",
        /// Interactive answering needs a terminal.
        NoTerminal = "no_terminal",
        /// The desk has too many open asks.
        DeskCrowded = "desk_crowded",
        /// An unsupported kind of desk.
        DeskUnsupported = "desk_unsupported",
        /// The file is not a desk.
        DeskNotOurs = "desk_not_ours",
        /// The desk was written by a newer version.
        DeskTooNew = "desk_too_new",
        /// The desk was written by an older version.
        DeskTooOld = "desk_too_old",
        /// The desk's folder or file cannot be opened or written.
        DeskUnreachable = "desk_unreachable",
        /// The stored data of one ask is corrupt.
        AskDamaged = "ask_damaged",
        /// The desk file is corrupt.
        DeskDamaged = "desk_damaged",
        /// The desk lacks confirmed changes.
        DeskIncomplete = "desk_incomplete",
        /// The desk was copied to another place and takes no writes here.
        DeskMoved = "desk_moved",
        /// The disk is full.
        DeskFull = "desk_full",
        /// Other processes held the lock of the desk for too long.
        DeskBusy = "desk_busy",
        /// Reading or writing the desk failed; whether a write took effect may be unknown.
        DeskFailed = "desk_failed",
        /// No token, or an unknown one.
        Unauthorized = "unauthorized",
        /// The rate limit is exceeded.
        TooManyRequests = "too_many_requests",
        /// Another person saved one of these questions in the meantime.
        DraftChanged = "draft_changed",
        /// No route has this path.
        NoSuchRoute = "no_such_route",
        /// The route does not support this method.
        MethodNotAllowed = "method_not_allowed",
        /// An unsupported media type.
        UnsupportedMediaType = "unsupported_media_type",
        /// The body of a request did not arrive in time.
        BodyLate = "body_late",
        /// A host name that the server does not answer to.
        HostNotAllowed = "host_not_allowed",
        /// An origin that is not allowed.
        OriginNotAllowed = "origin_not_allowed",
        /// An invalid header.
        BadHeader = "bad_header",
        /// The server is shutting down; another will replace it.
        DeskClosing = "desk_closing",
        /// An invalid setting.
        InvalidSetting = "invalid_setting",
        /// An unreadable file.
        UnreadableFile = "unreadable_file",
    }
}

impl ProblemCode {
    /// Returns whether the desk or its machine has a fault, whoever asks and whatever is asked.
    pub const fn is_desk_fault(self) -> bool {
        matches!(
            self,
            Self::DeskUnsupported
                | Self::DeskNotOurs
                | Self::DeskTooNew
                | Self::DeskTooOld
                | Self::DeskUnreachable
                | Self::DeskMoved
                | Self::DeskFull
                | Self::DeskBusy
                | Self::DeskFailed
                | Self::DeskDamaged
                | Self::DeskIncomplete
                | Self::AskDamaged
        )
    }
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_words() {
        let mut texts: Vec<_> = ProblemCode::ALL.iter().map(|code| code.as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), ProblemCode::ALL.len());
        assert!(texts.iter().all(|text| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
    }
}
