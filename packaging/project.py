"""What every package says about the project: names and addresses from Cargo.toml, and the targets."""

import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]
VERSION = _WORKSPACE["package"]["version"]
LICENSE = _WORKSPACE["package"]["license"]
REPOSITORY = _WORKSPACE["package"]["repository"]
HOMEPAGE = _WORKSPACE["package"]["homepage"]
KEYWORDS = _WORKSPACE["package"]["keywords"]
MAINTAINER = _WORKSPACE["metadata"]["publish"]["maintainer"]
SUMMARY = "The question desk for agents"
GLIBC = "2.17"
"""The oldest C library that a program runs with: that of RHEL 7 and everything newer."""
NAMES = ("auq", "AskUserQuestion")
"""Other names of the program."""


@dataclass(frozen=True)
class Target:
    """A kind of machine, by the name that each packager has for it."""

    rust: str
    deb: str
    wheel: str
    npm: str
    elf: int


TARGETS = {
    target.rust: target
    for target in (
        Target("x86_64-unknown-linux-gnu", "amd64", "x86_64", "x64", 62),
        Target("aarch64-unknown-linux-gnu", "arm64", "aarch64", "arm64", 183),
    )
}


def tools(name, packages):
    """Installs Python packages into an environment of the project's own, and returns its folder of programs."""
    folder = ROOT / "target" / "tools" / name
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    line = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    subprocess.run([*line, *packages], check=True)
    return folder / "bin"


def commit():
    """Returns the short hash of the commit, as `sayso --version` shows it."""
    line = ["git", "rev-parse", "--short=9", "HEAD"]
    return subprocess.run(line, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
