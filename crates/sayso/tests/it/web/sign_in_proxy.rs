//! Test of the sign-in by a proxy in a real browser, whose requests name the user as the proxy would.

use crate::support::browser::page_browser::PageBrowser;
use crate::support::served_desk::{ServedDesk, create_ask, id_of};
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn proxy_signs_the_page_in() {
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
