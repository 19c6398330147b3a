//! Browser that goes to an issuer and comes back, at the level of requests: it follows redirects by hand and keeps the
//! cookies of both sides.

use crate::support::browser::test_browser::TestBrowser;
use crate::support::http_client::{HttpCaller, HttpReply};
use std::collections::BTreeMap;

/// Browser of a person at a desk and an issuer.
pub(crate) struct IssuerVisitor {
    /// Its key, and the cookie of its session.
    pub(crate) browser: TestBrowser,
    /// Cookies by host and port, and by name.
    cookies: BTreeMap<(String, String), String>,
}

impl IssuerVisitor {
    /// Creates the browser of a desk at this address.
    pub(crate) fn new(address: &str) -> Self {
        Self { browser: TestBrowser::new(address), cookies: BTreeMap::new() }
    }

    /// Opens an address with the cookies of its host, and keeps those of the reply.
    pub(crate) fn open(&mut self, url: &str) -> HttpReply {
        let (host, target) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let port = host.rsplit_once(':').unwrap().1;
        // The desk calls itself localhost.
        let is_desk = self.browser.address.ends_with(&format!(":{port}"));
        let address = if is_desk { self.browser.address.clone() } else { host.to_owned() };
        let own = self.cookies.iter().filter(|((known, _), _)| *known == address);
        let cookies: Vec<_> = own.map(|((_, name), value)| format!("{name}={value}")).collect();
        let caller = HttpCaller { address: address.clone(), token: None };
        let request = caller.request("GET", &format!("/{target}")).header("accept", "text/html");
        let request =
            if cookies.is_empty() { request } else { request.header("cookie", &cookies.join("; ")) };
        let reply = request.send();
        for line in reply.headers_named("set-cookie") {
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            let place = (address.clone(), name.to_owned());
            if name == "sayso_session" {
                self.browser.cookie = format!("{name}={value}");
            }
            match value {
                "" => drop(self.cookies.remove(&place)),
                value => drop(self.cookies.insert(place, value.to_owned())),
            }
        }
        reply
    }

    /// Opens an address, which must lead to another one, and returns that one.
    pub(crate) fn follow(&mut self, url: &str) -> String {
        let reply = self.open(url);
        assert!([302, 303].contains(&reply.status), "{url}: {}: {}", reply.status, reply.text());
        let place = reply.header("location").unwrap();
        if place.starts_with('/') {
            let end = url.match_indices('/').nth(2).unwrap().0;
            return format!("{}{place}", &url[..end]);
        }
        place.to_owned()
    }

    /// Begins a sign-in at the desk, and returns the address at the issuer.
    pub(crate) fn begin(&mut self) -> String {
        let key = self.browser.public_key();
        let url = format!("http://{}/login/oidc?key={key}", self.browser.address);
        self.follow(&url)
    }

    /// Goes through npm's issuer as a person with these groups, and returns the address that leads back.
    pub(crate) fn pass_issuer(&mut self, person: &str, groups: &str) -> String {
        let asked = self.begin();
        let interaction = self.follow(&asked);
        let resumed = self.follow(&format!("{interaction}/{person}?groups={groups}"));
        self.follow(&resumed)
    }

    /// Signs in at npm's issuer as a person with these groups; returns the desk's reply.
    pub(crate) fn sign_in(&mut self, person: &str, groups: &str) -> HttpReply {
        let back = self.pass_issuer(person, groups);
        self.open(&back)
    }

    /// Returns the value of a cookie of the desk.
    pub(crate) fn desk_cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(&(self.browser.address.clone(), name.to_owned())).map(String::as_str)
    }

    /// Takes a browser's cookies to a desk at another address.
    pub(crate) fn move_to(&mut self, address: &str) {
        let own = self.browser.address.clone();
        let moved: Vec<_> = self.cookies.iter().filter(|((host, _), _)| *host == own).collect();
        let moved: Vec<_> = moved
            .into_iter()
            .map(|((_, name), value)| ((address.to_owned(), name.clone()), value.clone()))
            .collect();
        self.cookies.extend(moved);
        address.clone_into(&mut self.browser.address);
    }
}

/// Returns a parameter of an address.
pub(crate) fn query_value(url: &str, name: &str) -> String {
    let query = url.split_once('?').unwrap().1;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut found = pairs.filter(|(known, _)| *known == name).map(|(_, value)| value.to_owned());
    found.next().unwrap_or_else(|| panic!("no {name} in {url}"))
}
