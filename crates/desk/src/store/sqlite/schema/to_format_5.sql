-- What a person's program calls a message, so that it is heard once however often it is sent.
ALTER TABLE turn ADD COLUMN key TEXT;
CREATE UNIQUE INDEX turn_key ON turn (thread, key) WHERE key IS NOT NULL;
