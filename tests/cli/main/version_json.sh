akin --version --json
