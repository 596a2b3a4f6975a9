#!/usr/bin/env bash
# Build akin and run all tests; the last line is "N passed, M failed".
#   scripts/test.sh            everything but the suite 'long': gcc, the page in
#                              Chromium, clang, sanitizers of memory and
#                              threads, valgrind, the installed library, the
#                              Python package, the quick suite in a fresh clone
#   scripts/test.sh --quick    the quick suite of the plain build alone
# Works from any folder, any number of times. Builds are in build*/, which git
# ignores.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

quick=no
case ${1:-} in
'') ;;
--quick) quick=yes ;;
-h | --help)
    sed -n '2,8s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
*)
    echo "test.sh: unknown argument '$1' (--quick or nothing)" >&2
    exit 2
    ;;
esac

python=/usr/bin/python3
[ -x "$python" ] || python=python3
passed=0 failed=0 skipped=0
log=$(mktemp)
temporary=$(mktemp -d)
chmod 755 "$temporary" # a test runs the program as another user
trap 'rm -rf "$log" "$temporary"' EXIT

# say WHAT: the heading of a stage, with the seconds so far.
say() {
    printf '\n== %s (%d s)\n' "$1" "$SECONDS"
}

# check WHAT COMMAND...: one case; shows its output when it fails.
check() {
    local what=$1
    shift
    if "$@" >"$log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "ok    $what"
    else
        failed=$((failed + 1))
        echo "FAIL  $what"
        { grep -E 'error:|warning:' "$log" || tail -n 40 "$log"; } |
            sed 's/^/    /'
        return 1
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skip  $1"
}

# configure FOLDER OPTION...: set up, or reconfigure an existing folder.
configure() {
    local folder=$1
    shift
    if [ -e "$folder/meson-private/coredata.dat" ]; then
        meson setup --reconfigure "$folder" "$@" ||
            meson setup --wipe "$folder" "$@"
    else
        meson setup "$folder" "$@"
    fi
}

# build FOLDER OPTION...: configure and compile; two cases.
build() {
    check "$1: configures" configure "$@" &&
        check "$1: compiles without warnings" ninja -C "$1"
}

