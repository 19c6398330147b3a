"""The crates in the program: their notices and the SBOM (CycloneDX 1.6)."""

import json
import re
import subprocess
import tomllib
import uuid
from pathlib import Path

import project

LEGAL = re.compile(r"(?i)^(licen[cs]e|copying|notice|unlicense|copyright)")


def crates(target):
    """Returns the packages of others in the program of a target, sorted by name."""
    line = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target.rust]
    metadata = json.loads(subprocess.run(line, cwd=project.ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    edges = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    todo = [package["id"] for package in packages.values() if package["name"] == "sayso"]
    seen = set()
    while todo:
        package = todo.pop()
        if package in seen:
            continue
        seen.add(package)
        for dependency in edges[package]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                todo.append(dependency["pkg"])
    found = [packages[package] for package in seen if packages[package]["source"]]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def notices(packages):
    """Returns the licence texts of the crates, each text once."""
    by_text = {}
    for package in packages:
        folder = Path(package["manifest_path"]).parent
        files = [path for path in sorted(folder.iterdir()) if path.is_file() and LEGAL.match(path.name)]
        text = "\n\n".join(path.read_text(errors="replace").strip() for path in files)
        author = ", ".join(package["authors"]) or f"the authors of {package['name']}"
        text = text or without_file(package, author)
        by_text.setdefault(text, []).append(f"{package['name']} {package['version']} ({package['license']})")
    parts = [f"{', '.join(names)}\n\n{text}\n" for text, names in sorted(by_text.items(), key=lambda item: item[1])]
    return ("Sayso contains these crates.\n\n" + ("-" * 79 + "\n\n").join(parts)).encode()


def without_file(package, author):
    """Returns the licence of a crate that has no file of it."""
    if "MIT" not in package["license"]:
        raise SystemExit(f"{package['name']} has no file for its licence {package['license']}.")
    return re.sub(r"Copyright .*", f"Copyright {author}", (project.ROOT / "LICENSE-MIT").read_text().strip())


def sbom(path, packages):
    lock = tomllib.loads((project.ROOT / "Cargo.lock").read_text())["package"]
    sums = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    components = []
    for package in packages:
        name, version = package["name"], package["version"]
        url = f"pkg:cargo/{name}@{version}"
        component = {"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url}
        if sums.get((name, version)):
            component["hashes"] = [{"alg": "SHA-256", "content": sums[name, version]}]
        if package["license"]:
            component["licenses"] = [{"expression": re.sub(r" */ *", " OR ", package["license"])}]
        components.append(component)
    own = f"pkg:cargo/sayso@{project.VERSION}"
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components))
    main = {"type": "application", "bom-ref": own, "name": "sayso", "version": project.VERSION, "purl": own}
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": main},
        "components": components,
    }
    path.write_text(json.dumps(document, indent=1) + "\n")
    return path
