"""Writers of the package formats. The same files give the same bytes: no times, no owners."""

import base64
import gzip
import hashlib
import io
import json
import lzma
import stat
import tarfile
import zipfile
from pathlib import Path

import project

LAUNCHER = Path(__file__).with_name("launcher.js")
SHELL_ALIAS = b'#!/bin/sh\nexec "$(dirname "$0")/sayso" %s "$@"\n'


def tar_bytes(tree, prefix):
    """Returns a tar archive of the tree below a folder."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        folders = sorted({folder for path in tree for folder in Path(prefix, path).parents} - {Path(".")})
        for folder in folders:
            info = tarfile.TarInfo(f"{folder}/")
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(info)
        for path, entry in sorted(tree.items()):
            info = tarfile.TarInfo(str(Path(prefix, path)))
            if entry.link:
                info.type, info.linkname, info.mode = tarfile.SYMTYPE, entry.link, 0o777
                archive.addfile(info)
            else:
                info.size, info.mode = len(entry.data), entry.mode
                archive.addfile(info, io.BytesIO(entry.data))
    return buffer.getvalue()


def compress(data, suffix):
    if suffix == ".xz":
        return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    return gzip.compress(data, 9, mtime=0)


def tarball(path, tree, prefix):
    path.write_bytes(compress(tar_bytes(tree, prefix), path.suffix))
    return path


def deb(out, target, tree):
    """Writes a Debian package: an `ar` archive of two tarballs."""
    size = sum(len(entry.data) for entry in tree.values()) // 1024
    control = (
        f"Package: sayso\nVersion: {project.VERSION}\nArchitecture: {target.deb}\nMaintainer: {project.MAINTAINER}\n"
        f"Installed-Size: {size}\nDepends: libc6 (>= {project.GLIBC})\nSection: utils\nPriority: optional\n"
        f"Homepage: {project.HOMEPAGE}\nDescription: {project.SUMMARY}\n"
        " An agent asks in the format it already speaks; a person answers where they\n"
        " are; the answer goes back checked, durable, and with a receipt.\n"
    )
    files = {path: entry for path, entry in tree.items() if not entry.link}
    sums = "".join(f"{hashlib.md5(entry.data).hexdigest()}  usr/{path}\n" for path, entry in sorted(files.items()))
    from texts import Entry

    meta = {"control": Entry(control.encode()), "md5sums": Entry(sums.encode())}
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.xz", compress(tar_bytes(meta, ""), ".xz")),
        ("data.tar.xz", compress(tar_bytes(tree, "usr"), ".xz")),
    ]
    path = out / f"sayso_{project.VERSION}_{target.deb}.deb"
    with path.open("wb") as archive:
        archive.write(b"!<arch>\n")
        for name, data in members:
            archive.write(f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode())
            archive.write(data + b"\n" * (len(data) % 2))
    return path


def wheel(out, target, tree):
    """Writes a wheel that puts the program into the environment's folder of scripts."""
    floor = project.GLIBC.replace(".", "_")
    tags = [f"py3-none-manylinux_{floor}_{target.wheel}", f"py3-none-manylinux2014_{target.wheel}"]
    info, scripts = f"sayso-{project.VERSION}.dist-info", f"sayso-{project.VERSION}.data/scripts"
    readme = (project.ROOT / "README.md").read_text()
    metadata = (
        f"Metadata-Version: 2.4\nName: sayso\nVersion: {project.VERSION}\nSummary: {project.SUMMARY}\n"
        f"License-Expression: {project.LICENSE}\nKeywords: {','.join(project.KEYWORDS)}\n"
        f"Project-URL: Homepage, {project.HOMEPAGE}\nProject-URL: Source, {project.REPOSITORY}\n"
        f"Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{readme}"
    )
    about = "Wheel-Version: 1.0\nGenerator: sayso\nRoot-Is-Purelib: false\n" + "".join(f"Tag: {t}\n" for t in tags)
    files = {f"{scripts}/sayso": (tree["bin/sayso"].data, 0o755)}
    files |= {f"{scripts}/{name}": (SHELL_ALIAS % name.encode(), 0o755) for name in project.NAMES}
    legal = {path: entry for path, entry in tree.items() if path.startswith("share/doc/")}
    files |= {f"{info}/licenses/{Path(path).name}": (entry.data, 0o644) for path, entry in legal.items()}
    files |= {f"{info}/METADATA": (metadata.encode(), 0o644), f"{info}/WHEEL": (about.encode(), 0o644)}
    record = ""
    for path, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), 0o644)
    platforms = ".".join(tag.rsplit("-", 1)[1] for tag in tags)
    path = out / f"sayso-{project.VERSION}-py3-none-{platforms}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return path


def npm(out, target, tree):
    """Writes the npm package of this platform, and the one that chooses a platform."""
    from texts import Entry

    common = {
        "version": project.VERSION,
        "license": project.LICENSE,
        "repository": {"type": "git", "url": f"git+{project.REPOSITORY}.git"},
        "homepage": project.HOMEPAGE,
    }
    platform = f"sayso-desk-cli-linux-{target.npm}"
    own = {
        "name": platform,
        "description": f"{project.SUMMARY}: the program for Linux on {target.npm}",
        **common,
        "os": ["linux"],
        "cpu": [target.npm],
        "libc": ["glibc"],
    }
    platforms = {f"sayso-desk-cli-linux-{other.npm}": project.VERSION for other in project.TARGETS.values()}
    launcher = {
        "name": "sayso-desk-cli",
        "description": project.SUMMARY,
        **common,
        "keywords": project.KEYWORDS,
        "bin": {name: "launcher.js" for name in ("sayso", "sayso-desk-cli", *project.NAMES)},
        "engines": {"node": ">=20"},
        "optionalDependencies": platforms,
    }
    legal = {Path(path).name: entry for path, entry in tree.items() if path.startswith("share/doc/")}
    readme = Entry((project.ROOT / "README.md").read_bytes())
    packages = {
        platform: {"package.json": manifest(own), "bin/sayso": tree["bin/sayso"], **legal},
        "sayso-desk-cli": {
            "package.json": manifest(launcher),
            "launcher.js": Entry(LAUNCHER.read_bytes(), 0o755),
            "README.md": readme,
        },
    }
    return [tarball(out / f"{name}-{project.VERSION}.tgz", files, "package") for name, files in packages.items()]


def manifest(value):
    from texts import Entry

    return Entry((json.dumps(value, indent=2) + "\n").encode())


def checksums(out):
    """Writes the checksums of all packages in the folder."""
    packages = [path for path in sorted(out.iterdir()) if path.is_file() and path.name != "SHA256SUMS"]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in packages]
    (out / "SHA256SUMS").write_text("".join(lines))
