[ "$(akin version)" = "$(akin --version)" ]
[ "$(akin version --json)" = "$(akin --version --json)" ]
