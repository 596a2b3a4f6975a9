# A curve is at all ratios: what says one, or keeps one model, is refused.
printf '1,2\n3,4\n' > f.csv
printf 'photo,faces,names\na,0;1,Ann\n' > c.csv
for flags in '--curve --theta 1' '--curve --named-count 1' \
    '--curve --real-name-ratio 0.5' '--curve --save-model m.safetensors' \
    '--theta 1 --named-count 1' '--affinity-weight 0.1'; do
    akin name f.csv --captions c.csv $flags --out n.csv
    echo "exit $?"
done
ls n.csv m.safetensors 2>/dev/null
true
