-- Service whose user has a session, and the end of the session whatever it does; NULL for one that lasts while it is used.
ALTER TABLE session ADD COLUMN service text;
ALTER TABLE session ADD COLUMN expires_at bigint;
CREATE INDEX session_service ON session (service, account) WHERE service IS NOT NULL;
-- Of a link that lets in a service's user at once, in the state 'entry': the lifetime of the session.
ALTER TABLE login_link ADD COLUMN session_seconds bigint;
CREATE TABLE service_usage (
    service       text PRIMARY KEY,
    -- begin of the hour in which logins are counted
    hour_began_at bigint NOT NULL,
    logins        bigint NOT NULL
);
