-- Act that an ask wants permission for, as JSON: a list names it. NULL without an action, and in asks of older versions.
ALTER TABLE ask ADD COLUMN act TEXT;
-- 1 if the answer gives the consent that was asked for, 0 if it refuses it.
ALTER TABLE ask ADD COLUMN approved INTEGER;
