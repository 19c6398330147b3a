"""A server on this machine for what is published: install.sh with its packages, an npm registry, a Python index."""

import base64
import contextlib
import functools
import hashlib
import http.server
import json
import shutil
import tarfile
import tempfile
import threading
from pathlib import Path

import project


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder, and what pip and npm ask of a registry."""

    def do_GET(self):
        packages = Path(self.directory, project.VERSION)
        if self.path.startswith("/npm/"):
            archive = packages / f"{self.path.removeprefix('/npm/')}-{project.VERSION}.tgz"
            self.reply("application/json", npm_entry(archive, self.address()) if archive.exists() else None)
        elif self.path == "/simple/sayso/":
            links = [f'<a href="/{project.VERSION}/{path.name}">{path.name}</a>' for path in packages.glob("*.whl")]
            self.reply("text/html", "\n".join(links))
        else:
            super().do_GET()

    def address(self):
        return f"http://{self.headers['Host']}/{project.VERSION}"

    def reply(self, media, text):
        data = (text or "").encode()
        self.send_response(404 if text is None else 200)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def npm_entry(archive, address):
    """Returns what an npm registry says about the package in an archive."""
    with tarfile.open(archive) as tar:
        package = json.load(tar.extractfile("package/package.json"))
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    package["dist"] = {"tarball": f"{address}/{archive.name}", "integrity": f"sha512-{digest}"}
    version = package["version"]
    return json.dumps({"name": package["name"], "dist-tags": {"latest": version}, "versions": {version: package}})


@contextlib.contextmanager
def serve(packages):
    """Serves a folder of packages while the context lasts, and returns the address."""
    with tempfile.TemporaryDirectory(prefix="sayso-server-") as folder:
        shutil.copy(Path(__file__).with_name("install.sh"), folder)
        Path(folder, project.VERSION).symlink_to(packages)
        handler = functools.partial(Handler, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_port}"
            finally:
                server.shutdown()
