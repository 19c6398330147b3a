//! Tests of forms in the host's own dialog.

mod dialogs;
mod rounds;
