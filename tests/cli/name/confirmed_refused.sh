# What a person said is never turned into its opposite.
printf '1,0\n1,0.1\n0,1\n' > faces.csv
printf 'photo,faces,names\na,0;1,Ann;Bob\nb,2,Bob\n' > captions.csv
say() {
    printf "$1" > said.csv
    akin name faces.csv --captions captions.csv --method mean --quiet \
        --confirmed said.csv --out - 2>said.txt | grep ^0
    echo "exit ${PIPESTATUS[0]}"
    grep ^akin: said.txt >&2
}
say 'face,name,status\n0,Ann,is-not\n'
say '0,Ann,is-not\n'
say 'face,name\n0,Ann,is-not\n'
say '0,ann,is-not\n'
say '0,Ann\n0,Ann,is-not\n'
say '0,Ann,is-not\n0,Ann\n'
say '0,Ann,is,too\n'
printf 'photo,faces,names\na,0;1,Davis, Jr.;Bob\nb,2,Bob\n' > captions.csv
say '0,Bob\n'
