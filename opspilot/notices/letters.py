"""What each letter says, in the person's language: kind of action, risk, deadline and a link.

The link opens a page and does nothing else; a program that reads mail may follow it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.models import AgenteAprovacao
from opspilot.connectors.mail import Letter
from opspilot.notices import report_runs, seconds, words
from opspilot.notices.models import Kind, Notice, Urgency
from opspilot.tenancy.models import User

_SEVERITY = ("alto", "medio", "baixo")


def written(notices: Sequence[Notice], user: User) -> Letter:
    """One letter for one notice, or for all that gathered in a digest."""
    first = notices[0]
    with translation.override(user.language or settings.LANGUAGE_CODE):
        gathered = first.urgency == Urgency.RESUMO
        subject, lines, path = _digest(notices, user) if gathered else _single(first, user)
        return Letter(
            to=user.email,
            subject=f"[OpsPilot] {subject}",
            text=_text(subject, lines, address(path)),
            message_id=f"<opspilot-notice-{first.pk}@{_host()}>",
            html=_html(subject, lines, address(path)),
        )


def address(path: str) -> str:
    return f"{settings.OPSPILOT_BASE_URL.rstrip('/')}{path}"


def _single(notice: Notice, user: User) -> tuple[str, list[str], str]:
    kind, proposal = Kind(notice.kind), notice.approval
    if kind in seconds.KINDS:
        said = [_("Quem a escreveu não a põe em vigor: isso é de outro admin.")]
        return words.headline(kind, None), said, seconds.path_of(notice)
    if kind == Kind.RELATORIO:
        return words.headline(kind, None), [], report_runs.path_of(notice)
    if proposal is None:
        raise ValueError("a letter is always about a proposal")
    lines = [
        _("Ação: %(action)s") % {"action": words.action(proposal.acao)},
        _("Risco: %(risk)s") % {"risk": words.risk(proposal.risco)},
    ]
    subject = words.headline(kind, proposal)
    if kind not in {Kind.DECISAO, Kind.RESULTADO}:
        until = words.deadline(proposal.expira_em, zone=_zone(user))
        lines.append(_("Prazo: %(until)s") % {"until": until})
        subject = _("%(what)s: risco %(risk)s, até %(until)s") % {
            "what": subject,
            "risk": words.risk(proposal.risco),
            "until": until,
        }
    return subject, lines, reverse("approvals:detail", args=[proposal.ref])


def _digest(notices: Sequence[Notice], user: User) -> tuple[str, list[str], str]:
    proposals = list({n.approval.pk: n.approval for n in notices if n.approval}.values())
    subject = ngettext(
        "%(count)s decisão espera por você", "%(count)s decisões esperam por você", len(proposals)
    ) % {"count": len(proposals)}
    lines = [
        _("Risco %(risk)s: %(count)s") % {"risk": words.risk(risk), "count": count}
        for risk in _SEVERITY
        if (count := sum(p.risco == risk for p in proposals))
    ]
    nearest = words.deadline(_nearest(proposals), zone=_zone(user))
    lines.append(_("Prazo mais próximo: %(until)s") % {"until": nearest})
    return subject, lines, reverse("approvals:inbox")


def _nearest(proposals: Sequence[AgenteAprovacao]) -> dt.datetime:
    return min(proposal.expira_em for proposal in proposals)


def _text(subject: str, lines: Sequence[str], url: str) -> str:
    said = [f"{subject}.", "\n".join(lines), _("Abrir no console:") + f"\n{url}", _footer()]
    return "\n\n".join(said) + "\n"


def _html(subject: str, lines: Sequence[str], url: str) -> str:
    listed = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    link = format_html('<a href="{}">{}</a>', url, _("Abrir no console"))
    return format_html("<p>{}.</p><ul>{}</ul><p>{}</p><p>{}</p>", subject, listed, link, _footer())


def _footer() -> str:
    return _("A decisão é sempre na página, nunca por este e-mail. Preferências: %(url)s") % {
        "url": address(reverse("preferences:index"))
    }


def _zone(user: User) -> dt.tzinfo:
    return user.preferences.zone or timezone.get_default_timezone()


def _host() -> str:
    return urlsplit(settings.OPSPILOT_BASE_URL).hostname or "localhost"
