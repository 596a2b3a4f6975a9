akin help train | grep -A 3 -n "^Learners from"
