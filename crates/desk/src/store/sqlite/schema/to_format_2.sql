-- Whose token it was asked with, at a desk on the network.
ALTER TABLE ask ADD COLUMN account TEXT;
CREATE INDEX ask_account ON ask (account, pending) WHERE account IS NOT NULL;
-- The first desks of format 1 had none.
CREATE INDEX IF NOT EXISTS ask_waiting ON ask (asker) WHERE delivered = 0 AND pending IS NULL;

-- Who may come in over the network. A token is shown once; its hash is kept.
CREATE TABLE token (
    id         TEXT PRIMARY KEY,
    hash       BLOB NOT NULL UNIQUE,
    role       TEXT NOT NULL,
    account    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

-- The last change that is forgotten, and a number that tells this desk from others.
INSERT INTO chore VALUES ('forgotten', (SELECT coalesce(max(n), 0) FROM change)), ('desk', random());
