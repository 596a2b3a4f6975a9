akin learners zzz
