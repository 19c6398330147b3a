//! Address of a desk in a database.

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Longest waits of a node for its database.
#[derive(Debug, Clone, Copy)]
pub struct DatabaseTimeouts {
    /// Wait for a free connection.
    pub connection: Duration,
    /// Wait of a statement for a lock.
    pub lock: Duration,
    /// Run of a statement.
    pub statement: Duration,
    /// Time after which a node that stops inside a transaction loses it.
    pub idle_transaction: Duration,
}

impl Default for DatabaseTimeouts {
    fn default() -> Self {
        Self {
            connection: Duration::from_secs(5),
            lock: Duration::from_secs(10),
            statement: Duration::from_secs(30),
            idle_transaction: Duration::from_secs(5),
        }
    }
}

impl DatabaseTimeouts {
    /// Returns the statement that sets them for a connection. A pooler would refuse them as options of its start.
    pub(crate) fn statement(&self) -> String {
        format!(
            "SET lock_timeout = {}; SET statement_timeout = {}; SET idle_in_transaction_session_timeout = {}",
            self.lock.as_millis(),
            self.statement.as_millis(),
            self.idle_transaction.as_millis()
        )
    }
}

/// Longest time in which one address of a host takes a connection: a silent one leaves time for the next.
const TCP_CONNECT_LIMIT: Duration = Duration::from_secs(1);

/// Port of a server whose address names none.
const DEFAULT_PORT: u16 = 5432;

/// Silence of a link after which it counts as broken.
const LINK_LIMIT: Duration = Duration::from_secs(5);

/// Address of a desk in a database, without a password.
#[derive(Clone)]
pub struct PostgresAddress {
    text: String,
    config: Config,
    timeouts: DatabaseTimeouts,
    root_certificates: Option<PathBuf>,
    client_certificate: Option<(PathBuf, PathBuf)>,
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresAddress").field(&self.text).finish()
    }
}

impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for PostgresAddress {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for PostgresAddress {}

impl PostgresAddress {
    /// Returns whether a text is meant as such an address.
    pub fn is_url(text: &str) -> bool {
        ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// Parses `postgres://USER@HOST:PORT/DATABASE?sslmode=…`. Of the parameters of libpq it knows those of
    /// `tokio-postgres`, and `sslmode=verify-full`, `sslrootcert`, `sslcert` and `sslkey`.
    ///
    /// # Errors
    /// If it is no such address, has a password, or would talk to another machine without checking whom it talks to.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let mut mode = None;
        let mut root_certificates = None;
        let mut certificate = None;
        let mut key = None;
        let mut driver_parameters = Vec::new();
        for pair in query.split('&') {
            match pair.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value),
                Some(("sslrootcert", value)) => root_certificates = Some(PathBuf::from(value)),
                Some(("sslcert", value)) => certificate = Some(PathBuf::from(value)),
                Some(("sslkey", value)) => key = Some(PathBuf::from(value)),
                _ if pair.is_empty() => {}
                _ => driver_parameters.push(pair),
            }
        }
        let mut plain = base.to_owned();
        if !driver_parameters.is_empty() {
            plain = format!("{base}?{}", driver_parameters.join("&"));
        }
        let mut config = Config::from_str(&plain).map_err(|_| invalid(text))?;
        if config.get_password().is_some() {
            return Err(Problem::new(ProblemCode::InvalidValue, Message::DatabasePassword)
                .with_hint(Message::DatabasePasswordHint));
        }
        if config.get_hosts().is_empty() || config.get_dbname().is_none() {
            return Err(invalid(text));
        }
        config.ssl_mode(tls_mode(&config, mode)?);
        let client_certificate = certificate.zip(key);
        let timeouts = DatabaseTimeouts::default();
        Ok(Self { text: text.to_owned(), config, timeouts, root_certificates, client_certificate })
    }

    /// Returns the address with other timeouts than the usual ones.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: DatabaseTimeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Adds the password that this file has.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn with_password_file(mut self, path: &Path) -> Result<Self, Problem> {
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        self.config.password(text.trim_end_matches(['\r', '\n']));
        Ok(self)
    }

    /// Adds the password that a file in the form of libpq's `.pgpass` has for this address, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn with_pgpass_file(mut self, path: &Path) -> Result<Self, Problem> {
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            _ => "localhost".to_owned(),
        };
        let port = self.port(0).to_string();
        let database = self.config.get_dbname().unwrap_or_default();
        let user = self.config.get_user().unwrap_or_default();
        if let Some(password) = find_password(&text, [&host, &port, database, user]) {
            self.config.password(password);
        }
        Ok(self)
    }

    /// Returns the address without the role and the parameters, for those who use the desk.
    pub fn masked(&self) -> String {
        let mut hosts = Vec::new();
        let mut folder = String::new();
        for (place, host) in self.config.get_hosts().iter().enumerate() {
            match host {
                Host::Tcp(name) => {
                    let mut text = if name.contains(':') { format!("[{name}]") } else { name.clone() };
                    let port = self.port(place);
                    if port != DEFAULT_PORT {
                        text.push_str(&format!(":{port}"));
                    }
                    hosts.push(text);
                }
                #[cfg(unix)]
                Host::Unix(path) => folder = format!("?host={}", path.display()),
            }
        }
        format!("postgres://{}/{}{folder}", hosts.join(","), self.config.get_dbname().unwrap_or_default())
    }

    /// Returns the port of the host at a place. One port stands for all hosts.
    fn port(&self, place: usize) -> u16 {
        let ports = self.config.get_ports();
        ports.get(place).or(ports.first()).copied().unwrap_or(DEFAULT_PORT)
    }

    pub(crate) const fn timeouts(&self) -> &DatabaseTimeouts {
        &self.timeouts
    }

    /// Returns the configuration of each host alone, in their order.
    pub(crate) fn host_configs(&self) -> Vec<Config> {
        let mut configs = Vec::new();
        for (place, host) in self.config.get_hosts().iter().enumerate() {
            let mut config = self.config_without_host();
            match host {
                Host::Tcp(name) => _ = config.host(name),
                #[cfg(unix)]
                Host::Unix(path) => _ = config.host_path(path),
            }
            config.port(self.port(place));
            if let Some(address) = self.config.get_hostaddrs().get(place) {
                config.hostaddr(*address);
            }
            configs.push(config);
        }
        configs
    }

    fn config_without_host(&self) -> Config {
        let all = &self.config;
        let mut one = Config::new();
        one.application_name("sayso").ssl_mode(all.get_ssl_mode()).ssl_negotiation(all.get_ssl_negotiation());
        one.channel_binding(all.get_channel_binding()).target_session_attrs(all.get_target_session_attrs());
        one.connect_timeout(TCP_CONNECT_LIMIT).tcp_user_timeout(LINK_LIMIT).keepalives_idle(LINK_LIMIT);
        one.keepalives_interval(Duration::from_secs(1)).keepalives_retries(3);
        if let Some(user) = all.get_user() {
            one.user(user);
        }
        if let Some(password) = all.get_password() {
            one.password(password);
        }
        if let Some(name) = all.get_dbname() {
            one.dbname(name);
        }
        if let Some(options) = all.get_options() {
            one.options(options);
        }
        one
    }

    /// Returns the TLS that checks the server's certificate and name.
    ///
    /// # Errors
    /// If a certificate file cannot be read.
    pub(crate) fn tls(&self) -> Result<MakeRustlsConnect, Problem> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| unreadable(Path::new(&self.text), &error))?;
        let mut roots = rustls::RootCertStore::empty();
        let system = Path::new("/etc/ssl/certs/ca-certificates.crt");
        if let Some(path) = &self.root_certificates {
            roots.add_parsable_certificates(read_certificates(path)?);
        } else if system.exists() {
            roots.add_parsable_certificates(read_certificates(system)?);
        }
        let builder = builder.with_root_certificates(roots);
        let config = match &self.client_certificate {
            Some((certificate, key)) => {
                let chain = read_certificates(certificate)?;
                let key_der = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, &error))?;
                builder
                    .with_client_auth_cert(chain, key_der)
                    .map_err(|error| unreadable(certificate, &error))?
            }
            None => builder.with_no_client_auth(),
        };
        Ok(MakeRustlsConnect::new(config))
    }
}

/// Reads the certificates of a file in PEM form.
fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Problem> {
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| unreadable(path, &error))?;
    certificates.collect::<Result<_, _>>().map_err(|error| unreadable(path, &error))
}

