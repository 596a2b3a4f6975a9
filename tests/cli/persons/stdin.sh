# Standard input: lines, csv or JSON lines; csv goes to standard output.
echo 'Mayor Anna Fischer (L) greets Peter Keller.' | akin persons - | cut -d, -f1-7
printf 'photo,caption\nx,"Mayor Anna Fischer, left, waves."\n' | akin persons - | cut -d, -f1-7
echo '{"photo": 7, "caption": "Mayor Anna Fischer waves."}' | akin persons - | cut -d, -f1-7
