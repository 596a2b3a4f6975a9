akin --version
