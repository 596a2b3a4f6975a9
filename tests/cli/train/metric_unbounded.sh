# What would be safe is said; nothing is written.
source "$CASES/../points.sh"
printf "0 4 -1\n" > far
for l in s2ml sdml; do
    learn $l --data points.csv --pairs far --beta 100 --rho 1e-3
    echo "exit $?"
done
ls m 2>/dev/null
learn s2ml --data points.csv --pairs far --beta 0.1 >/dev/null
echo "exit $?"
