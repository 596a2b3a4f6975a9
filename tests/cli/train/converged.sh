# An online learner that has seen all its examples is done, and says so.
source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --quiet --verdict none --sample 10 --out m --json |
    grep converged
echo 0 1 2 |
    akin train loreta-1 --data rows.svm --quiet --verdict none --triplets - --out m --json |
    grep converged
