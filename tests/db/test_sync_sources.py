"""A collection kept from a folder or a Git repository: what is new comes in by the same door, what is
gone is asked about or retired, and nothing outside the company's folder is read."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now
from django.urls import reverse
from pytest_django import Settings

from audit.models import AgenteAcao
from grounding.intake import ingest
from grounding.life import deleting
from grounding.models import Document, OnRemoval, SourceKind, SyncSource, Upload, Version
from grounding.sync import lane, places, repository, sources
from grounding.sync.errors import AlreadyFedError, SourceRefusedError, UnreadableSourceError
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db.browsing import a_browser

pytestmark = pytest.mark.django_db

RUNBOOK = factories.RUNBOOK
NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


@pytest.fixture
def company(settings: Settings, tmp_path: Path) -> tuple[Tenant, Path]:
    """A company and the folder its sources may be in."""
    settings.OPSPILOT_SYNC_ROOT = str(tmp_path)
    tenant = factories.a_tenant()
    root = tmp_path / tenant.slug
    root.mkdir()
    return tenant, root


def a_source(tenant: Tenant, **values: Any) -> SyncSource:
    asked = {
        "slug": "plataforma",
        "kind": SourceKind.FOLDER,
        "path": ".",
        "branch": "",
        "on_removal": OnRemoval.ASK,
        "every_minutes": 60,
    }
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        return sources.add(admin=admin, **{**asked, **values})


def run(source: SyncSource) -> SyncSource:
    """The source read now, and whatever it sent in read to its end."""
    with tenant_scope(source.tenant_id):
        SyncSource.objects.filter(pk=source.pk).update(next_at=Now())
    lane.advance(tenant_id=source.tenant_id, source_id=source.pk)
    with tenant_scope(source.tenant_id):
        waiting = list(Upload.objects.filter(finished_at=None).values_list("pk", flat=True))
    for upload in waiting:
        ingest.advance(tenant_id=source.tenant_id, upload_id=upload)
    with tenant_scope(source.tenant_id):
        return SyncSource.objects.get(pk=source.pk)


def active(tenant: Tenant) -> list[tuple[str, int]]:
    with tenant_scope(tenant.pk):
        found = Version.objects.filter(active=True).order_by("document__name")
        return list(found.values_list("document__name", "number"))


def test_new_and_changed_files_come_in_and_the_rest_is_left_alone(
    company: tuple[Tenant, Path],
) -> None:
    tenant, root = company
    (root / "redes").mkdir()
    (root / "redes" / "fila.md").write_text(RUNBOOK)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("segredo")
    source = a_source(tenant)
    assert run(source).counts["sent"] == 1
    assert active(tenant) == [("redes/fila.md", 1)]
    assert run(source).counts["sent"] == 0
    (root / "redes" / "fila.md").write_text(RUNBOOK.replace("pag-01", "pag-02"))
    assert run(source).counts["sent"] == 1
    assert active(tenant) == [("redes/fila.md", 2)]


@pytest.mark.parametrize(("on_removal", "left"), [("propor", 1), ("retirar", 0)])
def test_a_file_that_is_gone_is_asked_about_or_retired(
    company: tuple[Tenant, Path], on_removal: str, left: int
) -> None:
    tenant, root = company
    (root / "fila.md").write_text(RUNBOOK)
    (root / "fica.md").write_text("# Stays\n\nThis runbook stays where it is.\n")
    source = a_source(tenant, on_removal=OnRemoval(on_removal))
    run(source)
    (root / "fila.md").unlink()
    assert run(source).counts["removed"] == 1
    assert [name for name, _ in active(tenant)] == ["fica.md", "fila.md"][: 1 + left]
    with tenant_scope(tenant.pk):
        gone = Document.objects.get(name="fila.md")
    assert (gone.removal_asked_at is not None, gone.retired_at is not None) == (
        left == 1,
        left == 0,
    )


def test_an_empty_source_retires_nothing_and_says_so(company: tuple[Tenant, Path]) -> None:
    tenant, root = company
    (root / "fila.md").write_text(RUNBOOK)
    source = a_source(tenant, on_removal=OnRemoval.RETIRE)
    run(source)
    (root / "fila.md").unlink()
    after = run(source)
    assert (after.code, active(tenant)) == ("vazia", [("fila.md", 1)])
    run(source)
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="fonte.lida", erro="vazia").count() == 1


def test_a_document_that_a_person_deleted_is_not_brought_back_by_its_source(
    company: tuple[Tenant, Path],
) -> None:
    tenant, root = company
    (root / "fila.md").write_text(RUNBOOK)
    source = a_source(tenant)
    run(source)
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        document = Document.objects.get()
        seen = deleting.consequences(document).seal
        deleting.delete(admin=admin, document=document, reason="pedido do cliente", seen=seen)
    (root / "fila.md").write_text(RUNBOOK + "\nChanged.\n")
    assert run(source).counts["held"] == 1
    assert active(tenant) == []


@pytest.mark.parametrize("folder", [True, False])
def test_a_link_out_of_the_folder_is_left_out_and_counted(
    company: tuple[Tenant, Path], tmp_path: Path, folder: bool
) -> None:
    tenant, root = company
    outside = tmp_path / "outra-empresa"
    outside.mkdir()
    (outside / "alheio.md").write_text("# Alheio\n\nTexto de outra empresa.\n")
    (root / "fila.md").write_text(RUNBOOK)
    (root / "atalho.md").symlink_to(outside if folder else outside / "alheio.md")
    after = run(a_source(tenant))
    assert (after.counts["links"], active(tenant)) == (1, [("fila.md", 1)])


@pytest.mark.parametrize("path", ["..", "../outra-empresa", "/etc", "atalho", "nada", "a\0b"])
def test_a_source_outside_the_company_s_own_folder_is_refused(
    company: tuple[Tenant, Path], tmp_path: Path, path: str
) -> None:
    tenant, root = company
    (tmp_path / "outra-empresa").mkdir()
    (root / "atalho").symlink_to(tmp_path / "outra-empresa")
    with pytest.raises(SourceRefusedError):
        a_source(tenant, path=path)
    with tenant_scope(tenant.pk):
        assert not SyncSource.objects.exists()


def test_without_a_root_there_are_no_sources(settings: Settings) -> None:
    settings.OPSPILOT_SYNC_ROOT = ""
    with pytest.raises(UnreadableSourceError, match="desligada"):
        places.inside("aurora", ".")


def test_a_collection_has_one_source(company: tuple[Tenant, Path]) -> None:
    tenant, root = company
    (root / "outra").mkdir()
    a_source(tenant)
    with pytest.raises(AlreadyFedError):
        a_source(tenant, path="outra")


def test_a_due_source_is_found_by_the_worker_and_a_paused_one_is_not(
    company: tuple[Tenant, Path],
) -> None:
    tenant, _root = company
    source = a_source(tenant)
    assert (tenant.pk, source.pk) in tasks.due("sources", 1000)
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        sources.pause(admin=admin, source=source)
    assert (tenant.pk, source.pk) not in tasks.due("sources", 1000)


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=operador 1", "-c", "user.email=operador1@aurora.example"]
    plain = ["-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
    subprocess.run(
        ["git", "-C", str(root), *who, *plain, *arguments], check=True, capture_output=True
    )


def commit(root: Path, text: str) -> None:
    (root / "fila.md").write_text(text)
    git(root, "add", "fila.md")
    git(root, "commit", "-m", "runbook")


@NEEDS_GIT
def test_of_a_repository_what_is_committed_on_the_branch_is_read(
    company: tuple[Tenant, Path],
) -> None:
    tenant, root = company
    work = root / "work"
    work.mkdir()
    git(work, "init")
    (work / "atalho.md").symlink_to("/etc/passwd")
    git(work, "add", "atalho.md")
    commit(work, RUNBOOK)
    (work / "rascunho.md").write_text("# Not committed\n\nNobody has committed this yet.\n")
    git(root, "clone", "--bare", "work", "bare")
    source = a_source(tenant, kind=SourceKind.GIT, path="bare", branch="main")
    after = run(source)
    assert (after.counts["sent"], after.counts["links"], len(after.revision)) == (1, 1, 40)
    assert active(tenant) == [("fila.md", 1)]
    commit(work, RUNBOOK.replace("pag-01", "pag-02"))
    git(work, "push", "../bare", "main")
    assert run(source).revision != after.revision
    assert active(tenant) == [("fila.md", 2)]


@NEEDS_GIT
@pytest.mark.parametrize("branch", ["nada", "--upload-pack=x", "../main", ""])
def test_a_branch_that_is_not_there_or_no_name_is_refused(
    company: tuple[Tenant, Path], branch: str
) -> None:
    tenant, root = company
    git(root, "init")
    commit(root, RUNBOOK)
    with pytest.raises(SourceRefusedError):
        a_source(tenant, kind=SourceKind.GIT, branch=branch)


def borrow_objects(theirs: Path, ours: Path) -> None:
    (ours / "objects" / "info" / "alternates").write_text(f"{theirs / 'objects'}\n")


def borrow_everything(theirs: Path, ours: Path) -> None:
    (ours / "commondir").write_text(str(theirs))


def borrow_a_branch(theirs: Path, ours: Path) -> None:
    (ours / "refs" / "heads" / "main").unlink()
    (ours / "refs" / "heads" / "main").symlink_to(theirs / "refs" / "heads" / "main")


def borrow_by_a_link(theirs: Path, ours: Path) -> None:
    shutil.rmtree(ours / "objects")
    (ours / "objects").symlink_to(theirs / "objects")


@NEEDS_GIT
@pytest.mark.parametrize(
    "borrow", [borrow_objects, borrow_everything, borrow_a_branch, borrow_by_a_link]
)
def test_a_repository_that_has_something_from_elsewhere_is_refused(
    company: tuple[Tenant, Path], tmp_path: Path, borrow: Callable[[Path, Path], None]
) -> None:
    _tenant, root = company
    other = tmp_path / "outra-empresa"
    for place in (root, other):
        place.mkdir(exist_ok=True)
        git(place, "init")
        commit(place, RUNBOOK)
    borrow(other / ".git", root / ".git")
    with pytest.raises(UnreadableSourceError, match="fora_da_raiz"):
        repository.look(root, "main")


@NEEDS_GIT
def test_a_listing_without_end_is_not_read_to_its_end(
    company: tuple[Tenant, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _tenant, root = company
    git(root, "init")
    commit(root, RUNBOOK)
    found = repository.look(root, "main")
    monkeypatch.setattr(repository, "MAX_BYTES", 20)
    with pytest.raises(UnreadableSourceError, match="arquivos_demais"):
        list(found.entries)


def test_nobody_learns_whether_something_outside_the_folder_exists(
    company: tuple[Tenant, Path],
) -> None:
    tenant, _root = company
    for path in ("..", "../nada", "/etc", "/nada/aqui"):
        with pytest.raises(UnreadableSourceError, match="fora_da_raiz"):
            places.inside(tenant.slug, path)


def test_without_git_the_reason_says_so(
    company: tuple[Tenant, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _tenant, root = company
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(UnreadableSourceError, match="sem_git"):
        repository.look(root, "main")


def test_an_admin_adds_reads_pauses_and_removes_a_source_on_its_page(
    company: tuple[Tenant, Path],
) -> None:
    tenant, root = company
    (root / "fila.md").write_text(RUNBOOK)
    admin = a_browser(tenant, Role.ADMIN)
    data = {"colecao": "plataforma", "forma": "pasta", "caminho": ".", "remocao": "propor"}
    page = admin.send(reverse("grounding:source_add"), **data, minutos="60")
    assert "Fonte incluída" in page
    with tenant_scope(tenant.pk):
        source = SyncSource.objects.get()
    run(source)
    assert "em dia" in admin.read(reverse("grounding:sources"))
    page = admin.send(reverse("grounding:source_pause"), fonte=source.ref)
    assert "desligada" in page
    admin.send(reverse("grounding:source_remove"), fonte=source.ref)
    assert "Nenhuma coleção tem fonte" in admin.read(reverse("grounding:sources"))
    assert active(tenant) == [("fila.md", 1)]


@pytest.mark.parametrize("role", [Role.OPERADOR, Role.AUDITOR])
def test_only_an_admin_sees_the_sources(role: Role) -> None:
    assert a_browser(factories.a_tenant(), role).status(reverse("grounding:sources")) == 403


def test_another_company_s_source_is_not_there(company: tuple[Tenant, Path]) -> None:
    tenant, _root = company
    source = a_source(tenant)
    stranger = a_browser(factories.a_tenant(), Role.ADMIN)
    answer = stranger.client.post(reverse("grounding:source_remove"), {"fonte": source.ref})
    assert answer.status_code == 404
