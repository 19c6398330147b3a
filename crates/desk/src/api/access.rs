//! Those who may use the desk from elsewhere: tokens, signed-in browsers, groups, users of services, and the rates of
//! their requests.

pub mod browser_session;
pub mod group;
pub mod login_code;
pub mod rate_use;
pub mod service_session;
pub mod token;
