//! Browser without scripts, at the level of requests: it keeps a cookie, and posts the forms of pages as they are filled
//! in.

use crate::support::http_client::{HttpCaller, HttpReply, TestRequest};

/// Browser without scripts at one origin.
pub(crate) struct PlainBrowser {
    /// Host and port.
    pub(crate) address: String,
    /// Cookie as it is sent; empty before the sign-in.
    pub(crate) cookie: String,
}

impl PlainBrowser {
    pub(crate) fn new(address: &str) -> Self {
        Self { address: address.to_owned(), cookie: String::new() }
    }

    /// Signs in with a token.
    pub(crate) fn signed_in(address: &str, token: &str) -> Self {
        let mut browser = Self::new(address);
        let reply = browser.post("/plain/sign-in", &[("access_token", token)]);
        assert_eq!((reply.status, reply.header("location")), (303, Some("/plain")), "{}", reply.text());
        browser.keep_cookie(&reply);
        browser
    }

    /// Keeps the cookie that a reply sets.
    pub(crate) fn keep_cookie(&mut self, reply: &HttpReply) {
        reply.header("set-cookie").unwrap().split(';').next().unwrap().clone_into(&mut self.cookie);
    }

    /// Returns a request with the cookie, and no word about where it comes from.
    pub(crate) fn bare_request(&self, method: &str, target: &str) -> TestRequest {
        let caller = HttpCaller { address: self.address.clone(), token: None };
        caller.request(method, target).header("cookie", &self.cookie)
    }

    pub(crate) fn get(&self, target: &str) -> HttpReply {
        self.bare_request("GET", target).header("sec-fetch-site", "same-origin").send()
    }

    /// Returns the request of a form that a page of the server posts.
    pub(crate) fn form_request(&self, target: &str, fields: &[(&str, &str)]) -> TestRequest {
        let request = self.bare_request("POST", target).header("origin", &format!("http://{}", self.address));
        with_fields(request.header("sec-fetch-site", "same-origin"), fields)
    }

    pub(crate) fn post(&self, target: &str, fields: &[(&str, &str)]) -> HttpReply {
        self.form_request(target, fields).send()
    }

    /// Posts a form.
    pub(crate) fn post_form(&self, target: &str, form: &PlainForm) -> HttpReply {
        let fields: Vec<_> =
            form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.post(target, &fields)
    }

    /// Opens a page, and returns its form as it is filled in.
    pub(crate) fn form_at(&self, target: &str) -> PlainForm {
        let page = self.get(target);
        assert_eq!(page.status, 200, "{}", page.text());
        PlainForm::from_page(&page.text())
    }
}

/// Adds the fields of a form as its body.
pub(crate) fn with_fields(request: TestRequest, fields: &[(&str, &str)]) -> TestRequest {
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    request.body("application/x-www-form-urlencoded", pairs.collect::<Vec<_>>().join("&"))
}

fn encode(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n").bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Fields of the form in the main part of a page, as a browser would post them.
#[derive(Debug, Clone)]
pub(crate) struct PlainForm {
    pub(crate) fields: Vec<(String, String)>,
}

impl PlainForm {
    /// Reads the form of a page.
    pub(crate) fn from_page(page: &str) -> Self {
        let main = page.split_once("<main>").unwrap().1;
        let mut fields = Vec::new();
        for part in main.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap();
            let name = attribute(tag, "name");
            match (tag.split([' ', '\n']).next().unwrap(), name) {
                ("input", Some(name)) => {
                    let is_choice = ["radio", "checkbox"].contains(&attribute(tag, "type").unwrap().as_str());
                    if !is_choice || tag.ends_with(" checked") {
                        fields.push((name, attribute(tag, "value").unwrap_or_default()));
                    }
                }
                ("textarea", Some(name)) => fields.push((name, unescape(text.trim_start_matches('\n')))),
                _ => {}
            }
        }
        Self { fields }
    }

    /// Fills in a field, or picks the only item of this name.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(known, _)| known != name);
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Checks one more item.
    #[must_use]
    pub(crate) fn with_also(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the value of a field.
    pub(crate) fn value(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(known, _)| known == name);
        &found.unwrap_or_else(|| panic!("no {name} in {self:?}")).1
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescape(rest.split_once('"')?.0))
}

fn unescape(text: &str) -> String {
    let signs = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    signs.iter().fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
}
