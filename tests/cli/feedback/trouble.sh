# What cannot be said is one line, and nothing is stored.
source "$CASES/docs.bash"
akin feedback c --query d1 --good d9
akin feedback c --query d1 --good d2 --bad d2
akin feedback c --query d1 --good d2 --user "$(printf '%0256d' 0)"
akin feedback c --query d01 --good d2
akin feedback c --query '' --good d2
akin feedback c --query /no/such/house --good d2
echo unknown > unknown.txt
akin feedback c --query unknown.txt --good d2
akin feedback c --query d1
akin feedback c --good d2
akin feedback c --undo 7
akin feedback nowhere --list
akin feedback c
line() {
    echo "$1" | akin feedback c --file -
}
line 'query'
line '[1]'
line '{"good":["d1"]}'
line '{"query":"","good":["d2"]}'
line '{"query":"d1","god":["d2"]}'
line '{"query":"d1","good":"d2"}'
line '{"query":"d1","good":[0.5]}'
line '{"query":"d1","good":[77]}'
line '{"query":"d1","shown":["d2"],"clicked":["d3"]}'
line '{"query":"x","features":{"columns":[3,1],"values":[1,1]},"good":["d2"]}'
line '{"query":"x","features":{"values":[1,1]},"good":["d2"]}'
line '{"query":"d1","user":"","good":["d2"]}'
printf '{"query":"d1","good":["d2"]}\n{"query":"d1","good":["d9"]}\n' > bad.jsonl
akin feedback c --import bad.jsonl
akin feedback c --import nowhere.jsonl
akin feedback c --list
akin learn c lda
echo end
