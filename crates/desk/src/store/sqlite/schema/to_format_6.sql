-- Without it, each ask that is purged is looked for in all keys.
CREATE INDEX key_ask ON key (seq);
