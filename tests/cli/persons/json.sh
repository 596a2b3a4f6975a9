# One object with everything.
echo '{"photo": "a", "caption": "Mayor Anna Fischer (R) waves. Fischer won."}' > c.jsonl
akin persons c.jsonl --json
