-- Browsers that are signed in, each under the hash of its cookie.
CREATE TABLE session (
    id           TEXT PRIMARY KEY,
    hash         BLOB NOT NULL UNIQUE,
    account      TEXT NOT NULL,
    -- the token that let it in: the session ends with it
    token        TEXT,
    -- public key whose private part stays in the browser
    key          BLOB NOT NULL,
    -- what the browser calls itself
    agent        TEXT,
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Codes that a person types, by their first letters: wrong tries count against one code.
CREATE TABLE login_code (
    prefix      INTEGER PRIMARY KEY,
    hash        BLOB NOT NULL,
    account     TEXT NOT NULL,
    expires_at  INTEGER NOT NULL,
    wrong_tries INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Links by which a signed-in person lets in a phone.
CREATE TABLE login_link (
    id         TEXT PRIMARY KEY,
    hash       BLOB NOT NULL UNIQUE,
    account    TEXT NOT NULL,
    token      TEXT,
    expires_at INTEGER NOT NULL,
    -- 'waiting', 'claimed', 'confirmed' or 'used'
    state      TEXT NOT NULL DEFAULT 'waiting',
    -- of the browser that opened it: hash of its claim, public key, name, and the number that it shows
    claim      BLOB UNIQUE,
    key        BLOB,
    agent      TEXT,
    number     TEXT
) STRICT, WITHOUT ROWID;
-- Addresses at which the desk is served, by process.
CREATE TABLE served (
    pid     INTEGER NOT NULL,
    started INTEGER NOT NULL,
    url     TEXT NOT NULL,
    PRIMARY KEY (pid, started)
) STRICT, WITHOUT ROWID;
