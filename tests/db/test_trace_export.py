"""One customer's trace: whole, nobody else's, built to its end whatever happens on the way."""

from __future__ import annotations

import csv
import errno
import io
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pytest_django import Settings

from audit import readings, verifying
from audit.files import folders
from audit.models import AgenteAcao, Entity, Trace
from audit.trace import asking, assembling, building, claims, reading
from audit.trace.errors import ReasonTooShortError
from opspilot.errors import RoleRequiredError
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db import tracing

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """As the end of the process: nothing of ours catches it."""


@pytest.fixture
def key(settings: Settings, tmp_path: Path) -> Ed25519PrivateKey:
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    key = tracing.a_key()
    settings.OPSPILOT_SEAL_KEY = tracing.pem(key)
    return key


@pytest.fixture
def customer(key: Ed25519PrivateKey) -> Entity:
    entity = tracing.a_customer(factories.a_tenant(), "CPF ***.111.222-**")
    tracing.rows_about(entity, 7)
    return entity


def ids_of(entity: Entity) -> list[int]:
    """As the trail has them, the rows of the asking and of the making apart."""
    with tenant_scope(entity.tenant_id):
        found = AgenteAcao.objects.filter(entidade_id=str(entity.ref))
        kept = found.exclude(acao__startswith="exportacao.").order_by("ocorrido_em", "id")
        return list(kept.values_list("id", flat=True))


def test_every_row_of_the_customer_is_in_every_file_in_the_same_order(customer: Entity) -> None:
    package = tracing.a_package(customer)
    machine = csv.DictReader(io.StringIO(package.files["linhas.csv"].decode()))
    excel = csv.DictReader(
        io.StringIO(package.files["linhas-excel.csv"].decode("utf-8-sig")), delimiter=";"
    )
    wanted = ids_of(customer)
    assert len(wanted) == 7
    assert [row["linha"]["id"] for row in package.rows] == wanted
    assert [int(row["id"]) for row in machine] == wanted
    assert [int(row["id"]) for row in excel] == wanted


def test_the_package_is_verified_and_every_untouched_row_has_the_hash_of_its_writing(
    customer: Entity, key: Ed25519PrivateKey
) -> None:
    report = verifying.verify(tracing.a_package(customer).path, key.public_key())
    assert [check for check in report.checks if not check.ok] == []
    assert report.ok
    (hashes,) = [check for check in report.checks if check.name == "row_hashes"]
    assert "7 of 7 recomputed" in hashes.detail


def test_reading_the_history_is_among_the_rows_and_is_no_story_of_the_summary(
    customer: Entity,
) -> None:
    with tenant_scope(customer.tenant_id):
        person = tracing.an_asker(Tenant(pk=customer.tenant_id))
        readings.record(person, entity_type=customer.type, entity_id=str(customer.ref))
    made = tracing.a_package(customer)
    assert b"historico.lido" in made.files["linhas.json"]
    assert "Quem leu este histórico está só nas linhas." in made.summary.replace("\n", " ")
    told = made.summary.partition("Histórias, da mais antiga")[2]
    assert "Histórico lido" not in told


def test_a_story_of_the_summary_says_what_was_done_and_names_nobody_else(
    key: Ed25519PrivateKey,
) -> None:
    tenant = factories.a_tenant()
    entity = tracing.a_customer(tenant, "CPF ***.111.222-**")
    other = tracing.a_customer(tenant, "Maria Terceira")
    said = f"issue 42 aberta para Maria Terceira, {other.ref}"
    tracing.rows_about(entity, 1, output=said)
    told = tracing.a_package(entity).summary.partition("Histórias, da mais antiga")[2]
    assert "1. Issue criada: ok ·" in told
    assert "issue 42 aberta para [terceiro], [terceiro]" in told.replace("\n", " ")


def test_rows_that_cannot_be_hashed_again_are_told_with_what_to_do(
    key: Ed25519PrivateKey,
) -> None:
    entity = tracing.a_customer(factories.a_tenant(), "CPF ***.111.222-**")
    tracing.rows_about(entity, 2, approver="aprovador 1 (usuario:7)")
    report = verifying.verify(tracing.a_package(entity).path, key.public_key())
    (hashes,) = [check for check in report.checks if check.name == "row_hashes"]
    assert (hashes.ok, hashes.known, report.ok) == (True, False, True)
    assert "0 of 2 recomputed: from the other 2 somebody else was taken out" in hashes.detail
    assert "verify_trail" in hashes.detail


def test_the_summary_names_the_month_from_which_the_trail_is_there(customer: Entity) -> None:
    assert re.search(r"a trilha guarda desde \d\d/\d{4}\n", tracing.a_package(customer).summary)


