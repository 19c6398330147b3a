//! `sayso serve`: serves the desk on the network.

mod process;
mod sign_in_proxy;

use crate::cli::durations;
use crate::cli::request;
use crate::cli::{LogFormat, ServeArgs};
use crate::cli_session::desk_access::MAINTENANCE_TIME;
use crate::cli_session::desk_loss::exit_on_loss;
use crate::cli_session::{self, CliSession};
use crate::config::log_filter;
use crate::output::console;
use crate::output::exit::CommandExit;
use crate::ui::surface;
use sayso_core::i18n::own;
use sayso_core::{Lang, Message, Problem, ProblemCode, ServiceQuota, limits};
use sayso_desk::StoreDesk;
use sayso_server::diagnostics::{self, LogConfig, LogFilter};
use sayso_server::http::login::{LoginCode, LoginTerminal, SignInProxy};
use sayso_server::http::{self, HttpServerConfig, PeerPolicy, PublicUrl, ServerDelays, TlsFiles};
use sayso_server::mcp::SealKey;
use std::io::{self, IsTerminal as _};
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

/// Time after which a database that cannot be reached is tried again.
const DATABASE_RETRY: Duration = Duration::from_secs(1);

pub(super) fn run(session: &CliSession, mut args: ServeArgs) -> Result<CommandExit, Problem> {
    process::limit_heaps(&session.environment);
    check_names(&args)?;
    let log = log_config(session, args.log)?;
    let tls = match (args.tls_cert.take(), args.tls_key.take()) {
        (Some(cert), Some(key)) => Some(TlsFiles::load(cert, key)?),
        _ => None,
    };
    // Before anything listens.
    let sign_in_proxy = sign_in_proxy::configure(session)?;
    let proxies = sign_in_proxy::with_addresses(std::mem::take(&mut args.proxies), sign_in_proxy.as_ref());
    PeerPolicy::new(args.listen, tls.is_some(), proxies.clone())?;
    let operator_url = operator_url(session, args.public_url.as_deref())?;
    let _log = diagnostics::install(log, cli_session::now);
    let desk = Arc::new(open_desk(session)?);
    exit_on_loss(&desk, session.lang());
    let (listener, address) = listen(args.listen)?;
    let peers = PeerPolicy::new(address, tls.is_some(), proxies)?;
    let public_url = match operator_url {
        Some(url) => url,
        None => PublicUrl::for_listener(address, tls.is_some()),
    };
    if args.hsts {
        public_url.strict_transport()?;
    }
    let access = ServerAccess { tls, peers, public_url, sign_in_proxy };
    let notes = ReadyNotes::new(session, &desk, &access, address)?;
    let config = server_config(session, args, access, desk.clone())?;
    http::serve(config, listener, || notes.print())?;
    // No call waits any more.
    desk.run_maintenance(session.settings.retention(), MAINTENANCE_TIME);
    Ok(CommandExit::Done)
}

/// Ways in which clients reach the server.
struct ServerAccess {
    tls: Option<TlsFiles>,
    peers: PeerPolicy,
    public_url: PublicUrl,
    sign_in_proxy: Option<SignInProxy>,
}

/// Notes for the operator, printed once the server listens.
struct ReadyNotes {
    lang: Lang,
    /// Address of the listener, as data for the caller.
    listener_url: String,
    /// Public address over TLS, if neither TLS nor a proxy for it is set up here.
    unproxied_url: Option<String>,
    has_token: bool,
}

impl ReadyNotes {
    fn new(
        session: &CliSession,
        desk: &StoreDesk,
        access: &ServerAccess,
        address: SocketAddr,
    ) -> Result<Self, Problem> {
        let ServerAccess { tls, peers, public_url, .. } = access;
        let lacks_proxy = public_url.is_named_over_tls() && tls.is_none() && !peers.has_proxies();
        let scheme = if tls.is_some() { "https" } else { "http" };
        Ok(Self {
            lang: session.lang(),
            listener_url: format!("{scheme}://{address}"),
            unproxied_url: if lacks_proxy { Some(public_url.to_string()) } else { None },
            has_token: desk.tokens()?.iter().any(|token| token.is_valid(cli_session::now())),
        })
    }

    fn print(&self) {
        // The address is data: after `--listen` with port 0, the caller reads the port from it.
        let _ = console::print_data(&format!("{}\n", self.listener_url));
        if surface::is_stderr_terminal() {
            console::print_message(Message::ServedUntil.plain(self.lang));
        }
        if let Some(url) = &self.unproxied_url {
            console::print_message(&Message::ProxyNotNamed.render_with(self.lang, [own(url)]));
        }
        if !self.has_token {
            console::print_message(Message::NoTokensYet.plain(self.lang));
        }
    }
}

fn server_config(
    session: &CliSession,
    args: ServeArgs,
    access: ServerAccess,
    desk: Arc<StoreDesk>,
) -> Result<HttpServerConfig, Problem> {
    let settings = &session.settings.server;
    let ServerAccess { tls, peers, public_url, sign_in_proxy } = access;
    Ok(HttpServerConfig {
        hosts: args.hosts,
        origins: args.origins,
        limits: request::request_limits(session),
        dialect: session.settings.dialect.value,
        terminal: person_terminal(session, &public_url),
        sign_in_proxy,
        public_url,
        peers,
        tls,
        is_tls_strict: args.hsts,
        embedded_consent: settings.embedded_consent.value.clone(),
        audience: settings.audience.value.clone(),
        retention: session.settings.retention(),
        rate: NonZeroU32::new(args.rate),
        kept_bytes: kept_bytes(session, args.kept_mib),
        asks_per_hour: zero_as_none(args.asks_per_hour.unwrap_or(settings.asks_per_hour.value)),
        service_quota: service_quota(session),
        desk_name: session.desk_access.name(),
        seal_key: seal_key(session, &desk)?,
        desk,
        mcp_handler: None,
        person_file: session.desk_access.presence_file(),
        parse_time_limit: durations::parse_limit,
        host_features: session.settings.mcp.host_features(),
        open_files: process::raise_open_file_limit(),
        delays: delays(session),
        now: cli_session::now,
    })
}

