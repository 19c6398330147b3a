//! Tests of a browser's visit: what is transferred, a link from another site, and a visit without a connection.

use crate::support::browser::page_browser::PageBrowser;
use crate::support::proxy::byte_meter::ByteMeter;
use crate::support::served_desk::id_of;
use crate::support::terminal::terminal_server::TerminalServer;
use crate::support::test_world::TestWorld;
use crate::web::signed_in::SignedInPage;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

/// Most bytes of a page with nothing cached, with all heads and bodies as they are sent.
const TRANSFER_BYTES: u64 = 59 << 10;
/// The same with the sign-in page and the worker.
const SIGN_IN_BYTES: u64 = 74 << 10;

#[test]
pub(super) fn whole_page_stays_small() {
    let mut signed = SignedInPage::start();
    let request =
        json!({ "title": "Release", "questions": [{ "id": "name", "prompt": "What is it called?" }] });
    let ask = signed.ask(&request);
    // From an empty cache to the receipt.
    signed.page.run_step("forget", json!({}));
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.fill_field("What is it called?", "Aurora");
    signed.page.click_button("Submit");
    signed.page.expect_text("Answered by ada");
    let bytes: u64 = signed.page.run_step("transferred", json!({})).as_str().unwrap().parse().unwrap();
    assert!((10_000..=TRANSFER_BYTES).contains(&bytes), "{bytes} bytes");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn rows_are_read_while_modules_load() {
    let mut signed = SignedInPage::start();
    // The reply that comes first has 50 of them.
    for number in 0..51 {
        signed.ask(&json!({ "title": format!("Release {number}"), "questions": [{ "id": "name", "prompt": "What is it called?" }] }));
    }
    signed.page.run_step("forget", json!({}));
    assert_eq!(signed.page.run_step("late", json!({})), "1");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn sign_in_to_receipt_fits() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let request =
        json!({ "title": "Release", "questions": [{ "id": "name", "prompt": "What is it called?" }] });
    shown.asker(&world).post("/v1/asks", &json!({ "request": request })).json(201);
    let port = shown.address.rsplit_once(':').unwrap().1;
    let meter = ByteMeter::start(&format!("127.0.0.1:{port}"));
    let through = format!("--host-resolver-rules=MAP localhost:{port} 127.0.0.1:{}", meter.port);
    let mut page = PageBrowser::start_with(&world, &format!("http://localhost:{port}"), &[&through]);
    // A new browser, whose worker keeps the page, too.
    page.go_to("/");
    page.fill_field("Code", &shown.code);
    page.click_button("Sign in");
    page.follow_link("Release");
    page.run_step("installed", json!({}));
    page.type_keys("What is it called?", "Aurora");
    page.click_button("Submit");
    page.expect_text("Answered by ada");
    let bytes = meter.sent();
    assert!((30_000..=SIGN_IN_BYTES).contains(&bytes), "{bytes} bytes");
    page.assert_no_errors();
}

#[test]
pub(super) fn icon_is_kept() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let caller = shown.without_token();
    for path in ["/icon.svg", "/icon.svg?waiting=7"] {
        let reply = caller.request("GET", path).header("accept-encoding", "gzip").send();
        assert_eq!(reply.header("cache-control"), Some("max-age=86400"), "{path}");
        let again = caller.request("GET", path).header("accept-encoding", "gzip");
        let again = again.header("if-none-match", reply.header("etag").unwrap()).send_for_head();
        assert_eq!(again.status, 304, "{path}");
    }
}

