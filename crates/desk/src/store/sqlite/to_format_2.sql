ALTER TABLE ask ADD COLUMN account TEXT;
CREATE INDEX ask_account ON ask (account, pending) WHERE account IS NOT NULL;
CREATE INDEX IF NOT EXISTS ask_waiting ON ask (asker) WHERE delivered = 0 AND pending IS NULL;
CREATE TABLE token (
    id         TEXT PRIMARY KEY,
    hash       BLOB NOT NULL UNIQUE,
    role       TEXT NOT NULL,
    account    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO chore VALUES ('forgotten', (SELECT coalesce(max(n), 0) FROM change)), ('desk', random());
