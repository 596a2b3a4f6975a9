# What cameras write into files becomes fields; damage to it costs no picture.
akin synth scenes --landmarks 1 --views 1 --others 0 --width 96 --height 72 --out town --quiet > /dev/null
mkdir p
/usr/bin/python3 "$CASES/exif.py" town/landmark_00/000.jpg p
cp town/landmark_00/000.jpg p/plain.jpg
touch -d 2021-03-04T05:06:07Z p/*
akin images p --out c 2> /dev/null | sed 's/), .*//'
ls p | wc -l
like="akin search c --like plain.jpg --top 1 --where"
$like "name = 'sound.jpg' AND date = '2020-05-17T12:30:00' AND camera = 'Canon EOS (5D)'" | cut -d' ' -f5
$like "name = 'sound.jpg' AND latitude > 48.858 AND latitude < 48.859 AND longitude > -2.295 AND longitude < -2.294" | cut -d' ' -f5
$like "name = 'wrong.jpg' AND date = '2021-03-04T05:06:07' AND camera = 'Maker M1' AND width = 96 AND height = 72" | cut -d' ' -f5
$like "name = 'wrong.jpg' AND (latitude > -999 OR longitude > -999)" | cut -d' ' -f5
# A changed file tells nothing of what was before.
cp town/landmark_00/000.jpg p/sound.jpg
akin images c --add p --quiet > /dev/null
$like "name = 'sound.jpg' AND latitude > -999" | cut -d' ' -f5
