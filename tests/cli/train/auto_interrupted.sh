# Ctrl-C in the race ends it: there is no model yet to keep.
python3 - > many.csv <<'EOF'
import random
random.seed(1)
print('a,b,label')
for i in range(900):
    print('%f,%f,l%d' % (random.random(), random.random(), i // 2))
EOF
akin train auto --data many.csv --effort 3 --out m.safetensors --quiet > /dev/null &
sleep 2
kill -INT $!
wait $!
echo $?
ls
