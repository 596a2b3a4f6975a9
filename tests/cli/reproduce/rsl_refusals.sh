try() { akin reproduce rsl "$@" --quiet || echo $?; }
mkdir empty
try --data empty
try --test empty
try --repeats 30
