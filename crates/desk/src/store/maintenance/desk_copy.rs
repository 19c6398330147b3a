//! Copy of a desk from one place to another: chooses the stores of both.

use super::DeskPlace;
use crate::store::desk_mark::DeskMark;
use crate::store::reports::{OnProgress, TransferReport};
use crate::store::transfer::{ASK, TransferSource, TransferTarget, copy_rows};
use crate::store::{postgres, sqlite};
use sayso_core::{Message, Problem, ProblemCode};

/// Copies a desk, and marks it as moved.
///
/// # Errors
/// If one of them cannot be opened, the target is not empty, or the copy differs. Then the source is unmarked.
pub(crate) fn copy(
    from: &DeskPlace<'_>,
    to: &DeskPlace<'_>,
    on_progress: OnProgress<'_>,
) -> Result<TransferReport, Problem> {
    if from.name() == to.name() {
        return Err(Problem::new(ProblemCode::InvalidValue, Message::CopyToItself));
    }
    with_source(from, &mut |source| {
        let Some(mark) = source.mark()? else {
            return with_target(to, &mut |target| {
                copy_rows(source, target, [&from.name(), &to.name()], on_progress)
            });
        };
        let moved_mark = DeskMark::Moved { to: to.name() };
        let partial = Some(DeskMark::Partial { from: from.name() });
        if mark != moved_mark || mark_of(to)? != partial {
            return Err(mark.to_problem());
        }
        // Everything was copied, and only the last step was not reached.
        open_for_writes(to)?;
        let asks = source.count(&ASK)?;
        Ok(TransferReport { from: from.name(), to: to.name(), asks, rows: 0, tables: Vec::new(), kept: None })
    })
}

fn with_source(
    place: &DeskPlace<'_>,
    work: &mut dyn FnMut(&dyn TransferSource) -> Result<TransferReport, Problem>,
) -> Result<TransferReport, Problem> {
    match place {
        DeskPlace::File(path) => work(&sqlite::transfer::FileSource::lock(path)?),
        DeskPlace::Database(address) => {
            let database = postgres::transfer::connect(address)?;
            work(&postgres::transfer::DatabaseSource::lock(&database, address)?)
        }
    }
}

fn with_target(
    place: &DeskPlace<'_>,
    work: &mut dyn FnMut(&dyn TransferTarget) -> Result<TransferReport, Problem>,
) -> Result<TransferReport, Problem> {
    match place {
        DeskPlace::File(path) => work(&sqlite::transfer::FileTarget::create(path)?),
        DeskPlace::Database(address) => {
            let database = postgres::transfer::connect(address)?;
            work(&postgres::transfer::DatabaseTarget::begin(&database, address)?)
        }
    }
}

/// Returns the mark of a desk; `None` without a mark or without a desk.
fn mark_of(place: &DeskPlace<'_>) -> Result<Option<DeskMark>, Problem> {
    match place {
        DeskPlace::File(path) => sqlite::transfer::mark_of(path),
        DeskPlace::Database(address) => postgres::transfer::mark_of(address),
    }
}

fn open_for_writes(place: &DeskPlace<'_>) -> Result<(), Problem> {
    match place {
        DeskPlace::File(path) => sqlite::transfer::open_for_writes(path),
        DeskPlace::Database(address) => {
            postgres::transfer::open_for_writes(&postgres::transfer::connect(address)?.session()?)
        }
    }
}
