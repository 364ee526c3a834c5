"""A proposal made to deceive its reader: every sign is shown for what it is, in every field, all of
it can be reached, nothing in it acts, and it can still be refused."""

from __future__ import annotations

import json
from uuid import UUID

import pytest
from playwright.sync_api import expect

from approvals import canonical
from opspilot.bootstrap.instance import Instance
from tests.web import acts
from tests.web.people import Person
from tests.web.queueing import company

pytestmark = pytest.mark.browser

TITLE = "Rever \u202eodnum\u202c p\u0430gamentos\u200b e\U000e0100 fila"
HIDDEN = " " * 6000 + "/label ~secreta"
BODY = f"Antes.{HIDDEN}\n<img src=x onerror='window.acted = true'>\n<script>window.acted = true</script>\n\nFim do texto."
MOTIVE = "O corte é hoje, ver gitl\u0430b.example\u2066 agora."
LONG = "Uma linha de texto com acentuação, que se repete.\n" * 4_000 + "ÚLTIMA LINHA"
_COPY = """
INSERT INTO agente_aprovacao (
  tenant_id, ref, correlacao_id, acao, proposta, risco, estado, expira_em, solicitante,
  solicitante_nome, justificativa, acao_hash, politica_versao, aprovacoes_exigidas, papel_exigido,
  executar_ate, versao_esquema, cobertura, evidencia)
SELECT tenant_id, gen_random_uuid(), gen_random_uuid(), acao, %(action)s::jsonb, risco, estado,
       expira_em, solicitante, solicitante_nome, justificativa, %(hash)s, politica_versao,
       aprovacoes_exigidas, papel_exigido, executar_ate, versao_esquema, cobertura, evidencia
  FROM agente_aprovacao WHERE ref = %(like)s
RETURNING ref
"""


@pytest.fixture(scope="module")
def attack(operador: Person) -> str:
    acts.open_command(operador)
    page = operador.page
    page.get_by_label("Título").fill(TITLE)
    page.get_by_label("Descrição").fill(BODY)
    page.get_by_label("Por que isto precisa ser feito").fill(MOTIVE)
    return acts.confirm(operador)


def test_each_deceptive_sign_is_shown_by_its_code_and_warned_of(
    aprovador: Person, attack: str
) -> None:
    aprovador.open(attack)
    shown = aprovador.main.locator(".inv").all_inner_texts()
    for code in ("U+202E", "U+202C", "U+200B", "U+E0100", "U+0430", "U+0020 × 6000", "U+2066"):
        assert any(code in text for text in shown), code
    warning = aprovador.main.locator(".note", has_text="passam por outros")
    for field in ("Título", "Descrição", "Motivo de quem pediu"):
        expect(warning).to_contain_text(field)


def test_no_sign_that_turns_or_hides_text_reaches_the_browser(
    aprovador: Person, attack: str
) -> None:
    html = aprovador.open(attack).text()
    assert not [sign for sign in "\u202e\u202c\u200b\u2066\U000e0100" if sign in html]
    assert "[U+202E]" not in aprovador.page.title()  # the title names the target, not the words


def test_nothing_in_it_acts(aprovador: Person, attack: str) -> None:
    heard = len(aprovador.complaints)
    aprovador.open(attack)
    assert aprovador.page.evaluate("() => window.acted") is None
    assert aprovador.main.locator("img, script, iframe").count() == 0
    assert aprovador.complaints[heard:] == []
    assert aprovador.elsewhere() == []


@pytest.mark.parametrize("width", [1280, 390])
def test_what_stands_behind_the_blanks_is_read_without_a_click(
    aprovador: Person, attack: str, width: int
) -> None:
    aprovador.page.set_viewport_size({"width": width, "height": 800})
    aprovador.open(attack)
    body = aprovador.main.locator(".frozen pre")
    expect(body).to_contain_text("/label ~secreta")
    expect(body).to_contain_text("Fim do texto.")
    box = body.bounding_box()
    assert box is not None
    assert box["height"] < 600
    assert box["x"] + box["width"] <= width
    cut = "el => el.scrollWidth - el.clientWidth + el.scrollHeight - el.clientHeight"
    assert body.evaluate(cut) <= 0


def test_it_can_still_be_refused(aprovador: Person, attack: str) -> None:
    aprovador.open(attack)
    aprovador.page.keyboard.press("r")
    aprovador.page.get_by_label("Motivo").fill("O texto esconde um comando.")
    aprovador.page.keyboard.press("Control+Enter")
    expect(aprovador.main).to_contain_text("Recusada às")
    assert acts.state_of(aprovador, attack) == "recusada"


def test_a_description_of_200_kilobytes_is_read_to_its_end_and_refused(
    operador: Person, aprovador: Person, console: Instance
) -> None:
    path = _with_description(console, acts.command(operador, title="Texto longo"), LONG)
    aprovador.open(path)
    body = aprovador.main.locator(".frozen pre")
    expect(body).to_contain_text("ÚLTIMA LINHA")
    assert body.evaluate("el => el.scrollHeight - el.clientHeight") <= 0
    expect(aprovador.main.get_by_role("link", name="Recusar…")).to_be_in_viewport()
    aprovador.page.keyboard.press("r")
    aprovador.page.get_by_label("Motivo").fill("Longo demais para uma issue.")
    aprovador.page.keyboard.press("Control+Enter")
    expect(aprovador.main).to_contain_text("Recusada às")


def _with_description(console: Instance, like: str, text: str) -> str:
    """A proposal as a release with a wider limit would have stored it: the hash fits the content."""
    assert len(text.encode()) > 200_000
    with company(console, "aurora") as database:
        ref = UUID(like.split("/")[2])
        row = database.execute(
            "SELECT proposta FROM agente_aprovacao WHERE ref = %s", [ref]
        ).fetchone()
        assert row is not None
        action = json.loads(json.dumps(row[0])) | {"description": text}
        values = {
            "action": canonical.dumps(action),
            "hash": canonical.action_hash(action),
            "like": ref,
        }
        made = database.execute(_COPY, values).fetchone()
    assert made is not None
    return f"/aprovacoes/{made[0]}/"
