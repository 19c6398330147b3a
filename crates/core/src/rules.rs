//! Validity of questionnaires and answers. The rules are data that a dialect sets; nothing here depends on the
//! dialect.

pub mod condition;
pub mod consent;
pub mod constraint;
mod pattern_problems;
pub mod prepared_questionnaire;
pub(crate) mod question_places;
pub(crate) mod questionnaire_validation;
pub(crate) mod unmeetable_demands;
pub mod validator;
