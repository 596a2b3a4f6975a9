akin help help --threads=2 | head -1
