//! Input of the person at an ask: keys and clicks, as actions of its view.

mod keys;
mod mouse;
mod question_keys;
mod text_keys;

use super::{AskView, UpdateContext};

/// Handler of one key or click. A key has one meaning per context.
#[derive(Debug)]
pub(in crate::tui) struct InputHandler<'v> {
    view: &'v mut AskView,
    cx: &'v UpdateContext,
}

impl<'v> InputHandler<'v> {
    pub(in crate::tui) const fn new(view: &'v mut AskView, cx: &'v UpdateContext) -> Self {
        Self { view, cx }
    }
}
