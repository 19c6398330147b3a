//! A request of the Questionnaire API. After a line of three dashes, answers to it as data.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sayso_dialects::Dialect;
use sayso_fuzz::dialects;

fuzz_target!(|data: &[u8]| dialects::dialect(Dialect::Questionnaire, data));
