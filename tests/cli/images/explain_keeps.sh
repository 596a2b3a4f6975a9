# A drawing does not take the place of a picture.
source "$CASES/pictures.bash"
pictures p 2 3
akin images p --out c --words 50 --quiet > /dev/null
cksum p/*/*.png > before
akin explain c 0 1 --out p/k0/1.png; echo $?
akin explain c 0 1 --out ./p/../p/k1/2.png; echo $?
ln p/k0/0.png hard.png
akin explain c 0 1 --out hard.png; echo $?
ln -s p/k1/0.png soft.png
akin explain c 0 1 --out soft.png; echo $?
cksum p/*/*.png | cmp - before
akin explain c 0 1 --out p/k0/why.png > /dev/null; echo $?
akin explain c 0 1 --out p/k0/why.png > /dev/null; echo $?
