//! Notes to the asker, in addition to an answer.

use crate::describe;
use crate::prompter::prompt_style::PartialAnswer;
use crate::prompter::session::{NextStep, PromptPlace, PromptSession, UserInput};
use crate::prompter::{commands, input_loop, line_input};
use sayso_core::i18n::foreign;
use sayso_core::rules::validator;
use sayso_core::{Message, Problem};

/// Sets the note of a question or, without an index, that on the whole form. Without text, prompts for it; an empty line
/// removes the note.
pub(crate) fn edit_note(
    session: &mut PromptSession<'_>,
    note: Option<String>,
    at: Option<usize>,
) -> Result<Option<NextStep>, Problem> {
    let id = match session.question_at(at) {
        Some((_, question)) => question.id,
        None => session.sheet.questionnaire().note_place(),
    };
    let here = NextStep::Go(at.map_or(PromptPlace::Review, PromptPlace::Question));
    // The draft has the lines of a long text so far; the next line is not part of it.
    session.partial = PartialAnswer::Nothing;
    let note = match note {
        Some(note) => note,
        None => {
            session.output.print_prompt(Message::HintNote.plain(session.lang))?;
            match input_loop::next_input(session)? {
                UserInput::Line(line) if session.style.has_strict_commands() => line,
                UserInput::Line(line) => line_input::unescape_slash(&line).to_owned(),
                UserInput::Command(command) => {
                    let step = commands::run_command(session, command, at)?;
                    return Ok(Some(step.unwrap_or(here)));
                }
                UserInput::Changed(place) => return Ok(Some(NextStep::Go(place))),
                UserInput::End(end) => return Ok(Some(NextStep::End(end))),
            }
        }
    };
    if let Some(problem) = validator::note_problem(Some(&note)) {
        session.output.print(&problem.message.render(session.lang))?;
        return Ok(Some(here));
    }
    let reply = session.sheet.reply(&id).clone().with_note(Some(note));
    let is_kept_here = reply.note.is_some() && !(session.carries_notes)(&session.ask);
    let notice = match &reply.note {
        Some(note) => Message::NoteKept.render_with(session.lang, [foreign(describe::excerpt(note))]),
        None => Message::NoteGone.plain(session.lang).to_owned(),
    };
    if session.save_reply(&id, reply)? {
        session.output.print(&notice)?;
        if is_kept_here {
            session.output.print_message(Message::NotesNotCarried)?;
        }
    }
    Ok(Some(here))
}
