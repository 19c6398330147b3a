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
use sayso_core::{Message, Problem, ProblemCode, ServiceQuota, limits};
use sayso_desk::StoreDesk;
use sayso_server::diagnostics::{self, LogConfig, LogFilter};
use sayso_server::http::login::{LoginCode, LoginTerminal};
use sayso_server::http::{self, HttpServerConfig, PeerPolicy, PublicUrl, ServerDelays, TlsFiles};
use sayso_server::mcp::SealKey;
use std::io::{self, IsTerminal as _};
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

/// Time after which a database that cannot be reached is tried again.
const DATABASE_RETRY: Duration = Duration::from_secs(1);

pub(super) fn run(session: &CliSession, args: ServeArgs) -> Result<CommandExit, Problem> {
    process::limit_heaps(&session.environment);
    check_names(&args)?;
    let log = log_config(session, args.log)?;
    let tls = args.tls_cert.zip(args.tls_key).map(|(cert, key)| TlsFiles::load(cert, key)).transpose()?;
    let has_tls = tls.is_some();
    // Before anything listens.
    let sign_in_proxy = sign_in_proxy::configure(session)?;
    let proxies = sign_in_proxy::with_addresses(args.proxies, sign_in_proxy.as_ref());
    PeerPolicy::new(args.listen, has_tls, proxies.clone())?;
    let chosen = chosen_url(session, args.public_url.as_deref())?;
    let _log = diagnostics::install(log, cli_session::now);
    let desk = Arc::new(open_desk(session)?);
    exit_on_loss(&desk, session.lang());
    let cannot = |error: io::Error| cannot_listen(args.listen, &error);
    let listener = TcpListener::bind(args.listen).map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let peers = PeerPolicy::new(address, has_tls, proxies)?;
    let public_url = chosen.unwrap_or_else(|| PublicUrl::for_listener(address, has_tls));
    if args.hsts {
        public_url.strict_transport()?;
    }
    let lacks_proxy = public_url.is_named_over_tls() && !has_tls && !peers.has_proxies();
    let proxied_url = lacks_proxy.then(|| public_url.to_string());
    let has_token = desk.tokens()?.iter().any(|token| token.is_valid(cli_session::now()));
    let ready = || {
        // The address is data: after `--listen` with port 0, the caller reads the port from it.
        let scheme = if has_tls { "https" } else { "http" };
        let _ = console::print_data(&format!("{scheme}://{address}\n"));
        if surface::is_stderr_terminal() {
            console::print_message(Message::ServedUntil.plain(session.lang()));
        }
        if let Some(url) = &proxied_url {
            console::print_message(&Message::ProxyNotNamed.render_with(session.lang(), [own(url)]));
        }
        if !has_token {
            console::print_message(Message::NoTokensYet.plain(session.lang()));
        }
    };
    let setup = HttpServerConfig {
        desk: desk.clone(),
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
        embedded_consent: session.settings.server.embedded_consent.value.clone(),
        audience: session.settings.server.audience.value.clone(),
        retention: session.settings.retention(),
        rate: NonZeroU32::new(args.rate),
        kept_bytes: kept_bytes(session, args.kept_mib),
        asks_per_hour: Some(args.asks_per_hour.unwrap_or(session.settings.server.asks_per_hour.value))
            .filter(|count| *count > 0),
        service_quota: service_quota(session),
        desk_name: session.desk_access.name(),
        seal_key: seal_key(session, &desk)?,
        mcp_handler: None,
        person_file: session.desk_access.presence_file(),
        parse_time_limit: durations::parse_limit,
        host_features: session.settings.mcp.host_features(),
        open_files: process::raise_open_file_limit(),
        delays: delays(session),
        now: cli_session::now,
    };
    http::serve(setup, listener, ready)?;
    // No call waits any more.
    desk.run_maintenance(session.settings.retention(), MAINTENANCE_TIME);
    Ok(CommandExit::Done)
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
            done => return done,
        }
    }
}

/// Checks the names by which others may reach the server.
fn check_names(args: &ServeArgs) -> Result<(), Problem> {
    args.hosts.iter().try_for_each(|host| check_host_name(host))?;
    args.origins.iter().try_for_each(|origin| check_origin(origin))
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
    let of_desk = desk.seal_key()?.map(SealKey::OfDesk);
    Ok(of_desk.unwrap_or_else(|| SealKey::InFile(session.desk_access.sibling_path(".seal"))))
}

/// Returns the most bytes of an account that are kept; zero sets no limit.
fn kept_bytes(session: &CliSession, option: Option<u64>) -> Option<u64> {
    let mib = option.unwrap_or(session.settings.server.kept_mib.value);
    (mib > 0).then(|| mib.saturating_mul(1 << 20))
}

/// Returns the limits of each service; zero sets none.
fn service_quota(session: &CliSession) -> ServiceQuota {
    let server = &session.settings.server;
    let limit = |count: u32| (count > 0).then_some(count);
    ServiceQuota {
        logins_per_hour: limit(server.service_logins_per_hour.value),
        sessions: limit(server.service_sessions.value),
    }
}

/// Returns the usual delays, and the silence of an agent that the operator chose.
fn delays(session: &CliSession) -> ServerDelays {
    let silence = session.settings.server.turn_silence_seconds.value;
    ServerDelays { turn_silence: Duration::from_secs(u64::from(silence)), ..ServerDelays::default() }
}

/// Returns the address of the pages that the operator chose, by the option or in the settings.
fn chosen_url(session: &CliSession, option: Option<&str>) -> Result<Option<PublicUrl>, Problem> {
    let setting = session.settings.server.public_url.value.as_deref();
    option.or(setting).map(PublicUrl::parse).transpose()
}

/// Checks a host name. One that no client can send would silently refuse every client.
fn check_host_name(host: &str) -> Result<(), Problem> {
    let is_name = !host.is_empty() && !host.contains(|c: char| c == '/' || c.is_whitespace());
    let misnamed = || Problem::new(ProblemCode::InvalidSetting, Message::HostMisnamed.with([own(host)]));
    is_name.then_some(()).ok_or_else(|| misnamed().with_hint(Message::HostMisnamedHint))
}

/// Checks the origin of a page in the same way.
fn check_origin(origin: &str) -> Result<(), Problem> {
    let name = origin.strip_prefix("https://").or(origin.strip_prefix("http://"));
    let is_origin = name.is_some_and(|name| check_host_name(name.trim_end_matches('/')).is_ok());
    let misnamed = || Problem::new(ProblemCode::InvalidSetting, Message::OriginMisnamed.with([own(origin)]));
    is_origin.then_some(()).ok_or_else(|| misnamed().with_hint(Message::OriginMisnamedHint))
}

/// Returns the terminal of a person, if there is one: a login code is shown to no one else.
fn person_terminal(session: &CliSession, public_url: &PublicUrl) -> Option<LoginTerminal> {
    if session.agent.is_some() || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let (account, lang) = (session.environment.user_name(), session.lang());
    let (shown_as, url) = (account.clone(), public_url.to_string());
    let show = move |code: &LoginCode| {
        let minutes = (limits::LOGIN_CODE_SECONDS / 60).to_string();
        let details = [url.clone(), code.reveal(), shown_as.clone(), minutes];
        console::print_untrusted(&Message::LoginHere.render_with(lang, details.map(own)));
    };
    Some(LoginTerminal { account, show: Box::new(show) })
}
