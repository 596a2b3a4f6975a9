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
printf "0 1 1\n0 4 -1\n1 5 -1\n" > mixed
for l in s2ml sdml; do
    learn $l --data points.csv --pairs mixed --beta 100 --rho 1e-3 --solver paper
    echo "exit $?"
done
learn s2ml --data points.csv --pairs far --beta 1e299
echo "exit $?"
learn s2ml --data points.csv --pairs far --beta-share 1
echo "exit $?"
learn s2ml --data points.csv --pairs far --beta 0.177514 --rho 0 > /dev/null
echo "exit $?"
learn s2ml --data points.csv --pairs far --beta 0.177515 --rho 0
