//! What several fuzz targets assert.

pub mod dialects;
pub mod sheets;
