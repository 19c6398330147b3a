//! Hidden command `sayso agent-launcher PLAN`: limits this process, builds a sandbox around it, and becomes an agent's
//! program. `sayso serve --agent` starts it.

use crate::output::exit::CommandExit;
use sayso_server::acp::LaunchPlan;
use std::ffi::OsString;

/// Name of the command.
pub(crate) const NAME: &str = sayso_server::acp::LAUNCHER_COMMAND;

/// Exit code for a program that cannot be started, as shells have it.
const CANNOT_START: u8 = 126;
/// Exit code for a program that is not there, as shells have it.
const NOT_FOUND: u8 = 127;

/// Becomes the program. Returns only if that fails.
pub(crate) fn run(plan: Option<&OsString>) -> CommandExit {
    let plan = plan.and_then(|plan| plan.to_str()).and_then(|plan| serde_json::from_str(plan).ok());
    let Some(plan) = plan else { return CommandExit::Usage };
    CommandExit::Prescribed(launch(&plan))
}

#[cfg(unix)]
fn launch(plan: &LaunchPlan) -> u8 {
    use std::io::ErrorKind;
    use std::os::unix::process::CommandExt as _;
    limit_resources(plan);
    // A program without its sandbox is not started.
    if plan.is_sandboxed && !sandbox::build(plan) {
        return CANNOT_START;
    }
    let Some((program, args)) = plan.command.split_first() else { return NOT_FOUND };
    match std::process::Command::new(program).args(args).exec().kind() {
        ErrorKind::NotFound => NOT_FOUND,
        _ => CANNOT_START,
    }
}

#[cfg(not(unix))]
fn launch(_: &LaunchPlan) -> u8 {
    CANNOT_START
}

/// Sets the limits of the agent and its processes; core dumps, which contain secrets, are off.
#[cfg(unix)]
fn limit_resources(plan: &LaunchPlan) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let lower = |resource, wanted: u64| {
        let limit = wanted.min(getrlimit(resource).maximum.unwrap_or(u64::MAX));
        // A limit that may not be lowered is as low already.
        let _ = setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    };
    lower(Resource::Data, plan.memory_bytes);
    lower(Resource::Core, 0);
    // The system counts all processes and threads of the user.
    lower(Resource::Nproc, user_threads().saturating_add(plan.processes.into()));
}

/// Counts the threads of this user that run already.
#[cfg(target_os = "linux")]
fn user_threads() -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let Some(uid) = std::fs::metadata("/proc/self").ok().map(|own| own.uid()) else { return 0 };
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = processes.filter(|process| process.metadata().is_ok_and(|found| found.uid() == uid));
    own.map(|process| std::fs::read_dir(process.path().join("task")).map_or(0, Iterator::count) as u64).sum()
}

#[cfg(all(unix, not(target_os = "linux")))]
const fn user_threads() -> u64 {
    0
}

/// Sandbox by Landlock: paths that are not listed do not exist for the program, its processes included.
#[cfg(target_os = "linux")]
mod sandbox {
    use landlock::{
        ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
        RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };
    use sayso_server::acp::LaunchPlan;

    /// First version with all rights that the sandbox cannot do without: those to truncate, link and rename files.
    const NEEDED: ABI = ABI::V3;
    /// Last version whose rights we know. Older kernels have fewer.
    const KNOWN: ABI = ABI::V9;

    fn ruleset() -> Result<Ruleset, RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(NEEDED))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))
    }

    /// Returns whether the kernel can build the sandbox.
    pub(in crate::commands) fn is_available() -> bool {
        ruleset().and_then(Ruleset::create).is_ok()
    }

    /// Builds the sandbox around this process; returns whether it is built.
    pub(super) fn build(plan: &LaunchPlan) -> bool {
        let read: BitFlags<AccessFs> = AccessFs::from_read(KNOWN);
        let built = ruleset().and_then(Ruleset::create).and_then(|rules| {
            rules
                .add_rules(path_beneath_rules(&plan.readable, read))?
                .add_rules(path_beneath_rules(&plan.writable, AccessFs::from_all(KNOWN)))?
                .restrict_self()
        });
        let stands =
            built.is_ok_and(|status| status.ruleset != RulesetStatus::NotEnforced && status.no_new_privs);
        stands && drop_capabilities()
    }

    /// Gives up the rights of root: with them a program reads the environment of every other.
    fn drop_capabilities() -> bool {
        use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
        let none = CapabilitySet::empty();
        set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none }).is_ok()
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod sandbox {
    pub(super) const fn build(_: &sayso_server::acp::LaunchPlan) -> bool {
        false
    }
}

/// Returns whether this system can build a sandbox.
pub(super) fn has_sandbox() -> bool {
    #[cfg(target_os = "linux")]
    {
        sandbox::is_available()
    }
    #[cfg(not(target_os = "linux"))]
    {
        false
    }
}
