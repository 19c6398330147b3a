//! Real OpenID Connect issuer: npm's `oidc-provider`, and a desk whose members sign in there.

use crate::support::program::TestProgram;
use crate::support::program::node_program::node_call;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;

/// Secret of the desk at the issuers of tests.
pub(crate) const SECRET: &str = "secret-of-the-desk";

/// Running issuer.
pub(crate) struct NpmIssuer {
    program: TestProgram,
    /// Its address, `http://HOST:PORT`.
    pub(crate) url: String,
}

impl NpmIssuer {
    pub(crate) fn start(world: &TestWorld) -> Self {
        let program = node_call(world, "oidc-provider", "issuer.mjs", &[]).start_piped();
        let end = program.stdout.wait_for("\n", 0);
        let url = program.stdout.between(0, end).trim_end().to_owned();
        Self { program, url }
    }

    /// Starts a desk that lets in the group `desk` of this issuer.
    pub(crate) fn serve_desk(&mut self, world: &TestWorld, more: &[&str]) -> ServedDesk {
        let secret = write_secret(world);
        let options = ["--oidc-issuer", &self.url, "--oidc-client-id", "desk", "--oidc-secret-file", &secret];
        let others = ["--oidc-group", "desk", "--rate", "0"];
        let served = ServedDesk::with(world, &[&options[..], &others, more].concat());
        let port = served.address.rsplit_once(':').unwrap().1;
        self.program.write(format!("http://localhost:{port}\n").as_bytes());
        served
    }
}

/// Writes the secret to a file that only its owner reads, and returns its path.
pub(crate) fn write_secret(world: &TestWorld) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let file = world.write("oidc-secret", format!("{SECRET}\n"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    file.to_str().unwrap().to_owned()
}
