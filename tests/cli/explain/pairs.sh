# Words of two documents that share none, under a low-rank model.
cat > docs.csv <<END
label,text
cars,the engine of the car needs oil
cars,an engine and a motor drive the car
cars,oil for the motor of the truck
cars,a truck has an engine and wheels
food,bread and butter with cheese
food,cheese on bread with tomato
food,tomato soup with butter
food,soup and bread with pepper
END
akin text docs.csv --text-column text --save-recipe words --out rows.svm --quiet > /dev/null
akin train loreta-1 --data rows.svm --recipe words --rank 2 --sample 2000 --score dot --quiet --verdict none --out m > /dev/null
akin explain m --data rows.svm --rows 0,2 --top 4
akin explain m --data rows.svm --rows 0,2 --top 1 --json
akin explain m --data rows.svm --rows 0,2 --top 2 --by features
akin explain cosine --data rows.svm --rows 0,2 --by pairs
