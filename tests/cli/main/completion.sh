source "$CASES/../../../completions/akin.bash"
complete_() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _akin
    echo "${COMPREPLY[@]}"
}
complete_ akin lear
complete_ akin learners solis-ad
complete_ akin embed m --si
complete_ akin embed m --side ""
complete_ akin embed m --side = ri
touch rows.svm
complete_ akin embed m --data ro
