//! What is particular to the file: foreign files, newer formats, several connections.
