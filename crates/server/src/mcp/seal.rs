//! What a host carries between two rounds of a call, sealed: it can be kept and given back, and not be made up. The key
//! lies beside the desk, so that it outlives the process and every process of the desk has the same.

use rmcp::model::{RequestStateCodec, SealOptions};
use sayso_core::AskId;
use sayso_core::digest::hex;
use sayso_desk::{own_file, random};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

/// How long a host may take to come back.
const LASTS: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// What is sealed is of use in this tool only.
const BOUND: &[u8] = b"sayso ask";
const KEY_BYTES: usize = 32;

/// One round of showing a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    /// Whose form it is.
    pub(super) ask: AskId,
    /// When it was sent out, in milliseconds since 1970.
    pub(super) at_ms: i64,
    /// Which showing it is, from 1.
    pub(super) number: u64,
}

/// Seals rounds and opens them.
pub(super) struct Seal {
    codec: RequestStateCodec,
}

impl Seal {
    /// The seal of a desk. Where its key cannot be kept, what is sealed is of use in this process only; where the system has
    /// no randomness to give, there is none.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let key = kept_key(path).or_else(|_| drawn::<KEY_BYTES>().map(Vec::from)).ok()?;
        RequestStateCodec::try_new(key).ok().map(|codec| Self { codec })
    }

    pub(super) fn close(&self, round: Round) -> String {
        let Round { ask, at_ms, number } = round;
        let payload = json!({ "ask": ask, "at": at_ms, "round": number }).to_string();
        self.codec.seal_with(payload.as_bytes(), &SealOptions::new().associated_data(BOUND).ttl(LASTS))
    }

    /// The round, where this is what was sealed and not too old.
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

/// The key in this file, which is made where there is none. It appears whole or not at all: whoever finds it can use it.
fn kept_key(path: &Path) -> io::Result<Vec<u8>> {
    if let Ok(key) = read_key(path) {
        return Ok(key);
    }
    own_file::make_folder_of(path)?;
    let draft = path.with_extension(format!("seal-{}", hex(&drawn::<16>()?)));
    let written = write_key(&draft).and_then(|()| match std::fs::hard_link(&draft, path) {
        // Another process was faster: its key is the one.
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
    fn what_is_sealed_outlives_the_process_and_cannot_be_made_up() {
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
    fn only_its_owner_can_read_the_key() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db.seal");
        assert!(Seal::of(&path).is_some());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
