//! Material for hints: names that were probably meant, members of our format, and examples of values.

pub mod aliases;
pub mod example;
pub(super) mod members;
pub mod schema_node;
