from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from django import template
from django.forms import BoundField
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import escape, format_html, format_html_join
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from opspilot.presentation import formats, risks
from opspilot.presentation.hidden_text import (
    Kind,
    Segment,
    invisible_count,
    is_ordinary,
    lookalike_count,
    segments,
)

register = template.Library()

_STATE_ICONS = {
    "pending": "clock",
    "running": "loader",
    "done": "check",
    "attention": "warn",
    "failed": "x",
    "unknown": "question",
}
_MESSAGE_STATES = {"success": "done", "warning": "attention", "error": "failed"}
_EMPTY_ICONS = {"rights": "lock", "filter": "sliders", "source": "offline"}
_RISK_BARS = {"baixo": 1, "medio": 2, "médio": 2, "alto": 3, "1": 1, "2": 2, "3": 3}


@register.filter
def visible(value: object, place: str = "") -> SafeString:
    """Escape a text and show each character a reader would miss. `|visible:"pre"` keeps
    newline and tab, for an element that draws them."""
    text, keep = "" if value is None else str(value), place == "pre"
    if is_ordinary(text, keep_breaks=keep):
        return escape(text)
    pieces = segments(text, keep_breaks=keep)
    return format_html_join("", "{}", ((_shown(piece),) for piece in pieces))


@register.filter
def spelled(value: object) -> str:
    """The same for places that take no markup, such as a page's title: codes in brackets."""
    pieces = segments(str(value))
    return "".join(p.text if p.kind is Kind.PLAIN else f"[{p.code}]" for p in pieces)


def _shown(piece: Segment) -> SafeString:
    if piece.kind is Kind.PLAIN:
        return escape(piece.text)
    if piece.kind is Kind.INVISIBLE:
        return _mark(_("caractere invisível"), piece.code)
    return escape(piece.text) + _mark(_("letra ou sinal que passa por outro"), piece.code)


def _mark(words: str, code: str) -> SafeString:
    return format_html('<span class="inv"><span class="vh">{} </span>{}</span>', words, code)


@register.filter
def hidden_words(value: str | Sequence[str] | None) -> str:
    """What to warn of beside a field that will be sent; nothing for one that shows all it has."""
    texts = [value or ""] if value is None or isinstance(value, str) else value
    unseen, alike = sum(map(invisible_count, texts)), sum(map(lookalike_count, texts))
    found = [_unseen_words(unseen)] if unseen else []
    return " ".join([*found, _alike_words(alike)] if alike else found)


def _unseen_words(count: int) -> str:
    words = ngettext(
        "%(counter)s caractere invisível, mostrado como código. Vai assim para o destino.",
        "%(counter)s caracteres invisíveis, mostrados como código. Vão assim para o destino.",
        count,
    )
    return words % {"counter": count}


def _alike_words(count: int) -> str:
    words = ngettext(
        "%(counter)s letra ou sinal passa por outro; o código dele está ao lado.",
        "%(counter)s letras ou sinais passam por outros; o código de cada um está ao lado.",
        count,
    )
    return words % {"counter": count}


@register.filter
def moment(value: datetime | None) -> SafeString:
    """Date, hour, minute and second in the page's zone, in a `time` with the offset."""
    return _time(value, lambda at: formats.moment_text(at, language=_language()))


@register.filter
def clock(value: datetime | None) -> SafeString:
    return _time(value, formats.clock_text)


@register.filter
def short_moment(value: datetime | None) -> SafeString:
    """Hour and minute, and the date when it is another day; the attribute has all of it."""
    now = timezone.localtime()
    return _time(value, lambda at: formats.short_text(at, now=now, language=_language()))


@register.filter
def day(value: datetime | None) -> SafeString:
    return _time(value, lambda at: formats.date_text(at, language=_language()))


@register.filter
def day_heading(value: datetime) -> str:
    at = formats.in_zone(value, timezone.get_current_timezone())
    return formats.day_text(at, language=_language())


def _time(value: datetime | None, text: Callable[[datetime], str]) -> SafeString:
    if value is None:
        return escape(_("não informado"))
    at = formats.in_zone(value, timezone.get_current_timezone())
    stamp = at.isoformat(timespec="seconds")
    return format_html('<time datetime="{}">{}</time>', stamp, text(at))


