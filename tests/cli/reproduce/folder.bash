# A folder of the oxford layout: 150 bags of words, 2 landmarks of 25 pictures
# and more, the first 2 of each its queries.
akin synth bags --rows 150 --dim 400 --words 40 --classes 5 --class-words 30 \
    --signal 0.4 --out bow_small.svm --quiet > made
mkdir -p small
mv bow_small.svm small
echo 'row,image' > small/images.csv
seq 0 149 | sed 's/.*/&,picture_&/' >> small/images.csv
printf 'landmark,name\n0,bridge\n1,tower\n' > small/landmarks.csv
echo 'row,image,landmark,grade' > small/groundtruth.csv
cut -d ' ' -f 1 small/bow_small.svm | awk '
    $1 == "0" || $1 == "1" { print NR - 1 ",x," $1 "," (n[$1]++ % 2 ? "ok" : "good") }
    $1 == "2" { print NR - 1 ",x,0,junk" }' | sort -t , -k 3,3n -k 1,1n \
    >> small/groundtruth.csv
echo 'row,image,landmark,query' > small/queries.csv
awk -F , 'NR > 1 && $4 != "junk" && n[$3]++ < 2 { print $1 "," $2 "," $3 "," n[$3] }' \
    small/groundtruth.csv >> small/queries.csv
