# A line for each mention, byte offsets, positions in English.
cat > c.csv <<'END'
photo,caption
a.jpg,"Die Bürgermeisterin Anna Fischer (links) begrüßt Peter Keller (rechts). Foto: Susanne Walter"
b.jpg,"Harold and Ruth Bergman with their son Tom. Bergman, a baker, is 60."
c.jpg,The harbor in winter.
END
akin persons c.csv --out p.csv && cut -d, -f1-7 p.csv