/// Returns the mode of the driver. Sockets and loopback need no TLS; with another machine only `verify-full` will do.
fn tls_mode(config: &Config, mode: Option<&str>) -> Result<SslMode, Problem> {
    let is_local = config.get_hosts().iter().all(is_on_this_machine);
    match mode {
        Some("verify-full") => Ok(SslMode::Require),
        None if !is_local => Ok(SslMode::Require),
        None | Some("disable") if is_local => Ok(SslMode::Disable),
        Some("require" | "verify-ca") if is_local => Ok(SslMode::Require),
        _ => Err(Problem::new(ProblemCode::InvalidValue, Message::DatabaseWeakTls)
            .with_hint(Message::DatabaseWeakTlsHint)),
    }
}

fn is_on_this_machine(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Finds the password in the first line of a `.pgpass` whose fields are these, or stars.
fn find_password(text: &str, place: [&str; 4]) -> Option<String> {
    for line in text.lines() {
        if line.starts_with('#') {
            continue;
        }
        let fields = pgpass_fields(line);
        if let Some((line_place, [password, ..])) = fields.split_at_checked(place.len())
            && line_place.iter().zip(place).all(|(field, part)| field == "*" || field == part)
        {
            return Some(password.clone());
        }
    }
    None
}

/// Splits a line of `.pgpass` at its colons; a backslash quotes the next character.
fn pgpass_fields(line: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => field.extend(chars.next()),
            ':' => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

fn invalid(text: &str) -> Problem {
    // The part before an `@` may have a password.
    let address = match text.rsplit_once('@') {
        Some((_, place)) => format!("postgres://…@{place}"),
        None => text.to_owned(),
    };
    Problem::new(ProblemCode::DeskUnsupported, Message::DeskUnsupported.with([own(address)]))
        .with_hint(Message::DeskKinds)
}

fn unreadable(path: &Path, error: &dyn fmt::Display) -> Problem {
    let parts = [own(path.display()), own(error)];
    Problem::new(ProblemCode::DeskUnreachable, Message::DeskUnreachable.with(parts))
        .with_hint(Message::DatabaseUnreachableHint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_has_no_password() {
        for text in ["postgres://ada:secret@db/desk", "postgres://ada@db/desk?password=secret"] {
            let problem = PostgresAddress::parse(text).unwrap_err();
            assert_eq!(problem.code, ProblemCode::InvalidValue);
            assert!(!problem.to_string().contains("secret"), "{problem}");
        }
    }

    #[test]
    fn masked_address_has_place_alone() {
        for (text, masked) in [
            ("postgres://ada@db.example/desk?sslcert=/key", "postgres://db.example/desk"),
            ("postgres://ada@[::1]:5433/desk", "postgres://[::1]:5433/desk"),
            ("postgres:///desk?host=/run/postgresql&user=ada", "postgres:///desk?host=/run/postgresql"),
        ] {
            assert_eq!(PostgresAddress::parse(text).unwrap().masked(), masked);
        }
    }

    #[test]
    fn other_machines_are_verified() {
        let mode = |text: &str| PostgresAddress::parse(text).map(|address| address.config.get_ssl_mode());
        assert_eq!(mode("postgres://ada@db.example/desk").unwrap(), SslMode::Require);
        assert_eq!(mode("postgres://ada@db.example/desk?sslmode=verify-full").unwrap(), SslMode::Require);
        for weak in ["disable", "prefer", "require", "verify-ca"] {
            let text = format!("postgres://ada@db.example/desk?sslmode={weak}");
            assert_eq!(mode(&text).unwrap_err().code, ProblemCode::InvalidValue, "{weak}");
        }
        assert_eq!(mode("postgres://ada@localhost/desk").unwrap(), SslMode::Disable);
        assert_eq!(mode("postgres:///desk?host=/run/postgresql").unwrap(), SslMode::Disable);
    }

    #[test]
    fn pgpass_line_is_found_by_its_fields() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("pgpass");
        std::fs::write(&path, "# hosts\nother:*:*:*:no\ndb:*:desk:ada:a\\:b\\\\\n*:*:*:*:any\n").unwrap();
        let password = |text: &str| {
            let address = PostgresAddress::parse(text).unwrap().with_pgpass_file(&path).unwrap();
            address.config.get_password().map(<[u8]>::to_vec)
        };
        assert_eq!(password("postgres://ada@db/desk").unwrap(), b"a:b\\");
        assert_eq!(password("postgres://bob@db/desk").unwrap(), b"any");
    }
}
