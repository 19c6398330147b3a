"""The files of an installed program, below its prefix: man pages, completions, licences."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import project

COMPLETIONS = {
    "bash": "share/bash-completion/completions/sayso",
    "zsh": "share/zsh/site-functions/_sayso",
    "fish": "share/fish/vendor_completions.d/sayso.fish",
}
ITEM = re.compile(r"^ {2,10}(\S.*?) {2,}(\S.*)$")
SECTION = re.compile(r"^## `(.+?)`\n\n(`{3,})text\n(.*?)\n\2$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """A file, or a symbolic link."""

    data: bytes = b""
    mode: int = 0o644
    link: str = ""


def tree(target, program, notices):
    """Returns the files by their paths."""
    files = {"bin/sayso": Entry(program.read_bytes(), 0o755)}
    files |= {f"bin/{name}": Entry(link="sayso") for name in project.NAMES}
    with tempfile.TemporaryDirectory() as home:
        for shell, path in COMPLETIONS.items():
            files[path] = Entry(output(target, program, home, ["completions", shell]))
    files |= {f"share/man/man1/{name}.1": Entry(page.encode()) for name, page in man_pages().items()}
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        files[f"share/doc/sayso/{name}"] = Entry((project.ROOT / name).read_bytes())
    files["share/doc/sayso/THIRD-PARTY-NOTICES.txt"] = Entry(notices)
    return files


def runner(target):
    """Returns the words before a program of this target: an emulator, if this machine is of another kind."""
    if os.uname().machine == target.wheel:
        return []
    emulator = shutil.which(f"qemu-{target.wheel}-static") or shutil.which(f"qemu-{target.wheel}")
    if not emulator:
        raise SystemExit(f"To run programs for {target.rust}, install qemu-user-static and libc6-{target.deb}-cross.")
    # With the C library of that package, since this machine has none for the other kind.
    return [emulator, "-L", f"/usr/{target.rust.replace('-unknown', '')}"]


def output(target, program, home, words):
    """Returns what the program prints, with nothing but a home."""
    line = [*runner(target), str(program), *words]
    return subprocess.run(line, env={"HOME": home, "PATH": ""}, check=True, capture_output=True).stdout


def man_pages():
    """Returns the man pages of the program and of its commands, from the committed reference."""
    pages = {}
    for name, _, text in SECTION.findall((project.ROOT / "docs" / "commands.md").read_text()):
        words = name.split()
        page = "-".join(words[:2])
        about, *parts = text.split("\n\n")
        if page in pages:
            pages[page] += f".SH {name.upper()}\n{roff(about)}\n"
        else:
            pages[page] = f'.TH {page.upper()} 1 "" "Sayso {project.VERSION}"\n.SH NAME\n{page} \\- {roff(about)}\n'
        for part in parts:
            pages[page] += man_part(part)
    others = ", ".join(f".BR {page} (1)" for page in pages if page != "sayso").replace(", ", ",\n")
    pages["sayso"] += f".SH SEE ALSO\n{others}\n"
    return pages


def man_part(part):
    """Returns a paragraph of a help text: a usage, a list, or words."""
    first, *lines = part.splitlines()
    if first.startswith("Usage: "):
        return f".SH SYNOPSIS\n{roff(first.removeprefix('Usage: '))}\n"
    items = [ITEM.match(line) for line in lines]
    if first.endswith(":") and items and all(items):
        rows = "".join(f".TP\n.B {roff(item[1])}\n{roff(item[2])}\n" for item in items)
        return f".SH {first.removesuffix(':').upper()}\n{rows}"
    return ".PP\n.nf\n" + "\n".join(roff(line) for line in part.splitlines()) + "\n.fi\n"


def roff(text):
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped
