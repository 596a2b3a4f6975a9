akin help --seed
