# What akin serve refuses before it listens.
printf '1,0\n0,1\n' > rows.csv
akin vectors rows.csv --out c --quiet
echo short > token
akin serve c --listen 0.0.0.0; echo $?
akin serve c --listen nowhere.example; echo $?
akin serve c --token token; echo $?
akin serve c --token none; echo $?
akin serve c --origin photos.example.org; echo $?
akin serve c c/; echo $?
akin serve rows.csv; echo $?
akin serve c --port 70000; echo $?
