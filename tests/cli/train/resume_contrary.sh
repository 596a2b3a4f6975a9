# Triplets with their sides swapped are told from others.
source "$CASES/../data.sh"
right_and_swapped
akin train solis-ada --data rows.svm --quiet --triplets right --out a
akin train solis-ada --data rows.svm --quiet --triplets right --resume a --out b
akin train solis-ada --data rows.svm --quiet --triplets swapped --resume a --out b
