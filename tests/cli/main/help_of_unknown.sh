akin help trian
