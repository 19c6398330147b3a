//! Tests of the element that pages embed, in a real browser; its rules and translations, in Node.

mod element;
mod formats;
