akin > a; akin help > b; akin --help > c; cmp a b; cmp a c; head -1 a
