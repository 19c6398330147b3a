-- The service whose user has a session, and when the session ends whatever it does; NULL for one that lasts while it is
-- used.
ALTER TABLE session ADD COLUMN service TEXT;
ALTER TABLE session ADD COLUMN expires_at INTEGER;
CREATE INDEX session_service ON session (service, account) WHERE service IS NOT NULL;
-- Of a link that lets in a service's user at once, in the state 'entry': the lifetime of the session.
ALTER TABLE login_link ADD COLUMN session_seconds INTEGER;
CREATE TABLE service_usage (
    service       TEXT PRIMARY KEY,
    -- when the hour began in which logins are counted
    hour_began_at INTEGER NOT NULL,
    logins        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
