//! Token of a form: it proves that the server gave this form to this session, for this state of the ask.
//!
//! **Invariant:** a form is used once. Its token names the round and the revision of the draft, and each use changes one
//! of them; so a replayed, a stale or a foreign form does nothing.

use ring::hmac;
use sayso_core::model::digest::to_hex;
use sayso_core::{AskId, Digest};

/// First line of the signed text.
const VERSION: &str = "sayso-form-1";

/// Step that a form takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormStep {
    Save,
    Submit,
    Decline,
}

impl FormStep {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Save => "save",
            Self::Submit => "submit",
            Self::Decline => "decline",
        }
    }
}

/// State of an ask that a form shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShownState {
    pub(crate) ask: AskId,
    pub(crate) round: u32,
    /// Revision of the draft.
    pub(crate) rev: u64,
    /// Digest of the questionnaire.
    pub(crate) digest: Digest,
}

/// Signer of the forms of one session, with a key that its browser and the server alone have: the cookie.
#[derive(Debug)]
pub(crate) struct FormSigner(hmac::Key);

impl FormSigner {
    pub(crate) fn new(cookie: &str) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, cookie.as_bytes()))
    }

    /// Returns the token of a form.
    pub(crate) fn sign(&self, step: FormStep, shown: &ShownState) -> String {
        self.tag(&text(step, shown))
    }

    /// Returns whether a token is the one of a form.
    pub(crate) fn is_signed(&self, step: FormStep, shown: &ShownState, token: &str) -> bool {
        self.is_tag_of(&text(step, shown), token)
    }

    /// Returns the token of the form that signs out.
    pub(crate) fn sign_out_token(&self) -> String {
        self.tag(&sign_out_text())
    }

    fn tag(&self, text: &str) -> String {
        to_hex(hmac::sign(&self.0, text.as_bytes()).as_ref())
    }

    /// Returns whether a token is the one of the form that signs out.
    pub(crate) fn is_sign_out_token(&self, token: &str) -> bool {
        self.is_tag_of(&sign_out_text(), token)
    }

    fn is_tag_of(&self, text: &str, token: &str) -> bool {
        let tag = Digest::parse(token).map(|tag| *tag.as_bytes());
        tag.is_some_and(|tag| hmac::verify(&self.0, text.as_bytes(), &tag).is_ok())
    }
}

fn text(step: FormStep, shown: &ShownState) -> String {
    let ShownState { ask, round, rev, digest } = shown;
    format!("{VERSION}\n{}\n{ask}\n{round}\n{rev}\n{digest}", step.as_str())
}

fn sign_out_text() -> String {
    format!("{VERSION}\nsign-out")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_for_one_form() {
        let (signer, other) = (FormSigner::new("a"), FormSigner::new("b"));
        let ask = AskId::parse("01a2026d-d3cd-738f-a381-3f4907ef3314").unwrap();
        let shown = ShownState { ask, round: 1, rev: 2, digest: Digest::compute(b"x") };
        let token = signer.sign(FormStep::Submit, &shown);
        assert!(signer.is_signed(FormStep::Submit, &shown, &token));
        assert!(!other.is_signed(FormStep::Submit, &shown, &token));
        assert!(!signer.is_signed(FormStep::Save, &shown, &token) && !signer.is_sign_out_token(&token));
        for changed in [
            ShownState { round: 2, ..shown },
            ShownState { rev: 3, ..shown },
            ShownState { digest: Digest::compute(b"y"), ..shown },
        ] {
            assert!(!signer.is_signed(FormStep::Submit, &changed, &token), "{changed:?}");
        }
        for wrong in ["", "0", &"0".repeat(64), &token[1..]] {
            assert!(!signer.is_signed(FormStep::Submit, &shown, wrong), "{wrong}");
        }
        assert!(signer.is_sign_out_token(&signer.sign_out_token()));
    }
}
