//! OpenAPI 3.1 document of the API. The program embeds the document that `cargo xtask codegen` generates from the table
//! of routes.

pub(super) mod docs;
#[cfg(feature = "codegen")]
pub(super) mod document;
pub(super) mod schemas;

use super::middleware::static_file::StaticFile;
use crate::embedded::embedded_file;
use axum::body::Bytes;
use serde_json::Value;
use std::sync::{LazyLock, OnceLock};

/// The OpenAPI document.
pub(super) static DOCUMENT: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::embedded("application/json", embedded_file!("schemas/openapi.json")));

/// Page of the API for people, made when it is first read.
pub(super) struct ApiDocuments {
    /// Renders the page from the OpenAPI document.
    render_page: fn(&Value) -> String,
    page: OnceLock<Bytes>,
}

impl ApiDocuments {
    /// Creates the page that this function renders.
    pub(super) const fn new(render_page: fn(&Value) -> String) -> Self {
        Self { render_page, page: OnceLock::new() }
    }

    /// Returns the page.
    fn page(&self) -> Bytes {
        let page = self.page.get_or_init(|| {
            let document = serde_json::from_slice(DOCUMENT.text()).unwrap_or_default();
            (self.render_page)(&document).into()
        });
        page.clone()
    }
}
