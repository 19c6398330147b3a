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
-- What the asks of one account take of the desk. Triggers keep it, so that no way of writing an ask leaves it out.
CREATE TABLE account_usage (
    account       TEXT PRIMARY KEY,
    kept_bytes    INTEGER NOT NULL,
    -- when the hour began in which asks are counted
    hour_began_at INTEGER NOT NULL,
    asks_in_hour  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Bytes of the request, the state and the outcomes as rendered, and 1,024 for the rows and indexes around them.
ALTER TABLE ask ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;
-- 1 once the questions of an ask that no one saw were deleted
ALTER TABLE ask ADD COLUMN emptied INTEGER NOT NULL DEFAULT 0;
UPDATE ask SET kept_bytes = 1024 + octet_length(status)
    + (SELECT octet_length(body) FROM request WHERE request.seq = ask.seq)
    + (SELECT coalesce(sum(octet_length(body)), 0) FROM rendering WHERE rendering.seq = ask.seq)
    WHERE account IS NOT NULL;
INSERT INTO account_usage SELECT account, sum(kept_bytes), 0, 0 FROM ask WHERE account IS NOT NULL GROUP BY account;
CREATE TRIGGER usage_of_new AFTER INSERT ON ask WHEN new.account IS NOT NULL BEGIN
    INSERT INTO account_usage VALUES (new.account, new.kept_bytes, new.created_at, 1)
        ON CONFLICT (account) DO UPDATE SET
            kept_bytes = kept_bytes + excluded.kept_bytes,
            asks_in_hour =
                iif(abs(excluded.hour_began_at - hour_began_at) < 3600000000, asks_in_hour + 1, 1),
            hour_began_at =
                iif(abs(excluded.hour_began_at - hour_began_at) < 3600000000, hour_began_at, excluded.hour_began_at);
END;
CREATE TRIGGER usage_of_changed AFTER UPDATE OF kept_bytes ON ask
    WHEN new.account IS NOT NULL AND new.kept_bytes <> old.kept_bytes BEGIN
    UPDATE account_usage SET kept_bytes = kept_bytes + new.kept_bytes - old.kept_bytes WHERE account = new.account;
END;
CREATE TRIGGER usage_of_deleted AFTER DELETE ON ask WHEN old.account IS NOT NULL BEGIN
    UPDATE account_usage SET kept_bytes = kept_bytes - old.kept_bytes WHERE account = old.account;
END;
CREATE TRIGGER kept_of_rendering AFTER INSERT ON rendering BEGIN
    UPDATE ask SET kept_bytes = kept_bytes + octet_length(new.body) WHERE seq = new.seq;
END;
-- Cancelled asks that no one saw and that still have their questions, by age and by account.
CREATE INDEX ask_unseen ON ask (changed_at) WHERE state = 'cancelled' AND seen = 0 AND emptied = 0;
CREATE INDEX ask_unseen_of ON ask (account) WHERE state = 'cancelled' AND seen = 0 AND emptied = 0;
-- How many asks are open or submitted. Triggers keep it, so that no way of writing an ask leaves it out.
INSERT INTO chore VALUES ('pending', (SELECT count(*) FROM ask WHERE pending IS NOT NULL));
CREATE TRIGGER pending_of_new AFTER INSERT ON ask WHEN new.pending IS NOT NULL BEGIN
    UPDATE chore SET value = value + 1 WHERE name = 'pending';
END;
CREATE TRIGGER pending_of_changed AFTER UPDATE OF pending ON ask
    WHEN (new.pending IS NULL) <> (old.pending IS NULL) BEGIN
    UPDATE chore SET value = value + (new.pending IS NOT NULL) - (old.pending IS NOT NULL) WHERE name = 'pending';
END;
CREATE TRIGGER pending_of_deleted AFTER DELETE ON ask WHEN old.pending IS NOT NULL BEGIN
    UPDATE chore SET value = value - 1 WHERE name = 'pending';
END;
-- What makes two asks share a draft: a person who left one without an answer goes on with it in the next.
ALTER TABLE ask ADD COLUMN draft_key BLOB;
-- The ended asks that decide what the next one of their kind begins with: a draft that was left, or an answer since.
CREATE INDEX ask_draft_key ON ask (draft_key)
    WHERE draft_key IS NOT NULL AND pending IS NULL AND (state = 'answered' OR draft_rev > 0);
-- The program that asked, as a guess for people: of askers without a name.
ALTER TABLE ask ADD COLUMN program TEXT;
