-- Mark of a desk that takes no writes: it has moved, or it is a copy that is not complete.
ALTER TABLE desk ADD COLUMN mark text
