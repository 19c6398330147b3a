//! Arguments of `sayso serve`.

use super::english;
use clap::{Args, ValueEnum};
use sayso_core::{Lang, Message};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Parses the address to listen on. A bare port or `localhost` means the loopback address.
fn parse_listen_address(given: &str) -> Result<SocketAddr, &'static str> {
    let port = given.strip_prefix("localhost:").unwrap_or(given).parse::<u16>();
    port.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        .or_else(|_| given.parse())
        .map_err(|_| Message::WhyNoAddress.plain(Lang::En))
}

/// Format of the request log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    #[value(help = english(Message::ValueLogText))]
    Text,
    #[value(help = english(Message::ValueLogJson))]
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7207", value_parser = parse_listen_address)]
    #[arg(help = english(Message::ArgListen))]
    pub(crate) listen: SocketAddr,
    #[arg(long = "allow-host", value_name = "HOST", help = english(Message::ArgAllowHost))]
    pub(crate) hosts: Vec<String>,
    #[arg(long, value_name = "URL", help = english(Message::ArgPublicUrl))]
    pub(crate) public_url: Option<String>,
    #[arg(long, value_name = "FILE", requires = "tls_key", help = english(Message::ArgTlsCert))]
    pub(crate) tls_cert: Option<PathBuf>,
    #[arg(long, value_name = "FILE", requires = "tls_cert", help = english(Message::ArgTlsKey))]
    pub(crate) tls_key: Option<PathBuf>,
    #[arg(long = "trusted-proxy", value_name = "IP", help = english(Message::ArgTrustedProxy))]
    pub(crate) proxies: Vec<IpAddr>,
    #[arg(long, help = english(Message::ArgHsts))]
    pub(crate) hsts: bool,
    #[arg(long = "allow-origin", value_name = "ORIGIN", help = english(Message::ArgAllowOrigin))]
    pub(crate) origins: Vec<String>,
    #[arg(long, value_enum, default_value = "text", help = english(Message::ArgLog))]
    pub(crate) log: LogFormat,
    #[arg(long, value_name = "COUNT", default_value = "200", help = english(Message::ArgRate))]
    pub(crate) rate: u32,
    #[arg(long, value_name = "COUNT", help = english(Message::ArgAsksPerHour))]
    pub(crate) asks_per_hour: Option<u32>,
    #[arg(long, value_name = "MIB", help = english(Message::ArgKeptMib))]
    pub(crate) kept_mib: Option<u64>,
}
