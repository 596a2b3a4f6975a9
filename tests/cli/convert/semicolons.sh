# Semicolons separate cells, and a comma is then the decimal point.
printf 'a;b;class\n1,5;2;x\n-3,25;4;y\n' > european.csv
akin convert european.csv -
printf 'a\tb\tclass\n1.5\t2\tx\n' > tabs.csv
akin convert tabs.csv - --quiet
printf '1,4,x\n2,3,x;y\n' > lists.csv
akin convert lists.csv - --label-column -1
printf 'a;b\n1,5;2\n1.5;2\n' > both.csv
akin convert both.csv - || echo $?
printf 'a\tb\n1,5\t2\n' > comma.tsv
akin convert comma.tsv - || echo $?
