//! `sayso schema NAME`: prints the schema of a request or an outcome, for programs.

use crate::cli::Schema;
use crate::console::print;
use crate::exit::Exit;
use crate::request;
use crate::session::Session;
use sayso_core::{Code, Message, Problem};
use sayso_dialects::{Dialect, Form, Limits, Part};

pub(super) fn run(session: &Session, args: &Schema) -> Result<Exit, Problem> {
    let limits = request::limits(session);
    let Some(name) = &args.dialect else { return Ok(print(&list(&limits))) };
    let dialect = request::dialect(session, Some(name), "")?;
    let part = if args.outcome { Part::Outcome } else { Part::Request };
    match dialect.schema(part, args.form, &limits) {
        Some(schema) => Ok(print(&schema)),
        None => Err(Problem::new(
            Code::InvalidValue,
            Message::NoSchema.with([dialect.schema_arguments(part, args.form)]),
        )
        .hint(Message::SchemasThereAre)),
    }
}

/// Lists all schemas, each with the arguments that print it.
fn list(limits: &Limits) -> String {
    let mut lines = Vec::new();
    for dialect in Dialect::ALL {
        for (form, part) in Form::ALL.into_iter().flat_map(|form| Part::ALL.map(|part| (form, part))) {
            if dialect.schema(part, form, limits).is_some() {
                lines.push(dialect.schema_arguments(part, form));
            }
        }
    }
    lines.join("\n")
}
