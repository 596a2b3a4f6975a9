akin -V
