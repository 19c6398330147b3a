//! The pages themselves, each with the routes that show it and take its form.

pub(super) mod ask_page;
pub(super) mod decline_page;
pub(super) mod inbox_page;
mod receipt_page;
pub(super) mod review_page;
pub(super) mod sign_in_page;
