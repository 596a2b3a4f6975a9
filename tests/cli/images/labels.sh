source "$CASES/pictures.bash"
pictures p 2 2
printf 'file,kind\nk0/0.png,a\nk0/1.png,a;b\nk1/0.png,\n' > labels.csv
akin images p --out c --words 20 --labels labels.csv --label-column kind | sed 's/, [0-9.]* m\?s$//'
akin convert c rows.svm > /dev/null
cut -d' ' -f1 rows.svm
akin images p --out d --labels labels.csv --quiet
printf '\357\273\277File;Class\r\nk0/0.png;a\r\nk1/1.png;"b;c"\r\n' > class.csv
akin images p --out e --words 20 --labels class.csv | sed 's/, [0-9.]* m\?s$//'
akin convert e rows.svm > /dev/null
cut -d' ' -f1 rows.svm
printf 'file,label\nk0/0.png,a;a\n' > labels.csv
akin images p --out d --labels labels.csv --quiet