/// Listens at an address, and returns the real one: port 0 stands for any free port.
fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), Problem> {
    let listener = TcpListener::bind(address).map_err(|error| cannot_listen(address, &error))?;
    let local_address = listener.local_addr().map_err(|error| cannot_listen(address, &error))?;
    Ok((listener, local_address))
}

/// Opens the desk. It waits for a database that cannot be reached yet: this machine may have started first.
#[expect(clippy::disallowed_methods, reason = "nothing tells that a database has started")]
fn open_desk(session: &CliSession) -> Result<StoreDesk, Problem> {
    loop {
        match session.desk_access.open_to_serve() {
            Err(problem)
                if problem.code == ProblemCode::DeskUnreachable && problem.retry_after_s.is_some() =>
            {
                // The desk has logged it.
                std::thread::sleep(DATABASE_RETRY);
            }
            desk => return desk,
        }
    }
}

/// Checks the names by which others may reach the server.
fn check_names(args: &ServeArgs) -> Result<(), Problem> {
    for host in &args.hosts {
        check_host_name(host)?;
    }
    for origin in &args.origins {
        check_origin(origin)?;
    }
    Ok(())
}

/// Returns the form of the log and its filter.
fn log_config(session: &CliSession, format: LogFormat) -> Result<LogConfig, Problem> {
    let filter = log_filter(&session.environment, LogFilter::INFO)?;
    let format = match format {
        LogFormat::Text => diagnostics::LogFormat::Text,
        LogFormat::Json => diagnostics::LogFormat::Json,
    };
    Ok(LogConfig { format, filter })
}

/// Returns the problem of an address at which no one can listen.
fn cannot_listen(address: SocketAddr, error: &io::Error) -> Problem {
    let message = Message::CannotListen.with([own(address), own(error)]);
    Problem::new(ProblemCode::DeskUnreachable, message).with_hint(Message::ListenElsewhere)
}

/// Returns the key that the desk keeps, or else the one next to it.
fn seal_key(session: &CliSession, desk: &StoreDesk) -> Result<SealKey, Problem> {
    Ok(match desk.seal_key()? {
        Some(key) => SealKey::OfDesk(key),
        None => SealKey::InFile(session.desk_access.sibling_path(".seal")),
    })
}

/// Returns the most bytes of an account that are kept; zero sets no limit.
fn kept_bytes(session: &CliSession, option: Option<u64>) -> Option<u64> {
    let mib = option.unwrap_or(session.settings.server.kept_mib.value);
    if mib == 0 { None } else { Some(mib.saturating_mul(1 << 20)) }
}

/// Returns the limits of each service; zero sets none.
fn service_quota(session: &CliSession) -> ServiceQuota {
    let server = &session.settings.server;
    ServiceQuota {
        logins_per_hour: zero_as_none(server.service_logins_per_hour.value),
        sessions: zero_as_none(server.service_sessions.value),
    }
}

fn zero_as_none(count: u32) -> Option<u32> {
    if count == 0 { None } else { Some(count) }
}

/// Returns the usual delays, and the silence of an agent that the operator chose.
fn delays(session: &CliSession) -> ServerDelays {
    let silence = session.settings.server.turn_silence_seconds.value;
    ServerDelays { turn_silence: Duration::from_secs(u64::from(silence)), ..ServerDelays::default() }
}

/// Returns the address of the pages that the operator chose, by the option or in the settings.
fn operator_url(session: &CliSession, option: Option<&str>) -> Result<Option<PublicUrl>, Problem> {
    let setting = session.settings.server.public_url.value.as_deref();
    option.or(setting).map(PublicUrl::parse).transpose()
}

/// Checks a host name. One that no client can send would silently refuse every client.
fn check_host_name(host: &str) -> Result<(), Problem> {
    let is_name = !host.is_empty() && !host.contains(|c: char| c == '/' || c.is_whitespace());
    if is_name {
        return Ok(());
    }
    let problem = Problem::new(ProblemCode::InvalidSetting, Message::HostMisnamed.with([own(host)]));
    Err(problem.with_hint(Message::HostMisnamedHint))
}

/// Checks the origin of a page in the same way.
fn check_origin(origin: &str) -> Result<(), Problem> {
    let name = origin.strip_prefix("https://").or(origin.strip_prefix("http://"));
    let is_origin = name.is_some_and(|name| check_host_name(name.trim_end_matches('/')).is_ok());
    if is_origin {
        return Ok(());
    }
    let problem = Problem::new(ProblemCode::InvalidSetting, Message::OriginMisnamed.with([own(origin)]));
    Err(problem.with_hint(Message::OriginMisnamedHint))
}

/// Returns the terminal of a person, if there is one: a login code is shown to no one else.
fn person_terminal(session: &CliSession, public_url: &PublicUrl) -> Option<LoginTerminal> {
    if session.agent.is_some() || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let account = session.environment.user_name();
    let name = account.clone();
    let url = public_url.to_string();
    let lang = session.lang();
    let show = move |code: &LoginCode| {
        let minutes = (limits::LOGIN_CODE_SECONDS / 60).to_string();
        let details = [url.clone(), code.reveal(), name.clone(), minutes];
        console::print_untrusted(&Message::LoginHere.render_with(lang, details.map(own)));
    };
    Some(LoginTerminal { account, show: Box::new(show) })
}
