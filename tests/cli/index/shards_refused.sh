# What an index in shards is not, and shards that do not belong together.
printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > a.svm
akin index cosine --data a.svm --shards 2 --out s > /dev/null
akin index s --add a.svm --out t
echo $?
akin index mahalanobis --data a.svm --shards 2 --out t
echo $?
akin index cosine --data a.svm --shards 2 --names a.svm --out t
echo $?
mkdir full && touch full/x
akin index cosine --data a.svm --shards 2 --out full
echo $?
cp s/shard-00000.index kept
cp s/shard-00001.index s/shard-00000.index
akin search s --queries a.svm
echo $?
rm s/shard-00000.index
akin check s
echo $?
cp kept s/shard-00000.index
printf x | dd of=s/shard-00001.index bs=1 seek=$(($(stat -c %s s/shard-00001.index) - 20)) conv=notrunc status=none
akin check s
echo $?
printf x | dd of=s/index.safetensors bs=1 seek=$(($(stat -c %s s/index.safetensors) - 20)) conv=notrunc status=none
akin search s --queries a.svm
echo $?
printf "1 1:2\n1 1:x\n" > b.svm
akin index cosine --data b.svm --shards 2 --out t
echo $?
ls
