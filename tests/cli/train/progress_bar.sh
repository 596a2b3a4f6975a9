source "$CASES/../data.sh"
script -qec "akin train solis-ada --data rows.svm --sample 3e6 --out m" /dev/null < /dev/null |
    tr "\r" "\n" | grep -m1 -o -E "examples \[[=-]+\] +[0-9]+ %  [0-9.]+ .?/s, loss [0-9.]+, .* left" |
    sed -E "s/\[[=-]+\] +/[] /; s/[0-9.]+/N/g; s/N [kM]/N /; s/N m?s left/N s left/"
