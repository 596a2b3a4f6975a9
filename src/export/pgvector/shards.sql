-- On the server that asks the others: items of @shards@ shards by postgres_fdw.
-- Run schema.sql and load.N.sql on shard N, from 0. Here run schema.sql, then
--   psql -v hosts=HOST0,HOST1 -v ports=PORT0,PORT1 -v database=DB \
--        -v user=USER -f shards.sql
-- Passwords belong in ~/.pgpass or in ALTER USER MAPPING.
\set ON_ERROR_STOP on
BEGIN;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
CREATE TEMP TABLE settings ON COMMIT DROP AS
    SELECT string_to_array(:'hosts', ',') AS hosts,
        string_to_array(:'ports', ',') AS ports, :'database' AS database,
        :'user' AS remote;
DO $make$
DECLARE s record; k integer;
BEGIN
    SELECT * INTO s FROM settings;
    FOR k IN 0 .. @last@ LOOP
        EXECUTE format('CREATE SERVER %I FOREIGN DATA WRAPPER postgres_fdw '
            'OPTIONS (host %L, port %L, dbname %L, extensions ''vector'')',
            '@schema@_' || k, s.hosts[k + 1], s.ports[k + 1], s.database);
        EXECUTE format('CREATE USER MAPPING FOR CURRENT_USER SERVER %I '
            'OPTIONS (user %L)', '@schema@_' || k, s.remote);
        EXECUTE format('CREATE FOREIGN TABLE @schema@.%I (id bigint NOT NULL, '
            'name text NOT NULL, embedding @type@ NOT NULL) SERVER %I '
            'OPTIONS (schema_name ''@schema@'', table_name ''items'')',
            'items_' || k, '@schema@_' || k);
    END LOOP;
END
$make$;
%known%\copy @schema@.features FROM 'features.csv' WITH (FORMAT csv, HEADER)

-- The best of each shard, and of these the best.
CREATE OR REPLACE FUNCTION @schema@.search(query @plain@, top integer DEFAULT 10)
RETURNS TABLE (id bigint, name text, score double precision)
LANGUAGE plpgsql STABLE AS $search$
BEGIN
    RETURN QUERY SELECT i.id, i.name, @score@ FROM (
@union@
    ) i ORDER BY i.embedding @op@ query, i.id LIMIT top;
END
$search$;
COMMIT;