#[test]
pub(super) fn files_are_compressed_and_revalidated() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let caller = shown.without_token();
    for path in [
        "/",
        "/login",
        "/words.js",
        "/session.js",
        "/page.js",
        "/page.css",
        "/sayso-questionnaire.js",
        "/login.js",
        "/examples/chat.js",
    ] {
        let plain = caller.get(path);
        let in_coding = |coding| caller.request("GET", path).header("accept-encoding", coding).send();
        let (coded, gzip) = (in_coding("gzip, br"), in_coding("gzip"));
        // Pages in a language are compressed by the server itself.
        let is_page = path == "/" || path == "/login";
        let best = if is_page || path == "/words.js" { "gzip" } else { "br" };
        let codings = [&plain, &gzip, &coded].map(|reply| reply.header("content-encoding"));
        assert_eq!(codings, [None, Some("gzip"), Some(best)], "{path}");
        assert!(gzip.body.len() < plain.body.len() && gzip.body.starts_with(&[0x1f, 0x8b]), "{path}");
        assert!(coded.body.len() <= gzip.body.len(), "{path}");
        assert!(plain.header("vary").unwrap().contains("accept-encoding"), "{path}");
        assert_eq!(
            coded.header("cache-control"),
            Some(if is_page { "no-store" } else { "no-cache" }),
            "{path}"
        );
        if is_page {
            continue;
        }
        let tag = coded.header("etag").unwrap();
        assert_ne!(Some(tag), plain.header("etag"), "{path}");
        let again = |tag: &str| {
            let request = caller.request("GET", path).header("accept-encoding", "gzip, br");
            request.header("if-none-match", tag).send_for_head().status
        };
        assert_eq!([again(tag), again("\"other\"")], [304, 200], "{path}");
    }
}

/// Serves a page of another site with a link; returns its address.
fn serve_link(to: &str) -> String {
    serve_page(format!("<!doctype html><title>Other</title><a href='{to}'>Answer this</a>"), String::new())
}

/// Serves a page of another site, with further header lines; returns its address.
fn serve_page(page: String, headers: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut visitor in listener.incoming().map_while(Result::ok) {
            let head = BufReader::new(&visitor).lines().map_while(Result::ok);
            head.take_while(|line| !line.is_empty()).for_each(drop);
            let reply = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n";
            let _ = write!(visitor, "{reply}{headers}content-length: {}\r\n\r\n{page}", page.len());
        }
    });
    format!("http://{address}/")
}

