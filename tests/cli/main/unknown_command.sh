akin hlep
