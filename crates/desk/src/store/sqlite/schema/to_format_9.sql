-- What happened in a thread besides its messages, in its order: what its agent asked, and the tools that ran.
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
-- How long an agent may say nothing before its turn is another's, and how often the turn was given out since it got on.
ALTER TABLE turn ADD COLUMN lease_seconds INTEGER;
ALTER TABLE turn ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
-- The search index has the accounts of asks from now on: the next search makes it anew.
DELETE FROM search;
UPDATE chore SET value = 0 WHERE name = 'indexed';
