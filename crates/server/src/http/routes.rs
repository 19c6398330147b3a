//! Table of all routes, from which the router, the gate and the OpenAPI document are made. Each handler module
//! contributes its part.

use super::route::Route;
use super::{
    about, asker, asks, browser, docs, events, interaction, outcome, page, person, questionnaire, threads,
    tokens,
};

/// Returns all routes.
pub(super) fn routes() -> impl Iterator<Item = &'static Route> {
    let own = [
        asks::ROUTES,
        outcome::ROUTES,
        asker::ROUTES,
        person::ROUTES,
        questionnaire::ROUTES,
        events::ROUTES,
        interaction::ROUTES,
        about::ROUTES,
        browser::ROUTES,
        tokens::ROUTES,
        page::ROUTES,
        docs::ROUTES,
    ];
    own.into_iter().chain(threads::ROUTES).flatten()
}