def test_no_record_is_an_answer_and_a_package_states_it(key: Ed25519PrivateKey) -> None:
    entity = tracing.a_customer(factories.a_tenant(), "CPF ***.111.222-**")
    package = tracing.a_package(entity)
    assert package.manifest["nenhum_registro"] is True
    assert package.rows == []
    assert "Nenhum registro deste cliente até" in package.summary
    assert verifying.verify(package.path, key.public_key()).ok


@pytest.mark.parametrize("count", [40, pytest.param(10_000, marks=pytest.mark.machine)])
def test_of_two_entangled_customers_nothing_of_the_other_leaves(
    key: Ed25519PrivateKey, count: int
) -> None:
    tenant = factories.a_tenant()
    mine = tracing.a_customer(tenant, "CPF ***.111.222-**")
    other = tracing.a_customer(tenant, "CNPJ **.222.333/****-**")
    named = tracing.a_customer(tenant, "Padaria São João")
    operator = factories.a_principal(tenant, Role.OPERADOR)
    entangle(mine, other, named, operator.signature, count)
    entangle(other, mine, named, operator.signature, count)
    package = tracing.a_package(mine)
    assert [row["linha"]["id"] for row in package.rows] == ids_of(mine)
    told = package.everything.casefold()
    ref = str(other.ref)
    for secret in (
        ref, ref.replace("-", ""), str(named.ref), "222.333", "11222333000181", "são joão",
        "sao joao", operator.name, operator.subject, "529.982", "52998224725", "@example.com",
    ):  # fmt: skip
        assert secret.casefold() not in told, secret
    assert str(mine.ref) in told
    assert "[terceiro]" in told
    assert {row["linha"]["aprovado_por"] for row in package.rows} == {"aprovador, aprovador"}
    assert verifying.verify(package.path, key.public_key()).ok


def entangle(one: Entity, other: Entity, named: Entity, signature: str, count: int) -> None:
    """Rows about `one` that tell of others wherever a row can tell of anything."""
    ref = str(other.ref)
    values = {
        "approver": f"{signature}, {signature}",
        "input": signature,
        "output": f"Conciliado com {ref} ({other.title}), CNPJ 11.222.333/0001-81, de {signature}",
        "sources": f'[{{"cliente {ref}": "{ref.upper()}", "nome": "PADARIA SAO JOAO", "n": 1.50}}]',
        "undo": f"https://erp.example/{ref.replace('-', '')}/estorno",
        "error": "Falou com Padaria São João: 52998224725, maria@example.com",
        "request": ref.replace("-", ""),
    }
    tracing.rows_about(one, count - 1, **values)
    tracing.rows_about(one, 1, **values | {"run": ref})


def test_the_same_customer_under_two_joined_ids_is_one_trace(
    customer: Entity, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = tracing.a_customer(Tenant(pk=customer.tenant_id), "CPF ***.111.222-**")
    tracing.rows_about(twin, 4)
    tracing.rows_about(customer, 2)
    monkeypatch.setattr("audit.registry.standing.members", lambda _entity: [customer, twin])
    monkeypatch.setattr(reading, "BATCH", 3)
    package = tracing.a_package(customer)
    assert [row["linha"]["id"] for row in package.rows] == sorted(ids_of(customer) + ids_of(twin))


@pytest.mark.parametrize(
    ("place", "name", "after"),
    [
        (folders, "whole", 4),
        (claims, "advanced", 1),
        (assembling, "_write", 2),
        (building, "_ready", 0),
        (folders, "remove_but_the_package", 0),
    ],
)
def test_a_worker_killed_at_any_step_leaves_a_trace_that_the_next_one_ends(
    customer: Entity, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, after: int
) -> None:
    monkeypatch.setattr(reading, "BATCH", 2)
    trace = tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id)))
    with monkeypatch.context() as patched:
        dying(patched, place, name, after)
        with pytest.raises(Killed):
            tracing.build(trace)
    let_the_lease_end(trace)
    trace = tracing.build(trace)
    package = tracing.package(trace)
    assert trace.state == "pronto"
    assert [row["linha"]["id"] for row in package.rows] == ids_of(customer)
    assert verifying.verify(package.path).ok
    assert ready_rows(trace) == 1


def dying(patched: pytest.MonkeyPatch, place: Any, name: str, after: int) -> None:
    """The function works so many times, and then the process is gone before it does anything."""
    real, calls = getattr(place, name), iter(range(after))

    def once_more(*args: Any, **values: Any) -> Any:
        if next(calls, None) is None:
            raise Killed
        return real(*args, **values)

    patched.setattr(place, name, once_more)


