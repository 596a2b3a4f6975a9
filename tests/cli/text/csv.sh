cat > mail.csv <<'END'
id,text,label
1,"Dear ""friend"",
buy now; ÉCOLE école",spam
2,meeting on monday,"ham;work"
3,buy a meeting,
END
akin text mail.csv --out mail.svm --stop-words none --list rows
paste rows mail.svm
tail -n +2 mail.csv > plain.csv
akin text plain.csv --text-column 1 --label-column -1 --out plain.svm --stop-words none
cmp mail.svm plain.svm
akin text mail.csv --text-column 1 --label-column 2 --header --out numbers.svm --stop-words none
cmp mail.svm numbers.svm
akin text mail.csv --text-column body --out x.svm || echo $?
printf 'text\n"a' > torn.csv
akin text torn.csv --out x.svm || echo $?
printf 'text,label\na,b\nc\n' > cells.csv
akin text cells.csv --out x.svm || echo $?
ls x.svm
