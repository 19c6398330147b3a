-- Act that an ask wants permission for, as JSON: a list names it. NULL without an action, and in asks of older versions.
ALTER TABLE ask ADD COLUMN act text;
-- True if the answer gives the consent that was asked for, false if it refuses it.
ALTER TABLE ask ADD COLUMN approved boolean
