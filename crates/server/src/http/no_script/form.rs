//! Forms as browsers post them: their fields, and the token that lets each be taken once.

pub(super) mod fields;
pub(super) mod form_data;
pub(super) mod form_token;
