# Quotes go around a whole cell of captions, not around one of its names.
printf '1,0\n1,0.1\n0,1\n' > f.csv
name() {
    printf 'photo,faces,names\n%s\n' "$1" > c.csv
    akin name f.csv --captions c.csv --method mean --out n.csv >/dev/null &&
        cut -d, -f3- n.csv | sed 's/,[^,]*,[^,]*$//'
    echo "exit $?"
}
name 'a,0;1,Ann;"Bob, Jr."'
name 'a,0;1,Ann;"Bob"'
name 'a,0;1, "Bob";Ann'
name 'a,0;1,"Ann;Bob, Jr."'
name 'a,0;1,Ann;Bob "B" Lee'
name 'a,0;1,"Ann;""B"" Lee"'
