akin help > /dev/full
