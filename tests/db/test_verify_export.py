"""A package is verified with the file alone, and whatever was changed in it is named."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from pytest_django import Settings

from audit import verifying
from audit.files.checks import UnreadableError
from audit.models import Entity
from audit.trace import layout
from tests import factories
from tests.conftest import Connection
from tests.db import damaging, tracing
from tests.db.tracing import Package

pytestmark = pytest.mark.usefixtures("committed")

Files = dict[str, bytes]


@pytest.fixture
def key() -> Ed25519PrivateKey:
    return tracing.a_key()


@pytest.fixture
def customer(settings: Settings, tmp_path: Path, key: Ed25519PrivateKey) -> Entity:
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    settings.OPSPILOT_SEAL_KEY = tracing.pem(key)
    return tracing.a_customer(factories.a_tenant(), "CPF ***.111.222-**")


@pytest.fixture
def package(customer: Entity) -> Package:
    tracing.rows_about(customer, 3)
    return tracing.a_package(customer)


def packed(files: Files, target: Path) -> None:
    """Compressed, as a package of the console is."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)


def bad(package: Package, change: Callable[[Files], None], target: Path) -> set[str]:
    """The names of the red lines once the files were changed."""
    files = dict(package.files)
    change(files)
    packed(files, target)
    return {check.name for check in verifying.verify(target).checks if not check.ok}


def edit(name: str, before: bytes, after: bytes) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        assert before in files[name]
        files[name] = files[name].replace(before, after, 1)

    return change


@pytest.mark.parametrize(
    ("change", "red"),
    [
        (edit("linhas.json", b"issue.criada", b"issue.apagada"), "sha256:linhas.json"),
        (edit("linhas.csv", b"issue.criada", b"issue.apagada"), "sha256:linhas.csv"),
        (edit("linhas-excel.csv", b"issue.criada", b"x"), "sha256:linhas-excel.csv"),
        (edit("resumo.pdf", b"%PDF", b"%PDX"), "sha256:resumo.pdf"),
        (edit("manifesto.json", b'"linhas": 3', b'"linhas": 2'), "signature"),
        (edit("assinatura.json", b'"assinatura": "', b'"assinatura": "0'), "signature"),
        (lambda files: files.pop("assinatura.json"), "signature"),
        (lambda files: files.pop("linhas.csv"), "files"),
        (lambda files: files.update({"mais.txt": b"x"}), "files"),
    ],
)
def test_what_was_changed_after_the_signing_is_named(
    package: Package, tmp_path: Path, change: Callable[[Files], None], red: str
) -> None:
    assert red in bad(package, change, tmp_path / "changed.zip")


def test_another_key_than_the_trusted_one_is_refused(package: Package) -> None:
    report = verifying.verify(package.path, tracing.a_key().public_key())
    assert [check.name for check in report.checks if not check.ok] == ["signature"]


def test_a_row_that_was_edited_in_the_table_is_red_in_the_package(
    customer: Entity, admin: Connection
) -> None:
    """The signature is ours and good; the row's own hash says that it is not what was written."""
    tracing.rows_about(customer, 2)
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = replica")
        admin.execute(
            "UPDATE agente_acao SET resultado = 'erro' WHERE id = (SELECT min(id) FROM agente_acao "
            "WHERE entidade_id = %s)",
            [str(customer.ref)],
        )
    report = verifying.verify(tracing.a_package(customer).path)
    red = [check for check in report.checks if not check.ok]
    assert [check.name for check in red] == ["row_hashes"]
    assert "1 rows other than when they were written" in red[0].detail


def test_the_command_says_each_line_and_ends_by_the_verdict(
    package: Package, key: Ed25519PrivateKey, tmp_path: Path
) -> None:
    out, public = io.StringIO(), key.public_key().public_bytes_raw().hex()
    call_command("verify_export", str(package.path), "--key", public, "--json", stdout=out)
    *_lines, last = out.getvalue().splitlines()
    assert json.loads(last)["ok"] is True
    files = dict(package.files)
    edit("linhas.csv", b"issue.criada", b"issue.apagada")(files)
    packed(files, tmp_path / "changed.zip")
    with pytest.raises(SystemExit):
        call_command("verify_export", str(tmp_path / "changed.zip"), stdout=out)
    assert "BAD sha256:linhas.csv" in out.getvalue()
    assert "NOT verified" in out.getvalue()


def test_it_is_verified_where_no_database_answers(package: Package) -> None:
    """These settings' own database is at a port where nobody listens."""
    command = [sys.executable, "-m", "django", "verify_export", str(package.path)]
    done = subprocess.run(
        command,
        cwd=Path(verifying.__file__).parents[1],
        env={"DJANGO_SETTINGS_MODULE": "opspilot.settings.test"},
        timeout=60,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "verified"


@pytest.mark.parametrize("content", [b"", b"PK", b"[]", b'{"formato": "outro"}', b"\x00" * 100])
def test_a_file_that_is_none_of_ours_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "anything"
    path.write_bytes(content)
    with pytest.raises(UnreadableError):
        verifying.verify(path)


def test_a_file_that_unpacks_to_more_than_was_signed_is_not_unpacked(
    package: Package, tmp_path: Path
) -> None:
    red = bad(
        package,
        lambda files: files.update({layout.ROWS_CSV: b"0" * 50_000_000}),
        tmp_path / "bomb.zip",
    )
    assert red == {"sha256:linhas.csv"}


@pytest.mark.parametrize("name", layout.SIGNED_FILES)
def test_a_damaged_byte_of_a_compressed_file_is_that_files_red_line(
    package: Package, tmp_path: Path, name: str
) -> None:
    for damaged in damaging.inside(package.path, name, tmp_path / "damaged.zip", times=20):
        report = verifying.verify(damaged)
        assert f"sha256:{name}" in {check.name for check in report.checks if not check.ok}


def test_whichever_byte_is_damaged_the_check_ends_with_a_report_or_says_it_cannot_read(
    package: Package, tmp_path: Path
) -> None:
    found = [
        damaging.outcome(path)
        for path in damaging.anywhere(package.path, tmp_path / "damaged.zip", times=150)
    ]
    assert {"bad", "unreadable"} <= set(found)


def without(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda said: said.pop(name)


MANIFESTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "no list of files": without("arquivos"),
    "no entity": without("entidade"),
    "no period": without("periodo"),
    "no count": without("linhas"),
    "a count in words": lambda said: said.update(linhas="três"),
    "a count below nothing": lambda said: said.update(linhas=-1),
    "a list for the entity": lambda said: said.update(entidade=[]),
    "a file without a size": lambda said: said["arquivos"][0].pop("bytes"),
    "a size in words": lambda said: said["arquivos"][0].update(bytes="muitos"),
    "a file that is a number": lambda said: said.update(arquivos=[1]),
}


@pytest.mark.parametrize("what", MANIFESTS)
def test_a_manifest_of_any_shape_is_judged_and_not_stumbled_over(
    package: Package, tmp_path: Path, what: str
) -> None:
    def change(files: Files) -> None:
        said = json.loads(files[layout.MANIFEST])
        MANIFESTS[what](said)
        files[layout.MANIFEST] = json.dumps(said).encode()

    assert bad(package, change, tmp_path / "changed.zip") == {"manifest", "signature"}
