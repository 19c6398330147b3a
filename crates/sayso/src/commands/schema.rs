//! `sayso schema NAME`: what a request is and what an asker gets, for programs.

use super::print;
use crate::cli::Schema;
use crate::exit::Exit;
use crate::request;
use crate::session::Session;
use sayso_core::{Code, Message, Problem};

pub(super) fn run(session: &Session, args: &Schema) -> Result<Exit, Problem> {
    let dialect = request::dialect(session, Some(&args.dialect), "")?;
    let schema = if args.outcome { dialect.outcome_schema() } else { dialect.request_schema() };
    match schema {
        Some(schema) => Ok(print(&schema)),
        None => Err(Problem::new(Code::InvalidValue, Message::NoSchema.with([dialect.name()]))),
    }
}
