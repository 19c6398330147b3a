CREATE TABLE thread (
    id         TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    agent      TEXT,
    title      TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_owner ON thread (owner, changed_at);
CREATE TABLE said (
    n         INTEGER PRIMARY KEY,
    thread    TEXT NOT NULL REFERENCES thread ON DELETE CASCADE,
    by_person INTEGER NOT NULL,
    content   TEXT NOT NULL
) STRICT;
CREATE INDEX said_thread ON said (thread);
CREATE TABLE turn (
    n      INTEGER PRIMARY KEY,
    thread TEXT NOT NULL REFERENCES thread ON DELETE CASCADE,
    said   INTEGER NOT NULL,
    holder TEXT,
    worker TEXT,
    pending INTEGER
) STRICT;
CREATE INDEX turn_thread ON turn (thread);
CREATE INDEX turn_pending ON turn (pending) WHERE pending IS NOT NULL;
CREATE TABLE interrupt (
    n    INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
    ask  BLOB NOT NULL,
    UNIQUE (turn, ask)
) STRICT;
