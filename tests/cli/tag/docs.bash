# docs.csv: eight short texts of two labels.
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
