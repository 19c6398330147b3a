//! Files that are the same for everyone: compressed once, and not sent again to a browser that has them.

use super::call::{ApiCall, split_weight};
use super::response;
use crate::embedded::{EmbeddedFile, inflate};
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Response as HttpResponse, StatusCode};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::sync::OnceLock;

pub(crate) const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
pub(crate) const STYLE_SHEET: &str = "text/css; charset=utf-8";

/// Value of `vary` for what differs by language.
pub(crate) const VARY_BY_LANGUAGE: &str = "accept-encoding, accept-language";

/// Number of bytes of a digest in an entity tag.
const TAG_BYTES: usize = 12;
const GZIP: &str = "gzip";
const BROTLI: &str = "br";

/// File in its variants, plain and compressed.
pub(crate) struct StaticFile {
    media: &'static str,
    gzip: FileVariant,
    /// Only of what was compressed when the program was built: it takes long to make.
    brotli: Option<FileVariant>,
    /// Inflated when the first client asks for it.
    plain: OnceLock<FileVariant>,
}

struct FileVariant {
    /// Content coding of the bytes.
    coding: Option<&'static str>,
    bytes: Bytes,
    tag: HeaderValue,
}

impl FileVariant {
    fn new(coding: Option<&'static str>, bytes: Bytes) -> Self {
        let digest = ring::digest::digest(&ring::digest::SHA256, &bytes);
        let digest = URL_SAFE_NO_PAD.encode(digest.as_ref().get(..TAG_BYTES).unwrap_or_default());
        let tag = HeaderValue::try_from(format!("\"{digest}\""));
        Self { coding, bytes, tag: tag.unwrap_or(HeaderValue::from_static("\"\"")) }
    }
}

impl StaticFile {
    /// Creates a file from its compressed bytes.
    pub(crate) fn embedded(media: &'static str, file: EmbeddedFile) -> Self {
        let gzip = FileVariant::new(Some(GZIP), Bytes::from_static(file.gzip));
        let brotli = FileVariant::new(Some(BROTLI), Bytes::from_static(file.brotli));
        Self { media, gzip, brotli: Some(brotli), plain: OnceLock::new() }
    }

    /// Compresses a file.
    pub(crate) fn new(media: &'static str, text: impl Into<Bytes>) -> Self {
        let text = text.into();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        // Writing to a vector cannot fail.
        let _ = encoder.write_all(&text);
        let gzip = FileVariant::new(Some(GZIP), encoder.finish().unwrap_or_default().into());
        Self { media, gzip, brotli: None, plain: FileVariant::new(None, text).into() }
    }

    /// Returns the file as it is without compression.
    pub(crate) fn text(&self) -> &[u8] {
        &self.plain().bytes
    }

    fn plain(&self) -> &FileVariant {
        self.plain.get_or_init(|| FileVariant::new(None, inflate(&self.gzip.bytes).into()))
    }

    /// Returns the response of a file that browsers may keep, if they ask before they use it.
    pub(crate) fn response(&self, call: &ApiCall) -> Response {
        let variant = self.variant(call.headers());
        let mut reply = if has_tag(call.headers(), &variant.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            self.full_response(variant)
        };
        let headers = reply.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::ETAG, variant.tag.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        reply
    }

    /// Returns the response of a page, which no browser keeps.
    pub(crate) fn page_response(&self, call: &ApiCall, policy: &'static str) -> Response {
        let mut reply = self.full_response(self.variant(call.headers()));
        reply.headers_mut().insert(header::VARY, HeaderValue::from_static(VARY_BY_LANGUAGE));
        response::set_page_headers(reply.headers_mut(), policy, call.headers());
        reply
    }

    fn variant(&self, headers: &HeaderMap) -> &FileVariant {
        match &self.brotli {
            Some(brotli) if accepts(headers, BROTLI) => brotli,
            _ if accepts(headers, GZIP) => &self.gzip,
            _ => self.plain(),
        }
    }

    fn full_response(&self, variant: &FileVariant) -> Response {
        let mut reply: HttpResponse<_> = response::text(self.media, variant.bytes.clone());
        if let Some(coding) = variant.coding {
            reply.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        reply
    }
}

/// Returns the members of a list in a header, over all its lines.
fn members<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    let lines = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

/// Returns whether a client decodes a content coding (RFC 9110, section 12.5.3). Without a statement it gets the plain
/// variant.
fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let mut accepts_others = false;
    for member in members(headers, &header::ACCEPT_ENCODING) {
        let (name, weight) = split_weight(member);
        if name.eq_ignore_ascii_case(coding) {
            return weight > 0.0;
        }
        if name == "*" {
            accepts_others = weight > 0.0;
        }
    }
    accepts_others
}

/// Returns whether a browser has this variant (RFC 9110, section 13.1.2).
fn has_tag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    members(headers, &header::IF_NONE_MATCH)
        .any(|member| member == "*" || member.strip_prefix("W/").unwrap_or(member) == *tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::embedded_file;

    #[test]
    fn codings_are_sent_to_clients_that_decode_them() {
        let takes = |value: &'static str, coding| {
            let value = HeaderValue::from_static(value);
            accepts(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]), coding)
        };
        for yes in ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, GZIP;q=0.2", "*", "identity, *;q=0.5"] {
            assert!(takes(yes, GZIP), "{yes}");
        }
        for no in ["", "identity", "br", "gzip;q=0", "gzip;q=0, *", "gzip; q=0.000", "*;q=0", "gzip;q=x"] {
            assert!(!takes(no, GZIP), "{no}");
        }
        assert!(takes("gzip, deflate, br", BROTLI) && !takes("gzip, br;q=0", BROTLI));
        assert!(!accepts(&HeaderMap::new(), GZIP));
    }

    #[test]
    fn variants_have_tags_of_their_own() {
        let script = include_bytes!("../../../../../web/dist/session.js");
        let made = StaticFile::new(JAVASCRIPT, script.as_slice());
        for file in [made, StaticFile::embedded(JAVASCRIPT, embedded_file!("web/dist/session.js"))] {
            assert_eq!(file.text(), script);
            let (gzip, plain) = (&file.gzip, file.plain());
            assert!(gzip.bytes.len() < plain.bytes.len() && gzip.tag != plain.tag);
            let sent =
                |value: String| HeaderMap::from_iter([(header::IF_NONE_MATCH, value.try_into().unwrap())]);
            let tag = gzip.tag.to_str().unwrap();
            for fresh in [tag.to_owned(), format!("\"a\", W/{tag}"), "*".to_owned()] {
                assert!(has_tag(&sent(fresh.clone()), &gzip.tag), "{fresh}");
            }
            assert!(!has_tag(&sent(tag.to_owned()), &plain.tag) && !has_tag(&HeaderMap::new(), &gzip.tag));
        }
    }
}
