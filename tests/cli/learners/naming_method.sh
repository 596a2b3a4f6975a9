akin learners rlrr
