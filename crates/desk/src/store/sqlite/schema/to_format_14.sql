-- Act that an ask wants permission for, as JSON: a list names it. NULL without an action, and in asks of older versions.
ALTER TABLE ask ADD COLUMN act TEXT;
-- Of an answered request for consent: 1 if every yes was given. NULL without an answer, and in asks of older versions.
ALTER TABLE ask ADD COLUMN approved INTEGER;
