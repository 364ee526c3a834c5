"""What the style page shows: invented, neutral, and the same every day, since its pictures are
compared. It is data, as if people had written it, and so has no translation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms

from opspilot.presentation.differences import changes
from opspilot.presentation.shapes import (
    Chip,
    Entry,
    Fact,
    FrozenField,
    Point,
    Source,
    Step,
    Tab,
)

# Of a year that has passed: a date of this year would be written shorter.
NOW = datetime(2024, 11, 29, 17, 32, 8, tzinfo=UTC)
HASH = "3f9a1c7e52d0b486a1f0c9a72d44b8e65a3c7d19b0e5f26c88d1e7a90b3c5f12"


@dataclass(frozen=True, slots=True)
class Theme:
    theme: str
    contrast: str
    label: str
    least: float


@dataclass(frozen=True, slots=True)
class Swatch:
    token: str
    light: str
    dark: str
    on_light: float
    on_dark: float


@dataclass(frozen=True, slots=True)
class Page:
    url: str
    label: str
    icon: str
    current: bool = False
    count: int | None = None
    key: str = ""


class SampleForm(forms.Form):
    titulo = forms.CharField(label="Título", help_text="Até 120 letras.")
    motivo = forms.CharField(label="Motivo", widget=forms.Textarea({"rows": 2}))
    resultado = forms.ChoiceField(
        label="Resultado",
        choices=[("sim", "sim"), ("nao", "não")],
        widget=forms.RadioSelect,
    )
    avisar = forms.BooleanField(label="Avisar por e-mail", required=False)


def theme(name: str, least: float) -> Theme:
    scheme, _space, more = name.partition(" ")
    label = "Claro" if scheme == "light" else "Escuro"
    if more:
        label = f"{label}, contraste alto"
    return Theme(theme=scheme, contrast=more or "normal", label=label, least=least)


def context() -> dict[str, Any]:
    wrong = SampleForm({"titulo": "Fila parada", "motivo": "", "resultado": "sim"})
    wrong.is_valid()
    return {
        "now": NOW,
        "soon": NOW + timedelta(minutes=42),
        "content_hash": HASH,
        "states": _states(),
        "densities": [("normal", "Confortável, 40 px"), ("compact", "Compacta, 32 px")],
        "form": SampleForm(auto_id="livre_%s"),
        "wrong": wrong,
        "tabs": [Tab("Para mim", "#abas", True, 6), Tab("Minhas solicitações", "#abas", count=0)],
        "chips": _chips(),
        "pages": _pages(),
        "facts": _facts(),
        "fields": _fields(),
        "sources": [Source("Liquidação: fila parada", "#", 7, 2, "pagamentos")],
        "entries": _entries(),
        "steps": [
            Step("buscando", "done"),
            Step("lendo", "running", current=True),
            Step("conferindo citações", "pending"),
        ],
        "diff": changes(BEFORE, AFTER, context=1),
        "reasons": [
            Point("prazo vencido", 21),
            Point("sem evidência", 13),
            Point("destino errado", 2),
            Point("sem motivo", 0),
        ],
        "hours": [
            Point(f"{hour} h", value)
            for hour, value in zip(
                range(8, 18), (4, 5, 3, 12, 15, None, None, 17, 14, 13), strict=True
            )
        ],
        "decided": [Point(str(day), value) for day, value in enumerate((6, 7, 5, 14, 18, 13, 20))],
    }


BEFORE = """## Antes de reiniciar
Pause o produtor e espere 5 minutos.
Avise a tesouraria.
Anote o tamanho da fila.
Confira o painel.
Reinicie o consumidor."""

AFTER = """## Antes de reiniciar
Pause o produtor e espere 10 minutos.
Avise a tesouraria por escrito.
Anote o tamanho da fila.
Confira o painel.
Reinicie o consumidor.
Acompanhe por 10 minutos."""


def _states() -> list[tuple[str, str]]:
    return [
        ("pending", "pendente"),
        ("running", "em andamento"),
        ("done", "feito"),
        ("attention", "atenção"),
        ("failed", "recusado"),
        ("unknown", "desconhecido"),
    ]


def _chips() -> list[Chip]:
    return [
        Chip("Risco: alto", "#filtros", on=True, removes=True),
        Chip("tudo", "#filtros", on=True, count=23),
        Chip("recusas", "#filtros", count=2),
        Chip("Filtro", "#filtros", icon="plus"),
    ]


def _pages() -> list[Page]:
    return [
        Page("#", "Painel", "panel"),
        Page("#", "Aprovações", "inbox", current=True, count=6),
        Page("#", "Trilha", "trail"),
    ]


def _facts() -> list[Fact]:
    return [
        Fact("Risco", level="alto"),
        Fact("Prazo", "em 42 min", at=NOW + timedelta(minutes=42)),
        Fact("Pedida por", "agente-plantao", "por operador 3"),
        Fact("Votos", "1 de 2"),
        Fact("Estado", "pendente", state="pending"),
    ]


def _fields() -> list[FrozenField]:
    return [
        FrozenField("Destino", "gitlab.aurora.example", "Na lista permitida.", "host"),
        FrozenField("Título", "Fila parada no lote\u200b das 14h"),
        FrozenField("Descrição", "## O que foi visto\nA fila não anda desde as 13:52.", kind="pre"),
        FrozenField("Etiquetas", ("incidente", "prioridade::2"), kind="tokens"),
        FrozenField("Responsáveis", ""),
    ]


def _entries() -> list[Entry]:
    return [
        Entry(NOW, "operador 3 perguntou.", "ask", url="#", link="Ver pergunta e resposta"),
        Entry(NOW + timedelta(minutes=2), "Preparada por agente-plantao", "agent", sub="R$ 0,03"),
        Entry(NOW + timedelta(minutes=9), "Aprovada por aprovador 5, 1 de 2", state="done"),
        Entry(NOW + timedelta(minutes=9, seconds=4), "Enviada, sem resposta", state="unknown"),
    ]
