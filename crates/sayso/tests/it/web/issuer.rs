//! Tests of the sign-in at an issuer in a real browser.

use crate::support::browser::page_browser::PageBrowser;
use crate::support::issuer::npm_issuer::NpmIssuer;
use crate::support::served_desk::{create_ask, id_of};
use crate::support::test_world::TestWorld;
use serde_json::json;

#[test]
fn button_leads_through_the_issuer() {
    let world = TestWorld::new();
    let mut issuer = NpmIssuer::start(&world);
    let desk = issuer.serve_desk(&world, &[]);
    let ask = create_ask(&desk.asker(&world), "Ship the release?");
    let port = desk.address.rsplit_once(':').unwrap().1;
    let mut page = PageBrowser::start(&world, &format!("http://localhost:{port}"));
    page.go_to(&format!("/a/{}", id_of(&ask)));
    page.expect_element("#issuer a");
    page.assert_accessible();
    page.follow_link("Sign in with 127.0.0.1");
    page.follow_link("I am ada");
    // It comes back to the ask that it wanted.
    page.expect_text("Say it.");
    assert_eq!(page.run_step("address", json!({})), format!("/a/{}", id_of(&ask)));
    page.go_to("/login");
    page.expect_text("You are signed in as");
    page.expect_text(&format!("{}/ada", issuer.url));
    page.assert_no_errors();
}
