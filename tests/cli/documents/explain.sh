# Two items of a collection by name: words, pairs of words, columns.
cat > docs.csv <<END
name,label,text
a,cars,the engine of the car needs oil
b,cars,an engine and a motor drive the car
c,cars,oil for the motor of the truck
d,cars,a truck has an engine and wheels
e,food,bread and butter with cheese
f,food,cheese on bread with tomato
g,food,tomato soup with butter
h,food,soup and bread with pepper
END
akin documents docs.csv --out c --quiet > /dev/null
akin explain c a b
akin explain c a b --json
akin train loreta-1 --data c --rank 2 --sample 2000 --score dot --quiet --verdict none --out m > /dev/null
akin explain c a c --model m --top 2
akin explain c a c --model m --top 2 --by features
akin documents c --model m --quiet > /dev/null
akin explain c a c --top 1
akin explain c a zzz
akin explain c a b --out why.svg
akin explain c a
printf '1,0,3\n2,0,1\n' > rows.csv
printf 'x\ny\n' > names.txt
akin vectors rows.csv --names names.txt --out v --quiet > /dev/null
akin explain v x y --score dot
