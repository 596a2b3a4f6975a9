akin help lmnn > a
akin learners lmnn > b
cmp a b
akin help lmnn --json > a
akin learners lmnn --json > b
cmp a b
akin help lmmn
