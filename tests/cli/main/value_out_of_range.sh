akin help --threads=5000
