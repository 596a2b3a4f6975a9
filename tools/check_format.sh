#!/usr/bin/env bash
# All C files are as clang-format would have them, and 80 columns wide.
# Exit 77 (skipped) where there is no clang-format.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    mapfile -t files < <(git ls-files --cached --others --exclude-standard \
        '*.c' '*.h' '*.cc' '*.hh' | sort)
else
    mapfile -t files < <(find include src tests bench examples \
        -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' | sort)
fi
present=()
for file in "${files[@]}"; do
    [ -e "$file" ] && present+=("$file")
done

if awk 'length($0) > 80 { printf "%s:%d: %d columns\n", FILENAME, FNR,
        length($0); bad = 1 } END { exit !bad }' "${present[@]}"; then
    echo "lines are at most 80 columns wide"
    exit 1
fi
if ! command -v clang-format >/dev/null; then
    echo "skipped: clang-format is not installed"
    exit 77
fi
clang-format --dry-run --Werror "${present[@]}"
echo "${#present[@]} files are in format"
