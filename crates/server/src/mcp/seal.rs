//! Sealed state that a host carries between two rounds of a call: it can be stored and returned, but not forged. The
//! key is next to the desk file, so that it survives the process and all processes of the desk share it.

use rmcp::model::{RequestStateCodec, SealOptions};
use sayso_core::AskId;
use sayso_core::digest::hex;
use sayso_desk::{own_file, random};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

/// Lifetime of sealed state.
const LASTS: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Associated data that binds the state to this tool.
const BOUND: &[u8] = b"sayso ask";
const KEY_BYTES: usize = 32;

/// One round of showing a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    /// Ask of the form.
    pub(super) ask: AskId,
    /// Time of the request, in milliseconds since 1970.
    pub(super) at_ms: i64,
    /// Number of the round, from 1.
    pub(super) number: u64,
}

/// Codec that seals rounds and opens them.
pub(super) struct Seal {
    codec: RequestStateCodec,
}

impl Seal {
    /// Returns the seal of a desk. If its key can't be stored, sealed state is valid in this process only. Without
    /// randomness from the system, there is no seal.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let key = kept_key(path).or_else(|_| drawn::<KEY_BYTES>().map(Vec::from)).ok()?;
        RequestStateCodec::try_new(key).ok().map(|codec| Self { codec })
    }

    pub(super) fn close(&self, round: Round) -> String {
        let Round { ask, at_ms, number } = round;
        let payload = json!({ "ask": ask, "at": at_ms, "round": number }).to_string();
        self.codec.seal_with(payload.as_bytes(), &SealOptions::new().associated_data(BOUND).ttl(LASTS))
    }

    /// Returns the round, if the state was sealed with this key and has not expired.
    pub(super) fn open(&self, sealed: &str) -> Option<Round> {
        let payload = self.codec.open_with(sealed, BOUND).ok()?;
        let payload: Value = serde_json::from_slice(&payload).ok()?;
        Some(Round {
            ask: AskId::parse(payload.get("ask")?.as_str()?)?,
            at_ms: payload.get("at")?.as_i64()?,
            number: payload.get("round")?.as_u64()?,
        })
    }
}

fn drawn<const N: usize>() -> io::Result<[u8; N]> {
    random::bytes().map_err(io::Error::other)
}

/// Returns the key in this file, which is created if missing. It appears atomically, so that other processes never
/// read half of it.
fn kept_key(path: &Path) -> io::Result<Vec<u8>> {
    if let Ok(key) = read_key(path) {
        return Ok(key);
    }
    own_file::make_folder_of(path)?;
    let draft = path.with_extension(format!("seal-{}", hex(&drawn::<16>()?)));
    let written = write_key(&draft).and_then(|()| match std::fs::hard_link(&draft, path) {
        // Another process was faster: its key is used.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let _ = std::fs::remove_file(&draft);
    written?;
    read_key(path)
}

fn read_key(path: &Path) -> io::Result<Vec<u8>> {
    let mut key = Vec::new();
    File::open(path)?.take(1_024).read_to_end(&mut key)?;
    if key.len() < KEY_BYTES { Err(io::ErrorKind::InvalidData.into()) } else { Ok(key) }
}

fn write_key(path: &Path) -> io::Result<()> {
    let mut file = own_file::create_new(path)?;
    file.write_all(&drawn::<KEY_BYTES>()?)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_round_survives_restart_unforged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db.seal");
        let round = Round { ask: AskId::NIL, at_ms: 1_700_000_000_000, number: 2 };
        let sealed = Seal::of(&path).unwrap().close(round);
        assert_eq!(Seal::of(&path).unwrap().open(&sealed), Some(round));
        let elsewhere = Seal::of(&folder.path().join("other.seal")).unwrap();
        assert_eq!(elsewhere.open(&sealed), None);
        let mut forged = sealed.clone();
        let at = forged.len() / 2;
        let other = if forged.as_bytes()[at] == b'A' { "B" } else { "A" };
        forged.replace_range(at..=at, other);
        assert_eq!(Seal::of(&path).unwrap().open(&forged), None);
        assert_eq!(Seal::of(&path).unwrap().open(""), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_owner_can_read_the_key() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db.seal");
        assert!(Seal::of(&path).is_some());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
