akin train solis-ada --out m
