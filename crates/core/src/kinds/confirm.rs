//! Yes or no.

/// A yes or a no.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmQuestion {
    /// Label of yes; a label of the catalogue without it.
    pub yes: Option<String>,
    /// Label of no; a label of the catalogue without it.
    pub no: Option<String>,
    /// The asker's mark: true for consent, false for an ordinary value. Without it, the rest of the questionnaire
    /// decides.
    pub consent: Option<bool>,
}
