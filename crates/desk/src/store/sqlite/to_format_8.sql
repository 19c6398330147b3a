-- Checksums of what is stored, each with the id of its ask or thread in it. A row without one is not checked.
-- of what never changes in the row of an ask, of its state, of its status, and of how far its draft is
ALTER TABLE ask ADD COLUMN fixed_sum INTEGER;
ALTER TABLE ask ADD COLUMN state_sum INTEGER;
ALTER TABLE ask ADD COLUMN status_sum INTEGER;
ALTER TABLE ask ADD COLUMN draft_sum INTEGER;
ALTER TABLE request ADD COLUMN sum INTEGER;
ALTER TABLE draft ADD COLUMN sum INTEGER;
ALTER TABLE rendering ADD COLUMN sum INTEGER;
ALTER TABLE late ADD COLUMN sum INTEGER;
ALTER TABLE key ADD COLUMN sum INTEGER;
ALTER TABLE change ADD COLUMN sum INTEGER;
ALTER TABLE said ADD COLUMN sum INTEGER;
-- Commits that left nothing in the change log: with its last number they say how far the desk is.
INSERT INTO chore VALUES ('unlogged', 0);
