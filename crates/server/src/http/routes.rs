//! Table of all routes, from which the router, the gate and the OpenAPI document are made. Each handler module
//! contributes its part.

pub(super) mod about;
pub(super) mod ack_on_complete;
pub(super) mod asker;
pub(super) mod asks;
pub(super) mod events;
pub(super) mod outcome;
pub(super) mod outcome_waiter;
pub(super) mod person;
pub(super) mod questionnaire;
pub(super) mod tokens;

use super::login::{browser, page};
use super::openapi::docs;
use super::route::Route;
use super::{interaction, threads};

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
