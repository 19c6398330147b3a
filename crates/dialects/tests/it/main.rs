//! Integration tests of the dialects: the vectors of each spec, and properties of any text.

#[cfg(test)]
mod ask_user_question_answers;
#[cfg(test)]
mod ask_user_question_requests;
#[cfg(test)]
mod ask_user_question_screens;
#[cfg(test)]
mod ask_user_question_vectors;
#[cfg(test)]
mod auq;
#[cfg(test)]
mod auq_command;
#[cfg(test)]
mod auq_outcomes;
#[cfg(test)]
mod auq_published;
#[cfg(test)]
mod auq_requests;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod guessing;
#[cfg(test)]
mod interaction;
#[cfg(test)]
mod interaction_edges;
#[cfg(test)]
mod interaction_translation;
#[cfg(test)]
mod interaction_vectors;
#[cfg(test)]
mod interrupt_decisions;
#[cfg(test)]
mod interrupt_properties;
#[cfg(test)]
mod interrupt_requests;
#[cfg(test)]
mod interrupt_vectors;
#[cfg(test)]
mod json_types;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod questionnaire;
#[cfg(test)]
mod questionnaire_properties;
#[cfg(test)]
mod questionnaire_vectors;
#[cfg(test)]
mod questionnaire_warnings;
#[cfg(test)]
mod request_limits;
#[cfg(test)]
mod same_problems;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod sayso;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod spec_cases;
#[cfg(test)]
mod translating;
