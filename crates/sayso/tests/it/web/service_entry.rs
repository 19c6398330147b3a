//! Tests of browsers that others let in: a service by an address of its user, and a proxy whose requests name the user.

use crate::support::browser::page_browser::PageBrowser;
use crate::support::http_client::HttpCaller;
use crate::support::served_desk::{ServedDesk, ask_path, create_ask, id_of, text};
use crate::support::test_world::TestWorld;
use crate::web::signed_in::SignedInPage;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

/// Returns the path of an address that lets in a user, with its code.
fn entry_path(service: &HttpCaller, user: &str, body: &Value) -> String {
    let login = service.post(&format!("/v1/users/{user}/logins"), body).json(201);
    let url = login["url"].as_str().unwrap();
    url[url.find("/enter#").unwrap()..].to_owned()
}

#[test]
pub(super) fn address_opens_the_users_ask() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let [service, asker] =
        [TokenRole::Service, TokenRole::Asker].map(|role| served.caller(&world, role, "shop"));
    let mut body = text("Parcel");
    body["for"] = json!(["shop/a%2Fb"]);
    let ask = asker.post("/v1/asks", &body).json(201);
    let path = entry_path(&service, "a%2Fb", &json!({ "as": "page", "ask": ask["id"] }));
    let port = served.address.rsplit_once(':').unwrap().1;
    let mut page = PageBrowser::start(&world, &format!("http://localhost:{port}"));
    page.go_to(&path);
    page.expect_text("This address signs this browser in as shop/a%2Fb.");
    page.assert_accessible();
    page.click_button("Sign in");
    page.fill_field("Say it.", "yes");
    page.click_button("Submit");
    page.expect_text("Answered by shop/a%2Fb");
    let settled = asker.get(&ask_path(&ask, "")).json(200);
    let receipt = &settled["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["assurance"], &receipt["surface"]], ["service_session", "page"], "{receipt}");

    page.go_to("/login");
    page.expect_text("shop/a%2Fb");
    page.expect_gone("Sign in a phone");
    page.assert_accessible();
    // A used address lets no one in, and does not end the session that is there.
    page.go_to(&path);
    page.expect_text("This address has been used");
    page.go_to("/");
    page.expect_element(".inbox .tab >> nth=0");
    page.assert_no_errors();
}

#[test]
pub(super) fn address_replaces_no_other_user_unasked() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let service = served.caller(&world, TokenRole::Service, "shop");
    let path = |user: &str| entry_path(&service, user, &json!({ "as": "page" }));
    let port = served.address.rsplit_once(':').unwrap().1;
    let mut page = PageBrowser::start(&world, &format!("http://localhost:{port}"));
    page.go_to(&path("ada"));
    page.click_button("Sign in");
    page.expect_element(".inbox .tab >> nth=0");
    page.go_to(&path("eve"));
    page.expect_text("This address signs this browser in as shop/eve.");
    page.expect_text("It is signed in now as shop/ada.");
    page.assert_accessible();
    page.go_to("/login");
    page.expect_text("You are signed in as shop/ada");
    // Nothing is asked of the same user.
    page.go_to(&path("ada"));
    page.expect_element(".inbox .tab >> nth=0");
    page.go_to(&path("eve"));
    page.click_button("Sign in");
    page.expect_element(".inbox .tab >> nth=0");
    page.go_to("/login");
    page.expect_text("You are signed in as shop/eve");
    page.assert_no_errors();
}

#[test]
pub(super) fn address_replaces_no_member() {
    let mut signed = SignedInPage::start();
    let secret = signed.world.desk().new_token(TokenRole::Service, "shop", None).unwrap().1;
    let service = HttpCaller { token: Some(secret.reveal().to_owned()), ..signed.asker.clone() };
    let path = entry_path(&service, "eve", &json!({ "as": "page" }));
    signed.page.go_to(&path);
    signed.page.expect_text("This browser is signed in as someone else.");
    signed.page.expect_text("You are signed in as");
    signed.page.open("elsewhere", json!({}));
    signed.page.go_to(&path);
    signed.page.click_button("Sign in");
    signed.page.expect_element(".inbox .tab >> nth=0");
    signed.page.go_to("/login");
    signed.page.expect_text("shop/eve");
    signed.page.assert_no_errors();
}

#[test]
pub(super) fn proxy_signs_the_page_in() {
    let world = TestWorld::new();
    let table = "addresses = [\"127.0.0.1\", \"::1\"]\nuser_header = \"Remote-User\"\n";
    world.write("config/sayso/config.toml", format!("[server.sign_in_proxy]\n{table}"));
    let desk = ServedDesk::start(&world);
    let ask = create_ask(&desk.asker(&world), "Ship the release?");
    let port = desk.address.rsplit_once(':').unwrap().1;
    let mut page = PageBrowser::start(&world, &format!("http://localhost:{port}"));
    page.open("ada", json!({ "headers": { "Remote-User": "ada@example.com" } }));
    page.go_to(&format!("/a/{}", id_of(&ask)));
    // It comes back to the ask that it wanted.
    page.expect_text("Say it.");
    assert_eq!(page.run_step("address", json!({})), format!("/a/{}", id_of(&ask)));
    page.go_to("/login");
    page.expect_text("ada@example.com");
    // A person who signs out stays out until a page is opened again.
    page.click_button("Sign out");
    page.expect_text("Enter the code");
    page.assert_no_errors();
}
