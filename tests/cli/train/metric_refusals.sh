train() { akin train "$@" --label-column y --quiet --out m > made || echo $1 $?; }
printf 'a,b,c,y\n0,0,5,x\n1,0,5,x\n0,3,5,y\n1,4,5,y\n0,0,5,y\n' > p.csv
printf '0 1 1\n1 0 -1\n' > both
printf '0 0 1\n0 1 1\n0 2 -1\n2 2 -1\n' > self
printf '0 4 1\n4 0 1\n' > equal
printf '0 0 1\n' > none
for l in itml lrml; do
    train $l --data p.csv --pairs both
    train $l --data p.csv --pairs self
    train $l --data p.csv --pairs none
done
train itml --data p.csv --pairs equal
train itml --data p.csv --start covariance
train lrml --data p.csv --gamma-d 1e3
printf 'a,b,y\n1,2,x\nnan,2,y\n1,3,x\n' > nan.csv
printf 'a,b,y\n1,2,x\n1,2,y\n1,2,x\n' > same.csv
printf '2\n' > one
printf '0\n1\n2\n' > three
for l in itml lmnn nca lrml mahalanobis; do
    train $l --data nan.csv
    train $l --data same.csv
done
for l in itml lmnn nca lrml; do
    train $l --data p.csv --labelled one
    train $l --data p.csv --labelled three
done
train lmnn --k 100 --data p.csv
train lrml --k 100 --data p.csv
akin eval m --data p.csv --train p.csv --label-column y --task knn --k 100 --quiet | head -1
train nca --data p.csv --pairs self
for l in itml lmnn nca lrml mahalanobis s3ml; do
    train $l --data same.csv --scale none
    printf 'a,b,y\n1,2,x\n' > short.csv
    train $l --data short.csv --scale none
done
printf '0 1 1\n0 0 1\n0 1 2\n' > twice
train lmnn --data p.csv --triplets twice
printf '0 1 1\n' > twice
train lmnn --data p.csv --triplets twice
train itml --data p.csv --near 5 --far 1
printf '# what matches\n0 1 1\n\n1 0 -1\n' > both
train itml --data p.csv --pairs both
printf 'x 1:1 2000000000:2\ny 1:2\nx 3:1\n' > wide.svm
for l in itml s2ml symm; do
    akin train $l --data wide.svm --quiet --out m || echo $l $?
done