@register.filter
def until(deadline: datetime, now: datetime | None = None) -> str:
    """Distance from now, or from the moment given, which a page that must agree with the
    database clock passes."""
    return formats.until_text(deadline, now=now or timezone.now(), language=_language())


@register.filter
def centavos(value: Decimal | int | None) -> str:
    """Money from centavos. Unknown is said, never shown as zero."""
    if value is None:
        return _("não informado")
    return formats.money_text(value, language=_language())


@register.filter
def filesize(value: int) -> str:
    return formats.size_text(value, language=_language())


@register.filter
def number(value: Decimal | int | float) -> str:
    return formats.number_text(value, language=_language())


@register.filter
def hash_prefix(value: str) -> str:
    return formats.short_hash(value)


@register.filter
def key_label(value: str) -> str:
    return formats.key_label(value)


@register.filter
def people(text: object) -> str:
    """A sentence about people without their ids, which only the trail needs."""
    return formats.without_ids("" if text is None else str(text))


@register.filter
def state_icon(state: str) -> str:
    return _STATE_ICONS.get(state, "clock")


@register.filter
def message_state(level_tag: str) -> str:
    return _MESSAGE_STATES.get(level_tag, "pending")


@register.filter
def empty_icon(kind: str) -> str:
    return _EMPTY_ICONS.get(kind, "check")


@register.filter
def risk_bars(level: object) -> int:
    """One to three bars. An unknown level draws three: it must not look harmless."""
    return _RISK_BARS.get(str(level), 3)


@register.filter
def risk_word(level: object) -> str:
    named = {"1": "baixo", "2": "medio", "3": "alto", "médio": "medio"}
    return risks.word(named.get(str(level), level))


@register.simple_tag
def control(field: BoundField, keys: str = "", hint: str = "", bare: bool = False) -> SafeString:
    """The widget with the sheet's class, tied to its hint and errors. `bare` drops the
    placeholder a foreign form brings: it only repeats the label."""
    own = field.field.widget.attrs
    attrs: dict[str, str | bool] = {"class": f"input {own.get('class', '')}".strip()}
    described = [f"{field.auto_id}_helptext"] if hint or field.help_text else []
    described += [f"{field.auto_id}_error"] if field.errors else []
    if described:
        attrs["aria-describedby"] = " ".join(described)
    if keys:
        attrs["aria-keyshortcuts"] = keys
    if bare:
        attrs["placeholder"] = ""
    return field.as_widget(attrs=attrs)


@register.simple_tag
def icon(name: str, size: int | str = "") -> SafeString:
    """What `components/icon.html` draws: some sixty of them stand on a page."""
    return _icon(name, "icon icon-20" if size == 20 else "icon")


@lru_cache(maxsize=256)
def _icon(name: str, css: str) -> SafeString:
    drawn = '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>'
    return format_html(drawn, css, static("sprite.svg"), name)


@register.simple_tag
def state_tag(state: str, word: str) -> SafeString:
    """The badge form of `components/state.html`: icon, word and tint."""
    return _state(state, str(word), tag=True)


@register.simple_tag
def state_word(state: str, word: str) -> SafeString:
    """`components/state.html` for a table in which the same few words come in every row: each is
    drawn once."""
    return _state(state, str(word))


@lru_cache(maxsize=256)
def _state(state: str, word: str, *, tag: bool = False) -> SafeString:
    return render_to_string("components/state.html", {"state": state, "word": word, "tag": tag})


@register.simple_tag
def risk_mark(level: object) -> SafeString:
    """`components/risk.html` for a table; each level is drawn once in each language."""
    return _risk_mark(str(level), _language())


@lru_cache(maxsize=64)
def _risk_mark(level: str, _language: str) -> SafeString:
    return render_to_string("components/risk.html", {"level": level})


@register.filter
def own_page(address: str | None) -> str:
    """An address that came with the request, as a link: a page of this console, else its first."""
    ours = url_has_allowed_host_and_scheme(address or "", allowed_hosts=None)
    return str(address) if ours and str(address).startswith("/") else "/"


@register.simple_tag
def zone_label() -> str:
    """The zone of every time on this page: "Horário de Brasília (America/Sao_Paulo, UTC−3)"."""
    name = timezone.get_current_timezone_name()
    return formats.zone_text(timezone.localtime(), name, language=_language())


def _language() -> str:
    return get_language() or "pt-br"
