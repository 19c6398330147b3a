-- Accounts and groups that may see and answer an ask, as JSON; NULL for the usual audience of the desk.
ALTER TABLE ask ADD COLUMN audience TEXT;
CREATE INDEX ask_audience ON ask (audience, pending) WHERE audience IS NOT NULL;
ALTER TABLE tombstone ADD COLUMN audience TEXT;
-- The audiences that have an account or a group, by its key. They stay: asks to come may have them too.
CREATE TABLE audience_key (
    key      TEXT NOT NULL,
    audience TEXT NOT NULL,
    PRIMARY KEY (key, audience)
) STRICT, WITHOUT ROWID;
-- Groups of accounts, as an admin names them.
CREATE TABLE group_member (
    account    TEXT NOT NULL,
    -- the group
    name       TEXT NOT NULL,
    PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_member_name ON group_member (name);
-- The audience of a token's asks, and those that it may name, as JSON.
ALTER TABLE token ADD COLUMN audience TEXT;
