"""Builds the packages of one program: `cargo xtask dist [--target TARGET] [--check]`.

One build becomes a tarball, a .deb, a Python wheel and npm packages, with checksums, an SBOM and the notices of the
crates in it. Python's standard library writes each of them, so that no packager of others is needed.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import archives
import checks
import inventory
import project
import roots
import texts

TOOLS = ["cargo-zigbuild==0.24.1", "ziglang==0.17.1"]
"""Build tools, as Python packages: zig links against an old glibc."""


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask dist", description=__doc__)
    parser.add_argument("--target", default="x86_64-unknown-linux-gnu", choices=list(project.TARGETS))
    parser.add_argument("--program", type=Path, help="package this program instead of building one")
    parser.add_argument("--check", action="store_true", help="unpack each package in an empty place and run it there")
    parser.add_argument("--roots", action="store_true", help="install the made packages in empty roots of Debian")
    arguments = parser.parse_args()
    if arguments.roots:
        return roots.run()
    target = project.TARGETS[arguments.target]
    program = arguments.program or build(target)
    made = package(target, program)
    for path in made:
        print(f"{path.stat().st_size:>12,}  {path.relative_to(project.ROOT)}")
    if arguments.check:
        checks.run(target, made)
    return 0


def build(target):
    """Builds the program against the oldest glibc that it supports, and returns its path."""
    folder = project.tools("packaging", TOOLS)
    environment = {**os.environ, "SAYSO_COMMIT": project.commit(), "PATH": f"{folder}:{os.environ['PATH']}"}
    line = ["cargo", "zigbuild", "--profile", "dist", "--locked", "-p", "sayso"]
    line += ["--target", f"{target.rust}.{project.GLIBC}"]
    subprocess.run(line, cwd=project.ROOT, env=environment, check=True)
    return project.ROOT / "target" / target.rust / "dist" / "sayso"


def package(target, program):
    """Writes every package into `target/packages`, and returns their paths."""
    out = project.ROOT / "target" / "packages"
    out.mkdir(parents=True, exist_ok=True)
    checks.check_program(target, program)
    crates = inventory.crates(target)
    tree = texts.tree(target, program, inventory.notices(crates))
    name = f"sayso-{project.VERSION}-{target.rust}"
    made = [
        archives.tarball(out / f"{name}.tar.xz", tree, prefix=name),
        archives.tarball(out / f"{name}.tar.gz", tree, prefix=name),
        archives.deb(out, target, tree),
        archives.wheel(out, target, tree),
        *archives.npm(out, target, tree),
        inventory.sbom(out / f"{name}.cdx.json", crates),
    ]
    checks.check_sizes(program, out / f"{name}.tar.xz")
    archives.checksums(out)
    return made


if __name__ == "__main__":
    sys.exit(main())
