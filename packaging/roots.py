"""Installs each package in empty roots of Debian 11 and 12, as a stranger does: `cargo xtask dist --roots`, as root."""

import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import project
import server

SUITES = ("bullseye", "bookworm")
PASTED = "apt-get update -qq && apt-get install -y -qq curl >/dev/null 2>&1 && curl -fsSL {address}/install.sh | sh"
"""A root without anything has neither curl nor wget."""
ASK = 'sayso ask "Which database?" PostgreSQL SQLite'
SECONDS = 60
"""Longest time from the pasted line to the answer."""
WAYS = {
    "deb": ("dpkg -i /packages/sayso_{version}_amd64.deb >/dev/null", "sayso", "dpkg -P sayso >/dev/null"),
    "tarball": ("tar -xf /packages/{name}.tar.gz", "{name}/bin/sayso", "rm -r {name}"),
    "pip": ("pip3 install -q -i {address}/simple/ sayso", "sayso", "pip3 uninstall -q -y sayso"),
    "uvx": ("true", "uvx -q --default-index {address}/simple/ sayso", "uv -q cache clean"),
    "npx": ("true", "npx -y --registry {address}/npm/ sayso-desk-cli", "rm -r ~/.npm"),
}
"""How each package is installed, run and removed."""
TOOLS = "export PIP_BREAK_SYSTEM_PACKAGES=1; apt-get install -y -qq --no-install-recommends python3-pip >/dev/null 2>&1"
DATA = re.compile(
    r"/(root/\.(local|cache)|dev|proc|tmp|packages|etc/ssl|etc/ca-certificates.conf"
    r"|usr/local/share/ca-certificates|var/(cache|lib|log))(/|$)|__pycache__"
)
"""Folders of data, of other programs and of this test."""
VARIABLES = "HOME=/root TERM=xterm LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin PS1='$ '"


class Terminal:
    """A shell in a root, on a terminal."""

    def __init__(self, root):
        mounts = f"mount --rbind /dev {root}/dev && mount -t proc proc {root}/proc"
        enter = f"chroot {root} env -i {VARIABLES} sh"
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execvp("unshare", ["unshare", "--mount", "--pid", "--fork", "sh", "-c", f"{mounts} && exec {enter}"])
        self.text = ""
        self.expect("$ ")

    def expect(self, words, keys=""):
        """Waits until the words are shown after those of before. Presses the keys meanwhile, each once the terminal
        is silent for a second: a screen takes none at first, since it may be meant for what was there before."""
        keys = list(keys)
        until = time.monotonic() + 120
        while words not in self.text:
            ready, _, _ = select.select([self.file], [], [], 1)
            if time.monotonic() > until:
                raise SystemExit(f"{words!r} is not shown, but: {self.text[-2000:]}")
            if not ready:
                self.type(keys.pop(0) if keys else "")
                continue
            self.text += os.read(self.file, 65536).decode(errors="replace")
            # A terminal answers this query.
            if "\x1b[c" in self.text:
                os.write(self.file, b"\x1b[?62c")
                self.text = self.text.replace("\x1b[c", "")
        self.text = self.text[self.text.index(words) + len(words) :]

    def type(self, keys):
        os.write(self.file, keys.encode())

    def run(self, line):
        """Runs a line to its end, which must be a good one."""
        self.type(f"{line}; echo \"exit=\"$?\n")
        self.expect("exit=")
        self.expect("exit=")
        self.expect("$ ")

    def answer(self, line):
        """Types a line that asks, and picks the second option."""
        self.type(f"{line}\n")
        self.expect("pick")
        self.expect("Sent.", keys="2\r")

    def close(self):
        self.type("exit\n")
        os.waitpid(self.pid, 0)


def run():
    """Plays the stranger in each root."""
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        raise SystemExit("This needs root and mmdebstrap.")
    with server.serve(project.ROOT / "target" / "packages") as address:
        for suite in SUITES:
            with tempfile.TemporaryDirectory(prefix=f"sayso-{suite}-") as root:
                play(suite, extract(suite, Path(root)), address)


