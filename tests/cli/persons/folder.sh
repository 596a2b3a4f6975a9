# A .txt beside its picture, in folders too; photos are called by the picture.
mkdir -p p/sub
: > p/a.jpg; echo 'Mayor Anna Fischer waves.' > p/a.txt
: > p/sub/b.png; echo 'Mayor Peter Keller waves.' > p/sub/b.png.txt
echo 'Mayor Ruth Bergman waves.' > p/c.txt
echo 'no caption' > p/notes.md
akin persons p | cut -d, -f1-7
