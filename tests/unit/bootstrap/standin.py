"""A project the size of a nutshell, laid out like ours: what `up` starts, without what it does."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

COMMAND = """
import json, os, pathlib, sys
from django.core.management.base import BaseCommand

def seen(name):
    wanted = {key: value for key, value in os.environ.items() if key.startswith(("DATABASE_", "OPSPILOT_", "PG"))}
    path = pathlib.Path(os.environ["OPSPILOT_DATA_DIR"]) / f"seen-{name}.json"
    path.write_text(json.dumps(wanted))
"""

FILES = {
    "opspilot/__init__.py": "",
    "opspilot/settings/__init__.py": "",
    "opspilot/settings/local.py": """
import os
SECRET_KEY = os.environ["SECRET_KEY"]
DATABASE_URL = os.environ["DATABASE_URL"]
INSTALLED_APPS = ["opspilot.standin"]
USE_TZ = True
""",
    "opspilot/settings/test.py": "from opspilot.settings.local import *\n",
    "opspilot/wsgi.py": """
import json, os
def application(environ, start_response):
    path = environ["PATH_INFO"]
    names = sorted(name for name in os.environ if name.startswith("DATABASE_"))
    body = json.dumps(names).encode() if path == "/names" else b"ok"
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
""",
    "opspilot/sandbox/__init__.py": "",
    "opspilot/sandbox/gitlab.py": """
import argparse, http.server, os
parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int)
parser.add_argument("--data")
options = parser.parse_args()
assert os.environ["OPSPILOT_SANDBOX_TOKEN"]
assert not [name for name in os.environ if name.startswith("DATABASE_") or name == "SECRET_KEY"]
server = http.server.HTTPServer(("127.0.0.1", options.port), http.server.BaseHTTPRequestHandler)
print(f"sandbox gitlab ready on 127.0.0.1:{options.port}")
server.serve_forever()
""",
    "opspilot/sandbox/semaphore.py": """
import argparse, http.server, os
parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int)
parser.add_argument("--data")
options = parser.parse_args()
assert os.environ["OPSPILOT_SANDBOX_TOKEN"]
server = http.server.HTTPServer(("127.0.0.1", options.port), http.server.BaseHTTPRequestHandler)
print(f"sandbox semaphore ready on 127.0.0.1:{options.port}")
server.serve_forever()
""",
    "opspilot/standin/__init__.py": "",
    "checks/test_surroundings.py": """
import os, psycopg, pytest
ROLES = {"": "app", "_READER": "reader", "_MAINTENANCE": "maintenance", "_OWNER": "owner"}
@pytest.mark.parametrize("suffix", ROLES)
def test_role(suffix):
    with psycopg.connect(os.environ["DATABASE_URL" + suffix]) as connection:
        assert connection.info.user == "opspilot_" + ROLES[suffix]
def test_superuser():
    with psycopg.connect(os.environ["DATABASE_URL_ADMIN"]) as connection:
        assert connection.info.parameter_status("is_superuser") == "on"
def test_rest():
    assert os.environ["DJANGO_SETTINGS_MODULE"] == "opspilot.settings.test"
    assert os.environ["OPSPILOT_BROWSER"] == "/bin/true"
    print("folder:", os.environ["OPSPILOT_DATA_DIR"])
def test_that_fails():
    assert not os.environ.get("FAIL")
""",
    "opspilot/standin/management/__init__.py": "",
    "opspilot/standin/management/commands/__init__.py": "",
    "opspilot/standin/management/commands/migrate.py": COMMAND
    + """
import psycopg
class Command(BaseCommand):
    requires_system_checks = []
    def add_arguments(self, parser):
        parser.add_argument("--database"); parser.add_argument("--noinput", action="store_true")
    def handle(self, **options):
        seen("migrate")
        if os.environ.get("STANDIN_FAILS") == "migrate":
            print("the reason is in the last line")
            sys.exit(3)
        with psycopg.connect(os.environ["DATABASE_URL_OWNER"]) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS kept (word text)")
            connection.execute("GRANT SELECT, INSERT ON kept TO opspilot_app")
""",
    "opspilot/standin/management/commands/compile_translations.py": COMMAND
    + """
class Command(BaseCommand):
    requires_system_checks = []
    def handle(self, **options):
        pass
""",
    "opspilot/standin/management/commands/partitions.py": COMMAND
    + """
class Command(BaseCommand):
    requires_system_checks = []
    def add_arguments(self, parser):
        parser.add_argument("what")
    def handle(self, **options):
        seen("partitions")
""",
    "opspilot/standin/management/commands/seed_demo.py": COMMAND
    + """
class Command(BaseCommand):
    requires_system_checks = []
    def add_arguments(self, parser):
        parser.add_argument("--json", action="store_true")
    def handle(self, **options):
        seen("seed")
        assert os.environ["OPSPILOT_DEMO_PASSWORD"]
        print("seeding")
        print(json.dumps({"users": [{"username": "operador1", "role": "operador", "tenant": "Alfa"}]}))
""",
    "opspilot/standin/management/commands/worker.py": COMMAND
    + """
import time
class Command(BaseCommand):
    requires_system_checks = []
    def handle(self, **options):
        seen("worker")
        while True:
            time.sleep(60)
""",
    "opspilot/standin/management/commands/word.py": COMMAND  # noqa: S608 (a file, not a query)
    + """
import psycopg
class Command(BaseCommand):
    requires_system_checks = []
    def add_arguments(self, parser):
        parser.add_argument("word")
    def handle(self, word, **options):
        seen("word")
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            connection.execute("INSERT INTO kept VALUES (%s)", [word])
            print(*[row[0] for row in connection.execute("TABLE kept")])
""",
}


def write_project(folder: Path) -> Path:
    """A copy of the bootstrap beside stand-ins for all it calls."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(
        ROOT / "opspilot" / "bootstrap", folder / "opspilot" / "bootstrap", ignore=ignore
    )
    (folder / "docs" / "deploy").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "deploy" / "roles.sql", folder / "docs" / "deploy")
    shutil.copy(ROOT / "manage.py", folder)
    (folder / ".ci").mkdir()
    (folder / "requirements.lock").write_text("# nothing\n", encoding="utf-8")
    (folder / ".ci" / "requirements-dev.lock").write_text(
        "# nothing for developers\n", encoding="utf-8"
    )
    return folder


def write_environment(project: Path, venv: Path) -> Path:
    """An environment that borrows the packages of the one that runs the tests, stamped as complete."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    borrowed = venv / "lib" / version / "site-packages" / "borrowed.pth"
    borrowed.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    lock = (project / ".ci" / "requirements-dev.lock").read_bytes()
    stamp = {
        "kind": "dev",
        "lock": hashlib.sha256(lock).hexdigest(),
        "python": sys.version.split()[0],
    }
    (venv / "opspilot-stamp.json").write_text(json.dumps(stamp), encoding="utf-8")
    return venv
