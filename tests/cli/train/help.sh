akin help train --all | grep -A 3 -n "^Learners"
