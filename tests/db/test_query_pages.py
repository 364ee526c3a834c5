"""The pages and files of the named queries: one answer in five dresses, and each of them recorded."""

from __future__ import annotations

import csv
import datetime as dt
import errno
import io
import json
import re
import uuid
import zipfile
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit import entities
from audit.models import AgenteAcao
from audit.reports import catalogue, formats, running
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import querying
from tests.db.browsing import Browser, a_browser
from tests.db.querying import COST, HISTORY, IRREVERSIBLE, LIBRARY, READINGS, a_row, main_of

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


def file_of(browser: Browser, address: str) -> bytes:
    response = browser.client.get(address)
    assert response.status_code == 200, response
    content: bytes = response.getvalue()
    response.close()
    return content


def ids_on_screen(browser: Browser, address: str) -> list[str]:
    """The run of each row, page by page: what a screen shows of a row's identity."""
    found: list[str] = []
    while address:
        page = main_of(browser.read(address))
        found += re.findall(r'href="/trilha/correlacao/([0-9a-f-]{36})/"', page)
        following = re.search(r'href="([^"]+)" rel="next"', page)
        address = following[1].replace("&amp;", "&") if following else ""
    return found


def rows_of_plain(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def rows_of_excel(content: bytes) -> list[list[str]]:
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return list(csv.reader(text, delimiter=";"))[1:]


def first_column_of_workbook(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    return re.findall(r'<c r="A\d+"[^>]*><v>(\d+)</v>', sheet)


def recorded(tenant: Tenant, action: str) -> list[AgenteAcao]:
    with tenant_scope(tenant.pk):
        return list(AgenteAcao.objects.filter(acao=action).order_by("id"))


def test_case_09_one_answer_has_the_same_rows_in_both_csvs_json_xlsx_and_on_the_screen(
    tenant: Tenant, auditor: Browser, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PAGE", 2)
    runs = [uuid.uuid4() for _ in range(5)]
    made = [
        str(a_row(tenant, correlacao_id=run, acao="tarefa.executada", saida_resumo=text))
        for run, text in zip(runs, ["=1+1", "00123", "12ABC34501DE35", "; \n", "ok"], strict=True)
    ]
    a_row(tenant, acao="issue.criada", reversivel=True)
    query = "?periodo=7d&acao=tarefa.executada"
    screen = ids_on_screen(auditor, IRREVERSIBLE + query)
    of = {
        kind: file_of(auditor, f"{IRREVERSIBLE}exportar/{kind}/{query}") for kind in formats.FORMATS
    }
    wanted = made[::-1]
    assert [row["id"] for row in rows_of_plain(of["csv"])] == wanted
    assert [row[0] for row in rows_of_excel(of["csv-excel"])] == wanted
    assert [str(row["id"]) for row in json.loads(of["json"])["linhas"]] == wanted
    assert first_column_of_workbook(of["xlsx"]) == wanted
    assert screen == [str(run) for run in reversed(runs)]


def test_case_audit_01_the_last_day_ends_where_it_ends_in_sao_paulo(
    tenant: Tenant, auditor: Browser, admin: Connection
) -> None:
    """Months are stored by UTC bounds, which matter to nobody: 23:30 of the last day is in it."""
    zone = dt.timezone(dt.timedelta(hours=-3))
    first = (dt.datetime.now(zone).replace(day=1) + dt.timedelta(days=40)).replace(day=1)
    turn = first.replace(hour=0, minute=0, second=0, microsecond=0)
    half = dt.timedelta(minutes=30)
    inside = querying.a_row_at(admin, tenant, turn - half, action="tarefa.executada")
    querying.a_row_at(admin, tenant, turn + half, action="tarefa.executada")
    last = (turn - half).date().isoformat()
    rows = rows_of_plain(
        file_of(auditor, f"{IRREVERSIBLE}exportar/csv/?de={last[:8]}01&ate={last}")
    )
    assert [row["id"] for row in rows] == [str(inside)]
    assert rows[0]["ocorrido_em"] == f"{last}T23:30:00.000000-03:00"


def test_case_audit_10_a_file_over_the_cap_is_refused_before_it_starts(
    tenant: Tenant, auditor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        a_row(tenant, acao="tarefa.executada")
    day = (dt.datetime.now(dt.UTC).date() - dt.timedelta(days=2)).isoformat()
    monkeypatch.setattr(formats, "CAP", 2)
    monkeypatch.setitem(formats._MOST, 2, "100 mil")
    response = auditor.client.get(f"{IRREVERSIBLE}exportar/csv/?periodo=intervalo&de={day}")
    page = response.content.decode()
    assert response.status_code == 422
    assert "mais de 100 mil linhas" in page
    assert f'value="{day}"' in page
    assert re.search(r'value="intervalo"[^>]*checked', page)
    assert recorded(tenant, "exportacao.gerada") == []


def test_a_workbook_is_refused_above_what_a_sheet_holds(tenant: Tenant) -> None:
    with tenant_scope(tenant.pk):
        for _ in range(3):
            a_row(tenant, acao="tarefa.executada")
        query, bound = querying.asked("acoes-irreversiveis")
        out = io.BytesIO()
        small = formats.Format("xlsx", "", "", "", formats.FORMATS["xlsx"].write, most=2)
        with pytest.raises(formats.TooManyRowsError):
            formats.write(small, query, bound, out)
    assert out.getvalue() == b""


@pytest.mark.parametrize("kind", sorted(formats.FORMATS))
def test_a_full_disk_is_said_and_leaves_no_file(
    kind: str, tenant: Tenant, auditor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_row(tenant, acao="tarefa.executada")
    monkeypatch.setattr("audit.views.reports.tempfile.TemporaryFile", FullDisk)
    response = auditor.client.get(f"{IRREVERSIBLE}exportar/{kind}/?periodo=7d")
    assert response.status_code == 503
    assert "O disco do servidor está cheio." in response.content.decode()
    assert recorded(tenant, "exportacao.gerada") == []


class FullDisk(io.BytesIO):
    def write(self, data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_an_answer_says_what_it_covers_whose_clock_and_that_it_is_whole(
    tenant: Tenant, auditor: Browser
) -> None:
    a_row(tenant, acao="tarefa.executada")
    page = main_of(auditor.read(f"{IRREVERSIBLE}?periodo=7d"))
    line = re.search(r"(De \d\d/\d\d/\d{4} [\d:]+|Desde \d\d/\d{4} ).*?\)\.", page)
    assert line
    assert "até agora, 1 linha, completo." in line[0]
    assert "America/Sao_Paulo, UTC−3" in line[0]


def test_nothing_found_is_an_answer_that_says_what_was_asked(
    tenant: Tenant, auditor: Browser
) -> None:
    page = main_of(auditor.read(f"{IRREVERSIBLE}?periodo=hoje&agente=agente-y"))
    _before, found, answer = page.partition("Nada foi encontrado")
    assert found
    assert re.search("Nenhum registro com período hoje, agente agente-y. De(sde)? ", answer)
    assert 'class="error"' not in page


def test_a_sum_with_an_unknown_part_says_at_least(tenant: Tenant, auditor: Browser) -> None:
    a_row(tenant, agente="x", custo_exato=Decimal(150))
    a_row(tenant, agente="x", custo_exato=None)
    page = main_of(auditor.read(f"{COST}?periodo=7d"))
    assert page.count("pelo menos R$ 1,50") == 2  # the row and the total


def test_a_query_that_needs_something_waits_for_it(auditor: Browser) -> None:
    page = main_of(auditor.read(HISTORY))
    assert "Consultar" in page
    assert 'id="h-resposta"' not in page
    assert 'class="error"' not in page


def test_what_is_wrong_stands_at_its_field_with_what_was_typed(
    tenant: Tenant, auditor: Browser
) -> None:
    response = auditor.client.get(f"{COST}?periodo=intervalo&de=2026-11-30&ate=2026-11-01")
    page = main_of(response.content.decode())
    assert response.status_code == 422
    assert "O último dia vem antes do primeiro." in page.partition("<form")[2]
    assert 'value="2026-11-30"' in page


def test_a_field_nobody_asked_for_is_refused(auditor: Browser) -> None:
    assert auditor.status(f"{COST}?usuario=todos") == 422


def test_a_customer_is_found_by_document_and_the_number_is_in_no_address(
    tenant: Tenant, auditor: Browser
) -> None:
    by = factories.a_principal(tenant, Role.OPERADOR)
    with tenant_scope(tenant.pk):
        document = entities.parse_document(factories.CPF)
        entity = entities.resolve(principal=by, document=document, correlation_id=uuid.uuid4())
    sent = auditor.client.post(f"{HISTORY}documento/?periodo=7d", {"documento": factories.CPF})
    assert sent.status_code == 302
    assert sent["Location"] == f"{HISTORY}?periodo=7d&tipo=cliente&entidade={entity.ref}"
    assert "Entidade registrada" in main_of(auditor.read(sent["Location"]))


def test_a_document_nobody_has_is_answered_without_the_number(
    tenant: Tenant, auditor: Browser
) -> None:
    page = main_of(auditor.send(f"{HISTORY}documento/", documento=factories.CPF))
    assert "Nenhum registro de CPF ***" in page
    assert factories.CPF not in page


def test_a_reading_is_recorded_with_query_version_and_rows_and_no_parameter(
    tenant: Tenant, auditor: Browser
) -> None:
    a_row(tenant, acao="tarefa.executada", agente="agente-secreto")
    auditor.read(f"{IRREVERSIBLE}?periodo=7d&agente=agente-secreto")
    row = recorded(tenant, "historico.lido")[-1]
    assert row.fontes == [{"consulta": "acoes-irreversiveis", "versao": 1, "linhas": 1}]
    assert "agente-secreto" not in f"{row.entrada_resumo} {row.saida_resumo} {row.fontes}"


def test_the_reading_of_a_customers_history_is_about_that_customer(
    tenant: Tenant, auditor: Browser
) -> None:
    entity = querying.an_entity(tenant)
    auditor.read(f"{HISTORY}?entidade={entity.ref}")
    row = recorded(tenant, "historico.lido")[-1]
    assert (row.entidade_tipo, row.entidade_id) == ("cliente", str(entity.ref))
    told = main_of(a_browser(tenant, Role.CONFORMIDADE).read(f"{READINGS}?entidade={entity.ref}"))
    assert "historico-da-entidade v2 n=0" in told


def test_an_export_is_recorded_with_the_hash_that_the_proof_page_gives(
    tenant: Tenant, auditor: Browser
) -> None:
    a_row(tenant, acao="tarefa.executada")
    hashes = set()
    for kind in formats.FORMATS:
        file_of(auditor, f"{IRREVERSIBLE}exportar/{kind}/?periodo=7d")
        row = recorded(tenant, "exportacao.gerada")[-1]
        assert (row.fontes[0]["formato"], row.fontes[0]["linhas"]) == (kind, 1)
        hashes.add(row.fontes[0]["sha256"])
    (sha,) = hashes
    proof = f"{IRREVERSIBLE}prova/?periodo=7d"
    assert sha in auditor.read(proof)
    assert "Igual." in auditor.read(f"{proof}&sha256={sha}")
    a_row(tenant, acao="tarefa.executada")
    assert "Mudou desde então." in auditor.read(f"{proof}&sha256={sha}")


def test_the_library_says_when_each_query_was_last_asked(tenant: Tenant, auditor: Browser) -> None:
    assert "<time" not in main_of(auditor.read(LIBRARY)).partition("<footer")[0]
    auditor.read(COST)
    rows = re.findall(r"<tr>.*?</tr>", main_of(auditor.read(LIBRARY)), re.DOTALL)
    assert [("custo-por-agente-e-dia" in row) for row in rows if "<time" in row] == [True]


def test_every_query_of_the_library_opens_for_whom_it_is_offered(
    tenant: Tenant, auditor: Browser
) -> None:
    links = re.findall(r'data-row href="(/trilha/consultas/[\w-]+/)"', auditor.read(LIBRARY))
    assert len(links) == len(catalogue.NAMED)
    assert {auditor.status(link) for link in links} == {200}


def test_a_role_that_may_not_see_who_reads_is_neither_offered_it_nor_let_in(
    tenant: Tenant,
) -> None:
    approver = a_browser(tenant, Role.APROVADOR)
    assert READINGS not in approver.read(LIBRARY)
    assert approver.status(READINGS) == 403
    assert approver.status(f"{READINGS}exportar/csv/") == 403


@pytest.mark.parametrize("address", [LIBRARY, COST, f"{COST}exportar/csv/", f"{COST}prova/"])
def test_an_operator_reads_no_report(address: str, tenant: Tenant) -> None:
    assert a_browser(tenant, Role.OPERADOR).status(address) == 403


@pytest.mark.parametrize("address", [f"{LIBRARY}nada/", f"{COST}exportar/pdf/"])
def test_an_unknown_query_or_format_is_the_consoles_404(address: str, auditor: Browser) -> None:
    assert auditor.status(address) == 404


def test_another_companys_rows_are_in_no_answer_and_no_file(
    tenant: Tenant, auditor: Browser
) -> None:
    other = factories.a_tenant()
    run = uuid.uuid4()
    a_row(other, acao="tarefa.executada", correlacao_id=run)
    address = f"{LIBRARY}reconstrucao-da-rodada/?correlacao={run}"
    assert "Nada foi encontrado" in auditor.read(address)
    file = file_of(auditor, f"{LIBRARY}reconstrucao-da-rodada/exportar/csv/?correlacao={run}")
    assert rows_of_plain(file) == []


def test_a_slow_query_keeps_its_fields_and_says_how_to_narrow(
    auditor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "SECONDS", 0.001)
    monkeypatch.setattr("opspilot.tenancy.sql.named", lambda _path: "SELECT pg_sleep(1), %(limit)s")
    response = auditor.client.get(f"{COST}?periodo=intervalo&de=2026-11-01&ate=2026-11-30")
    page = response.content.decode()
    assert response.status_code == 503
    assert "passou de 20 segundos" in page
    assert 'value="2026-11-01"' in page


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command("query", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_runs_as_the_reader_and_agrees_with_the_page(
    tenant: Tenant, auditor: Browser, tmp_path: Any
) -> None:
    a_row(tenant, acao="tarefa.executada")
    path = tmp_path / "saida.csv"
    printed = command(
        "acoes-irreversiveis", "--tenant", tenant.slug, "--param", "periodo=7d",
        "--out", str(path), "--json",
    )  # fmt: skip
    told = json.loads(printed.splitlines()[-1])
    assert path.read_bytes() == file_of(auditor, f"{IRREVERSIBLE}exportar/csv/?periodo=7d")
    assert told["sha256"] in auditor.read(f"{IRREVERSIBLE}prova/?periodo=7d")
    rows = recorded(tenant, "exportacao.gerada")
    assert [row.id for row in rows if row.entrada_resumo == "linha de comando"] == [
        told["linha_da_trilha"]
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--param", "periodo=intervalo"], "de: Diga o primeiro dia do intervalo."),
        (["--param", "usuario=x"], "takes agente, ate, de, periodo"),
    ],
)
def test_the_command_says_which_parameter_is_wrong(
    arguments: list[str], said: str, tenant: Tenant
) -> None:
    with pytest.raises(CommandError, match=re.escape(said)):
        command("custo-por-agente-e-dia", "--tenant", tenant.slug, *arguments)


def test_the_command_refuses_a_company_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="there is no company"):
        command("custo-por-agente-e-dia", "--tenant", "nao-existe")


def test_the_trails_first_page_leads_to_the_questions_and_finds_a_customer(
    tenant: Tenant, auditor: Browser
) -> None:
    page = main_of(auditor.read("/trilha/"))
    assert f'href="{LIBRARY}"' in page
    assert 'action="/trilha/procurar/"' in page