def extract(suite, root):
    """Extracts an empty root, which is made once."""
    archive = project.ROOT / "target" / "roots" / f"{suite}.tar"
    if not archive.exists():
        archive.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", suite, archive], check=True)
    subprocess.run(["tar", "-xf", archive, "-C", root, "--exclude=./dev/*"], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc")
    shutil.copytree(project.ROOT / "target" / "packages", root / "packages")
    return root


def play(suite, root, address):
    name = f"sayso-{project.VERSION}-x86_64-unknown-linux-gnu"
    words = {"address": address, "version": project.VERSION, "name": name}
    terminal = Terminal(root)
    terminal.run(f"cd; export SAYSO_BASE={address}")
    before = paths(root)
    began = time.monotonic()
    terminal.answer(f"{PASTED.format(**words)} && {ASK}")
    terminal.expect("SQLite")
    took = time.monotonic() - began
    if took > SECONDS:
        raise SystemExit(f"{suite}: {took:.0f} s from the pasted line to the answer")
    terminal.expect("$ ")
    read_readme(terminal)
    terminal.run("sayso setup claude-code --undo --yes")
    terminal.run(f"curl -fsSL {address}/install.sh | sh -s -- --remove")
    compare(f"{suite}, install.sh", before, paths(root))
    bring_tools(terminal, root)
    for way, (install, program, remove) in WAYS.items():
        before = paths(root)
        terminal.run(install.format(**words))
        terminal.answer(ASK.replace("sayso", program.format(**words), 1))
        terminal.expect("$ ")
        terminal.run(remove.format(**words))
        compare(f"{suite}, {way}", before, paths(root))
    terminal.close()
    print(f"{suite}: answered {took:.0f} s after the pasted line; {', '.join(WAYS)} installed, asked, left nothing.")


def read_readme(terminal):
    """Types the lines of README as they are."""
    readme = (project.ROOT / "README.md").read_text()
    ask = 'ENV=$(sayso ask "Which environment?" staging production)'
    lines = ["sayso run -- rm -rf build", ask, "sayso setup claude-code"]
    if any(line not in readme for line in lines):
        raise SystemExit("README has other lines.")
    terminal.run("mkdir build")
    terminal.type(f"{lines[0]}\n")
    terminal.expect("Run this command?")
    terminal.expect("$ ", keys="y\r")
    terminal.run("test ! -e build")
    terminal.answer(lines[1])
    terminal.expect("$ ")
    terminal.run("test $ENV = production")
    terminal.type(f"{lines[2]}\n")
    terminal.expect("[y/N]")
    terminal.type("y\n")
    terminal.expect("$ ")


def bring_tools(terminal, root):
    """Brings Node and uv from this machine, and Python from Debian."""
    node = Path(shutil.which("node")).resolve()
    npm = Path(shutil.which("npm")).resolve().parent.parent
    (root / "usr/local/lib/node_modules").mkdir(parents=True, exist_ok=True)
    shutil.copytree(npm, root / "usr/local/lib/node_modules/npm", symlinks=True)
    shutil.copy(node, root / "usr/local/bin/node")
    for name in ("npm", "npx"):
        (root / "usr/local/bin" / name).symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")
    for name in ("uv", "uvx"):
        shutil.copy(project.tools("roots", ["uv==0.13.9"]) / name, root / "usr/local/bin")
    terminal.run(TOOLS)


def paths(root):
    """Returns all files of a root but those of data and of Debian's packages."""
    lists = root.glob("var/lib/dpkg/info/*.list")
    owned = {line for file in lists for line in file.read_text().splitlines()}
    found = {f"/{path.relative_to(root)}" for path in root.rglob("*")} - owned
    return {path for path in found if path.removeprefix("/usr") not in owned and not DATA.search(path)}


def compare(what, before, after):
    if before != after:
        raise SystemExit(f"{what}: left {sorted(after - before)[:20]}, and removed {sorted(before - after)[:20]}")
