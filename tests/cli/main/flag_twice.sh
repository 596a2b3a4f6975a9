akin help --seed 1 --seed 2
