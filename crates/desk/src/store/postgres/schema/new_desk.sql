-- A desk of this format. A change of it raises `FORMAT`.

-- The one row of the desk. Each write transaction locks it, so that the nodes write one after another.
CREATE TABLE desk (
    single      boolean PRIMARY KEY DEFAULT true CHECK (single),
    format      bigint NOT NULL,
    -- distinguishes this desk from others
    id          bigint NOT NULL,
    -- numbers of the last change, and of the last row of an ask, a message or a turn
    last_change bigint NOT NULL DEFAULT 0,
    last_row    bigint NOT NULL DEFAULT 0,
    -- asks that are open or submitted
    pending     bigint NOT NULL DEFAULT 0,
    -- the last change that was deleted
    forgotten   bigint NOT NULL DEFAULT 0,
    -- end of the last purge, in microseconds since 1970 as all times here, and the step of the one that runs
    purged_at   bigint NOT NULL DEFAULT 0,
    purge_stage bigint NOT NULL DEFAULT 0,
    purge_after bigint NOT NULL DEFAULT 0,
    -- of a desk that takes no writes: it has moved, or it is a copy that is not complete
    mark        text,
    -- seals what MCP hosts carry between two rounds of a call: all nodes share it. Each half has 122 random bits
    seal_key    bytea DEFAULT decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
);

-- Columns of lists, and the state of each ask. The request is in a table of its own, because a change of state rewrites
-- the row.
CREATE TABLE ask (
    seq        bigint PRIMARY KEY,
    id         bytea NOT NULL UNIQUE,
    state      text NOT NULL,
    pending    boolean NOT NULL,
    -- digest that makes two requests the same, while asking again finds this one
    content    bytea,
    -- deadline by which it changes without a request
    due_at     bigint,
    title      text NOT NULL,
    asker      text NOT NULL,
    account    text,
    folder     text,
    program    text,
    dialect    text NOT NULL,
    questions  bigint NOT NULL,
    asked      bigint,
    answered   bigint NOT NULL DEFAULT 0,
    draft_rev  bigint NOT NULL DEFAULT 0,
    draft_key  bytea,
    seen       boolean NOT NULL,
    delivered  boolean NOT NULL,
    attached   boolean NOT NULL,
    pid        bigint,
    started    bigint,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    status     text NOT NULL,
    kept_bytes bigint NOT NULL,
    -- accounts and groups that may see and answer it, as JSON and by their keys; NULL for the usual audience of the desk
    audience   text,
    readers    text[],
    -- act that it wants permission for, as JSON: a list names it; NULL without an action
    act        text,
    -- of an answered request for consent: true if every yes was given
    approved   boolean,
    -- true once the questions of an ask that no person saw were deleted
    emptied    boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80);
