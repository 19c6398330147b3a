//! Usual cause and remedy of each problem code, for a page that people and programs read.

use super::ProblemCode;

/// Explanation of a problem code, in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemExplanation {
    /// The usual cause.
    pub cause: &'static str,
    /// The way to fix it.
    pub remedy: &'static str,
}

macro_rules! explanations {
    ($($code:ident: $cause:literal, $remedy:literal;)*) => {
        impl ProblemCode {
            /// Returns the usual cause and remedy of this code. Text between backticks is code.
            pub const fn explanation(self) -> ProblemExplanation {
                match self {
                    $(Self::$code => ProblemExplanation { cause: $cause, remedy: $remedy },)*
                }
            }
        }
    };
}

explanations! {
    MissingRequest: "The request has no content.",
        "Send the request as JSON in the body, in the argument or on standard input.";
    InvalidJson: "The text is not valid JSON. The message shows line and column.",
        "Fix the JSON at that place. Shells often remove quotes: send a file, or quote the text once more.";
    NotText: "The bytes are not UTF-8.",
        "Encode the text as UTF-8.";
    TooLarge: "The request, the answers or a body exceed a size limit, which the message shows.",
        "Shorten the text, or split the questions over several asks.";
    TooDeep: "The JSON is nested deeper than the limit.",
        "Flatten the request: follow-up questions and conditions can be nested a few levels only.";
    InvalidRequest: "The request has several problems, or one that belongs to a member.",
        "Fix each problem in `causes`; its `path` names the member.";
    Required: "A required member is missing.",
        "Add the member that the message names.";
    InvalidType: "A value has the wrong type, such as a text where an object is expected.",
        "Write a value of the expected type; the hint shows an example.";
    TooSmall: "A list is too short, a text too short or a number too small.",
        "Add elements or raise the value up to the bound in the message.";
    TooBig: "A list is too long, a text too long or a number too large.",
        "Remove elements or lower the value down to the bound in the message.";
    DuplicateId: "Two questions, or two options of one question, have the same id.",
        "Give each its own id, or omit the ids: missing ones are numbered.";
    BadPattern: "A pattern does not compile, or checking it takes too many steps.",
        "Write a JavaScript pattern without flags. Avoid nested repeats, or omit the pattern.";
    BadCondition: "A condition refers to a later question, or no answer can fulfil it.",
        "Refer to an earlier question by its id, and to one of its options.";
    BadConstraint: "A constraint does not apply to this kind of question, or no answer can satisfy it.",
        "Omit the constraint, or use one that applies to the kind of the question.";
    ContraryLabel: "The label of yes reads like a refusal, or the label of no like consent.",
        "Ask about the effect of yes, and word the labels accordingly or omit them.";
    PresetConsent: "The request prefills or recommends the answer to a question of consent.",
        "Omit `prefill` and `recommended` there. Give your reasons in `detail` or `context`.";
    UnmarkedConfirm: "A yes or no among other required questions does not say whether it is consent.",
        "Write `\"consent\": true` if something is done after a yes, or else `\"consent\": false`.";
    UnknownMember: "The format has no such member.",
        "Check the spelling, or remove the member. `sayso schema` prints each format.";
    PatternUnmet: "The answer does not match the pattern of the question.",
        "Answer in the format that the question asks for.";
    PatternNotChecked: "Checking the answer against the asker's pattern takes too many steps.",
        "Send a shorter answer. The asker can avoid this with a simpler pattern.";
    InvalidValue: "The value is not one of the allowed ones, or it is inconsistent with another member.",
        "Use one of the values in the message or in the schema.";
    UnknownDialect: "The format does not exist, or the request fits none or several.",
        "Name the format: `dialect` in the body, or `--format`.";
    InvalidAnswers: "The answers have problems, so nothing was submitted.",
        "Fix each problem in `causes` and submit again; the ask is still open.";
    NeedsAnswer: "A required question has no answer.",
        "Answer the question that `path` names.";
    NoSuchOption: "The question has no option with this id, label or value.",
        "Use an id of the question's options, as the ask shows them.";
    NoSuchQuestion: "The questionnaire has no question with this id.",
        "Use the ids of the ask; a similar id is suggested if there is one.";
    AskNotFound: "No ask has this id, or it belongs to another account.",
        "List the asks: `GET /v1/asks`, or `sayso list --state all`. Check that the desk is the right one.";
    AmbiguousId: "Several asks start or end with this short id.",
        "Use more characters of the id, or the whole id.";
    AskAnswered: "Another person answered the ask first.",
        "Nothing to do: the first answer counts. Your text is kept with the ask as `late`.";
    AskDeclined: "A person declined the ask first.",
        "Nothing to do. An asker must not treat it as consent and must not choose for the person.";
    AskCancelled: "The asker cancelled the ask.",
        "Nothing to do. Text that was typed is kept with the ask.";
    AskExpired: "The deadline of the ask has passed.",
        "Ask again, with a later deadline or with none.";
    AskSubmitted: "An answer was submitted and its asker has not accepted it yet.",
        "Wait for the asker's verdict. If it wants changes, the ask opens again.";
    AskOpen: "The ask has no outcome yet, so none can be confirmed or printed.",
        "Wait for the outcome first.";
    AskChanged: "The answer is for another version of the question than the current one.",
        "Read the ask again, show it to the person, and send its `digest` as `shown`.";
    WrongRound: "The verdict is for another round than the one that is submitted.",
        "Read the ask again, and judge its current submission.";
    ThreadNotFound: "No thread has this id, or this account never took part in it.",
        "List the threads, or create one.";
    TurnOver: "The turn has ended, or another process of the same agent has taken it over.",
        "Stop working on it and take the next turn: `POST /v1/threads/next`.";
    NoAgent: "No agent can receive the message, or several can and the thread names none.",
        "Create an asker's token for an agent, or create a thread with `agent`.";
    KeyReused: "The idempotency key was used before for a different request.",
        "Use a new key, or send the same request as before.";
    NotAllowed: "The role of the token does not permit this.",
        "Use a token with another role: an asker asks, a person answers, an admin manages.";
    NoTerminal: "Answering interactively needs a terminal, and the process has none, or it belongs to an agent.",
        "Open a terminal of your own and run `sayso answer ID`.";
    DeskCrowded: "The desk, or this account, has reached its limit of open asks.",
        "Cancel asks that are no longer needed, or wait until some are answered.";
    DeskUnsupported: "The name of the desk has an unsupported form.",
        "Use `sqlite:PATH`, a path, or `https://…`.";
    DeskNotOurs: "The file is not a Sayso desk, or its beginning is damaged.",
        "Name the right file. If it was a desk, restore a backup: `sayso desk restore FILE --replace`.";
    DeskTooNew: "A newer version of Sayso has written the desk.",
        "Update this program. The desk was not changed.";
    DeskTooOld: "An older version of Sayso has written the desk, and this one does not convert it.",
        "Use that version, or move the desk's files elsewhere: then a new desk is created. The desk was not changed.";
    DeskUnreachable: "The file of the desk cannot be opened, or the server of the desk cannot be reached.",
        "Check path, permissions and address. `sayso doctor` shows the settings and tests the desk.";
    AskDamaged: "The stored data of one ask differ from what was written. All other asks work.",
        "`sayso desk check` lists the damage; `sayso desk restore FILE --replace` restores a backup.";
    DeskDamaged: "The file of the desk is damaged.",
        "Copy the files of the desk, then restore a backup: `sayso desk restore FILE --replace`.";
    DeskIncomplete: "Confirmed changes are missing, for example because the file `desk.db-wal` was lost.",
        "Put the file back or restore a backup. `sayso desk check --accept` continues without the changes.";
    DeskMoved: "The desk was copied to another place. What it has can be read here, and nothing is written any more.",
        "Use the desk at its new place. Its operator starts the server with that address.";
    DeskFull: "The disk of the desk is full. The change was not stored.",
        "Free some space and repeat the request with the same key.";
    DeskBusy: "Other processes kept the desk locked for several seconds.",
        "Try again. Repeating a request with the same key takes effect once.";
    DeskFailed: "The desk could not be read or written. A change may or may not have been stored.",
        "Repeat the request with the same key: it takes effect once. The log of the server has the details.";
    Unauthorized: "The request has no token, or the token was revoked, has expired or belongs to another desk.",
        "Send `Authorization: Bearer TOKEN`. `sayso token new` creates a token on the desk's machine.";
    TooManyRequests: "The account exceeds a rate limit.",
        "Wait as long as `Retry-After` says, then repeat the request.";
    DraftChanged: "Another person has since saved one of these questions, so nothing was saved or sent.",
        "Read the draft again, and save with its current `rev`.";
    NoSuchRoute: "No route has this path.",
        "This page lists all paths.";
    MethodNotAllowed: "The path exists, but not with this method.",
        "The header `Allow` lists the methods.";
    UnsupportedMediaType: "The header `content-type` names a type that this route does not read.",
        "Send `content-type: application/json`, or the type in the hint.";
    BodyLate: "The body did not arrive in time.",
        "Send the request again over a faster connection, or a shorter body.";
    HostNotAllowed: "The header `Host` names a server that this one is not.",
        "Use the server's own address, or start it with `--allow-host NAME`.";
    OriginNotAllowed: "The request comes from a web page of another site.",
        "Start the server with `--allow-origin URL` if that site may send requests.";
    BadHeader: "A header is missing, duplicated or invalid.",
        "Fix the header that the message names.";
    DeskClosing: "The server is shutting down. No data is lost.",
        "Try again in a moment, when it or another one has started.";
    InvalidSetting: "A setting, an option or a parameter has an invalid value.",
        "Fix the value. `sayso doctor` shows each setting with its origin.";
    UnreadableFile: "A file that was named cannot be read.",
        "Check the path and the permissions.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_are_distinct_sentences() {
        for code in ProblemCode::ALL {
            let ProblemExplanation { cause, remedy } = code.explanation();
            assert!(cause.ends_with('.') && remedy.ends_with('.'), "{code}: {cause} {remedy}");
            let same = |other: &&ProblemCode| other.explanation().cause == cause;
            assert_eq!(ProblemCode::ALL.iter().filter(same).count(), 1, "{code}: {cause}");
        }
    }
}
