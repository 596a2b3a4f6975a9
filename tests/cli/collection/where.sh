# Conditions on fields: only items of which they are true are found.
source "$CASES/../images/pictures.bash"
pictures p 3 3
touch -d 2019-05-17T10:00:00Z p/k0/* p/k1/0.png
touch -d 2021-01-02T10:00:00Z p/k1/[12].png p/k2/*
akin images p --out c --words 20 --quiet > /dev/null
where() {
    echo "$1: $(akin search c --like k0/0.png --top 20 --where "$1" 2>&1 |
        sed 's/^[0-9]* [0-9]* \([0-9]*\) [^ ]* k.*/\1/' | sort | tr '\n' ' ')"
}
where 'label = k1'
where 'label <> k1'
where 'label=k1 OR label=k2'
where 'NOT label = k1 AND NOT (label = k2)'
where 'label IN (k1, "k2") AND name GLOB "*/0.png"'
where "label LIKE 'k%' AND name NOT LIKE '%0.png'"
where 'label IS NULL'
where 'label IS NOT NULL AND id < 3'
where 'date = 2019'
where 'date >= 2020'
where 'date < 2020-06 and DATE IS NOT NULL'
where 'date BETWEEN 2021-01 AND 2021-01-02'
where 'date <= 2021-01-02T09'
where 'width = 96 AND height >= 96.0 AND width < 1e3'
where "name = 'k''0'"
where 'width = height AND id < 3'
where 'width > height'
where 'date > name AND label <> date'
where "label = 'date'"
where ''
where 'label'
where 'label ='
where 'label = k1 k2'
where '(label = k1'
where 'colour = red'
where 'label = "k1'
where 'label & k1'
where '1 = 1'
where "label = k1'; DROP TABLE items; --"
where "name = 'x' UNION SELECT 1"
deep=$(printf '(%.0s' {1..200})
akin search c --like 0 --where "$deep" 2>&1 | tail -c 60
akin check c
: > c.index
akin search c.index --like 0 --where 'id = 1'
# Fields of all kinds: numbers are numbers, a word is neither above nor below.
printf 'id,text,year,price\na,one apple,2019,1.5\nb,two apples,n/a,2\nc,three apples,2021,x\n' > f.csv
akin documents f.csv --out f --quiet > /dev/null 2>&1
for w in 'year > 2000' "year = '2019'" 'year = 2019' 'year <> 2019' 'price < 1.9' 'price >= 1.5' "price = '1.5'" "year = 'n/a'"; do
    echo "$w: $(akin search f --text apples --where "$w" | cut -d' ' -f 5 | sort | tr '\n' ' ')"
done
