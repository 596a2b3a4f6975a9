-- Changes since the earlier export, in one transaction: psql -f @file@
\set ON_ERROR_STOP on
BEGIN;
CREATE TEMP TABLE changes (LIKE @schema@.items) ON COMMIT DROP;
CREATE TEMP TABLE removed (id bigint) ON COMMIT DROP;
\copy changes FROM '@items@' WITH (FORMAT csv, HEADER)
\copy removed FROM 'removed.csv' WITH (FORMAT csv, HEADER)
DELETE FROM @schema@.items i USING removed r WHERE i.id = r.id;
INSERT INTO @schema@.items SELECT * FROM changes
ON CONFLICT (id) DO UPDATE
SET name = excluded.name, embedding = excluded.embedding;
COMMIT;