def let_the_lease_end(trace: Trace) -> None:
    with tenant_scope(trace.tenant_id):
        Trace.objects.filter(lease_until__isnull=False).update(lease_until=trace.asked_at)


def ready_rows(trace: Trace) -> int:
    with tenant_scope(trace.tenant_id):
        return AgenteAcao.objects.filter(acao="exportacao.gerada", correlacao_id=trace.ref).count()


def test_a_late_worker_changes_nothing(customer: Entity, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id)))
    real = claims.advanced

    def overtaken(late: Trace, *args: Any) -> None:
        claims.mine(late).update(claim_token=uuid.uuid4())
        real(late, *args)

    monkeypatch.setattr(claims, "advanced", overtaken)
    assert tracing.build(trace).rows == 0


def test_a_row_that_was_committed_late_is_in_the_trace(
    customer: Entity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many rows in the files as in the trail, or the parts are made anew."""
    trace = tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id)))
    monkeypatch.setattr(reading, "BATCH", 3)
    with monkeypatch.context() as patched:
        patched.setattr(reading, "batch", blind_to_the_first(reading.batch))
        assert tracing.build(trace).state == "montando"
    package = tracing.package(tracing.build(trace))
    assert [row["linha"]["id"] for row in package.rows] == ids_of(customer)


def blind_to_the_first(real: Any) -> Any:
    def batch(trace: Trace, ids: list[str], *, limit: int) -> Any:
        found = real(trace, ids, limit=limit)
        return found if trace.parts else found[1:]

    return batch


def test_a_full_disk_is_said_and_leaves_nothing_behind(
    customer: Entity, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id)))

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("audit.files.folders.os.fsync", full)
        trace = tracing.build(trace)
    assert (trace.state, trace.code) == ("falhou", "disco_cheio")
    assert not folders.of(trace).exists()


def test_work_that_stops_again_and_again_at_one_place_ends_and_says_so(customer: Entity) -> None:
    trace = tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id)))
    with tenant_scope(trace.tenant_id):
        Trace.objects.update(attempts=claims.MAX_ATTEMPTS)
    trace = tracing.build(trace)
    assert (trace.state, trace.code) == ("falhou", "interrompido")


def test_a_folder_that_is_not_there_is_said(customer: Entity, settings: Settings) -> None:
    trace = tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id)))
    settings.OPSPILOT_EXPORT_DIR += "/nowhere"
    assert tracing.build(trace).code == "pasta_sem_acesso"


def test_after_a_day_the_file_is_gone_and_the_trace_says_so(customer: Entity) -> None:
    trace = tracing.build(tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id))))
    assert ("traces", trace.pk) not in due()
    with tenant_scope(trace.tenant_id):
        Trace.objects.update(expires_at=clock.now())
    assert ("traces", trace.pk) in due()
    assert tracing.build(trace).state == "vencido"
    assert not folders.of(trace).exists()
    assert ("traces", trace.pk) not in due()


def due() -> list[tuple[str, int]]:
    return [("traces", row) for _tenant, row in tasks.due("traces", 1000)]


def test_files_and_folders_are_the_owner_s_alone(customer: Entity) -> None:
    trace = tracing.build(tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id))))
    folder = folders.of(trace)
    (file,) = folder.iterdir()
    modes = [path.stat().st_mode & 0o777 for path in (folder.parent, folder, file)]
    assert modes == [0o700, 0o700, 0o600]


def test_without_a_key_the_package_is_made_and_is_not_verified(
    customer: Entity, settings: Settings
) -> None:
    settings.OPSPILOT_SEAL_KEY = ""
    trace = tracing.build(tracing.asked(customer, tracing.an_asker(Tenant(pk=customer.tenant_id))))
    assert (trace.state, trace.is_signed) == ("pronto", False)
    bad = [check for check in verifying.verify(folders.package(trace)).checks if not check.ok]
    assert [check.name for check in bad] == ["signature"]


def test_only_the_compliance_role_asks_and_it_says_why(customer: Entity) -> None:
    tenant = Tenant(pk=customer.tenant_id)
    with pytest.raises(RoleRequiredError):
        tracing.asked(customer, factories.a_principal(tenant, Role.AUDITOR, Role.ADMIN))
    with pytest.raises(ReasonTooShortError), tenant_scope(tenant.pk):
        asking.ask(person=tracing.an_asker(tenant), entity=customer, reason="  curto    ")


def test_pressing_twice_is_one_trace(customer: Entity) -> None:
    person = tracing.an_asker(Tenant(pk=customer.tenant_id))
    assert tracing.asked(customer, person).pk == tracing.asked(customer, person).pk
