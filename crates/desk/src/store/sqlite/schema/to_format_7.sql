-- How many of the questions are asked as the draft or the answer says; what was asked before says nothing of it.
ALTER TABLE ask ADD COLUMN asked INTEGER;
