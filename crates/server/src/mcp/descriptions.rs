//! Texts for models: instructions, descriptions and next steps. Hosts cut texts at 2,048 characters; the most
//! important comes first.

use super::ToolSet;
use sayso_core::{Ask, Outcome};
use sayso_dialects::auq::{AuqCompat, TOOL};
use sayso_dialects::interrupt::ASK_USER;

/// Returns the instructions of a server with these tools.
pub(super) fn instructions(tools: ToolSet, compat: AuqCompat) -> String {
    let later = match compat {
        AuqCompat::Spec => "",
        AuqCompat::V3_4 => AUQ_FETCH_ADVICE,
    };
    match tools {
        ToolSet::Ask => ASK_INSTRUCTIONS.to_owned(),
        ToolSet::Auq => format!("{}{later}\n\n{OUTCOME_MEANINGS}", repeat_advice(TOOL)),
        ToolSet::AskUser => format!("{}\n\n{OUTCOME_MEANINGS}", repeat_advice(ASK_USER)),
        ToolSet::Permission => PERMISSION_INSTRUCTIONS.to_owned(),
        ToolSet::All => {
            format!("{ASK_INSTRUCTIONS}\n\n{}{later}", repeat_advice(&format!("{TOOL} or {ASK_USER}")))
        }
    }
}

/// Returns the advice for tools whose agents repeat a call to go on waiting.
fn repeat_advice(tools: &str) -> String {
    format!(
        "If {tools} failed, timed out, was cancelled or brought no answers yet, call it again with exactly the same \
         questions: they are kept, and the user is not asked twice."
    )
}

/// Addition for a tool of AUQ that fetches answers.
const AUQ_FETCH_ADVICE: &str = " Where it named a session, get_answered_questions returns the answers.";

/// Meaning of the outcomes of such tools.
const OUTCOME_MEANINGS: &str = "\
Questions are kept at a desk and outlive every call, this server and you. Ask what only the user can decide, everything \
in one call. Silence is no answer and no consent, and a rejection is neither: do not choose for the user.";

/// Instructions of a server that only the program calls.
const PERMISSION_INSTRUCTIONS: &str = "\
The program asks a person for permissions here. There is nothing for a model to call.";

/// Description of the permission prompt tool.
pub(super) const PERMISSION: &str = "\
For the program: asks a person for permission, or the questions of AskUserQuestion. Not for models.";

/// Description of the tool that the page of an ask calls.
pub(super) const ANSWER_FORM: &str = "\
For the form that the program shows in the conversation: reads the questions and sends what the person filled in. Not for \
models.";

/// Result for a form without a proof that is valid.
pub(super) const FORM_STALE: &str = "\
This form can no longer be used. The question is kept at the desk: answer it there.";

/// Result for a form that can't be read.
pub(super) const FORM_UNREADABLE: &str = "\
This tool is for the form that the program shows to a person. To get an answer, call wait_for_answer.";

/// Returns the message by which the page says that a person has answered, if no call waits.
pub(super) fn form_answered(ask: &Ask) -> String {
    let id = ask.id;
    let done = if matches!(ask.outcome(), Some(Outcome::Declined { .. })) { "declined" } else { "answered" };
    format!("I have {done} your questions. Call wait_for_answer with ask_id \"{id}\" to read it.")
}

/// Result of the permission prompt tool if no person decided.
pub(super) const NO_DECISION: &str = "\
No person has decided about this. It is neither allowed nor denied; do not run it, and say that no one answered.";

/// Instructions for `ask` and the tools that belong to it.
const ASK_INSTRUCTIONS: &str = "\
If an ask failed, timed out, was cancelled or came back as pending, call wait_for_answer; do not ask again in other words. \
A question is kept at the desk and outlives every call, this server and you. Asking exactly the same again is safe: it \
finds the same question, never makes a second one.\n\
\n\
Ask a person with `ask` when only a person can decide: a choice between ways to go, a preference, a missing fact, or \
consent to an act with consequences (put that act into `action` as data). Ask everything in one call. Do not ask what you \
can find out yourself, and do not put secrets into questions or ask for them.\n\
\n\
Five statuses, never to be mixed up: answered (a person answered: go on with it); pending (no one has answered yet: silence \
is no answer and no consent; call wait_for_answer or do other work); declined (a person said no: do not do it, do not \
choose for them); expired (no one answered in time: no consent); cancelled (you cancelled it).\n\
\n\
An answer is given again, byte for byte, until you name its ask_id in `received` in a later call. Do that in your next \
call, also if you want to ask the very same question again.";

