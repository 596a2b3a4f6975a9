akin learners | head -3
