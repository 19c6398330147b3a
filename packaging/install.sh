#!/bin/sh
# Installs Sayso for one user (root: for all): curl -fsSL https://sayso.example/install.sh | sh
# The same line with `sh -s -- --remove` removes what it installed, and leaves your questions and settings.
# SAYSO_BASE is where the packages are, SAYSO_VERSION which of them, SAYSO_PREFIX where they go.
set -eu

base=${SAYSO_BASE:-https://sayso.example/releases}
version=${SAYSO_VERSION:-0.1.0}
prefix=${SAYSO_PREFIX:-$([ "$(id -u)" -eq 0 ] && echo /usr/local || echo "$HOME/.local")}
list=$prefix/share/doc/sayso/installed

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

remove() { # The files, then the folders that the installation made, if nothing else is in them.
    [ -f "$list" ] || return 0
    paths=$(cat "$list") && rm -f "$list"
    echo "$paths" | while read -r path; do
        case $path in */) rmdir "$prefix/$path" 2>/dev/null || true ;; *) rm -f "$prefix/$path" ;; esac
    done
}

fetch() { # URL FILE
    if command -v curl >/dev/null; then
        curl -fsSL "$1" -o "$2"
    elif command -v wget >/dev/null; then
        wget -qO "$2" "$1"
    else
        fail "it needs curl or wget."
    fi || fail "cannot download $1"
}

main() {
    [ "${1-}" != --remove ] || { remove && echo "Sayso is removed. Your data: ~/.local/share/sayso" && exit; }
    [ "$(uname -s)" = Linux ] || fail "Sayso has no package for $(uname -s); on Windows, use WSL."
    case $(uname -m) in
        x86_64 | amd64) machine=x86_64 ;;
        aarch64 | arm64) machine=aarch64 ;;
        *) fail "Sayso has no package for $(uname -m)." ;;
    esac
    name=sayso-$version-$machine-unknown-linux-gnu
    ending=$(command -v xz >/dev/null && echo xz || echo gz)
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
    fetch "$base/$version/SHA256SUMS" SHA256SUMS
    fetch "$base/$version/$name.tar.$ending" "$name.tar.$ending"
    (grep " $name.tar.$ending\$" SHA256SUMS | sha256sum -c --quiet -) || fail "the checksum differs."
    tar -xf "$name.tar.$ending"
    remove
    (cd "$name" && find . ! -type d && find . -depth -type d) | while read -r path; do
        if [ ! -d "$name/$path" ]; then echo "$path"; elif [ ! -d "$prefix/$path" ]; then echo "${path#.}/"; fi
    done >installed
    mkdir -p "$prefix" && cp -R "$name/." "$prefix/" && cp installed "$list"
    echo "$("$prefix/bin/sayso" --version) is in $prefix/bin. Ask something: sayso ask 'Which database?' PostgreSQL SQLite"
    case :$PATH: in *":$prefix/bin:"*) ;; *) echo "Add it to your path: export PATH=\"$prefix/bin:\$PATH\"" ;; esac
}

main "$@"
