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

-- What was said in a thread, in its order.
CREATE TABLE said (
    n         INTEGER PRIMARY KEY,
    thread    TEXT NOT NULL REFERENCES thread ON DELETE CASCADE,
    by_person INTEGER NOT NULL,
    content   TEXT NOT NULL
) STRICT;
CREATE INDEX said_thread ON said (thread);

-- What an agent does about one message.
CREATE TABLE turn (
    n       INTEGER PRIMARY KEY,
    thread  TEXT NOT NULL REFERENCES thread ON DELETE CASCADE,
    -- the message
    said    INTEGER NOT NULL,
    -- what shows that it is with an agent, and with which of its processes
    holder  TEXT,
    worker  TEXT,
    -- 1 until it has ended
    pending INTEGER
) STRICT;
CREATE INDEX turn_thread ON turn (thread);
CREATE INDEX turn_pending ON turn (pending) WHERE pending IS NOT NULL;

-- What an agent asked in a turn, in its order.
CREATE TABLE interrupt (
    n    INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
    ask  BLOB NOT NULL,
    UNIQUE (turn, ask)
) STRICT;
