. "$CASES/text.bash"
akin reproduce --data news --quick --quiet --report plots > out.txt
grep -c 'triplets: mAP' out.txt
grep -c 'classes not in training: mAP' out.txt
grep -o 'loreta-psd: stated, eta=10' out.txt | head -n 1
grep -o 'loreta-1 warp: stated, eta=10 score=cosine' out.txt | head -n 1
ls plots
grep -o '"paper": "loreta"' plots/figures.json
