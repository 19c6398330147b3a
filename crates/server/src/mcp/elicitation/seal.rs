//! Sealed state that a host carries, such as between two rounds of a call: it can be stored and returned, but not
//! forged. All processes of the desk share the key, and it survives them.

use crate::diagnostics::log_event;
use rmcp::model::{RequestStateCodec, SealOptions};
use sayso_core::AskId;
use sayso_core::model::digest::to_hex;
use sayso_desk::{own_file, random};
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lifetime of a sealed round.
const ROUND_LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Purpose of a sealed round: this tool.
const ROUND_PURPOSE: &[u8] = b"sayso ask";
const KEY_BYTES: usize = 32;

/// Key of the seal.
#[derive(Clone)]
pub enum SealKey {
    /// The key in this file next to the desk file, which is created if missing.
    InFile(PathBuf),
    /// The key that the desk keeps.
    OfDesk(Vec<u8>),
}

/// Never shows the key.
impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealKey").finish_non_exhaustive()
    }
}

/// One round of showing a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormRound {
    /// Ask of the form.
    pub(crate) ask: AskId,
    /// Time of the request, in milliseconds since 1970.
    pub(crate) requested_at_ms: i64,
    /// Number of the round, from 1.
    pub(crate) number: u64,
}

impl FormRound {
    /// Returns the time since the request; zero if the clock was set back.
    pub(crate) fn elapsed(&self, now_ms: i64) -> Duration {
        let elapsed_ms = u64::try_from(now_ms - self.requested_at_ms).unwrap_or_default();
        Duration::from_millis(elapsed_ms)
    }
}

/// Codec that seals state and opens it.
pub(crate) struct StateSeal {
    codec: RequestStateCodec,
}

impl StateSeal {
    /// Returns the seal of a desk. If its key can't be stored, sealed state is valid in this process only. Without
    /// randomness from the system, there is no seal.
    pub(crate) fn of_desk(key: &SealKey) -> Option<Self> {
        let key = match key {
            SealKey::InFile(path) => match load_or_create_key(path) {
                Ok(key) => key,
                Err(_) => random_bytes::<KEY_BYTES>().ok()?.to_vec(),
            },
            SealKey::OfDesk(key) => key.clone(),
        };
        Some(Self { codec: RequestStateCodec::try_new(key).ok()? })
    }

    /// Seals a value for a purpose: it opens for no other one.
    pub(crate) fn seal_value(&self, value: &Value, purpose: &[u8], lifetime: Duration) -> String {
        let options = SealOptions::new().associated_data(purpose).ttl(lifetime);
        self.codec.seal_with(value.to_string().as_bytes(), &options)
    }

    /// Returns the value, if it was sealed with this key for this purpose and has not expired.
    pub(crate) fn open_value(&self, sealed: &str, purpose: &[u8]) -> Option<Value> {
        let payload = self.codec.open_with(sealed, purpose).ok()?;
        serde_json::from_slice(&payload).ok()
    }

    pub(crate) fn seal(&self, round: FormRound) -> String {
        let FormRound { ask, requested_at_ms: at_ms, number } = round;
        let payload = json!({ "ask": ask, "at": at_ms, "round": number });
        self.seal_value(&payload, ROUND_PURPOSE, ROUND_LIFETIME)
    }

    /// Returns the round, if the state was sealed with this key and has not expired.
    pub(crate) fn open(&self, sealed: &str) -> Option<FormRound> {
        let payload = self.open_value(sealed, ROUND_PURPOSE)?;
        Some(FormRound {
            ask: AskId::parse(payload.get("ask")?.as_str()?)?,
            requested_at_ms: payload.get("at")?.as_i64()?,
            number: payload.get("round")?.as_u64()?,
        })
    }
}

fn random_bytes<const N: usize>() -> io::Result<[u8; N]> {
    random::random_bytes().map_err(io::Error::other)
}

/// Returns the key in this file, which is created if missing. It appears atomically, so that other processes never
/// read half of it.
fn load_or_create_key(path: &Path) -> io::Result<Vec<u8>> {
    if let Ok(key) = read_key(path) {
        return Ok(key);
    }
    own_file::create_parent_folder(path)?;
    let draft = path.with_extension(format!("seal-{}", to_hex(&random_bytes::<16>()?)));
    let mut result = write_key(&draft);
    if result.is_ok() {
        result = match std::fs::hard_link(&draft, path) {
            // Another process was faster: its key is used.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            result => result,
        };
    }
    if let Err(error) = std::fs::remove_file(&draft) {
        log_event!(WARN, Mcp, "a draft of the seal's key is left behind", error = error.kind());
    }
    result?;
    read_key(path)
}

fn read_key(path: &Path) -> io::Result<Vec<u8>> {
    let mut key = Vec::new();
    own_file::open_to_read(path)?.take(1_024).read_to_end(&mut key)?;
    if key.len() < KEY_BYTES { Err(io::ErrorKind::InvalidData.into()) } else { Ok(key) }
}

fn write_key(path: &Path) -> io::Result<()> {
    let mut file = own_file::create_new(path)?;
    file.write_all(&random_bytes::<KEY_BYTES>()?)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_round_survives_restart_unforged() {
        let folder = tempfile::tempdir().unwrap();
        let key = SealKey::InFile(folder.path().join("desk.db.seal"));
        let round = FormRound { ask: AskId::NIL, requested_at_ms: 1_700_000_000_000, number: 2 };
        let sealed = StateSeal::of_desk(&key).unwrap().seal(round);
        assert_eq!(StateSeal::of_desk(&key).unwrap().open(&sealed), Some(round));
        let elsewhere = StateSeal::of_desk(&SealKey::InFile(folder.path().join("other.seal"))).unwrap();
        assert_eq!(elsewhere.open(&sealed), None);
        let mut forged = sealed.clone();
        let at = forged.len() / 2;
        let other = if forged.as_bytes()[at] == b'A' { "B" } else { "A" };
        forged.replace_range(at..=at, other);
        assert_eq!(StateSeal::of_desk(&key).unwrap().open(&forged), None);
        assert_eq!(StateSeal::of_desk(&key).unwrap().open(""), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_owner_can_read_the_key() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db.seal");
        assert!(StateSeal::of_desk(&SealKey::InFile(path.clone())).is_some());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
