//! Tests of the pages without scripts: a person signs in, answers and declines with forms alone.

mod answering;
mod safety;
