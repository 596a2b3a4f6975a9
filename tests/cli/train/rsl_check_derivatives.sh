source "$CASES/../data.sh"
akin train rsl --data rows.svm --rank 2 --check-derivatives --out m.safetensors 2>&1 |
    sed -n 's/.*\(derivatives against finite differences: gradient\) [0-9.]*e-\([0-9]*\).*/\1 10^-\2/p' |
    awk '{ sub(/10\^-0*/, "", $NF); print ($NF >= 6 ? "they agree" : $0) }'
akin train rsl --data rows.svm --rank 2 --origin zero --quiet --out m.safetensors >/dev/null
# Figures of the end; rounding ends a run that asks for no gradient at all.
akin train rsl --data rows.svm --rank 2 --check-derivatives --tol 0 --quiet --json --out m.safetensors |
    python3 -c "
import json, sys
r = json.load(sys.stdin)
print(r['gradient'] < 1e-10 * r['gradient_start'], r['iterations'] < 300)
print(r['gradient_error'] < 1e-4, r['hessian_error'] < 1e-2, r['hessian_asymmetry'] < 1e-8)"
