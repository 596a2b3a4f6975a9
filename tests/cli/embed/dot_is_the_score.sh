source "$CASES/../data.sh"
akin train solis-ada --as-published --data rows.svm --norm none --sample 500 --quiet --out m > /dev/null
echo 0 1 > p
for model in m cosine tfidf mahalanobis; do
    akin embed $model --data rows.svm --out left.npy > /dev/null
    akin embed $model --data rows.svm --side right --out right.npy > /dev/null
    akin score $model --data rows.svm --pairs p > s
    /usr/bin/python3 -c "
import numpy
x, y = numpy.load(\"left.npy\")[0], numpy.load(\"right.npy\")[1]
s = float(open(\"s\").read().split()[2])
d = float(((x - y).astype(float) ** 2).sum())
print(\"$model\", min(abs(float(x @ y) - s), abs(d + s)) < 1e-4 * max(1, abs(s)))"
done
