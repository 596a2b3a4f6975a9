#!/usr/bin/env bash
# Every public header compiles alone, as C11 and as C++17.
#   check_headers.sh INCLUDE_DIR
set -euo pipefail
include=$1
warnings=(-Wall -Wextra -Wconversion -Wshadow -pedantic -Werror)
read -ra cc <<<"${CC:-cc}"
read -ra cxx <<<"${CXX:-c++}"
failed=0

# compile LANGUAGE STANDARD HEADER COMPILER...
compile() {
    local language=$1 standard=$2 header=$3
    shift 3
    if ! printf '#include <%s>\n' "$header" |
        "$@" -x "$language" "-std=$standard" "${warnings[@]}" -fsyntax-only \
            -I "$include" -; then
        echo "$header: does not compile alone as $standard"
        failed=1
    fi
}

cpp=yes
if ! command -v "${cxx[0]}" >/dev/null; then
    echo "no C++ compiler: the headers are not tried as C++17"
    cpp=no
fi
for path in "$include"/akin/*.h; do
    header=akin/${path##*/}
    compile c c11 "$header" "${cc[@]}"
    [ "$cpp" = no ] || compile c++ c++17 "$header" "${cxx[@]}"
done
exit "$failed"
