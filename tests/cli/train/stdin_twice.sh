akin train solis-tg --data - --triplets - --out m
