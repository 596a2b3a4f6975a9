akin help help help
