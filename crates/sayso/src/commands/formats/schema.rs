//! `sayso schema NAME`: prints the schema of a request or an outcome, for programs.

use crate::cli::SchemaArgs;
use crate::cli::request;
use crate::cli_session::CliSession;
use crate::output::console::print_output;
use crate::output::exit::CommandExit;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use sayso_dialects::{Dialect, DialectLimits, SchemaFormat, SchemaPart};

pub(crate) fn run(session: &CliSession, args: &SchemaArgs) -> Result<CommandExit, Problem> {
    let limits = request::request_limits(session);
    let Some(name) = &args.dialect else { return Ok(print_output(&schema_list(&limits))) };
    let dialect = request::choose_dialect(session, Some(name), "")?;
    let part = if args.outcome { SchemaPart::Outcome } else { SchemaPart::Request };
    match dialect.schema(part, args.form, &limits) {
        Some(schema) => Ok(print_output(&schema)),
        None => Err(Problem::new(
            ProblemCode::InvalidValue,
            Message::NoSchema.with([own(dialect.schema_arguments(part, args.form))]),
        )
        .with_hint(Message::SchemasThereAre)),
    }
}

/// Lists all schemas, each with the arguments that print it.
fn schema_list(limits: &DialectLimits) -> String {
    let mut lines = Vec::new();
    for dialect in Dialect::ALL {
        for (form, part) in
            SchemaFormat::ALL.into_iter().flat_map(|form| SchemaPart::ALL.map(|part| (form, part)))
        {
            if dialect.schema(part, form, limits).is_some() {
                lines.push(dialect.schema_arguments(part, form));
            }
        }
    }
    lines.join("\n")
}
