//! What is served: one table, of which each handler has its part. The router, the gate and the OpenAPI document are made
//! from it.

use super::route::Route;
use super::{
    about, asker, asks, browser, docs, events, interaction, outcome, page, person, questionnaire, threads,
    tokens,
};

/// Every route.
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
