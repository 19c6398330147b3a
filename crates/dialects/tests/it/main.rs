//! Integration tests of the dialects: the vectors of each spec, and properties of any text.

#[cfg(test)]
mod ask_user_question;
#[cfg(test)]
mod auq;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod detection;
#[cfg(test)]
mod hook;
#[cfg(test)]
mod interaction;
#[cfg(test)]
mod interrupt;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod questionnaire;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod sayso;
#[cfg(test)]
mod schemas;
