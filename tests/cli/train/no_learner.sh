akin train
