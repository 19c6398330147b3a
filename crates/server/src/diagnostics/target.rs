//! Targets of log lines.

/// Target of a log line: the part of the server that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogTarget {
    /// Requests: one line each.
    Request,
    /// Connections, refusals and background tasks of the HTTP server.
    Http,
    /// Calls to the desk.
    Desk,
    /// Calls of an MCP host.
    Mcp,
    /// Sockets and rounds of the interaction dialect.
    Interaction,
    /// Turns of threads.
    Threads,
}

/// Prefix of all targets.
const PREFIX: &str = "sayso::";

impl LogTarget {
    /// All targets.
    pub(crate) const ALL: [Self; 6] =
        [Self::Request, Self::Http, Self::Desk, Self::Mcp, Self::Interaction, Self::Threads];

    /// Returns the path that events of the target carry.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Request => "sayso::request",
            Self::Http => "sayso::http",
            Self::Desk => "sayso::desk",
            Self::Mcp => "sayso::mcp",
            Self::Interaction => "sayso::interaction",
            Self::Threads => "sayso::threads",
        }
    }

    /// Returns the name in lines and filters.
    pub(super) fn name(self) -> &'static str {
        self.path().trim_start_matches(PREFIX)
    }

    /// Returns the target with this path; `None` for events of other crates. Those of the desk crate, which hold codes
    /// and errors of the system, are about the desk.
    pub(super) fn from_path(path: &str) -> Option<Self> {
        if path.split("::").next() == Some("sayso_desk") {
            return Some(Self::Desk);
        }
        Self::ALL.into_iter().find(|target| target.path() == path)
    }

    /// Returns the target with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }
}
