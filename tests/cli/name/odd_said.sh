# What a person said, and the truth, in odd ways.
printf '1,0\n1,0.1\n0,1\n' > f.csv
printf 'photo,faces,names\na,0;1,Ann;Bob\nb,2,Bob\n' > c.csv
say() {
    printf -- "$2" > said.csv
    akin name f.csv --captions c.csv --method mean --$1 said.csv --out n.csv
    echo "exit $?"
}
say confirmed '99999999999999999999,Ann\n'
say confirmed '999999999999999999,Ann\n'
say confirmed '-1,Ann\n'
say confirmed '0.5,Ann\n'
say confirmed '0,Ann\x01\n'
say confirmed '0;Ann\n'
say confirmed '2,Zed\n'
say confirmed '0,Ann\n1,Ann\n'
say truth '0,Ann\n1,Bob\n2,\n2,Bob\n'
say truth '0,Ann\n1,Bob\n2,Bob,is-not\n'
say truth '0,Ann\n1,Bob\n3,Bob\n'