CREATE INDEX ask_pending ON ask (seq) WHERE pending;
CREATE INDEX ask_ended ON ask (seq) WHERE NOT pending;
-- Asks for the usual audience: a person's list joins them with those that name their readers.
CREATE INDEX ask_usual_pending ON ask (seq) WHERE readers IS NULL AND pending;
CREATE INDEX ask_usual_ended ON ask (seq) WHERE readers IS NULL AND NOT pending;
CREATE INDEX ask_content ON ask (content) WHERE content IS NOT NULL;
CREATE INDEX ask_due ON ask (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ask_account ON ask (account, pending, seq) WHERE account IS NOT NULL;
CREATE INDEX ask_asker ON ask (asker, pending, seq);
CREATE INDEX ask_draft_key ON ask (draft_key, seq) WHERE draft_key IS NOT NULL AND NOT pending;
CREATE INDEX ask_unseen ON ask (changed_at) WHERE state = 'cancelled' AND NOT seen AND NOT emptied;
CREATE INDEX ask_readers ON ask USING gin (readers) WHERE readers IS NOT NULL;
CREATE INDEX ask_short_id ON ask (substr(encode(id, 'hex'), 25) text_pattern_ops);

CREATE TABLE request (
    seq  bigint PRIMARY KEY REFERENCES ask ON DELETE CASCADE,
    body text NOT NULL
);

-- Words of each ask in lower case.
CREATE TABLE search (
    seq   bigint PRIMARY KEY REFERENCES ask ON DELETE CASCADE,
    words text NOT NULL
);

-- Change log for watchers: the events, never the text of a draft.
CREATE TABLE change (
    n      bigint PRIMARY KEY,
    id     bytea NOT NULL,
    at     bigint NOT NULL,
    events text NOT NULL
);
CREATE INDEX change_ask ON change (id, n);

CREATE TABLE draft (
    seq      bigint NOT NULL REFERENCES ask ON DELETE CASCADE,
    question text NOT NULL,
    reply    text NOT NULL,
    answered boolean NOT NULL,
    rev      bigint NOT NULL,
    by       text NOT NULL,
    -- true if a program gave it, not a person
    scripted boolean NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (seq, question)
);

-- Idempotency keys: the owner, the request and the ask of each.
CREATE TABLE key (
    owner   text NOT NULL,
    key     text NOT NULL,
    request bytea NOT NULL,
    seq     bigint NOT NULL REFERENCES ask ON DELETE CASCADE,
    PRIMARY KEY (owner, key)
);
CREATE INDEX key_ask ON key (seq);

-- Outcomes as their askers got them, written once.
CREATE TABLE rendering (
    seq  bigint NOT NULL REFERENCES ask ON DELETE CASCADE,
    form text NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (seq, form)
);

-- Submissions to an ask that had ended, in their order.
CREATE TABLE late (
    n    bigint PRIMARY KEY,
    seq  bigint NOT NULL REFERENCES ask ON DELETE CASCADE,
    body text NOT NULL
);
CREATE INDEX late_ask ON late (seq);

-- Remains of purged asks.
CREATE TABLE tombstone (
    id         bytea PRIMARY KEY,
    outcome    text NOT NULL,
    audience   text,
    created_at bigint NOT NULL,
    settled_at bigint NOT NULL
);
CREATE INDEX tombstone_settled ON tombstone (settled_at);

-- Usage of each account. Triggers keep it, so that no way of writing an ask leaves it out.
CREATE TABLE account_usage (
    account       text PRIMARY KEY,
    kept_bytes    bigint NOT NULL,
    -- begin of the hour in which asks are counted
    hour_began_at bigint NOT NULL,
    asks_in_hour  bigint NOT NULL
);
CREATE FUNCTION count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO account_usage AS usage VALUES (new.account, new.kept_bytes, new.created_at, 1)
        ON CONFLICT (account) DO UPDATE SET
            kept_bytes = usage.kept_bytes + excluded.kept_bytes,
            asks_in_hour = CASE WHEN abs(excluded.hour_began_at - usage.hour_began_at) < 3600000000
                THEN usage.asks_in_hour + 1 ELSE 1 END,
            hour_began_at = CASE WHEN abs(excluded.hour_began_at - usage.hour_began_at) < 3600000000
                THEN usage.hour_began_at ELSE excluded.hour_began_at END;
    ELSIF TG_OP = 'UPDATE' THEN
        UPDATE account_usage SET kept_bytes = kept_bytes + new.kept_bytes - old.kept_bytes
        WHERE account = new.account;
    ELSE
        UPDATE account_usage SET kept_bytes = kept_bytes - old.kept_bytes WHERE account = old.account;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER usage_of_new AFTER INSERT ON ask FOR EACH ROW WHEN (new.account IS NOT NULL)
    EXECUTE FUNCTION count_usage();
CREATE TRIGGER usage_of_changed AFTER UPDATE ON ask FOR EACH ROW
    WHEN (new.account IS NOT NULL AND new.kept_bytes <> old.kept_bytes) EXECUTE FUNCTION count_usage();
CREATE TRIGGER usage_of_deleted AFTER DELETE ON ask FOR EACH ROW WHEN (old.account IS NOT NULL)
    EXECUTE FUNCTION count_usage();

-- Tokens for the network. A token is shown once; its hash is kept.
CREATE TABLE token (
    id         text PRIMARY KEY,
    hash       bytea NOT NULL UNIQUE,
    role       text NOT NULL,
    account    text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    -- audience of its asks, and those that it may name, as JSON
    audience   text
);

-- Groups of accounts, as an admin names them.
CREATE TABLE group_member (
    account text NOT NULL,
    -- the group
    name    text NOT NULL,
    PRIMARY KEY (account, name)
);
CREATE INDEX group_member_name ON group_member (name);

-- Signed-in browsers, each under the hash of its cookie.
CREATE TABLE session (
    id           text PRIMARY KEY,
    hash         bytea NOT NULL UNIQUE,
    account      text NOT NULL,
    -- the token that started it: the session ends with it
    token        text,
    -- public key whose private part stays in the browser; empty for a browser without one
    key          bytea NOT NULL,
    -- name that the browser gives itself
    agent        text,
    created_at   bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    -- service whose user has it, and its end whatever it does; NULL for one that lasts while it is used
    service      text,
    expires_at   bigint
);
CREATE INDEX session_service ON session (service, account) WHERE service IS NOT NULL;
-- Codes that a person types, by their first letters: wrong tries count against one code.
CREATE TABLE login_code (
    prefix      bigint PRIMARY KEY,
    hash        bytea NOT NULL,
    account     text NOT NULL,
    expires_at  bigint NOT NULL,
    wrong_tries bigint NOT NULL DEFAULT 0
);
-- Links by which a signed-in person lets in a phone.
CREATE TABLE login_link (
    id              text PRIMARY KEY,
    hash            bytea NOT NULL UNIQUE,
    account         text NOT NULL,
    token           text,
    expires_at      bigint NOT NULL,
    -- 'waiting', 'claimed', 'confirmed' or 'used'
    state           text NOT NULL DEFAULT 'waiting',
    -- of the browser that opened it: hash of its claim, public key, name, and the number that it shows
    claim           bytea UNIQUE,
    key             bytea,
    agent           text,
    number          text,
    -- of a link that lets in a service's user at once, in the state 'entry': the lifetime of the session
    session_seconds bigint
);
-- Usage of each service.
CREATE TABLE service_usage (
    service       text PRIMARY KEY,
    -- begin of the hour in which logins are counted
    hour_began_at bigint NOT NULL,
    logins        bigint NOT NULL
);
-- Addresses at which the desk is served, by process.
CREATE TABLE served (
    pid     bigint NOT NULL,
    started bigint NOT NULL,
    url     text NOT NULL,
    PRIMARY KEY (pid, started)
);

-- Conversations of a person with an agent.
CREATE TABLE thread (
    id         text PRIMARY KEY,
    -- account of the person
    owner      text NOT NULL,
    -- account of the agent, once there is one
    agent      text,
    title      bytea,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL
);
CREATE INDEX thread_owner ON thread (owner, changed_at);

-- Messages of a thread, in their order. A text column could not hold every message: PostgreSQL refuses the NUL.
CREATE TABLE message (
    n         bigint PRIMARY KEY,
    thread    text NOT NULL REFERENCES thread ON DELETE CASCADE,
    by_person boolean NOT NULL,
    content   bytea NOT NULL
);
CREATE INDEX message_thread ON message (thread, n);

-- Work of an agent on one message.
CREATE TABLE turn (
    n             bigint PRIMARY KEY,
    thread        text NOT NULL REFERENCES thread ON DELETE CASCADE,
    message       bigint NOT NULL,
    -- proof that it is with an agent, and the process of the agent
    holder        text,
    worker        text,
    pending       boolean NOT NULL,
    -- name that a person's program gives the message, so that it counts once however often it is sent
    key           text,
    -- silence after which the turn is given to another process, and how often it was given out since it made progress
    lease_seconds bigint,
    attempts      bigint NOT NULL DEFAULT 0
);
CREATE INDEX turn_thread ON turn (thread);
CREATE INDEX turn_pending ON turn (n) WHERE pending;
CREATE UNIQUE INDEX turn_key ON turn (thread, key) WHERE key IS NOT NULL;

-- Asks of a turn, in their order.
CREATE TABLE interrupt (
    n    bigint PRIMARY KEY,
    turn bigint NOT NULL REFERENCES turn ON DELETE CASCADE,
    ask  bytea NOT NULL,
    UNIQUE (turn, ask)
);

-- Events of a thread besides its messages, in their order: asks of its agent, and tools that ran.
CREATE TABLE thread_event (
    n       bigint PRIMARY KEY,
    thread  text NOT NULL REFERENCES thread ON DELETE CASCADE,
    -- the last message before it
    message bigint NOT NULL,
    -- 'question', 'approval', 'tool_start' or 'tool_end'
    kind    text NOT NULL,
    -- the tool that asks for permission or runs
    tool    bytea NOT NULL,
    -- of a question and an approval: its ask, and true for the first one of a request
    ask     bytea,
    opens   boolean NOT NULL
);
CREATE INDEX thread_event_thread ON thread_event (thread, n);

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
CREATE INDEX turn_log_turn ON turn_log (turn);
