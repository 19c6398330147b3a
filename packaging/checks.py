"""Checks of what is packaged: the oldest C library, the sizes, and a question in each unpacked package."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import project
import server
import texts

PROGRAM_BYTES = 22_000_000
"""Largest program."""
COMPRESSED_BYTES = 8 * 1024 * 1024
"""Largest tarball with xz."""
VALIDATOR = ["cyclonedx-python-lib[json-validation]==11.12.0"]
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()) and "The SBOM is not valid.")
"""
COMPLETION = {
    "bash": "source {file}; COMP_WORDS=(sayso serv) COMP_CWORD=1; _sayso sayso serv sayso; echo ${{COMPREPLY[@]}}",
    "fish": "source {file}; complete -C 'sayso serv'",
    "zsh": r"""
        zmodload zsh/zpty; zpty shell zsh -f -i
        zpty -w shell "PS1=; fpath=({folder} \$fpath); autoload -U compinit; compinit -D -u"
        zpty -w shell "PATH={bin}:\$PATH; echo read''y"
        zpty -r -m shell text '*ready*'
        zpty -w -n shell $'sayso serv\t'; zpty -r -m shell text '*serve*'; echo $text
    """,
}
"""What each shell does to complete `sayso serv`, as a script."""


def check_program(target, program):
    """Fails if the program is for another machine, or needs a newer C library than its packages say."""
    machine, newest = read_elf(program.read_bytes())
    if machine != target.elf:
        raise SystemExit(f"{program} is not for {target.rust}.")
    allowed = tuple(int(part) for part in project.GLIBC.split("."))
    if newest > allowed:
        raise SystemExit(f"{program} needs glibc {'.'.join(map(str, newest))}, not {project.GLIBC}.")


def read_elf(data):
    """Returns the machine of an ELF file, and the newest version of glibc that it names."""
    machine, sections = struct.unpack_from("<H", data, 18)[0], struct.unpack_from("<Q", data, 40)[0]
    size, count = struct.unpack_from("<HH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, sections + at * size) for at in range(count)]
    newest = (0,)
    for _, kind, _, _, offset, _, link, entries, *_ in headers:
        if kind != 0x6FFFFFFE:  # SHT_GNU_verneed
            continue
        names = headers[link][4]
        for _ in range(entries):
            _, versions, _, first, following = struct.unpack_from("<HHIII", data, offset)
            at = offset + first
            for _ in range(versions):
                name, step = struct.unpack_from("<II", data, at + 8)
                text = data[names + name : data.index(b"\0", names + name)].decode()
                if text.startswith("GLIBC_"):
                    newest = max(newest, tuple(int(part) for part in text[6:].split(".")))
                at += step
            offset += following
    return machine, newest


def check_sizes(program, tarball):
    for path, most in ((program, PROGRAM_BYTES), (tarball, COMPRESSED_BYTES)):
        size = path.stat().st_size
        if size > most:
            raise SystemExit(f"{path.name} has {size:,} bytes; at most {most:,} are allowed.")


def run(target, made):
    """Unpacks each package in an empty place, and asks a question there."""
    sbom = next(path for path in made if path.suffix == ".json")
    subprocess.run([project.tools("validator", VALIDATOR) / "python", "-c", VALIDATE, sbom], check=True)
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=sbom.parent, check=True)
    with tempfile.TemporaryDirectory(prefix="sayso-packages-") as place:
        place = Path(place)
        npm = [path for path in made if path.suffix == ".tgz"]
        for path in made:
            if path.name.endswith((".tar.xz", ".tar.gz")):
                ask(target, unpack_tarball(path, place / path.name))
            elif path.suffix == ".deb":
                subprocess.run(["dpkg-deb", "--extract", path, place / "deb"], check=True)
                ask(target, place / "deb" / "usr" / "bin")
            elif path.suffix == ".whl" and not texts.runner(target):
                ask(target, install_wheel(path, place / "wheel"))
        if npm and not texts.runner(target) and shutil.which("npm"):
            ask(target, install_npm(npm, place / "npm"), ["env", "sayso"])
        if not texts.runner(target):
            run_installer(target, sbom.parent, place / "home")
    print("Each package asks and gets its answer.")


def unpack_tarball(path, folder):
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="tar")
    return next(folder.glob("*/bin"))


def install_wheel(path, folder):
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    line = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*line, path], check=True)
    return folder / "bin"


def install_npm(paths, folder):
    folder.mkdir()
    # The package of another platform is optional, and no registry is asked for it.
    line = ["npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run([*line, *paths], cwd=folder, check=True)
    return folder / "node_modules" / ".bin"


def run_installer(target, packages, home):
    """Runs install.sh as it is pasted, twice, tries what it installed, and removes all of it."""
    home.mkdir()
    with server.serve(packages) as address:
        prefix = home / ".local"
        environment = {"HOME": home, "PATH": os.environ["PATH"], "SAYSO_BASE": address, "SAYSO_PREFIX": prefix}

        def paste(line):
            subprocess.run(["sh", "-c", f"curl -fsSL {address}/install.sh | {line}"], env=environment, check=True)

        paste("sh")
        paste("sh")
        ask(target, prefix / "bin")
        for shell, script in COMPLETION.items():
            complete(shell, script, prefix, environment)
        paste("sh -s -- --remove")
    left = list(home.rglob("*"))
    if left:
        raise SystemExit(f"install.sh --remove leaves {left}.")


def complete(shell, script, prefix, environment):
    """Lets a shell complete the name of a command, if it is installed."""
    if not shutil.which(shell):
        print(f"{shell} is not installed, so its completions are not tried.")
        return
    file = prefix / texts.COMPLETIONS[shell]
    line = [shell, "-c", script.format(file=file, folder=file.parent, bin=prefix / "bin")]
    # Fish writes settings of its own at its first start.
    environment = {**environment, "HOME": prefix.parent.parent}
    result = subprocess.run(line, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if "serve" not in result.stdout:
        raise SystemExit(f"{shell} completes `sayso serv` to {result.stdout!r}: {result.stderr}")


def ask(target, folder, line=None):
    """Asks a question with an installed program, answers it, and compares the answer."""
    with tempfile.TemporaryDirectory() as home:
        settings = Path(home, ".config", "sayso")
        settings.mkdir(parents=True)
        (settings / "config.toml").write_text("scripted_answers = true\n")
        environment = {"HOME": home, "PATH": f"{folder}:{os.environ['PATH']}"}
        program = line or [*texts.runner(target), str(folder / "sayso")]

        def output(*words):
            result = subprocess.run([*program, *words], env=environment, check=True, capture_output=True, text=True)
            return result.stdout.strip()

        version = output("--version")
        if not re.fullmatch(rf"sayso {re.escape(project.VERSION)} \([0-9a-f]{{9,}}\)", version):
            raise SystemExit(f"{folder} has {version!r}, without a commit or of another version.")
        ask_id = output("ask", "--no-wait", "Which database?", "PostgreSQL", "SQLite")
        output("answer", ask_id, "--answers", json.dumps({"answers": {"answer": "SQLite"}}))
        answer = output("wait", ask_id)
        if answer != "SQLite":
            raise SystemExit(f"{folder} answers {answer!r}.")
        if not texts.runner(target):
            alias = subprocess.run(["env", "auq", "--version"], env=environment, capture_output=True, text=True)
            if alias.returncode:
                raise SystemExit(f"{folder}/auq fails: {alias.stderr}")
        print(f"{version}: {folder}")
