# Any damage is exit 2 and one line.
printf '1,2\n3,4\n5,7\n' >points.csv
akin index euclidean --data points.csv --label-column none --out p.index --quiet
akin export p.index --to csv --out good --quiet
try() {
    rm -rf x && cp -r good x && eval "$1"
    akin verify-export x --against p.index --queries points.csv \
        --label-column none || echo "exit $?"
}
try 'rm x/manifest.json'
try 'echo "{" >x/manifest.json'
try 'sed -i s/akin-export/other/ x/manifest.json'
try 'sed -i "s/\"format_version\": 1/\"format_version\": 9/" x/manifest.json'
try 'sed -i "s/\"dim\": 2/\"dim\": 2000000000/" x/manifest.json'
try 'sed -i "s/\"items\": 3/\"items\": 4/" x/manifest.json'
try 'sed -i "s/\"to\": \"csv\"/\"to\": \"sql\"/" x/manifest.json'
try 'rm x/features.csv'
try 'sed -i 3d x/features.csv'
try 'echo 2,2,1,0,1,1,\"{}\" >>x/features.csv'
try 'sed -i "s/^0,0,1/0,0,one/" x/features.csv'
try 'sed -i "s/^0,0,1,/0,0,1e999,/" x/features.csv'
try 'sed -i "s/^1,1,1,/1,1,1e300,/" x/features.csv'
try 'rm x/items.csv'
try 'sed -i 3d x/items.csv'
try 'sed -i "s/^1,/0,/" x/items.csv'
try 'sed -i "s/\[3,4\]/[3,4,5]/" x/items.csv'
try 'sed -i "s/\[3,4\]/[3,nan]/" x/items.csv'
try 'head -c 40 good/items.csv >x/items.csv'
try 'rm -r x && mkdir x'
try 'rm -r x && touch x'
printf '1,2,3\n' >wide.csv
akin verify-export good --against p.index --queries wide.csv --label-column none ||
    echo "exit $?"
akin verify-export good --against missing --queries points.csv || echo "exit $?"
