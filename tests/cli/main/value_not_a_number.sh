akin help --seed abc
