-- A desk of this format. A change of it raises `FORMAT`.

-- Columns of lists, and the state of each ask. The request is in a table of its own, because a change of state rewrites
-- the row. A checksum (`sum`) has the id of its ask or thread in it.
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
    status     TEXT NOT NULL,
    -- account of the token that it was asked with, at a desk on the network
    account    TEXT,
    -- questions that are asked as the draft or the answer says
    asked      INTEGER,
    -- checksums: of what never changes in the row, of its state, its status and the progress of its draft
    fixed_sum  INTEGER,
    state_sum  INTEGER,
    status_sum INTEGER,
    draft_sum  INTEGER,
    -- bytes of the request, the state and the rendered outcomes, and 1,024 for the rows and indexes around them
    kept_bytes INTEGER NOT NULL DEFAULT 0,
    -- 1 once the questions of an ask that no person saw were deleted
    emptied    INTEGER NOT NULL DEFAULT 0,
    -- digest that makes two asks share a draft: a person goes on in the next with what was left in one
    draft_key  BLOB,
    -- program of an asker without a name, as a guess for people
    program    TEXT,
    -- accounts and groups that may see and answer it, as JSON; NULL for the usual audience of the desk
    audience   TEXT,
    -- act that it wants permission for, as JSON: a list names it; NULL without an action
    act        TEXT,
    -- of an answered request for consent: 1 if every yes was given
    approved   INTEGER
) STRICT;
CREATE INDEX ask_pending ON ask (pending) WHERE pending IS NOT NULL;
CREATE INDEX ask_content ON ask (content) WHERE content IS NOT NULL;
CREATE INDEX ask_waiting ON ask (asker) WHERE delivered = 0 AND pending IS NULL;
CREATE INDEX ask_due ON ask (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ask_account ON ask (account, pending) WHERE account IS NOT NULL;
CREATE INDEX ask_unseen ON ask (changed_at) WHERE state = 'cancelled' AND seen = 0 AND emptied = 0;
CREATE INDEX ask_unseen_of ON ask (account) WHERE state = 'cancelled' AND seen = 0 AND emptied = 0;
CREATE INDEX ask_draft_key ON ask (draft_key)
    WHERE draft_key IS NOT NULL AND pending IS NULL AND (state = 'answered' OR draft_rev > 0);
CREATE INDEX ask_audience ON ask (audience, pending) WHERE audience IS NOT NULL;

CREATE TABLE request (
    seq  INTEGER PRIMARY KEY REFERENCES ask ON DELETE CASCADE,
    body TEXT NOT NULL,
    sum  INTEGER
) STRICT;

-- Change log for watchers: the events, never the text of a draft.
CREATE TABLE change (
    n      INTEGER PRIMARY KEY,
    seq    INTEGER NOT NULL,
    id     BLOB NOT NULL,
    at     INTEGER NOT NULL,
    events TEXT NOT NULL,
    sum    INTEGER
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
    sum      INTEGER,
    PRIMARY KEY (seq, question)
) STRICT, WITHOUT ROWID;

-- Idempotency keys: the owner, the request and the ask of each.
CREATE TABLE key (
    owner   TEXT NOT NULL,
    key     TEXT NOT NULL,
    request BLOB NOT NULL,
    seq     INTEGER NOT NULL REFERENCES ask ON DELETE CASCADE,
    sum     INTEGER,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_ask ON key (seq);

-- Outcomes as their askers got them, written once.
CREATE TABLE rendering (
    seq  INTEGER NOT NULL REFERENCES ask ON DELETE CASCADE,
    form TEXT NOT NULL,
    body BLOB NOT NULL,
    sum  INTEGER,
    PRIMARY KEY (seq, form)
) STRICT, WITHOUT ROWID;

-- Remains of purged asks.
CREATE TABLE tombstone (
    id         BLOB PRIMARY KEY,
    outcome    TEXT NOT NULL,
    digest     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    audience   TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_settled ON tombstone (settled_at);

-- Words of each ask.
CREATE VIRTUAL TABLE search USING fts5 (words, content='', contentless_delete=1, tokenize='trigram');

-- Numbers of the desk: its own, the last change that was deleted, asks that are open or submitted,
-- the end of the last purge, the step of the one that runs, and commits that left nothing in the change log.
CREATE TABLE chore (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO chore VALUES ('desk', random()), ('forgotten', 0), ('pending', 0), ('purged', 0),
    ('purge_stage', 0), ('purge_after', 0), ('unlogged', 0);
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

-- Tokens for the network. A token is shown once; its hash is kept.
CREATE TABLE token (
    id         TEXT PRIMARY KEY,
    hash       BLOB NOT NULL UNIQUE,
    role       TEXT NOT NULL,
    account    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- audience of its asks, and those that it may name, as JSON
    audience   TEXT
) STRICT, WITHOUT ROWID;

-- Conversations of a person with an agent.
CREATE TABLE thread (
    id         TEXT PRIMARY KEY,
    -- the account of the person
    owner      TEXT NOT NULL,
    -- the account of the agent, once there is one
    agent      TEXT,
    title      TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_owner ON thread (owner, changed_at);

-- Messages of a thread, in their order.
CREATE TABLE said (
    n         INTEGER PRIMARY KEY,
    thread    TEXT NOT NULL REFERENCES thread ON DELETE CASCADE,
    by_person INTEGER NOT NULL,
    content   TEXT NOT NULL,
    sum       INTEGER
) STRICT;
CREATE INDEX said_thread ON said (thread);

-- Work of an agent on one message.
CREATE TABLE turn (
    n             INTEGER PRIMARY KEY,
    thread        TEXT NOT NULL REFERENCES thread ON DELETE CASCADE,
    -- the message
    said          INTEGER NOT NULL,
    -- what shows that it is with an agent, and with which of its processes
    holder        TEXT,
    worker        TEXT,
    -- 1 until it has ended
    pending       INTEGER,
    -- name that a person's program gives the message, so that it counts once however often it is sent
    key           TEXT,
    -- silence after which the turn is given to another process, and how often it was given out since it made progress
    lease_seconds INTEGER,
    attempts      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX turn_thread ON turn (thread);
CREATE INDEX turn_pending ON turn (pending) WHERE pending IS NOT NULL;
CREATE UNIQUE INDEX turn_key ON turn (thread, key) WHERE key IS NOT NULL;

-- Asks of a turn, in their order.
CREATE TABLE interrupt (
    n    INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
    ask  BLOB NOT NULL,
    UNIQUE (turn, ask)
) STRICT;

-- Submissions to an ask that had ended, in their order.
CREATE TABLE late (
    n    INTEGER PRIMARY KEY,
    seq  INTEGER NOT NULL REFERENCES ask ON DELETE CASCADE,
    body TEXT NOT NULL,
    sum  INTEGER
) STRICT;
CREATE INDEX late_ask ON late (seq);

-- Usage of each account. Triggers keep it, so that no way of writing an ask leaves it out.
CREATE TABLE account_usage (
    account       TEXT PRIMARY KEY,
    kept_bytes    INTEGER NOT NULL,
    -- when the hour began in which asks are counted
    hour_began_at INTEGER NOT NULL,
    asks_in_hour  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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

-- Events of a thread besides its messages, in their order: asks of its agent, and tools that ran.
CREATE TABLE thread_event (
    n      INTEGER PRIMARY KEY,
    thread TEXT NOT NULL REFERENCES thread ON DELETE CASCADE,
    -- the last message before it
    said   INTEGER NOT NULL,
    -- 'question', 'approval', 'tool_start' or 'tool_end'
    kind   TEXT NOT NULL,
    -- the tool that is asked for or runs
    tool   TEXT NOT NULL,
    -- of a question and an approval: its ask, and 1 for the first one of a request
    ask    BLOB,
    opens  INTEGER NOT NULL,
    sum    INTEGER NOT NULL
) STRICT;
CREATE INDEX thread_event_thread ON thread_event (thread);

-- Signed-in browsers, each under the hash of its cookie.
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
    last_seen_at INTEGER NOT NULL,
    -- service whose user has it, and its end whatever it does; NULL for one that lasts while it is used
    service      TEXT,
    expires_at   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX session_service ON session (service, account) WHERE service IS NOT NULL;

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
    id              TEXT PRIMARY KEY,
    hash            BLOB NOT NULL UNIQUE,
    account         TEXT NOT NULL,
    token           TEXT,
    expires_at      INTEGER NOT NULL,
    -- 'waiting', 'claimed', 'confirmed' or 'used'
    state           TEXT NOT NULL DEFAULT 'waiting',
    -- of the browser that opened it: hash of its claim, public key, name, and the number that it shows
    claim           BLOB UNIQUE,
    key             BLOB,
    agent           TEXT,
    number          TEXT,
    -- of a link that lets in a service's user at once, in the state 'entry': the lifetime of the session
    session_seconds INTEGER
) STRICT, WITHOUT ROWID;

-- Addresses at which the desk is served, by process.
CREATE TABLE served (
    pid     INTEGER NOT NULL,
    started INTEGER NOT NULL,
    url     TEXT NOT NULL,
    PRIMARY KEY (pid, started)
) STRICT, WITHOUT ROWID;

-- Audiences that have an account or a group, by its key. They stay: asks to come may have them too.
CREATE TABLE audience_key (
    key      TEXT NOT NULL,
    audience TEXT NOT NULL,
    PRIMARY KEY (key, audience)
) STRICT, WITHOUT ROWID;

-- Groups of accounts, as an admin names them.
CREATE TABLE group_member (
    account TEXT NOT NULL,
    -- the group
    name    TEXT NOT NULL,
    PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_member_name ON group_member (name);

CREATE TABLE service_usage (
    service       TEXT PRIMARY KEY,
    -- when the hour began in which logins are counted
    hour_began_at INTEGER NOT NULL,
    logins        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What happened in turns that have not ended: a server that starts makes their streams from it.
CREATE TABLE turn_log (
    -- grows with the numbers of turns: no row of a turn is before the turn
    n    INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    sum  INTEGER
) STRICT;
CREATE INDEX turn_log_turn ON turn_log (turn);
