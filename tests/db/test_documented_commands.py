"""The commands of the documents, run as they stand there, on this run's own database."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from approvals.models import PolicyVersion
from audit import partitions
from grounding.models import Document
from opspilot.bootstrap.network import free_port
from opspilot.tenancy.models import Membership
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.unit.docs.commands import RUN
from tests.unit.docs.documents import DOCS, PAGES, ROOT, blocks

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "opspilot.settings.production",
    "ALLOWED_HOSTS": "console.example",
}
Run = Callable[..., str]


def documented(beginning: str) -> str:
    """The one command of the documents that begins like this."""
    found = [command for command in RUN if command.startswith(beginning)]
    assert len(found) == 1, found
    return found[0]


def line_of(command: str, **instead: str) -> list[str]:
    """The command's words for this machine, with some of them replaced."""
    words = [instead.get(word, word) for word in shlex.split(command)]
    return [sys.executable, *words[1:]]


def run(
    command: str, *, instead: dict[str, str] | None = None, environ: dict[str, str] | None = None
) -> str:
    done = subprocess.run(
        line_of(command, **(instead or {})),
        cwd=ROOT,
        env=os.environ | (environ or {}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_migrating_again_with_the_owners_address_changes_nothing() -> None:
    assert "No migrations to apply" in run(documented("python3 manage.py migrate"))


def test_the_trails_months_are_there_when_they_have_been_made(committed: None) -> None:
    run(documented("python3 manage.py partitions"))
    wanted = {f"{month:%Y-%m}" for month in partitions.wanted(dt.datetime.now(dt.UTC).date())}
    assert wanted - set(partitions.existing()) == set()


def test_the_catalogue_is_compiled() -> None:
    run(documented("python3 manage.py compile_translations"))
    assert (ROOT / "opspilot" / "locale" / "en" / "LC_MESSAGES" / "django.mo").exists()


def test_the_static_files_are_collected_with_hashed_names(tmp_path: Path) -> None:
    environ = PRODUCTION | {"OPSPILOT_STATIC_ROOT": str(tmp_path / "static")}
    run(documented("python3 manage.py collectstatic"), environ=environ)
    manifest = json.loads((tmp_path / "static" / "staticfiles.json").read_text())
    assert re.fullmatch(r"opspilot\.[0-9a-f]+\.css", manifest["paths"]["opspilot.css"])


def test_a_folder_of_runbooks_is_loaded(committed: None, tmp_path: Path) -> None:
    tenant = factories.a_tenant()
    (tmp_path / "fila.md").write_text("# Fila parada\n\nReinicie o consumidor.\n")
    command = documented("python3 manage.py load_runbooks")
    run(command, instead={"DIR": str(tmp_path), "aurora": tenant.slug})
    with tenant_scope(tenant.pk):
        assert [document.name for document in Document.objects.all()] == ["fila.md"]


def test_the_doctor_of_a_company_with_no_connector_has_nothing_to_mend(committed: None) -> None:
    tenant = factories.a_tenant()
    nowhere = {"OPSPILOT_GITLAB_URL": "", "OPSPILOT_SEMAPHORE_URL": ""}
    command = documented("python3 manage.py doctor")
    printed = run(command, instead={"aurora": tenant.slug}, environ=nowhere)
    assert "gitlab: not configured" in printed


def test_a_named_query_is_answered_by_command(committed: None) -> None:
    tenant = factories.a_tenant()
    command = documented("python3 manage.py query")
    assert run(command, instead={"aurora": tenant.slug}).startswith("dia,agente,linhas")


def test_the_costs_of_a_company_without_agents_agree(committed: None) -> None:
    tenant = factories.a_tenant()
    command = documented("python3 manage.py verify_costs")
    assert "the sums agree" in run(command, instead={"aurora": tenant.slug})


def test_the_id_of_the_demo_company_is_the_one_the_page_uses() -> None:
    printed = run(documented("python3 -c")).strip()
    assert printed in (DOCS / "how-to" / "read-the-trail.md").read_text(encoding="utf-8")


def test_the_web_server_answers_the_probes_under_production_settings(tmp_path: Path) -> None:
    command = documented(".venv/bin/python -m granian")
    port, static = free_port(), str(tmp_path)
    process = subprocess.Popen(
        line_of(command, **{"8000": str(port)}),
        cwd=ROOT,
        env=os.environ | PRODUCTION | {"OPSPILOT_STATIC_ROOT": static},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert {path: status(port, path) for path in ("/livez", "/readyz")} == {
            "/livez": 200,
            "/readyz": 200,
        }
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def status(port: int, path: str) -> int:
    """What it answers, once it listens."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refusal:
            return refusal.code
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"nothing listened on {port} within 30 s")


def test_what_is_typed_into_the_shell_works(committed: None) -> None:
    code = "\n".join(blocks(DOCS / "how-to" / "run-it.md", "python"))
    slug, name = f"d-{uuid.uuid4().hex[:12]}", f"p-{uuid.uuid4().hex[:12]}"
    ours = (
        code.replace('"aurora"', f'"{slug}"')
        .replace("operador1.aurora", name)
        .replace("…", factories.PASSWORD)
    )
    space: dict[str, Any] = {}
    exec(ours.replace("document={...}", "document=POLICY"), {"POLICY": factories.POLICY}, space)  # noqa: S102 (the document's own lines)
    with tenant_scope(space["tenant"].pk):
        assert PolicyVersion.objects.count() == 1
        assert Membership.objects.filter(user=space["person"]).exists()


SQL = {f"{page.stem}-{n}": sql for page in PAGES for n, sql in enumerate(blocks(page, "sql"))}


@pytest.mark.parametrize("sql", SQL.values(), ids=[*SQL])
def test_each_query_of_a_document_runs_as_the_auditors_role(sql: str) -> None:
    with psycopg.connect(os.environ["DATABASE_URL_READER"], autocommit=True) as connection:
        connection.execute(sql.encode())
