#!/bin/sh
# Installs Sayso for one user, without root: curl -fsSL https://sayso.example/install.sh | sh
# SAYSO_BASE is where the packages are, SAYSO_VERSION which of them, SAYSO_PREFIX where they go.
# `sh install.sh --remove` removes what it installed, and leaves your questions and settings.
set -eu

base=${SAYSO_BASE:-https://sayso.example/releases}
version=${SAYSO_VERSION:-0.1.0}
prefix=${SAYSO_PREFIX:-$HOME/.local}
list=$prefix/share/doc/sayso/installed

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

remove() {
    [ -f "$list" ] || return 0
    cd "$prefix"
    while read -r file; do rm -f "$file" && rmdir -p "$(dirname "$file")" 2>/dev/null || true; done <"$list"
    rm -f "$list"
    rmdir -p share/doc/sayso 2>/dev/null || true
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
    ending=gz
    command -v xz >/dev/null && ending=xz
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    fetch "$base/$version/SHA256SUMS" "$work/SHA256SUMS"
    fetch "$base/$version/$name.tar.$ending" "$work/$name.tar.$ending"
    (cd "$work" && grep " $name.tar.$ending\$" SHA256SUMS | sha256sum -c --quiet -) || fail "the checksum differs."
    tar -xf "$work/$name.tar.$ending" -C "$work"
    (remove)
    mkdir -p "$prefix/share/doc/sayso"
    (cd "$work/$name" && find . ! -type d) | sed 's|^\./||' >"$list"
    cp -R "$work/$name/." "$prefix/"
    echo "$("$prefix/bin/sayso" --version) is in $prefix/bin. Ask something: sayso ask 'Which database?' PostgreSQL SQLite"
    case :$PATH: in *":$prefix/bin:"*) ;; *) echo "Add it to your path: export PATH=\"$prefix/bin:\$PATH\"" ;; esac
}

main "$@"
