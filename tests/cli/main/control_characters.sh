akin $'he\nlp\e[31m'
