#!/usr/bin/env bash
# Install what akin needs to build and test (Debian 12 and derivatives).
#   scripts/setup.sh            compilers, libraries, test tools
#   scripts/setup.sh --bench    also the programs that bench/ compares with
#   scripts/setup.sh --web      also what tests/web drives the page with
# Does nothing, and does not call apt, when everything is installed.
set -euo pipefail

usage() {
    sed -n '2,6s/^# //p' "${BASH_SOURCE[0]}"
}

packages=(
    # build
    gcc libc6-dev meson ninja-build pkg-config
    # libraries
    libopenblas-dev liblapacke-dev zlib1g-dev libzstd-dev libxxhash-dev
    libjansson-dev libmatio-dev libutf8proc-dev libhnswlib-dev libvips-dev
    libvlfeat-dev libsqlite3-dev libmicrohttpd-dev
    # tests
    g++ clang clang-format libclang-rt-dev libcmocka-dev valgrind binutils git
    python3 python3-numpy python3-scipy shellcheck
)
rivals=(libflann-dev octave-vlfeat python3-hnswlib python3-sklearn
    python3-torch liblinear-tools r-base-core r-cran-glasso)

web=no

# Modules of tests/web, of the versions in its package-lock.json.
install_modules() {
    local root
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    [ $web = yes ] || return 0
    mkdir -p "$root/build/web"
    cp "$root"/tests/web/package*.json "$root/build/web"
    npm ci --prefix "$root/build/web" --no-audit --no-fund
}

for argument in "$@"; do
    case $argument in
    --bench) packages+=("${rivals[@]}") ;;
    --web)
        web=yes
        packages+=(chromium)
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
    install_modules
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
    install_modules
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
install_modules
