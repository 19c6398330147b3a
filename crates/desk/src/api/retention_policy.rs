//! Retention of asks that ended.

/// Retention of settled asks and old drafts.
#[derive(Debug, Clone, Copy)]
pub struct RetentionPolicy {
    /// Days that settled asks are kept.
    pub settled_days: u32,
    /// Days that drafts of asks that ended otherwise are kept.
    pub draft_days: u32,
    /// Days that settled asks of hosts' hooks are kept, if that is shorter: the arguments of a tool may hold secrets.
    pub hook_days: u32,
}

impl Default for RetentionPolicy {
    fn default() -> Self {
        Self { settled_days: 90, draft_days: 30, hook_days: 7 }
    }
}
