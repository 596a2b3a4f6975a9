akin learners | head -5