# suite FOLDER ARGUMENT...: run the tests, count their cases.
suite() {
    local folder=$1 p f s
    shift
    rm -f "$folder/meson-logs/testlog.json"
    meson test -C "$folder" --no-rebuild --timeout-multiplier 5 "$@" \
        >"$log" 2>&1 || true
    if [ ! -e "$folder/meson-logs/testlog.json" ]; then
        failed=$((failed + 1))
        echo "FAIL  $folder: the tests did not run"
        tail -n 20 "$log"
        return
    fi
    read -r p f s < <("$python" tools/tally.py "$folder/meson-logs/testlog.json")
    echo "      $folder: $p passed, $f failed, $s skipped"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

plain=(-Dwerror=true -Dbuildtype=release -Db_sanitize=none)

# What the Python package is built and tested with.
python_setup() {
    say "what the Python package needs"
    scripts/setup.sh --python ||
        echo "cannot be installed: tests of the Python package are skipped"
}

# What drives the page, and what finds faces. Without a way to the registry of
# npm everything else runs all the same.
extras_setup() {
    say "Chromium and the modules of tests/web"
    scripts/setup.sh --web ||
        echo "cannot be installed: the test of the page is skipped"
    say "PGlite, PostgreSQL, Lucene, Faiss and hnswlib"
    scripts/setup.sh --engines ||
        echo "cannot be installed: tests of engines are skipped"
    say "dlib and weights for faces"
    scripts/setup.sh --faces ||
        echo "cannot be installed: tests that find faces are skipped"
}

plain_run() {
    say "gcc, plain"
    if build build "${plain[@]}" -Dtests=true; then
        if [ "$quick" = yes ]; then
            suite build --suite quick
        else
            suite build --no-suite long
        fi
    fi
}

clang_run() {
    say "clang, no warnings"
    if ! command -v clang >/dev/null; then
        skip "no clang"
        return
    fi
    CC=clang build build-clang "${plain[@]}" || true
}

# The suite again with sanitizers. The corpora of the fuzzers are replayed here
# too.
sanitizer_run() {
    say "address and undefined-behaviour sanitizers"
    if build build-asan -Dwerror=true -Dbuildtype=debugoptimized \
        -Db_sanitize=address,undefined -Db_lundef=false; then
        ASAN_OPTIONS=abort_on_error=1:detect_leaks=1:allocator_may_return_null=1 \
            UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1 \
            suite build-asan --no-suite data --no-suite long --no-suite plain \
            --no-suite web
    fi
}

# What runs in several threads: those of the library, and the server.
thread_run() {
    say "thread sanitizer"
    check "build-tsan: configures" configure build-tsan -Dwerror=true \
        -Dbuildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false ||
        return 0
    check "build-tsan: compiles without warnings" ninja -C build-tsan \
        src/cli/akin tests/test_base_parallel || return 0
    check "threads of the library" build-tsan/tests/test_base_parallel || true
    check "threads of the server, 20 s" "$python" tests/stress/threads.py \
        build-tsan/src/cli/akin 20 || true
}

valgrind_run() {
    local name
    say "valgrind"
    if ! command -v valgrind >/dev/null; then
        skip "no valgrind"
        return
    fi
    for name in base_ctx base_file base_parallel tensors_tensors data_csv \
        data_recipe data_supervision; do
        check "$name" valgrind -q --error-exitcode=99 --leak-check=full \
            --errors-for-leak-kinds=definite "build/tests/test_$name" || true
    done
}

# compiles PROGRAM EXAMPLE FLAG...: as a user would compile it.
compiles() {
    local program=$1 example=$2
    shift 2
    check "$example compiles, ${program##*.}" "${CC:-cc}" -std=c11 -Wall \
        -Wextra -pedantic -Werror "$example" "$@" -o "$program"
}

no_path_of() {
    local path=$1
    shift
    ! grep -aFl "$path" "$@"
}

# Install into a temporary folder, not the configured prefix, and compile each
# example as a user would.
install_run() {
    local stage=$temporary/stage static=$temporary/static pc prefix lib
    local pkgconf flags helpers example program kind
    say "installed library, through pkg-config"
    build build-install "${plain[@]}" -Dtests=false || return 0
    check "meson install" meson install -C build-install --destdir "$stage" ||
        return 0
    check "tests are not built for it" test ! -e build-install/tests || true
    pc=$(find "$stage" -name akin.pc)
    prefix=${pc%/lib*} lib=${pc%/pkgconfig/*}
    check "no path of the build folder" no_path_of "$root" "$prefix"/bin/akin \
        "$lib"/libakin.* "$prefix"/libexec/akin/* "$pc" || true
    check "akin runs" "$prefix/bin/akin" --version || true
    check "akin finds its helpers" "$prefix/bin/akin" convert \
        tests/fuzz/corpora/matlab/v5.mat "$temporary/v5.npy" || true

    export PKG_CONFIG_PATH=${pc%/*}
    pkgconf=(pkg-config "--define-variable=prefix=$prefix")
    check "pkg-config names akin alone" test \
        "$("${pkgconf[@]}" --cflags --libs akin | xargs)" = \
        "-I$prefix/include -L$lib -lakin" || true
    mkdir -p "$static"
    cp "$lib/libakin.a" "$static"
    for example in examples/*.c; do
        for kind in shared static; do
            program=$temporary/$(basename "$example" .c).$kind
            if [ $kind = shared ]; then
                read -ra flags < <("${pkgconf[@]}" --cflags --libs akin)
                flags+=("-Wl,-rpath,$lib") helpers=()
            else
                read -ra flags < <("${pkgconf[@]}" --static --cflags --libs \
                    "--define-variable=libdir=$static" akin)
                helpers=("AKIN_LIBEXEC=$prefix/libexec/akin")
            fi
            compiles "$program" "$example" "${flags[@]}" || continue
            check "$example runs, $kind" env -C "$temporary" "${helpers[@]}" \
                "$program" || true
        done
    done
    unset PKG_CONFIG_PATH
}

# As pip installs it, offline, into an environment of its own; and from the
# archive of its sources. The suite itself runs in the folder build.
python_run() {
    local folder=build-python venv=$root/build-python/venv pip
    say "the Python package, through pip"
    if ! "$python" -c 'import mesonpy, cffi, numpy' 2>/dev/null; then
        skip "no meson-python"
        return
    fi
    # meson-python does not reconfigure the folder of another environment.
    if [ -e "$folder/meson-private/coredata.dat" ]; then
        check "$folder: configures" meson setup --reconfigure "$folder" ||
            return 0
    fi
    check "venv" "$python" -m venv --clear --system-site-packages "$venv" ||
        return 0
    pip=("$venv/bin/pip" --disable-pip-version-check --no-input)
    check "pip install, without a network" "${pip[@]}" install --no-index \
        --no-build-isolation --no-deps "--config-settings=builddir=$folder" . ||
        return 0
    check "no path of the build folder in it" no_path_of "$root" \
        "$venv"/lib/python3*/site-packages/akin/*.so \
        "$venv"/lib/python3*/site-packages/akin/libexec/* || true
    check "it learns what akin train learns" env -C "$temporary" \
        "AKIN_PROGRAM=$root/build/src/cli/akin" "$venv/bin/python" \
        "$root/python/tests/run.py" "$root/python/tests/test_learners.py" \
        -k 'bytes' || true
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        check "the archive of its sources" "$venv/bin/python" -c \
            'import mesonpy, sys; print(mesonpy.build_sdist(sys.argv[1]))' \
            "$temporary" || return 0
        check "it has what a build needs" archive_has "$temporary"/akin-*.tar.gz \
            pyproject.toml python/cdef.py include/akin/akin.h src/meson.build ||
            true
    fi
}

# archive_has ARCHIVE FILE...: all of these files are in it.
archive_has() {
    local archive=$1 file names
    shift
    names=$(tar -tzf "$archive")
    for file in "$@"; do
        grep -q "^akin-[^/]*/$file\$" <<<"$names" || return 1
    done
}

# The files in git are enough; nothing outside the clone is needed.
clone_run() {
    local clone=$temporary/clone
    say "a fresh clone, with nothing else"
    if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        skip "not a git checkout"
        return
    fi
    check "git clone" git clone -q --no-hardlinks "$root" "$clone" || return 0
    if build "$clone/build" "$clone" -Dwerror=true -Dbuildtype=debug \
        -Doptimization=1; then
        suite "$clone/build" --suite quick
    fi
}

scripts/setup.sh
if [ "$quick" = no ]; then
    python_setup
    extras_setup
fi
plain_run
if [ "$quick" = no ]; then
    clang_run
    sanitizer_run
    thread_run
    valgrind_run
    install_run
    python_run
    clone_run
fi

printf '\n%d seconds, %d skipped\n' "$SECONDS" "$skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
