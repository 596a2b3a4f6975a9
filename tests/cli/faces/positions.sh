# Where captions say that persons are decides between names that occur once;
# with other captions for the same faces the names change places.
. "$CASES/../faces.sh"
mkdir photos
paint photos/two.png 120 60 10,30,250,10,10 70,34,250,240,10
paint photos/three.png 200 60 10,30,220,10,90 70,30,230,90,10 140,30,240,90,90
paint photos/four.png 260 60 10,30,221,50,90 70,30,231,190,10 140,30,241,90,190 \
    200,30,200,120,33
paint photos/row.png 200 160 10,30,210,10,190 70,30,212,90,210 140,30,214,190,90
cat >photos.csv <<'EOF'
photo,x,y,width,height
two.png,10,15,30,30
two.png,70,13,34,34
three.png,10,15,30,30
three.png,70,15,30,30
three.png,140,15,30,30
four.png,10,15,30,30
four.png,70,15,30,30
four.png,140,15,30,30
four.png,200,15,30,30
row.png,10,100,30,30
row.png,70,20,30,30
row.png,140,100,30,30
EOF
name() {
    akin faces photos --boxes photos.csv --captions $1 --out c.akin --force --quiet
    akin name c.akin --out names.csv --quiet
    cut -d, -f1-3 names.csv
}
cat >one.csv <<'EOF'
photo,caption
two.png,Paula Adams (R) meets Roy Zeller (L)
three.png,"From left: Cora Jones, Adam Smith and Bert Miller at dinner"
four.png,"Dora Hill, second from right, talks to Carl Webb, far left."
row.png,"Front row from left: Tom Baker, Jim Cole. Back row: Ann Dixon"
EOF
sed 's/(R)/(X)/; s/(L)/(R)/; s/(X)/(L)/; s/From left/From right/
     s/second from right/far left/; s/Carl Webb, far left/Carl Webb, right/
     s/Front row from left/Back row/; s/Tom Baker, Jim Cole. Back row: Ann Dixon/Tom Baker. Front row from left: Jim Cole, Ann Dixon/' \
    one.csv >other.csv
name one.csv
echo --- otherwise
name other.csv
echo --- a prior takes the place of positions
akin name c.akin --prior <(echo '10,Roy Zeller,50') --out names.csv --quiet
grep two.png names.csv | cut -d, -f1-3
