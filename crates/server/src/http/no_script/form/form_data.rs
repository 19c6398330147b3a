//! Fields of a posted form.

use sayso_core::{Message, Problem, ProblemCode};

/// Fields of a posted form, in their order.
#[derive(Debug)]
pub(crate) struct FormData(Vec<(String, String)>);

impl FormData {
    /// Reads a body. Browsers send line breaks as CR LF; here they are LF, as people's text is everywhere.
    ///
    /// # Errors
    /// Fails if it is no form.
    pub(crate) fn parse(body: &str) -> Result<Self, Problem> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(body).map_err(|error| {
            Problem::new(ProblemCode::InvalidValue, Message::QueryUnreadable.with([error.to_string()]))
        })?;
        let plain = |(name, value): (String, String)| (name, value.replace("\r\n", "\n").replace('\r', "\n"));
        Ok(Self(pairs.into_iter().map(plain).collect()))
    }

    /// Returns the first field with this name; empty without one.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.find(name).unwrap_or_default()
    }

    /// Returns the first field with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the fields with this name.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Returns the fields that belong to questions, to show them again.
    pub(crate) fn typed(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        fields.filter(|(name, _)| {
            let number = name.strip_prefix('q').and_then(|rest| rest.split('.').next());
            number.is_some_and(|number| number.parse::<usize>().is_ok())
        })
    }
}
