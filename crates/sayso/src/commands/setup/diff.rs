//! Change of a file as a unified diff.

use sayso_core::unified_diff::unified_diff;
use std::path::Path;

/// Returns the diff between the texts of a file. A missing one is `/dev/null`.
pub(super) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    let path = path.display().to_string();
    let name = |text: Option<&str>| if text.is_some() { path.as_str() } else { "/dev/null" };
    unified_diff([name(before), name(after)], [before.unwrap_or_default(), after.unwrap_or_default()])
}
