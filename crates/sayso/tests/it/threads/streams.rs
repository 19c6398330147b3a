//! Tests of the streams of threads.

mod decoders;
mod ends;
mod envelope;
