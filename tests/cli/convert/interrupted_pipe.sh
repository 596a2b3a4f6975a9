# Waiting for someone to write into a pipe can be interrupted.
source "$CASES/../data.sh"
mkfifo p.svm p.safetensors
for f in p.svm p.safetensors; do
    akin convert $f o.svm &
    interrupt $! INT
    wait $!
    echo $?
done
akin info p.safetensors &
interrupt $! TERM
wait $!
