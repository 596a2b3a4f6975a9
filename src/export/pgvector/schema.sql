-- @schema@: items and the query side of a model, for PostgreSQL and pgvector.
@limits@
-- Run it in an empty schema, then load.sql; switch.sql makes it the one in use.
\set ON_ERROR_STOP on
BEGIN;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE SCHEMA @schema@;
CREATE TABLE @schema@.items (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    embedding @type@ NOT NULL
);
%known%CREATE TABLE @schema@.features (
%known%    feature integer PRIMARY KEY,
%known%    source integer NOT NULL UNIQUE,  -- the column of a raw row, from 0
%known%    idf double precision NOT NULL,
%known%    shift double precision NOT NULL,
%known%    factor double precision NOT NULL,
%known%    weight double precision NOT NULL,
%known%    axes double precision[] NOT NULL
%known%);

%known%-- The vector of a raw row: its columns, from 0, and their values.
%known%CREATE FUNCTION @schema@.query(columns integer[], vals double precision[])
%known%RETURNS @type@ LANGUAGE sql STABLE PARALLEL SAFE AS $query$
%known%WITH raw AS (
%known%    SELECT f.feature, r.val
%known%    FROM unnest(columns, vals) AS r(col, val)
%known%    JOIN @schema@.features f ON f.source = r.col
%known%    WHERE r.val <> 0
%known%),
%sum%total AS (SELECT sum(val) AS s FROM raw),
%known%weighted AS (
%known%    SELECT f.feature, f.weight,
%known%        (@g@ * f.idf - f.shift) * f.factor AS z
%sparse_row%    FROM raw r JOIN @schema@.features f USING (feature)
%full_row%    FROM @schema@.features f LEFT JOIN raw r USING (feature)
%sum%    CROSS JOIN total
%known%),
%unit%size AS (
%unit%    SELECT @global@ / CASE WHEN sum(z * z) > 0 THEN sqrt(sum(z * z)) ELSE 1 END
%unit%        AS by
%unit%    FROM weighted
%unit%),
%not_unit%size AS (SELECT @global@ AS by),
%known%prepared AS (
%known%    SELECT w.feature, w.weight, w.z * size.by AS z FROM weighted w, size
%known%    WHERE w.z <> 0
%known%),
%axes%moved AS (
%axes%    SELECT a.axis, sum(p.z * a.x) AS x
%axes%    FROM prepared p JOIN @schema@.features f USING (feature)
%axes%    CROSS JOIN unnest(f.axes) WITH ORDINALITY AS a(x, axis)
%axes%    GROUP BY a.axis
%axes%),
%axes%placed AS (
%axes%    SELECT o.axis, o.x + coalesce(m.x, 0) AS x
%axes%    FROM unnest(ARRAY[@offset@]::double precision[])
%axes%        WITH ORDINALITY AS o(x, axis)
%axes%    LEFT JOIN moved m USING (axis)
%axes%),
%diagonal%placed AS (
%diagonal%    SELECT f.feature + 1 AS axis, coalesce(p.weight * p.z, 0) AS x
%diagonal%    FROM @schema@.features f LEFT JOIN prepared p USING (feature)
%diagonal%),
%sparse%placed AS (SELECT feature + 1 AS axis, weight * z AS x, z FROM prepared),
%vector_length%shrunk AS (
%vector_length%    SELECT CASE WHEN sum(x * x) > 0 THEN 1 / sqrt(sum(x * x)) ELSE 0 END AS by
%vector_length%    FROM placed
%vector_length%)
%weighted_length%shrunk AS (
%weighted_length%    SELECT CASE WHEN sum(abs(x * z)) > 0 THEN 1 / sqrt(sum(abs(x * z)))
%weighted_length%        ELSE 0 END AS by
%weighted_length%    FROM placed
%weighted_length%)
%no_length%shrunk AS (SELECT 1.0::double precision AS by)
%dense%SELECT array_agg((x * shrunk.by)::real ORDER BY axis)::@plain@ FROM placed, shrunk
%sparse%SELECT ('{' || coalesce(string_agg(axis || ':' || (x * shrunk.by)::real, ','
%sparse%    ORDER BY axis), '') || '}/@dim@')::@plain@
%sparse%FROM placed, shrunk WHERE (x * shrunk.by)::real <> 0
%known%$query$;

-- The nearest items of a vector, all items compared; ties by id.
CREATE FUNCTION @schema@.search(query @plain@, top integer DEFAULT 10)
RETURNS TABLE (id bigint, name text, score double precision)
LANGUAGE plpgsql STABLE AS $search$
BEGIN
    RETURN QUERY SELECT i.id, i.name, @score@
    FROM @schema@.items i
    ORDER BY (i.embedding @op@ query) + 0, i.id LIMIT top;
END
$search$;

-- The same by the index of index.sql: approximate.
CREATE FUNCTION @schema@.search_near(query @plain@, top integer DEFAULT 10)
RETURNS TABLE (id bigint, name text, score double precision)
LANGUAGE plpgsql STABLE AS $search$
BEGIN
    RETURN QUERY SELECT i.id, i.name, @score@
    FROM @schema@.items i
    ORDER BY i.embedding @op@ query LIMIT top;
END
$search$;
%known%
%known%-- The nearest items of a raw row.
%known%CREATE FUNCTION @schema@.search(columns integer[], vals double precision[],
%known%    top integer DEFAULT 10)
%known%RETURNS TABLE (id bigint, name text, score double precision)
%known%LANGUAGE sql STABLE AS $search$
%known%SELECT * FROM @schema@.search(@schema@.query(columns, vals), top)
%known%$search$;
COMMIT;
