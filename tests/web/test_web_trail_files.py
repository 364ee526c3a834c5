"""What people take out of the trail with a browser: an answer as a file, a report that is kept, a
customer's trace, a sample of proofs."""

from __future__ import annotations

import csv
import hashlib
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Download, expect

from tests.web import acts
from tests.web.people import Person

pytestmark = pytest.mark.browser
CUSTOMER = "390.533.447-05"  # nobody else's: the others' newest story is told by other tests
SOON = 20_000  # ms in which the worker has made a file


def taken(person: Person, label: str, folder: Path) -> Path:
    with person.page.expect_download() as waiting:
        person.main.get_by_role("button", name=label).or_(
            person.main.get_by_role("link", name=label, exact=True)
        ).first.click()
    download: Download = waiting.value
    path = folder / download.suggested_filename
    download.save_as(path)
    return path


def test_an_answer_is_narrowed_on_its_page_and_taken_along_as_it_stands(
    auditor: Person, executed: str, tmp_path: Path
) -> None:
    auditor.open("/trilha/")
    auditor.press("Consultas prontas")
    auditor.press("O que foi feito no período e não pode ser desfeito?")
    auditor.choose("periodo", "hoje")
    auditor.page.get_by_label("Agente", exact=True).fill("ninguem")
    auditor.press("Consultar")
    expect(auditor.main).to_contain_text("Nada foi encontrado")
    assert "agente=ninguem" in auditor.path
    auditor.open("/trilha/consultas/quem-leu-o-que/?periodo=hoje")
    expect(auditor.main.get_by_role("table").first).to_be_visible()
    path = taken(auditor, "CSV", tmp_path)
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert "auditor 1" in " ".join(" ".join(map(str, row.values())) for row in rows)


def test_a_report_is_kept_and_its_first_answer_comes_by_itself(
    auditor: Person, executed: str
) -> None:
    auditor.open("/trilha/consultas/erros-por-acao/?periodo=7d")
    auditor.press("Salvar")
    auditor.page.get_by_label("Nome").fill("Erros da semana")
    auditor.press("Salvar relatório")
    expect(auditor.main).to_contain_text("Relatório salvo.")
    auditor.press("Rodar agora")
    answer = auditor.main.get_by_text("Hash do relatório (SHA-256)")
    for _again in range(20):
        if answer.count():
            break
        auditor.page.wait_for_timeout(250)
        auditor.page.reload()
    expect(answer.first).to_be_visible()


def test_a_trace_is_asked_for_followed_and_taken_along(
    conformidade: Person, operador: Person, tmp_path: Path
) -> None:
    acts.command(operador, title="Conferir o contrato", document=CUSTOMER)
    conformidade.open("/trilha/")
    conformidade.page.get_by_label("CPF ou CNPJ").fill(CUSTOMER)
    conformidade.press("Abrir histórico")
    conformidade.press("Exportar o rastro")
    conformidade.page.get_by_label("Para que o rastro vai servir").fill("Pedido de titular 12.")
    conformidade.press("Pedir o rastro")
    expect(conformidade.main).to_contain_text("Soma SHA-256 do arquivo", timeout=SOON)
    said = conformidade.main.locator("#rastro").inner_text()
    path = taken(conformidade, "Baixar o arquivo", tmp_path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() in said
    with zipfile.ZipFile(path) as package:
        assert {"linhas.csv", "linhas.json", "resumo.pdf"} <= set(package.namelist())


def test_a_sample_of_proofs_is_asked_for_and_taken_along(
    auditor: Person, executed: str, tmp_path: Path
) -> None:
    auditor.open("/trilha/")
    auditor.press("Amostras de prova")
    auditor.page.get_by_label("Semente do sorteio").fill("navegador-1")
    auditor.press("Pedir amostra")
    row = auditor.main.get_by_role("row").filter(has_text="navegador-1")
    expect(row).to_contain_text("sha256", timeout=SOON)
    path = taken(auditor, "Baixar", tmp_path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() in row.inner_text()