#[test]
pub(super) fn link_from_other_site_opens_ask() {
    let mut signed = SignedInPage::start();
    let ask = signed.ask(&json!({ "questions": [{ "id": "name", "prompt": "What is it called?" }] }));
    let path = format!("/a/{}", id_of(&ask));
    let port = signed.address.rsplit_once(':').unwrap().1;
    // Under the page's own address, and under one that leads there.
    for host in ["localhost", "127.0.0.1"] {
        let other = serve_link(&format!("http://{host}:{port}{path}"));
        signed.page.go_to(&other);
        signed.page.follow_link("Answer this");
        signed.page.expect_text("What is it called?");
        assert_eq!(signed.page.run_step("address", json!({})), path);
    }
    signed.page.fill_field("What is it called?", "Aurora");
    signed.page.click_button("Submit");
    signed.page.expect_text("Answered by ada");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn installed_page_opens_without_server() {
    let mut signed = SignedInPage::start();
    let ask =
        signed.ask(&json!({ "title": "Secret plan", "questions": [{ "id": "name", "prompt": "Name?" }] }));
    signed.page.run_step("installed", json!({}));
    signed.kill_server();
    signed.page.go_to(&format!("/a/{}", id_of(&ask)));
    signed.page.expect_text("Cannot connect to the desk");
    assert!(!signed.page.text_of("body").contains("Secret plan"), "no word of an ask is stored");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn session_survives_browser_restart() {
    let mut signed = SignedInPage::start();
    let profile = signed.world.path("profile");
    let how = json!({ "profile": profile.to_str().unwrap() });
    signed.open_browser("phone", how.clone());
    signed.page.run_step("quit", json!({}));
    signed.page.open("again", how);
    signed.page.go_to("/");
    signed.page.expect_text("No questions are waiting.");
    signed.page.run_step("quit", json!({}));
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn element_loads_on_any_page() {
    let mut signed = SignedInPage::start();
    let origin = format!("http://localhost:{}", signed.address.rsplit_once(':').unwrap().1);
    // An isolated page takes only what says that it may; a strict policy names the desk and nothing else.
    let policy = format!(
        "default-src 'none'; img-src 'self'; script-src {origin}; require-trusted-types-for 'script'; trusted-types 'none'"
    );
    let headers =
        format!("cross-origin-embedder-policy: require-corp\r\ncontent-security-policy: {policy}\r\n");
    for kind in ["", "type=module ", "crossorigin "] {
        let tag = format!(
            "<script {kind}src='{origin}/sayso-questionnaire.js'></script><sayso-questionnaire></sayso-questionnaire>"
        );
        let other = serve_page(format!("<!doctype html><title>Other</title>{tag}"), headers.clone());
        signed.page.go_to(&other);
        signed.page.run_step("defined", json!({}));
    }
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn outer_form_leads_to_problems() {
    let mut signed = SignedInPage::start();
    let origin = format!("http://localhost:{}", signed.address.rsplit_once(':').unwrap().1);
    let page = format!(
        "<!doctype html><html lang='en'><title>Other</title><form><sayso-questionnaire></sayso-questionnaire>\
         <button>Send all</button></form><script src='{origin}/sayso-questionnaire.js'></script><script>\
         document.querySelector('sayso-questionnaire').request = {{ questions: [{{ id: 'a', prompt: 'Which word?' }}] }};</script>"
    );
    let other = serve_page(page, String::new());
    signed.page.go_to(&other);
    signed.page.click_button("Send all");
    signed.page.expect_element(".summary h2:focus:has-text('There is 1 problem')");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn pages_are_isolated() {
    let signed = SignedInPage::start();
    for path in ["/", "/login", "/docs", "/element", "/a/01a2026d-d3cd-738f-a381-3f4907ef3314"] {
        let reply = signed.asker.request("GET", path).send();
        assert_eq!(reply.header("cross-origin-opener-policy"), Some("same-origin"), "{path}");
        assert!(reply.header("permissions-policy").unwrap().contains("camera=()"), "{path}");
    }
    // Chromium itself cuts a tab off that no other site leads here.
    let chromium = "\"Chromium\";v=\"156\", \"Not)A;Brand\";v=\"24\"";
    for (path, site, mode, brands, isolated) in [
        ("/", "none", "navigate", chromium, false),
        ("/a/01a2026d-d3cd-738f-a381-3f4907ef3314", "none", "navigate", chromium, false),
        ("/", "cross-site", "navigate", chromium, true),
        ("/", "same-site", "navigate", chromium, true),
        ("/", "none", "no-cors", chromium, true),
        ("/", "none", "navigate", "", true),
        ("/login", "none", "navigate", chromium, false),
        ("/docs", "same-origin", "navigate", chromium, false),
        ("/docs", "cross-site", "navigate", chromium, true),
        ("/", "same-origin", "cors", chromium, true),
    ] {
        let request = signed.asker.request("GET", path).header("sec-fetch-site", site);
        let reply = request.header("sec-fetch-mode", mode).header("sec-ch-ua", brands).send();
        assert_eq!(
            reply.header("cross-origin-opener-policy").is_some(),
            isolated,
            "{path} {site} {mode} {brands}"
        );
    }
}

#[test]
pub(super) fn no_page_holds_the_tab() {
    let mut signed = SignedInPage::start();
    let port = signed.address.rsplit_once(':').unwrap().1;
    let desk = format!("http://localhost:{port}/");
    let opener = |to: &str| {
        format!(
            "<!doctype html><title>Other</title><button onclick=\"globalThis.tab = window.open('{to}')\">Open</button>"
        )
    };
    let elsewhere = serve_page("<!doctype html><title>Elsewhere</title>".to_owned(), String::new());
    // The page opens the desk itself, or its user leads the tab there that it opened.
    for (opened, typed) in [(&desk, false), (&elsewhere, true)] {
        let other = serve_page(opener(opened), String::new());
        signed.page.go_to(&other);
        let how = json!({ "to": desk, "typed": typed, "then": format!("{other}then") });
        let led = signed.page.run_step("lead", how);
        assert_eq!(led, desk.as_str());
    }
    signed.page.assert_no_errors();
}
