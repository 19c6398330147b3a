-- What people said to an ask that could not be answered any more, in its order.
CREATE TABLE late (
    n    INTEGER PRIMARY KEY,
    seq  INTEGER NOT NULL REFERENCES ask ON DELETE CASCADE,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX late_ask ON late (seq);
