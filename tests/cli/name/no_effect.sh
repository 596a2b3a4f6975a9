# A flag that the method does not heed is a mistake.
printf '1,2\n3,4\n' > f.csv
printf 'photo,faces,names\na,0;1,Ann\n' > c.csv
for flags in '--gamma 1' '--method lrr --gamma 1' '--method mms --rounds 3' \
    '--method mean --self-votes 0' '--count-by theta' '--method knn --C 1' \
    '--method asml --affinity-file a.txt' '--method cgmm --delta-rho 0'; do
    akin name f.csv --captions c.csv $flags --out n.csv
    echo "exit $?"
done
akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin name f.npy --captions c.csv --method mean --save-model m.safetensors \
    --out n.csv >/dev/null
akin name f.npy --model m.safetensors --start uniform --out n.csv
akin name f.npy --model m.safetensors --k 3 --out n.csv
