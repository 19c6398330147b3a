-- What lists show of an ask, and where it stands. The request is beside it, because a change of state rewrites the row.
CREATE TABLE ask (
    seq        INTEGER PRIMARY KEY,
    id         BLOB NOT NULL UNIQUE,
    state      TEXT NOT NULL,
    -- 1 while the ask is open or submitted
    pending    INTEGER,
    -- what makes two requests the same, while asking again finds this one
    content    BLOB,
    -- when it changes by itself, in microseconds since 1970 as all times here
    due_at     INTEGER,
    title      TEXT NOT NULL,
    asker      TEXT NOT NULL,
    folder     TEXT,
    dialect    TEXT NOT NULL,
    questions  INTEGER NOT NULL,
    answered   INTEGER NOT NULL DEFAULT 0,
    draft_rev  INTEGER NOT NULL DEFAULT 0,
    seen       INTEGER NOT NULL,
    delivered  INTEGER NOT NULL,
    attached   INTEGER NOT NULL,
    pid        INTEGER,
    started    INTEGER,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    status     TEXT NOT NULL
) STRICT;
CREATE INDEX ask_pending ON ask (pending) WHERE pending IS NOT NULL;
CREATE INDEX ask_content ON ask (content) WHERE content IS NOT NULL;
-- answers that somebody has yet to come for
CREATE INDEX ask_waiting ON ask (asker) WHERE delivered = 0 AND pending IS NULL;
CREATE INDEX ask_due ON ask (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE request (
    seq  INTEGER PRIMARY KEY REFERENCES ask ON DELETE CASCADE,
    body TEXT NOT NULL
) STRICT;

-- The change log, for those who watch: what happened, never the text of a draft.
CREATE TABLE change (
    n      INTEGER PRIMARY KEY,
    seq    INTEGER NOT NULL,
    id     BLOB NOT NULL,
    at     INTEGER NOT NULL,
    events TEXT NOT NULL
) STRICT;

CREATE TABLE draft (
    seq      INTEGER NOT NULL REFERENCES ask ON DELETE CASCADE,
    question TEXT NOT NULL,
    reply    TEXT NOT NULL,
    answered INTEGER NOT NULL,
    rev      INTEGER NOT NULL,
    by       TEXT NOT NULL,
    -- 1 where a program gave it, not a person
    scripted INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (seq, question)
) STRICT, WITHOUT ROWID;

-- Idempotency keys: who used it, for what, on which ask.
CREATE TABLE key (
    owner   TEXT NOT NULL,
    key     TEXT NOT NULL,
    request BLOB NOT NULL,
    seq     INTEGER NOT NULL REFERENCES ask ON DELETE CASCADE,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

-- Outcomes as their askers got them, written once.
CREATE TABLE rendering (
    seq  INTEGER NOT NULL REFERENCES ask ON DELETE CASCADE,
    form TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (seq, form)
) STRICT, WITHOUT ROWID;

-- What is left of an ask that was purged.
CREATE TABLE tombstone (
    id         BLOB PRIMARY KEY,
    outcome    TEXT NOT NULL,
    digest     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    settled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Filled when somebody searches, up to the last ask, so that asking does not pay for it.
CREATE VIRTUAL TABLE search USING fts5 (words, content='', contentless_delete=1, tokenize='trigram');

-- How far the chores are: the last ask in the search index, and when old asks were last purged.
CREATE TABLE chore (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO chore VALUES ('indexed', 0), ('purged', 0);