/// Description of `ask`.
pub(super) const ASK: &str = "\
Ask a person and wait for the answers. Safe to repeat: the same questions find the same ask, they never make a second one. \
Returns status answered, pending, declined, expired or cancelled; when pending, call wait_for_answer. For what only a \
person can decide: a choice, a preference, a missing fact, or consent to an act with consequences, which goes into \
`action` as data. Put everything you need to know into one call. A question with `options` is a choice (`multi` for \
several, `other` to allow a typed own answer); without them it is a text; `kind` asks for confirm, rating, number, date, \
time or datetime. `children` follow a question up, `show_if` says when one is asked, `constraints` what an answer must be \
like. Example: {\"title\":\"Release\",\"questions\":[{\"id\":\"when\",\"prompt\":\"When shall it go out?\",\"options\":\
[{\"label\":\"Today\"},{\"label\":\"Monday\",\"recommended\":true}],\"other\":true}]}. Do not ask what you can find out \
yourself.";

/// Description of `wait_for_answer`.
pub(super) const WAIT: &str = "\
Wait for the answer of an earlier ask, or get it again. Call this, not ask, after an ask was pending, failed, timed out or \
was cancelled by your host. With ask_id: that ask. Without: whatever of yours has been answered and not yet named in \
`received`, else the next of yours to be answered. Returns the same result as ask.";

/// Description of `list_asks`.
pub(super) const LIST: &str = "\
List your asks at the desk: those that are open, and those whose answer you have not confirmed with `received`. Use it \
after a restart to see what you asked. It does not deliver answers: wait_for_answer does.";

/// Description of `cancel_ask`.
pub(super) const CANCEL: &str = "\
Cancel a question that you no longer need answered. It is the only call that ends a question. If a person was faster, \
you get their answer instead, with its own status.";

/// Reply of `ask_user` while there is no answer.
pub(super) const ASK_USER_UNANSWERED: &str = "\
No answer yet. The questions are kept, and the user sees them. Call ask_user again with exactly the same questions, now or \
after other work, to go on waiting: they are not asked twice. Do not go on as if they had been answered.";

/// Returns the message of a progress notification.
pub(super) fn waiting_message(desk_name: &str) -> String {
    format!("Waiting for a person. The question is kept at the desk {desk_name}.")
}

/// Message above the address of an ask's page. The question itself is for the page: hosts log what they show.
pub(super) const PAGE_MESSAGE: &str =
    "A question waits for you at the desk. Open its page and sign in to answer.";

/// Message of a task that waits for a person.
pub(super) const TASK_WAITS: &str = "No one has answered yet. Silence is no answer and no consent.";

/// Reply if the caller has no asks.
pub(super) const NOTHING_OPEN: &str = "Nothing of yours is open, and no answer of yours is unconfirmed. There is nothing to wait \
    for. To ask a person, call `ask`.";

/// Message for an unknown id in `received`.
pub(super) const NO_SUCH_ASK: &str =
    "You have no ask with this id: nothing is confirmed by it. list_asks has your ask_ids.";

/// Message for an id in `received` whose ask is open.
pub(super) const NOT_ANSWERED_YET: &str =
    "This ask has no answer yet that you could have: nothing is confirmed by it.";

/// Prompt about when to ask, and how.
pub(super) const WHEN_TO_ASK: &str = "\
Before you go on, look for what only the person can decide: a choice between ways to go that differ in cost, risk or \
taste; a fact that is in no file and no tool; consent to an act that cannot be undone or that others see.\n\
Collect all of it and ask once, with the tool `ask`. Give each choice its options, with a short description of what each \
means for the person, and mark the one you would take as recommended. Allow an own answer with `other`. Put an act that \
needs consent into `action` exactly as it would run. Say in `context` what the person must know to answer.\n\
If the answer is pending, do other work or call wait_for_answer. Go on only when the status is answered. When a person \
declined, stop that line of work and say so.";

/// Prompt about when not to ask.
pub(super) const WHEN_NOT_TO_ASK: &str = "\
Do not ask a person what you can find out yourself: read the files, run the tests, look it up.\n\
Do not ask for leave to do what you were already told to do, nor whether to go on. Do not ask about details that are easy \
to change later: choose, and say what you chose. Do not ask the same in other words because an answer has not come yet: \
it is pending, and asking again only adds work for the person. Do not ask for passwords, keys or other secrets. Do not \
split one set of questions over several calls.\n\
If nothing is left that only the person can decide, go on without asking.";

/// Next step after a list that is not empty.
pub(super) const LIST_NEXT_STEP: &str = "Call wait_for_answer with an ask_id to get its answer, or to wait for it. Do not ask the \
    same in other words.";
