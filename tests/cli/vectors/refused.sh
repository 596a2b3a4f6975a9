# What does not fit leaves nothing behind.
printf 'p,q\n1,0\n4,1\n0,2\n' > a.csv
try() { akin vectors a.csv "$@" --out x || echo $?; }
printf 'a\nb\na\n' > twice && try --names twice
printf 'a\nb\n' > few && try --names few
printf 'a\n\nc\n' > blank && try --names blank
printf 'a\nb\0\nc\n' > zero && try --names zero
printf 'name,n\na,1\nb,2\nb,3\n' > f.csv && try --fields f.csv
printf 'n\n1\n2\n' > f.csv && try --fields f.csv
printf 'n\n1\n2\n3\n4\n' > f.csv && try --fields f.csv
printf 'n,m\n1,2\n2\n3,4\n' > f.csv && try --fields f.csv
printf 'a\nb\nc\n' > names
printf 'name,n\na,1\nd,2\n' > f.csv && try --names names --fields f.csv
printf 'name,n\na,1\na,2\n' > f.csv && try --names names --fields f.csv
try --names nowhere
ls -d x
akin vectors a.csv --names names --out c > out && wc -l < out
akin vectors a.csv --out c || echo $?
akin documents a.csv --out c || echo $?
akin documents c --add a.csv || echo $?
printf 'p,q,r\n1,0,0\n' > wide.csv
akin vectors c --add wide.csv || echo $?
printf 'q,p\n1,0\n' > other.csv
akin vectors c --add other.csv || echo $?
printf '5\n' > five && printf 'p,q\n3,3\n' > b.csv
akin vectors c --add b.csv --names five > out
akin vectors c --add a.csv || echo $?
akin vectors nowhere --add a.csv || echo $?
akin check c
akin search c --like a --top 3
