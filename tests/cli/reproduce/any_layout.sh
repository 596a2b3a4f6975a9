# A folder that a named table takes is also known without the name: both say
# the same of files that hold nothing.
try() {
    mkdir "$1"
    for file in "${@:2}"; do echo a,b > "$1/$file"; done
    akin reproduce "${1%_*}" --data "$1" --quiet 2> named
    echo "$1: $?"
    akin reproduce --data "$1" --quiet 2> unnamed
    cmp named unnamed
    ! grep 'unknown layout' named
}
try solis_bags bow_1k.svm images.csv landmarks.csv groundtruth.csv queries.csv
try loreta_text counts.svm classes.csv
try loreta_labels train.svm test.svm classes.csv
try rsl_office {amazon,webcam,dslr}_surf800.npy {amazon,webcam,dslr}_labels.csv
try rsl_views view76.npy view240.npy labels.csv
try rsl_pair text10.npy image128.npy labels.csv
try s3ml_pictures features225.npy labels.csv
try s3ml_tables iris.csv
try naming_photos faces.csv images.csv features200.npy
try naming_faces labels.csv features108.npy
# A list of labels is no table.
mkdir none
printf 'class\na\nb\n' > none/labels.csv
akin reproduce --data none
