# Without the program, or without weights: what to run.
. "$CASES/../faces.sh"
paint_photos
AKIN_FACES=$PWD/photos akin faces photos --out c.akin || echo "exit $?"
rm lib/akin-face
akin faces photos --out c.akin || echo "exit $?"
ls -d c.akin
