-- Asks for the usual audience: a person's list joins them with those that name their readers.
CREATE INDEX ask_usual_pending ON ask (seq) WHERE readers IS NULL AND pending;
CREATE INDEX ask_usual_ended ON ask (seq) WHERE readers IS NULL AND NOT pending;

-- Rate limits over all nodes: the time at which that of a caller has recovered. Nothing is lost with it in a crash.
CREATE UNLOGGED TABLE rate (
    caller  text PRIMARY KEY,
    full_at bigint NOT NULL
);

-- What happened in turns, in its order, for the other nodes. What happened in one that has ended is deleted after a while.
CREATE TABLE turn_log (
    n    bigint PRIMARY KEY,
    turn bigint NOT NULL,
    -- the node that wrote it
    node bigint NOT NULL,
    -- 'posted', 'claimed', 'renewed', 'published', 'asked', 'ended', 'failed' or 'deleted'
    kind text NOT NULL,
    -- the event, the ask, or the reason of a failure
    body bytea NOT NULL
);
CREATE INDEX turn_log_turn ON turn_log (turn)
