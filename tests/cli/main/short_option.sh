akin help -j
