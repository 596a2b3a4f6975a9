akin --json help
