# Control characters, overrides, markup and zero bytes do not get out as such.
printf '{"photo": "a", "caption": "Mayor Anna\\u001b[2J Fischer\\u202e <b>Peter Keller</b> \\u0000Ruth Bergman"}\n' > c.jsonl
akin persons c.jsonl | LC_ALL=C tr -d ' -~\n' | wc -c
printf 'photo,caption\n"=1+1,""x""","Mayor Anna Fischer waves."\n' > c.csv
akin persons c.csv | cut -d, -f1-7
