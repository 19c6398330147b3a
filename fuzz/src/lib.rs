//! What several fuzz targets assert.

pub mod sheets;
