akin learners oasis-diag
