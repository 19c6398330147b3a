-- Act that an ask wants permission for, as JSON: a list names it. NULL without an action, and in asks of older versions.
ALTER TABLE ask ADD COLUMN act text
