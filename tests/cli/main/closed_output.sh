akin help >&-
