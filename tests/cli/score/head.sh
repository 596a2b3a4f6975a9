printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n" > a.svm
for i in $(seq 100000); do echo 0 1; done > p
set -o pipefail
akin score euclidean --data a.svm --pairs p | head -1
