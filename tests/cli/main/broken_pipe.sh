set -o pipefail
akin help --json | true
