akin help --json=yes
