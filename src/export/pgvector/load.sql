-- Load @schema@, from the folder of this file: psql -f @file@
\set ON_ERROR_STOP on
BEGIN;
%known%\copy @schema@.features FROM 'features.csv' WITH (FORMAT csv, HEADER)
\copy @schema@.items FROM '@items@' WITH (FORMAT csv, HEADER)
COMMIT;
ANALYZE @schema@.items;
