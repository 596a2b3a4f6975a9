akin help --jsn
