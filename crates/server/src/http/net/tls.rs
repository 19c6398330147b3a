//! TLS of the listener, with files that are read again when they are renewed.

use crate::diagnostics::{log_event, log_problem};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio_rustls::TlsAcceptor;

/// Shortest time between two looks at the files.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Protocols that a client may choose (RFC 7301).
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Certificate and key of the server, in PEM files.
pub struct TlsFiles {
    certificate: PathBuf,
    key: PathBuf,
    loaded: Mutex<LoadedFiles>,
}

struct LoadedFiles {
    config: Arc<ServerConfig>,
    changed_at: [Option<SystemTime>; 2],
    looked_at: Instant,
}

impl fmt::Debug for TlsFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsFiles").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

impl TlsFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// Fails if they cannot be read, or do not belong together.
    pub fn load(certificate: PathBuf, key: PathBuf) -> Result<Self, Problem> {
        let loaded = LoadedFiles {
            changed_at: [&certificate, &key].map(|path| change_time(path)),
            config: read_config(&certificate, &key)?,
            looked_at: Instant::now(),
        };
        Ok(Self { certificate, key, loaded: Mutex::new(loaded) })
    }

    /// Returns the acceptor of the next connection. Files that were renewed count from now on; while they cannot be
    /// used, the last ones do.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let mut files = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if files.looked_at.elapsed() >= LOOK_INTERVAL {
            files.looked_at = Instant::now();
            let changed_at = [&self.certificate, &self.key].map(|path| change_time(path));
            if changed_at != files.changed_at {
                // Only one of them may be renewed so far. The next look tries again.
                match read_config(&self.certificate, &self.key) {
                    Ok(config) => {
                        files.config = config;
                        files.changed_at = changed_at;
                        log_event!(INFO, Http, "certificate renewed");
                    }
                    Err(problem) => log_problem(&problem),
                }
            }
        }
        TlsAcceptor::from(files.config.clone())
    }
}

fn change_time(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|file| file.modified()).ok()
}

fn read_config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, Problem> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect);
    let chain = chain.map_err(|error| tls_problem(certificate, &error))?;
    let private_key = PrivateKeyDer::from_pem_file(key).map_err(|error| tls_problem(key, &error))?;
    match create_config(chain, private_key) {
        Ok(config) => Ok(Arc::new(config)),
        Err(error) => Err(tls_problem(certificate, &error)),
    }
}

fn create_config(
    chain: Vec<CertificateDer<'static>>,
    private_key: PrivateKeyDer<'static>,
) -> Result<ServerConfig, rustls::Error> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, private_key)?;
    config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
    Ok(config)
}

/// Returns the problem of a certificate or key that cannot be used.
fn tls_problem(path: &Path, error: &dyn fmt::Display) -> Problem {
    let message = Message::TlsUnreadable.with([own(path.display()), own(error)]);
    Problem::new(ProblemCode::InvalidSetting, message).with_hint(Message::TlsHint)
}
