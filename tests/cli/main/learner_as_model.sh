# It is said before anything else that is wrong with the line.
source "$CASES/../data.sh"
for command in score predict embed index explain eval; do
    akin $command lmnn || echo $?
done
akin eval lmnn --rank 3 --data rows.svm
akin eval lmnn --data rows.svm --task retrieval
# A file of that name is a model.
akin train solis-ada --data rows.svm --sample 50 --quiet --verdict none --out lmnn
akin score lmnn --data rows.svm --pairs /dev/null
