//! Browsers: a real one, and what one does at the level of requests.

pub(crate) mod page_browser;
pub(crate) mod test_browser;
