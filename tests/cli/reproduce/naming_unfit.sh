# Files of a folder that do not fit: the file, the line and what is wrong.
mkdir l
printf '1,0\n1,0.1\n0,1\n' >f.csv
akin convert f.csv l/features200.npy >/dev/null
try() {
    printf "face,image,true_name\n$1" >l/faces.csv
    printf "image,caption_names\n$2" >l/images.csv
    akin reproduce naming --data l --quick --quiet
}
try '0,0,0\n1,0,1\n99999,99999,0\n' '0,0 1\n1,0\n' || true
try '0,0,0\n1,0,abc\n2,1,0\n' '0,0 1\n1,0\n' || true
try '0,0,0\n1,0,1\n' '0,0 1\n1,0\n' || true
try '0,0,0\n1,0,1\n2,1,0\n3,1,1\n' '0,0 1\n1,0\n' || true
try '0,0,0\n1,0,1\n2,7,0\n' '0,0 1\n1,0\n' || true
try '0,0,0\n1,0,1\n2,1,0\n' '0,0 1\n\n1,0 x\n' || true
try '0,0,0\n1,0,1\n2,1,0\n' '0,0 1\n\n1,0 0\n' || true
try '0,0,0\n1,0,1\n2,1,0\n' '0,0 1\n\n1,0\n\n1,1\n' || true
rm l/*
akin convert f.csv l/features108.npy >/dev/null
printf 'name,candidates\n0,0 1\n1,0 1\n' >l/labels.csv
akin reproduce naming --data l --quick --quiet || true
printf 'name,candidates\n0,0 1\n1,0 1\nx,1\n' >l/labels.csv
akin reproduce naming --data l --quick --quiet
