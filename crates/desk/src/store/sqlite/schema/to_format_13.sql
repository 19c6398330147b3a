-- What happened in turns that have not ended: a server that starts makes their streams from it.
CREATE TABLE turn_log (
    -- grows with the numbers of turns: no row of a turn is before the turn
    n    INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    -- NULL in rows that were made from those of older versions
    sum  INTEGER
) STRICT;
CREATE INDEX turn_log_turn ON turn_log (turn);
INSERT INTO turn_log (n, turn, kind, body) SELECT n, n, 'posted', x'' FROM turn WHERE pending IS NOT NULL;
INSERT INTO turn_log (n, turn, kind, body)
    SELECT (SELECT max(n) FROM turn) + row_number() OVER (ORDER BY turn, part, at), turn, kind, body FROM (
        SELECT n AS turn, 1 AS part, 0 AS at, 'claimed' AS kind, x'' AS body FROM turn
            WHERE pending IS NOT NULL AND holder IS NOT NULL
        UNION ALL
        SELECT turn, 2, interrupt.n, 'asked', ask FROM interrupt JOIN turn ON turn.n = turn WHERE pending IS NOT NULL
    );
