//! `sayso serve`: serves the desk on the network.

use crate::cli::{LogFormat, Serve};
use crate::console;
use crate::console::print;
use crate::exit::Exit;
use crate::request;
use crate::session::{self, Session};
use crate::stopping::stop_when_disk_fails;
use crate::surface;
use sayso_core::{Code, Message, Problem, limits};
use sayso_server::http::login::{LoginCode, Terminal};
use sayso_server::http::{self, Format, Setup};
use std::io::{self, IsTerminal as _};
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn run(session: &Session, args: Serve) -> Result<Exit, Problem> {
    if args.openapi {
        return Ok(print(http::openapi().trim_end()));
    }
    args.hosts.iter().try_for_each(|host| named(host))?;
    args.origins.iter().try_for_each(|origin| came_from(origin))?;
    let desk = Arc::new(session.own_desk()?);
    stop_when_disk_fails(&desk, session.lang());
    let cannot = |error: io::Error| {
        let said = Message::CannotListen.with([args.listen.to_string(), error.to_string()]);
        Problem::new(Code::DeskUnreachable, said).hint(Message::ListenElsewhere)
    };
    let listener = TcpListener::bind(args.listen).map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let has_token = desk.tokens()?.iter().any(|token| token.is_valid(session::now()));
    let ready = || {
        // The address is data: after `--listen` with port 0, the caller reads the port from it.
        let _ = console::data(&format!("http://{address}\n"));
        if surface::is_watched() {
            console::say(Message::ServedUntil.plain(session.lang()));
        }
        if !address.ip().is_loopback() {
            console::say(Message::ServedInTheClear.plain(session.lang()));
        }
        if !has_token {
            console::say(Message::NoTokensYet.plain(session.lang()));
        }
    };
    let setup = Setup {
        desk: desk.clone(),
        listener,
        hosts: args.hosts,
        origins: args.origins,
        limits: request::limits(session),
        dialect: session.settings.dialect.value,
        terminal: terminal(session, address),
        retention: session.settings.retention(),
        log: match args.log {
            LogFormat::Text => Format::Text,
            LogFormat::Json => Format::Json,
        },
        rate: NonZeroU32::new(args.rate),
        kept_bytes: match args.kept_mib.unwrap_or(session.settings.server.kept_mib.value) {
            0 => None,
            mib => Some(mib.saturating_mul(1 << 20)),
        },
        asks_per_hour: match args.asks_per_hour.unwrap_or(session.settings.server.asks_per_hour.value) {
            0 => None,
            count => Some(count),
        },
        turn_silence: Duration::from_secs(u64::from(session.settings.server.turn_silence_seconds.value)),
        now: session::now,
    };
    allow_many_connections();
    http::serve(setup, ready)?;
    // No call waits any more.
    let _ = desk.tidy_up(session.settings.retention());
    Ok(Exit::Done)
}

/// Checks a host name. One that no client can send would silently refuse every client.
fn named(host: &str) -> Result<(), Problem> {
    let is_name = !host.is_empty() && !host.contains(|c: char| c == '/' || c.is_whitespace());
    let misnamed = || Problem::new(Code::InvalidSetting, Message::HostMisnamed.with([host]));
    is_name.then_some(()).ok_or_else(|| misnamed().hint(Message::HostMisnamedHint))
}

/// Checks the origin of a page in the same way.
fn came_from(origin: &str) -> Result<(), Problem> {
    let name = origin.strip_prefix("https://").or(origin.strip_prefix("http://"));
    let is_origin = name.is_some_and(|name| named(name.trim_end_matches('/')).is_ok());
    let misnamed = || Problem::new(Code::InvalidSetting, Message::OriginMisnamed.with([origin]));
    is_origin.then_some(()).ok_or_else(|| misnamed().hint(Message::OriginMisnamedHint))
}

/// Raises the limit on open files. Each connection needs one, and shells allow few. If it fails, the server has fewer
/// connections.
fn allow_many_connections() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

/// Returns the terminal of a person, if there is one: a login code is shown to no one else.
fn terminal(session: &Session, address: SocketAddr) -> Option<Terminal> {
    if session.agent.is_some() || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let (account, lang) = (session.environment.user(), session.lang());
    let shown_as = account.clone();
    let show = move |code: &LoginCode| {
        let minutes = (limits::LOGIN_CODE_SECONDS / 60).to_string();
        let said = [format!("http://{address}"), code.reveal(), shown_as.clone(), minutes];
        console::say_safely(&Message::LoginHere.say(lang, said));
    };
    Some(Terminal { account, show: Box::new(show) })
}
