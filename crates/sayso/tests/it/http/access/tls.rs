//! Tests of TLS and of how the server is reached from other machines.

use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::{ServedDesk, create_ask, id_of};
use crate::support::test_world::TestWorld;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Instant;

/// Writes a new certificate with its key, and returns the certificate.
fn write_certificate(world: &TestWorld) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    world.write("server.key", signing_key.serialize_pem());
    world.write("server.pem", cert.pem());
    cert.der().clone()
}

/// Sends a request over TLS, and returns the reply; `None` if the certificate is not this one.
fn get(address: &str, trusted: &CertificateDer<'static>, target: &str) -> Option<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(LIMIT)).unwrap();
    let mut stream = StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), socket);
    let port = address.rsplit_once(':').unwrap().1;
    let request = format!("GET {target} HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    Some(reply)
}

#[test]
fn renewed_certificate_is_read_again() {
    let world = TestWorld::new();
    let first = write_certificate(&world);
    let (cert, key) = (world.path("server.pem"), world.path("server.key"));
    let more = ["--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let program = world.sayso(["serve", "--listen", "127.0.0.1:0"].iter().chain(&more)).start();
    let end = program.stdout.wait_for("\n", 0);
    let line = program.stdout.between(0, end);
    let address = line.trim_end().strip_prefix("https://").unwrap();
    let page = get(address, &first, "/login").unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && !page.contains("strict-transport"), "{page}");
    let second = write_certificate(&world);
    let until = Instant::now() + LIMIT;
    while get(address, &second, "/login").is_none() {
        assert!(Instant::now() < until, "the new certificate is not served");
        std::thread::yield_now();
    }
    assert_eq!(get(address, &first, "/login"), None);
    world.write("server.pem", "no certificate");
    assert!(get(address, &second, "/healthz").is_some(), "a broken file leaves the last one");
}

#[test]
fn other_machines_need_tls() {
    let world = TestWorld::new();
    let refused = world.sayso(["serve", "--listen", "0.0.0.0:0"]).run();
    assert_ne!(refused.exit, 0);
    for way in ["--tls-cert FILE --tls-key FILE", "--trusted-proxy ADDRESS"] {
        assert!(refused.stderr.contains(way), "{refused:?}");
    }
    let more = ["--trusted-proxy", "192.0.2.1", "--public-url", "https://desk.example.com"];
    let behind_proxy = ServedDesk::at(&world, "0.0.0.0:0", &more);
    let port = behind_proxy.address.rsplit_once(':').unwrap().1;
    let local = crate::support::http_client::HttpCaller { address: format!("127.0.0.1:{port}"), token: None };
    assert_eq!(local.get("/healthz").status, 200);
    let page = local.request("GET", "/login").replace_header("host", "desk.example.com");
    assert_eq!(page.send().status, 200);

    for url in ["https://localhost:7207", "https://192.0.2.1", "http://desk.example.com"] {
        let call = world.sayso(["serve", "--listen", "127.0.0.1:0", "--hsts", "--public-url", url]).run();
        assert!(call.exit != 0 && call.stderr.contains("--hsts cannot be used"), "{call:?}");
    }
    let strict = ServedDesk::with(&world, &["--hsts", "--public-url", "https://desk.example.com"]);
    let reply = strict.without_token().get("/healthz");
    assert_eq!(reply.header("strict-transport-security"), Some("max-age=31536000"));
    assert_eq!(local.get("/healthz").header("strict-transport-security"), None);
}

#[test]
fn pages_lead_to_one_origin() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let port = served.address.rsplit_once(':').unwrap().1;
    let open = |host: &str| {
        let request = served.without_token().request("GET", "/login").replace_header("host", host);
        request.header("sec-fetch-mode", "navigate").header("sec-fetch-site", "none").send()
    };
    let led = open(&served.address);
    let place = format!("http://localhost:{port}/login");
    assert_eq!((led.status, led.header("location")), (307, Some(place.as_str())));
    assert_eq!(open(&format!("localhost:{port}")).status, 200);
}

/// Reads the QR code that is drawn with half blocks.
fn read_code(lines: &[&str]) -> String {
    const SCALE: usize = 4;
    let rows: Vec<Vec<bool>> = lines
        .iter()
        .flat_map(|line| {
            let upper = line.chars().map(|symbol| matches!(symbol, '▄' | ' ')).collect();
            let lower = line.chars().map(|symbol| matches!(symbol, '▀' | ' ')).collect();
            [upper, lower]
        })
        .collect();
    let is_dark = |x: usize, y: usize| rows.get(y / SCALE).and_then(|row| row.get(x / SCALE)) == Some(&true);
    let (width, height) = (rows[0].len() * SCALE, rows.len() * SCALE);
    let mut image =
        rqrr::PreparedImage::prepare_from_greyscale(
            width,
            height,
            |x, y| if is_dark(x, y) { 0 } else { 255 },
        );
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1);
    grids[0].decode().unwrap().1
}

#[test]
fn link_command_shows_readable_code() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let ask = create_ask(&served.asker(&world), "A");
    let link = format!("http://localhost:{}/a/{}", served.address.rsplit_once(':').unwrap().1, id_of(&ask));
    let piped = world.sayso(["link", id_of(&ask)]).run();
    assert_eq!((piped.exit, piped.stdout.as_str()), (0, format!("{link}\n").as_str()));
    let terminal = world.sayso(["link", id_of(&ask)]).on_terminal();
    let end = terminal.output.wait_for("/a/", 0);
    let text = terminal.output.between(0, end);
    let drawn: Vec<&str> = text
        .lines()
        .map(|line| line.trim_matches('\r'))
        .filter(|line| line.contains(['█', '▀', '▄']))
        .collect();
    assert_eq!(read_code(&drawn), link);
    served.stop();
    let alone = world.sayso(["link", id_of(&ask)]).run();
    assert!(alone.exit != 0 && alone.stderr.contains("Run sayso serve first."), "{alone:?}");
    world.write("config/sayso/config.toml", "[server]\npublic_url = \"https://desk.example.com/\"\n");
    let named = world.sayso(["link", id_of(&ask)]).run().stdout;
    assert_eq!(named, format!("https://desk.example.com/a/{}\n", id_of(&ask)));
}
