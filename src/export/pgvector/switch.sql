-- From now on @name@.search uses @schema@. One transaction: a search sees
-- the old version or the new one.
\set ON_ERROR_STOP on
BEGIN;
CREATE SCHEMA IF NOT EXISTS @name@;
%known%CREATE OR REPLACE FUNCTION @name@.search(columns integer[],
%known%    vals double precision[], top integer DEFAULT 10)
%known%RETURNS TABLE (id bigint, name text, score double precision)
%known%LANGUAGE sql STABLE AS $search$
%known%SELECT * FROM @schema@.search(columns, vals, top)
%known%$search$;
CREATE OR REPLACE FUNCTION @name@.version() RETURNS integer
LANGUAGE sql STABLE AS 'SELECT @version@';
COMMIT;
