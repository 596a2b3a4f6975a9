-- An HNSW index for @schema@.search_near: faster, approximate.
%too_long%-- Not created: @too_long@
%!too_long%CREATE INDEX items_embedding ON @schema@.items
%!too_long%    USING hnsw (embedding @ops@);
