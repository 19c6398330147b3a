//! Table of all routes, from which the router and the API document are made. Each handler module contributes its part.

use super::login::{self, browser_sessions, links, service_logins, sign_in};
use super::openapi::docs;
use super::route::Route;
use super::routes::mcp_endpoint;
use super::routes::{about, asker, asks, events, outcome, person, questionnaire, review, tokens};
use super::{interaction, page, threads};

/// Returns all routes.
pub(super) fn routes() -> impl Iterator<Item = &'static Route> {
    let own = [
        asks::ROUTES,
        outcome::ROUTES,
        asker::ROUTES,
        person::ROUTES,
        review::ROUTES,
        questionnaire::ROUTES,
        events::ROUTES,
        interaction::ROUTES,
        about::ROUTES,
        sign_in::ROUTES,
        links::ROUTES,
        browser_sessions::ROUTES,
        service_logins::ROUTES,
        tokens::ROUTES,
        login::page::ROUTES,
        page::ROUTES,
        page::examples::ROUTES,
        docs::ROUTES,
        mcp_endpoint::ROUTES,
    ];
    own.into_iter().chain(threads::ROUTES).flatten()
}
