-- The key that seals what MCP hosts carry between two rounds of a call: all nodes share it. Each half has 122 random bits.
ALTER TABLE desk ADD COLUMN seal_key bytea;
UPDATE desk SET seal_key = decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
