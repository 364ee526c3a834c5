from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django import forms
from django.template import Context, Engine
from django.utils import translation

from opspilot.presentation.shapes import Entry, FrozenField, Tab

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "templates"
STATIC = ROOT / "static"
AT = datetime(2026, 11, 30, 17, 14, tzinfo=UTC)
OURS = [
    TEMPLATES / "base.html",
    TEMPLATES / "error.html",
    *(TEMPLATES / "components").glob("*.html"),
    *(TEMPLATES / "includes").glob("*.html"),
    *(TEMPLATES / "account").glob("*.html"),
]
ENGINE = Engine(
    dirs=[str(TEMPLATES)],
    libraries={
        "i18n": "django.templatetags.i18n",
        "static": "django.templatetags.static",
        "opspilot": "opspilot.presentation.templatetags.opspilot",
        "charts": "opspilot.presentation.templatetags.charts",
        "django_htmx": "django_htmx.templatetags.django_htmx",
    },
)


@pytest.fixture(autouse=True)
def portuguese() -> Iterator[None]:
    with translation.override("pt-br"):
        yield


def render(component: str, **values: object) -> str:
    return ENGINE.get_template(f"components/{component}.html").render(Context(values))


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_a_template_has_no_inline_script_style_or_handler(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|hx-on|javascript:", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_no_template_asks_another_host(path: Path) -> None:
    assert not re.search(r"(src|href|action)=[\"']?(https?:)?//", path.read_text())


@pytest.mark.parametrize(
    "path", list((TEMPLATES / "components").glob("*.html")), ids=lambda path: path.stem
)
def test_a_component_opens_with_its_parameters(path: Path) -> None:
    assert path.read_text().startswith("{% comment %}")


def test_the_frame_reads_nothing_of_the_shell_that_nobody_sets() -> None:
    sources = [path.read_text() for path in TEMPLATES.rglob("*.html")]
    read = {name for text in sources for name in re.findall(r"shell\.(\w+)", text)}
    assert read == {"tenant_name", "user_name", "pages", "waiting", "others", "has_others", "stops"}


def test_a_pager_of_a_list_that_fits_draws_nothing() -> None:
    assert render("pager").strip() == ""


def test_every_icon_named_in_a_template_is_drawn_in_the_sprite() -> None:
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', (STATIC / "sprite.svg").read_text()))
    named = {
        name
        for path in OURS
        for name in re.findall(
            r'(?:icon\.html" with name=|icon=|\{% icon )"([\w-]+)"', path.read_text()
        )
    }
    assert named
    assert named <= drawn


def test_the_scripts_stay_small() -> None:
    assert sum(path.stat().st_size for path in STATIC.glob("*.js")) <= 10_000


def test_a_state_is_an_icon_and_a_word() -> None:
    html = render("state", state="unknown", word="resultado desconhecido")
    assert "#question" in html
    assert "resultado desconhecido" in html


def test_a_link_button_prints_the_key_it_answers_to() -> None:
    html = render("button", label="Voltar", url="/x", keys="Escape")
    assert 'aria-keyshortcuts="Escape"' in html
    assert '<kbd aria-hidden="true">Esc</kbd>' in html


def test_an_unavailable_button_cannot_submit_and_says_why() -> None:
    html = render("button", label="Pedir reenvio", reason_id="por-que")
    assert 'type="button"' in html
    assert 'aria-describedby="por-que"' in html


def test_a_count_of_zero_is_shown_on_a_tab() -> None:
    html = render("tabs", items=[Tab("Decididas", "?x", count=0)], label="Filas")
    assert '<span class="count">0</span>' in html


def test_a_frozen_action_shows_and_counts_what_hides() -> None:
    rows = [FrozenField("Título", "lote\u200b das 14h\u202e")]
    html = render("frozen_action", rows=rows, content_hash="ab" * 32)
    assert "U+200B" in html
    assert "2 caracteres invisíveis" in html


def test_a_frozen_action_keeps_the_lines_of_a_long_text() -> None:
    html = render("frozen_action", rows=[FrozenField("Descrição", "um\ndois", kind="pre")])
    assert "<pre>um\ndois</pre>" in html


def test_a_frozen_action_says_when_a_field_is_empty() -> None:
    html = render("frozen_action", rows=[FrozenField("Prazo", "")])
    assert "vazio" in html


def test_the_confirm_strip_posts_the_hash_it_shows() -> None:
    html = render("confirm", action="/x", title="Confirmar", content_hash="ab" * 32, submit="Sim")
    assert f'<input type="hidden" name="acao_hash" value="{"ab" * 32}">' in html


def test_the_decision_bar_has_no_form() -> None:
    html = render("decision_bar", refuse_url="?r", approve_url="?a", content_hash="ab" * 32)
    assert "<form" not in html
    assert "<button" not in html


def test_a_deleted_passage_leaves_a_tombstone_without_link() -> None:
    html = render("quote", gone=True, text="segredo", title="Plantão", url="/k")
    assert "apagado" in html
    assert "segredo" not in html
    assert "href" not in html


def test_a_timeline_entry_has_its_time_with_offset() -> None:
    html = render("timeline", entries=[Entry(AT, "Aprovada", state="done")])
    assert re.search(r'<time datetime="2026-11-30T[\d:]+[+-]\d\d:\d\d">', html)
    assert 'data-state="done"' in html


def test_a_note_escapes_what_it_is_told() -> None:
    html = render("note", state="failed", title="<img src=x>")
    assert "<img" not in html


class Choices(forms.Form):
    period = forms.ChoiceField(choices=[("a", "hoje")], widget=forms.RadioSelect, label="Período")
    reason = forms.CharField(min_length=10, label="Motivo")


def test_radios_become_chips_in_a_named_group() -> None:
    html = render("field", field=Choices()["period"])
    assert "<legend>Período</legend>" in html
    assert 'class="chip"' in html


def test_a_form_that_came_back_links_each_error_to_its_field() -> None:
    html = render("form_errors", form=Choices({"period": "a", "reason": "não"}))
    assert 'href="#id_reason"' in html
    assert 'role="alert"' in html


class Refusal:
    title = "Não há nada neste endereço"
    what = "O item não existe ou não é seu."
    code = "nao_encontrado"
    request_id = "r-1"


def test_the_error_page_stands_alone() -> None:
    html = ENGINE.get_template("error.html").render(Context({"error": Refusal()}))
    assert "<title>Não há nada neste endereço · OpsPilot</title>" in html
    assert "nao_encontrado" in html
